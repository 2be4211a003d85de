package malloc_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes/malloc"
	"coredbg/runtimes/malloc/block"
)

// ownBlocks is how many blocks the C library has for itself at most in blocks.c: a tcache and a
// vector of thread-local blocks for each thread, and little more.
const ownBlocks = 40

// TestLiveBlocks compares all chunks in use with those that the program has written down, with
// malloc_usable_size of each, and the sums with its mallinfo2.
func TestLiveBlocks(t *testing.T) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			p := openCore(t, path)
			_, word := p.Words()
			h, err := malloc.Open(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			heap := h.All[0].Heap(t.Context())
			want, info := readBlocks(t, filepath.Join(path, "out.txt"))
			compareBlocks(t, heap, want)
			compareLocated(t, p, heap)
			if info != nil {
				compareInfo(t, heap, info, uint64(word))
			}
			if len(heap.Breaks)+len(heap.Strays)+len(heap.Notes) > 0 {
				t.Errorf("something is broken: %+v %+v %v", heap.Breaks, heap.Strays, heap.Notes)
			}
			if known, all := heap.Read(); known != all {
				t.Errorf("%d of %d bytes have known chunks", known, all)
			}
		})
	}
}

// readBlocks reads what blocks.c prints.
func readBlocks(t *testing.T, file string) (used map[core.Addr]uint64, info map[string]uint64) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	used = map[core.Addr]uint64{}
	for s := bufio.NewScanner(f); s.Scan(); {
		var at, size uint64
		if _, err := fmt.Sscanf(s.Text(), "used 0x%x %d", &at, &size); err == nil {
			used[core.Addr(at)] = size
		}
		words := strings.Fields(s.Text())
		if len(words) > 2 && words[0] == "mallinfo2" {
			info = map[string]uint64{}
			for i := 1; i+1 < len(words); i += 2 {
				fmt.Sscan(words[i+1], &size)
				info[words[i]] = size
			}
		}
	}
	if len(used) < 1000 {
		t.Fatalf("%d blocks were written down", len(used))
	}
	return used, info
}

func compareBlocks(t *testing.T, heap *block.Heap, want map[core.Addr]uint64) {
	t.Helper()
	own, wrong := 0, 0
	heap.Each(func(_ block.Ref, p *block.Packed) bool {
		size, listed := want[p.At]
		switch {
		case p.State() == block.Used && !listed:
			own++
		case listed && (p.State() != block.Used || p.Size() != size):
			wrong++
			t.Logf("%v: %v of %d bytes, should be in use with %d", p.At, p.State(), p.Size(), size)
		}
		delete(want, p.At)
		return wrong < 10
	})
	if own > ownBlocks || wrong > 0 || len(want) > 0 {
		t.Errorf("%d chunks in use that the program has not, %d wrong, %d missing", own, wrong, len(want))
		for at, size := range want {
			t.Logf("missing: %v of %d bytes", at, size)
			break
		}
	}
}

// compareInfo compares sums with mallinfo2, which counts headers, and chunks of tcaches as in use.
func compareInfo(t *testing.T, heap *block.Heap, info map[string]uint64, word uint64) {
	t.Helper()
	got := map[string]uint64{}
	for _, a := range heap.Arenas {
		got["arena"] += a.System
	}
	for _, r := range heap.Regions {
		if r.Mapped {
			got["hblks"]++
			got["hblkhd"] += uint64(r.End - r.Start)
		}
		for i := range r.Chunks {
			p := &r.Chunks[i]
			size := p.Size() + word
			switch list := heap.Lists[p.List()]; {
			case p.State() == block.Top:
				got["ordblks"]++
				got["fordblks"] += size
				if heap.Arenas[r.Arena].Main {
					got["keepcost"] = size
				}
			case list == "bin":
				got["ordblks"]++
				got["fordblks"] += size
			case list == "fastbin":
				got["smblks"]++
				got["fsmblks"] += size
				got["fordblks"] += size
			}
		}
	}
	got["uordblks"] = got["arena"] - got["fordblks"]
	for k, v := range info {
		if got[k] != v {
			t.Errorf("%s is %d, mallinfo2 says %d", k, got[k], v)
		}
	}
}
