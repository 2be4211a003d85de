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
	"coredbg/runtimes/malloc/leaks"
)

// TestLiveAllocs compares all chunks in use with the program's own list, in processes that use another
// allocator than the C library's, with the sizes that malloc_usable_size gives, and sums with the allocator's own figures.
func TestLiveAllocs(t *testing.T) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			p := openCore(t, path)
			h, err := malloc.Open(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			name := strings.Split(filepath.Base(path), "-")[1]
			var of []block.Allocator
			for _, a := range h.All {
				if a.Name() == name {
					of = append(of, a)
				} else if n := a.Heap(t.Context()).Len(); n > ownBlocks {
					t.Errorf("%s has %d chunks, too", a.Name(), n)
				}
			}
			if len(of) != 1 {
				t.Fatalf("%d allocators are called %s", len(of), name)
			}
			heap := of[0].Heap(t.Context())
			want, _ := readBlocks(t, filepath.Join(path, "out.txt"))
			compareBlocks(t, heap, want)
			compareFigures(t, heap, filepath.Join(path, "out.txt"), figuresOf[name])
			if len(heap.Breaks)+len(heap.Strays)+len(heap.Notes) > 0 {
				t.Errorf("something is broken: %+v %+v %v", heap.Breaks, heap.Strays, heap.Notes)
			}
			if known, all := heap.Read(); known != all {
				t.Errorf("%d of %d bytes have known chunks", known, all)
			}
		})
	}
}

// figuresOf is how many figures of each allocator are compared.
var figuresOf = map[string]int{"jemalloc": 2}

// compareFigures compares sums with the allocator's own figures.
func compareFigures(t *testing.T, heap *block.Heap, file string, least int) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sum := heap.Sum(block.All)
	got := map[string]uint64{
		"stats.retained":                  sum.Top,
		"stats.allocated":                 sum.UsedBytes + sum.CachedBytes, // jemalloc counts what threads have in caches
		"generic.current_allocated_bytes": sum.UsedBytes,
	}
	compared := 0
	for s := bufio.NewScanner(f); s.Scan(); {
		var name string
		var v uint64
		if _, err := fmt.Sscanf(s.Text(), "figure %s %d", &name, &v); err != nil {
			continue
		}
		if have, ok := got[name]; ok && have != v {
			t.Errorf("%s is %d, the allocator says %d", name, have, v)
		} else if ok {
			compared++
		}
	}
	if compared < least {
		t.Errorf("%d figures are equal", compared)
	}
}

// TestLiveLost compares the lost blocks with leaky.cc's own list.
func TestLiveLost(t *testing.T) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			p := openCore(t, path)
			h, err := malloc.Open(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			want := lostBlocks(t, filepath.Join(path, "out.txt"))
			var heaps []*block.Heap
			for _, a := range h.All {
				heaps = append(heaps, a.Heap(t.Context()))
			}
			res, err := leaks.Find(t.Context(), p, heaps, leaks.Options{Lost: func(at core.Addr, size uint64) {
				if want[at] != size {
					t.Errorf("%v of %d bytes is said to be lost", at, size)
				}
				delete(want, at)
			}})
			if err != nil {
				t.Fatal(err)
			}
			if len(want) > 0 || len(res.Clusters) != 70 {
				t.Errorf("%d lost blocks are not found, and there are %d clusters: %v", len(want), len(res.Clusters), want)
			}
		})
	}
}

func lostBlocks(t *testing.T, file string) map[core.Addr]uint64 {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := map[core.Addr]uint64{}
	for s := bufio.NewScanner(f); s.Scan(); {
		var at, size uint64
		if _, err := fmt.Sscanf(s.Text(), "lost 0x%x %d", &at, &size); err == nil {
			out[core.Addr(at)] = size
		}
	}
	if len(out) != 156 {
		t.Fatalf("%d blocks are written down", len(out))
	}
	return out
}
