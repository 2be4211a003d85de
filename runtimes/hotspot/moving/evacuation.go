package moving

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/hotspot/vmstructs"
)

// An Evacuation is a collection of Shenandoah that moves objects out of regions: the collection set. The mark
// word of an object that has been moved is the address of its copy, with its two lowest bits set
// (share/gc/shenandoah/shenandoahForwarding.inline.hpp). References may still lead to the remains.
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

var errRegions = errors.New("a heap has fewer")

// Regions returns the regions of Shenandoah's heap in order of address.
func Regions(t *vmstructs.Tables) ([]Region, error) {
	m, ok := newRegionMembers(t)
	if !ok {
		return nil, fmt.Errorf("hotspot: libjvm's tables do not have Shenandoah's regions")
	}
	c := t.Process.Cursor()
	heap := t.PointerAt(0, "Universe._collectedHeap")
	n, regions := c.U64(heap.Add(m.number)), c.Pointer(heap.Add(m.list))
	if err := c.Err(); err != nil || n > maxRegions {
		return nil, fmt.Errorf("hotspot: Shenandoah's %d regions cannot be read: %w", n, cmp.Or(err, errRegions))
	}
	var out []Region
	var first error
	for i := range n {
		at := c.Pointer(regions + core.Addr(8*i))
		r := Region{Bottom: c.Pointer(at.Add(m.bottom)), Top: c.Pointer(at.Add(m.top)), End: c.Pointer(at.Add(m.end))}
		state, number := m.states[m.state.Int(c, at)], i
		if m.size != 0 {
			number = c.U64(at)
		}
		if err := c.Reset(); err != nil {
			first = cmp.Or(first, fmt.Errorf("hotspot: region %d: %w", i, err))
			continue
		}
		if m.size != 0 && (number != i || uint64(r.End-r.Bottom) != m.size) {
			return nil, fmt.Errorf("hotspot: Shenandoah's regions are not as they are known to be in this release: region %d at %v", i, at)
		}
		switch state {
		case "humongous_cont":
			r.Continues = true
		case "empty_uncommitted", "empty_committed", "trash":
			r.Gone = true
		case "cset", "pinned_cset":
			r.Collected = true
		}
		out = append(out, r)
	}
	slices.SortFunc(out, func(x, y Region) int { return cmp.Compare(x.Bottom, y.Bottom) })
	return out, first
}

// regionMembers are where Shenandoah's heap has its regions, and a region its members.
type regionMembers struct {
	number, list, bottom, top, end int64
	state                          vmstructs.Field
	states                         map[int64]string // names of the values of state
	// size is the number of bytes of each region if the tables do not have the layout: it has to be checked.
	size uint64
}

// regionStates are the states of a region, in the order of JDK 11 (share/gc/shenandoah/shenandoahHeapRegion.hpp).
var regionStates = []string{"empty_uncommitted", "empty_committed", "regular", "humongous_start", "humongous_cont",
	"pinned_humongous_start", "cset", "pinned", "pinned_cset", "trash"}

// newRegionMembers returns the layout in the tables. JDK 11's tables have the number of regions alone. There
// the list of regions follows that number (shenandoahHeap.hpp), and a region begins with its number, bottom
// and end, as in JDK 17.
func newRegionMembers(t *vmstructs.Tables) (m regionMembers, ok bool) {
	var have [6]bool
	m.number, have[0] = t.Optional("ShenandoahHeap._num_regions")
	m.list, have[1] = t.Optional("ShenandoahHeap._regions")
	m.bottom, have[2] = t.Optional("ShenandoahHeapRegion._bottom")
	m.top, have[3] = t.Optional("ShenandoahHeapRegion._top")
	m.end, have[4] = t.Optional("ShenandoahHeapRegion._end")
	m.state, have[5] = t.Lookup("ShenandoahHeapRegion._state")
	m.states = map[int64]string{}
	if !slices.Contains(have[:], false) {
		for _, name := range regionStates {
			if n, ok := t.Constant("ShenandoahHeapRegion::_" + name); ok {
				m.states[n] = name
			}
		}
		return m, true
	}
	size, known := t.Value("ShenandoahHeapRegion.RegionSizeBytes")
	if t.Java() != 11 || !have[0] || !known || size <= 0 {
		return m, false
	}
	for i, name := range regionStates {
		m.states[int64(i)] = name
	}
	m.list, m.bottom, m.top, m.end, m.size = m.number+8, 8, 48, 16, uint64(size)
	m.state = vmstructs.Field{Type: "int", Offset: 40}
	return m, true
}

// NewEvacuation returns the collection that moves objects, nil if there is none. Mark is the offset of an
// object's mark word, negative if it is not known.
func NewEvacuation(t *vmstructs.Tables, mark int64) *Evacuation {
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
	i, found := slices.BinarySearchFunc(e.regions, at,
		func(s core.Segment, at core.Addr) int { return cmp.Compare(s.Start, at) })
	return found || i > 0 && at < e.regions[i-1].End
}

// forwarded is the state of the mark word of an object that has been moved (share/oops/markWord.hpp: marked_value).
const forwarded = 3

// alignment is the least one of objects.
const alignment = 8

// Marks reports whether a mark word is the address of a copy.
func (e *Evacuation) Marks(mark uint64) bool { return e != nil && mark&forwarded == forwarded }

// Copy returns the address of the copy of the object at an address, which is the address itself if it has not
// been moved.
func (e *Evacuation) Copy(at core.Addr) core.Addr {
	if e == nil || !e.in(at) {
		return at
	}
	c := e.t.Process.Cursor()
	mark := c.U64(at.Add(e.mark))
	to := core.Addr(mark &^ forwarded)
	if c.Err() != nil || !e.Marks(mark) || to == 0 || to%alignment != 0 {
		return at
	}
	return to
}
