package malloc_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes/malloc"
	"coredbg/runtimes/malloc/block"
	"coredbg/runtimes/malloc/leaks"
)

// mayKeep is how many lost blocks may not be found: words before blocks with an alignment, which are not the
// program's to clear, and words that the allocators and the C library have for themselves lead to some.
const mayKeep = 30

// TestLiveForgets compares lost blocks, and the blocks at addresses within them, with the list of forgets.c:
// allocators on other architectures.
func TestLiveForgets(t *testing.T) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			p := openCore(t, path)
			h, err := malloc.Open(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			used, _ := readBlocks(t, filepath.Join(path, "out.txt"))
			for at, size := range used {
				for _, a := range []core.Addr{at, at + core.Addr(size)/2, at + core.Addr(max(size, 1)) - 1} {
					f, ok := h.At(t.Context(), a)
					if !ok || f.State != malloc.Used || f.Addr > at || f.Addr+core.Addr(f.Size) != at+
						core.Addr(size) && f.Size != size {
						t.Fatalf("%v in a block of %d bytes at %v: %+v", a, size, at, f.Chunk)
					}
				}
			}
			forgotten(t, p, h, filepath.Join(path, "out.txt"))
		})
	}
}

// forgotten compares the lost blocks. Blocks that are not in the program's list are the allocator's.
func forgotten(t *testing.T, p *core.Process, h *malloc.Heap, name string) {
	t.Helper()
	own := 0
	if h.All[0].Name() == "tcmalloc" {
		own = lostOf["lost-tcmalloc"]
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want := map[core.Addr]uint64{}
	for s := bufio.NewScanner(f); s.Scan(); {
		var at, size uint64
		if _, err := fmt.Sscanf(s.Text(), "lost 0x%x %d", &at, &size); err == nil {
			want[core.Addr(at)] = size
		}
	}
	if len(want) < 1000 {
		t.Fatalf("%d lost blocks are listed", len(want))
	}
	var heaps []*block.Heap
	for _, a := range h.All {
		heaps = append(heaps, a.Heap(t.Context()))
	}
	all, wrong := len(want), 0
	if _, err := leaks.Find(t.Context(), p, heaps, leaks.Options{Lost: func(at core.Addr, size uint64) {
		for a := range want {
			if a == at || a > at && a < at+core.Addr(size) {
				delete(want, a)
				return
			}
		}
		wrong++
		if wrong < 4 {
			t.Logf("%v of %d bytes is said to be lost", at, size)
		}
	}}); err != nil {
		t.Fatal(err)
	}
	if wrong > own || len(want) > mayKeep {
		t.Errorf("%d of %d lost blocks are not found, %d are not lost", len(want), all, wrong)
	}
}
