package gtcmalloc

import (
	"path/filepath"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/elf/elfcore"
	"coredbg/core/file"
	"coredbg/runtimes/malloc/block"
)

// The allocator's own counts, from the number of a class on (CentralFreeList).
const (
	counterAt   = 40 // free objects in spans
	requestedAt = 48 // spans
	returnedAt  = 56
)

// TestLiveGoogle compares free objects and spans with the allocator's own counts: the free objects in spans
// of each class, how many spans it has, and the bytes in all caches of threads.
func TestLiveGoogle(t *testing.T) {
	for _, path := range coretest.Live(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			src, err := file.Open(filepath.Join(path, "core"), nil)
			if err != nil {
				t.Fatal(err)
			}
			p, err := elfcore.Open(src, path, elfcore.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			all := Open(t.Context(), p)
			if len(all) != 1 {
				t.Fatalf("%d allocators", len(all))
			}
			h := all[0].(*Malloc)
			heap := h.Heap(t.Context())
			if len(heap.Breaks)+len(heap.Strays)+len(heap.Notes) > 0 {
				t.Fatalf("%+v, %+v, %v", heap.Breaks, heap.Strays, heap.Notes)
			}
			if h.central == nil {
				t.Fatal("the transfer caches were not found")
			}
			compareCounts(t, h, heap)
		})
	}
}

func compareCounts(t *testing.T, h *Malloc, heap *block.Heap) {
	t.Helper()
	var free, spans [maxClasses]uint64
	cached, used := uint64(0), 0
	for i := range h.m.spans {
		s := &h.m.spans[i]
		spans[s.class]++
		n, size := h.objectsOf(s)
		for k := range n {
			at := s.start + core.Addr(k*size)
			r, ok := heap.Around(at)
			if !ok {
				t.Fatalf("no chunk is at %v", at)
			}
			switch c := heap.Chunk(r); c.List {
			case "span":
				free[s.class]++
			case "thread cache":
				cached += size
			case "":
				used++
			}
		}
	}
	c, classes, more := h.m.c, 0, countersOf(h, spans[:])
	for class := 1; class < h.base; class++ {
		at := h.central.at + core.Addr(class)*h.central.stride + more
		if n := c.U64(at + counterAt); n != free[class] {
			t.Errorf("class %d: %d free objects in spans, the allocator counts %d", class, free[class], n)
		}
		n := c.U64(at+requestedAt) - c.U64(at+returnedAt)
		// the only object of a span is not counted
		if alone := c.U32(at-more+16) == 1; n != spans[class] && !(alone && n == 0) {
			t.Errorf("class %d: %d spans, the allocator counts %d", class, spans[class], n)
		}
		if n > 0 {
			classes++
		}
	}
	own, caches := uint64(0), 0
	for _, s := range heap.Own {
		if s.Start != h.central.at {
			own += c.U64(s.End)
			caches++
		}
	}
	if caches == 0 {
		t.Fatal("the caches of threads were not found")
	}
	if err := c.Reset(); err != nil || own != cached || classes < 30 || used < 1000 {
		t.Errorf("%v: %d bytes in %d caches of threads, the allocator counts %d; %d classes have spans, %d objects are in use", err, cached, caches, own, classes, used)
	}
	t.Logf("%d objects are in use, %d bytes are in %d caches of threads", used, cached, caches)
}

// countersOf returns how many more bytes a release has before the counts. With the right number, most classes
// count as many spans as they have.
func countersOf(h *Malloc, spans []uint64) (at core.Addr) {
	most := -1
	for _, more := range []core.Addr{0, 8, 72, 1152} {
		good := 0
		for class := 1; class < h.base; class++ {
			at := h.central.at + core.Addr(class)*h.central.stride + more
			if h.m.c.U64(at+requestedAt)-h.m.c.U64(at+returnedAt) == spans[class] {
				good++
			}
		}
		if h.m.c.Reset() == nil && good > most {
			at, most = more, good
		}
	}
	return at
}
