package object

import (
	"cmp"
	"fmt"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/hotspot/vmstructs"
)

// An Evacuation is a collection of Shenandoah that moves objects out of regions: the collection set. The mark word of an object that
// has been moved is the address of its copy, with its two lowest bits set (share/gc/shenandoah/shenandoahForwarding.inline.hpp).
// References may still lead to the remains.
type Evacuation struct {
	t       *vmstructs.Tables
	mark    int64
	regions []core.Segment // in order of address
}

// A Region is a region of Shenandoah's heap.
type Region struct {
	Bottom, Top, End core.Addr
	// Continues is set if the object that begins in a region before it reaches into it.
	Continues bool
	// Gone is set if the region is empty, or was freed with its objects.
	Gone bool
	// Collected is set if it is in the collection set.
	Collected bool
}

// maxRegions bounds the regions of a heap.
const maxRegions = 1 << 20

// Regions returns the regions of Shenandoah's heap in order of address.
func Regions(t *vmstructs.Tables) ([]Region, error) {
	number, ok1 := t.Optional("ShenandoahHeap._num_regions")
	list, ok2 := t.Optional("ShenandoahHeap._regions")
	bottom, ok3 := t.Optional("ShenandoahHeapRegion._bottom")
	top, ok4 := t.Optional("ShenandoahHeapRegion._top")
	end, ok5 := t.Optional("ShenandoahHeapRegion._end")
	state, ok6 := t.Lookup("ShenandoahHeapRegion._state")
	at, ok7 := t.StaticAt("Universe._collectedHeap")
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 || !ok6 || !ok7 {
		return nil, fmt.Errorf("hotspot: libjvm's tables do not have Shenandoah's regions")
	}
	c := t.Process.Cursor()
	heap := c.Pointer(at)
	n, regions := c.U64(heap.Add(number)), c.Pointer(heap.Add(list))
	if err := c.Err(); err != nil || n > maxRegions {
		return nil, fmt.Errorf("hotspot: Shenandoah's %d regions cannot be read: %w", n, cmp.Or(err, errNoClass))
	}
	var out []Region
	var first error
	for i := range n {
		at := c.Pointer(regions + core.Addr(8*i))
		r := Region{Bottom: c.Pointer(at.Add(bottom)), Top: c.Pointer(at.Add(top)), End: c.Pointer(at.Add(end))}
		kind := state.Int(c, at)
		if err := c.Reset(); err != nil {
			first = cmpErr(first, fmt.Errorf("hotspot: region %d: %w", i, err))
			continue
		}
		is := func(names ...string) bool {
			return slices.ContainsFunc(names, func(s string) bool {
				n, ok := t.Constant("ShenandoahHeapRegion::_" + s)
				return ok && n == kind
			})
		}
		r.Continues, r.Gone = is("humongous_cont"), is("empty_uncommitted", "empty_committed", "trash")
		r.Collected = is("cset", "pinned_cset")
		out = append(out, r)
	}
	slices.SortFunc(out, func(x, y Region) int { return cmp.Compare(x.Bottom, y.Bottom) })
	return out, first
}

// newEvacuation returns nil if no objects are being moved.
func newEvacuation(t *vmstructs.Tables, mark int64) *Evacuation {
	if on, _ := t.Flag("UseShenandoahGC"); !on || mark < 0 {
		return nil
	}
	all, _ := Regions(t)
	e := &Evacuation{t: t, mark: mark}
	for _, r := range all {
		if r.Collected {
			e.regions = append(e.regions, core.Segment{Start: r.Bottom, End: r.End})
		}
	}
	if len(e.regions) == 0 {
		return nil
	}
	return e
}

// Regions returns the number of regions in the collection set.
func (e *Evacuation) Regions() int {
	if e == nil {
		return 0
	}
	return len(e.regions)
}

// in reports whether an address is in the collection set.
func (e *Evacuation) in(at core.Addr) bool {
	i, found := slices.BinarySearchFunc(e.regions, at, func(s core.Segment, at core.Addr) int { return cmp.Compare(s.Start, at) })
	return found || i > 0 && at < e.regions[i-1].End
}

// forwarded is the state of the mark word of an object that has been moved (share/oops/markWord.hpp: marked_value).
const forwarded = 3

// Copy returns the address of the copy of the object at an address, which is the address itself if it has not been moved.
func (e *Evacuation) Copy(at core.Addr) core.Addr {
	if e == nil || !e.in(at) {
		return at
	}
	c := e.t.Process.Cursor()
	mark := c.U64(at.Add(e.mark))
	to := core.Addr(mark &^ forwarded)
	if c.Err() != nil || mark&forwarded != forwarded || to == 0 || to%Alignment != 0 {
		return at
	}
	return to
}

// Evacuation returns the collection that moves objects; nil if there is none.
func (r *Reader) Evacuation() *Evacuation { return r.h.evacuation }

// settled returns the address of an object that a reference leads to.
func (r *Reader) settled(at core.Addr) core.Addr {
	if r.h.evacuation == nil {
		return at
	}
	return r.h.evacuation.Copy(at)
}
