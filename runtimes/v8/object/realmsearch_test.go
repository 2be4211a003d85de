package object

import (
	"testing"

	"coredbg/core"
	"coredbg/runtimes/v8/v8test"
)

// filler counts how often a gap is asked for.
type filler struct{ asked int }

func (f *filler) Fill(gap core.Segment, _ core.Addr) core.Segment {
	f.asked++
	return gap
}

// TestSearchContextsInGaps: a mapping that claims most of the address space, and that the core does
// not hold, is not searched.
func TestSearchContextsInGaps(t *testing.T) {
	h := v8test.NewHeap(t, v8test.Node24)
	h.Str("text")
	m := h.Memory()
	f := &filler{}
	segs := append([]core.Segment{{Start: 0x10000, End: 0x20000, Kind: core.SegGap, Prot: core.Read | core.Write}},
		m.Space.Segments()...)
	end := segs[len(segs)-1].End
	segs = append(segs, core.Segment{Start: end, End: end + 1<<46, Kind: core.SegGap, Prot: core.Read | core.Write})
	m.Space = core.NewSpace(segs, f)
	if found := readerOf(m).Objects.searchContexts(t.Context()); len(found) > 0 || f.asked > 0 {
		t.Errorf("found %v, and asked %d times for what the core does not hold", found, f.asked)
	}
}
