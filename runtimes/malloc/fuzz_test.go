package malloc_test

import (
	"context"
	"testing"
	"time"

	"coredbg/core"
	"coredbg/runtimes/malloc"
	"coredbg/runtimes/malloc/block"
	"coredbg/runtimes/malloc/class"
	"coredbg/runtimes/malloc/faults"
	"coredbg/runtimes/malloc/graph"
	"coredbg/runtimes/malloc/leaks"
	"coredbg/runtimes/malloc/typed"
)

// FuzzHeap changes words of a heap: whatever they are, chunks stay in order and in their regions, and nothing
// takes long.
func FuzzHeap(f *testing.F) {
	f.Add([]byte{0x90, 0x02, 0x80, 0x41})
	f.Add([]byte{0xf0, 0x02, 0x80, 0xff, 0x08, 0x00, 0x80, 0x01})
	f.Add([]byte{0x60, 0x01, 0x10, 0x10, 0xa0, 0x09, 0x10, 0x20})
	f.Fuzz(func(t *testing.T, b []byte) {
		p := laidOut(func(word func(at, v uint64)) {
			// Four bytes are a change: where, in which mapping, and to what.
			for ; len(b) >= 4; b = b[4:] {
				off := (uint64(b[0]) | uint64(b[1])<<8) & 0xff8
				value := uint64(b[3])
				if b[3] >= 0x80 {
					value = uint64(heap) + uint64(b[3]&0x7f)<<4 | uint64(b[2]&7)
				}
				if b[2]&0x80 != 0 {
					word(heap+off, value)
				} else {
					word(libc+off, value)
				}
			}
		})
		ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
		defer stop()
		h, err := malloc.Open(ctx, p)
		if err != nil {
			return
		}
		x := h.All[0].Heap(ctx)
		ordered(t, x)
		faults.Find(p, x)
		if _, err := leaks.Find(ctx, p, []*block.Heap{x}, leaks.Options{Conservative: true}); err != nil {
			t.Fatal(err)
		}
		checkGraph(t, ctx, p, h)
	})
}

// checkGraph makes a graph of the blocks, and holds it to their number.
func checkGraph(t *testing.T, ctx context.Context, p *core.Process, h *malloc.Heap) {
	t.Helper()
	blocks := func(ctx context.Context) (*typed.Blocks, error) {
		return typed.Find(ctx, typed.Input{Process: p, Heaps: []*block.Heap{h.All[0].Heap(ctx)},
			Classes: class.New(p, nil)})
	}
	native := graph.Heap{Process: p, Allocators: h.All, Blocks: blocks}
	g, err := native.Graph(ctx)
	if err != nil {
		t.Fatal(err)
	}
	used := 0
	h.All[0].Heap(ctx).Each(func(_ block.Ref, c *block.Packed) bool {
		if c.State() == block.Used && !c.Own() {
			used++
		}
		return true
	})
	if g.Len() != used {
		t.Fatalf("%d objects, %d blocks in use", g.Len(), used)
	}
}

func ordered(t *testing.T, h *block.Heap) {
	t.Helper()
	end := core.Addr(0)
	for i := range h.Regions {
		r := &h.Regions[i]
		if r.Start < end || r.End < r.Start {
			t.Fatalf("region %d: %v to %v, after %v", i, r.Start, r.End, end)
		}
		at := r.Start
		for k := range r.Chunks {
			c := &r.Chunks[k]
			if c.At < at || c.At > r.End {
				t.Fatalf("chunk %d at %v of %d bytes, after %v", k, c.At, c.Size(), at)
			}
			at = c.At + 1
		}
		end = r.End
	}
	known, all := h.Read()
	if known > all {
		t.Fatalf("%d of %d bytes are known", known, all)
	}
}
