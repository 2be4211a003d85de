package malloc_test

import (
	"encoding/binary"
	"testing"

	"coredbg/core"
	"coredbg/runtimes/malloc"
	"coredbg/runtimes/malloc/block"
)

// A holed source has the first and the last page of a file. It counts how often the hole between is read.
type holed struct {
	first, last []byte
	size        int64
	faults      int
}

func (h *holed) Size() int64  { return h.size }
func (h *holed) Close() error { return nil }

func (h *holed) Window(off int64) ([]byte, error) {
	switch last := h.size - int64(len(h.last)); {
	case off < int64(len(h.first)):
		return h.first[off:], nil
	case off >= last:
		return h.last[off-last:], nil
	}
	h.faults++
	return nil, &core.GapError{Gap: core.LeftOut}
}

func (h *holed) Data(off int64) (start, end int64) {
	last := h.size - int64(len(h.last))
	switch {
	case off < int64(len(h.first)):
		return off, int64(len(h.first))
	case off < h.size:
		return max(off, last), h.size
	}
	return h.size, h.size
}

// TestHole: a heap of which the core lacks 64 MiB is read before and behind, and not in between.
func TestHole(t *testing.T) {
	const hole, behind = 64 << 20, heap + 4096 + 64<<20
	for name, c := range map[string]struct {
		top     uint64
		missing uint64
		rest    uint64
	}{
		"top behind":      {behind + rest, hole + 16, 0x800 - 8},
		"top in the hole": {heap + 0x2000, hole + 4096, 0},
	} {
		t.Run(name, func(t *testing.T) {
			src := &holed{size: 4096 + hole + 4096, first: make([]byte, 4096), last: make([]byte, 4096)}
			for at, v := range map[int]uint64{0x18: 0x31, 0x48: 0x7c1, rest + 8: 0x801} {
				binary.LittleEndian.PutUint64(src.last[at:], v)
			}
			p := laidOut(func(word func(at, v uint64)) {
				word(top, c.top)
				word(top+16+2032+40, uint64(src.size))
			})
			replaceHeap(t, p, src)
			h, err := malloc.Open(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			sum := h.All[0].Heap(t.Context()).Sum(block.All)
			if sum.Missing != c.missing || sum.Top != c.rest {
				t.Errorf("%d bytes missing and a rest of %d, want %d and %d", sum.Missing, sum.Top, c.missing, c.rest)
			}
			if src.faults > 100 {
				t.Errorf("the hole was read %d times", src.faults)
			}
		})
	}
}

// replaceHeap has the heap's bytes come from src, its first page from where they were.
func replaceHeap(t *testing.T, p *core.Process, src *holed) {
	segs, end := p.Space.Segments(), heap+core.Addr(src.size)
	if _, err := p.Space.ReadAt(src.first, heap); err != nil {
		t.Fatal(err)
	}
	for i := range segs {
		if segs[i].Start == heap {
			segs[i] = core.Segment{Start: heap, End: end, Kind: core.SegCore, Src: src, Prot: segs[i].Prot}
		}
	}
	for i := range p.Mappings {
		if p.Mappings[i].Start == heap {
			p.Mappings[i].End = end
		}
	}
	p.Space = core.NewSpace(segs, nil)
}
