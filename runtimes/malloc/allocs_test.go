package malloc_test

import (
	"bufio"
	"fmt"
	"maps"
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
// allocator than the C library's, with the sizes that malloc_usable_size gives, and sums with the allocator's
// own figures.
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
			if name == "mimalloc" {
				wholeBlocks(t, heap, want)
			}
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

// wholeBlocks replaces blocks that were asked for with an alignment by the whole blocks that the allocator
// has for them: they end where their blocks end. The library of 3.0.1 gives some the whole size, in pages
// whose thread has let go of them.
func wholeBlocks(t *testing.T, heap *block.Heap, want map[core.Addr]uint64) {
	t.Helper()
	moved := 0
	for at, size := range maps.Clone(want) {
		r, ok := heap.Around(at)
		if !ok {
			continue
		}
		if p := heap.Packed(r); p.At < at && (p.End() == at+core.Addr(size) || p.Size() == size) && uint64(at)%32 == 0 {
			delete(want, at)
			want[p.At] = p.Size()
			moved++
		}
	}
	if moved*20 > len(want) {
		t.Errorf("%d of %d blocks begin within a chunk", moved, len(want))
	}
}

// figuresOf is how many figures of each allocator are compared.
var figuresOf = map[string]int{"jemalloc": 2, "tcmalloc": 5}

// compareFigures compares sums with the allocator's own figures.
func compareFigures(t *testing.T, heap *block.Heap, file string, least int) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sum := heap.Sum(block.All)
	byList := map[string]uint64{}
	heap.Each(func(_ block.Ref, p *block.Packed) bool { byList[heap.Lists[p.List()]] += p.Size(); return true })
	got := map[string]uint64{
		"tcmalloc.pageheap_free_bytes":       byList["page heap"],
		"tcmalloc.pageheap_unmapped_bytes":   sum.Top,
		"tcmalloc.transfer_cache_free_bytes": byList["transfer cache"],
		"tcmalloc.thread_cache_free_bytes":   byList["thread cache"],
		"stats.retained":                     sum.Top,
		// jemalloc counts what threads have in caches
		"stats.allocated":                 sum.UsedBytes + sum.CachedBytes,
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

// lostOf is how many blocks an allocator's library loses itself: gperftools makes a MallocExtension, puts another
// in its place, and forgets the first.
var lostOf = map[string]int{"lost-tcmalloc": 1}

// TestLiveLost compares the lost blocks with leaky.cc's own list.
func TestLiveLost(t *testing.T) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			p := openCore(t, path)
			h, err := malloc.Open(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			want, all := lostBlocks(t, filepath.Join(path, "out.txt"))
			own := 0
			var heaps []*block.Heap
			for _, a := range h.All {
				heaps = append(heaps, a.Heap(t.Context()))
			}
			res, err := leaks.Find(t.Context(), p, heaps, leaks.Options{Lost: func(at core.Addr, size uint64) {
				if b, listed := all[at]; !listed {
					own++
				} else if b != size || want[at] != size {
					t.Errorf("%v of %d bytes is said to be lost", at, size)
				}
				delete(want, at)
			}})
			if err != nil {
				t.Fatal(err)
			}
			if n := lostOf[filepath.Base(path)]; len(want) > 0 || own != n || len(res.Clusters) != 70+n {
				t.Errorf("%d lost blocks are not found, %d are not the program's, and there are %d clusters: %v",
					len(want), own, len(res.Clusters), want)
			}
		})
	}
}

// lostBlocks returns the lost blocks that leaky.cc lists, and all that it lists.
func lostBlocks(t *testing.T, file string) (lost, all map[core.Addr]uint64) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lost, all = map[core.Addr]uint64{}, map[core.Addr]uint64{}
	for s := bufio.NewScanner(f); s.Scan(); {
		var state string
		var at, size uint64
		if _, err := fmt.Sscanf(s.Text(), "%s 0x%x %d", &state, &at, &size); err != nil {
			continue
		}
		if all[core.Addr(at)] = size; state == "lost" {
			lost[core.Addr(at)] = size
		}
	}
	if len(lost) != 156 || len(all) < 700 {
		t.Fatalf("%d lost blocks of %d are written down", len(lost), len(all))
	}
	return lost, all
}
