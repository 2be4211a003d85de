package heap

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"

	"coredbg/core"
	"coredbg/runtimes/hotspot/frame"
	"coredbg/runtimes/hotspot/moving"
)

// A Walker walks the heap of a process. It is safe for concurrent use.
type Walker struct {
	*frame.Decoder

	once    sync.Once
	heap    *Heap
	bad     error
	classes classList

	virtualOnce sync.Once
	virtuals    virtualThreads
}

// NewWalker returns a walker over the threads of a decoder.
func NewWalker(d *frame.Decoder) *Walker { return &Walker{Decoder: d} }

// A Space is a part of the heap whose objects follow one another.
type Space struct {
	Name       string // "eden", "old" …
	Begin, Top core.Addr
	End        core.Addr // of the reserved memory

	chunks *freeChunks        // between objects; nil without them
	align  core.Addr          // of its objects, if it is not object.Alignment
	from   *moving.Forwarding // the new places of objects that have been moved; nil if the page stays
	left   bool               // its objects are being moved, and lead to their copies
	marks  *marks             // of its live objects; nil if G1 has not marked them
}

// A Heap is where the objects of a process are.
type Heap struct {
	Collector string // "Serial", "Parallel", "G1", "ZGC", "Shenandoah", "Epsilon", "CMS"
	// Spaces are in order of address and do not overlap.
	Spaces []Space
	// Gaps are what threads have not used of their allocation buffers, by where they begin.
	Gaps map[core.Addr]core.Addr
	// Notes are sentences about spaces that could not be read.
	Notes []string
	w     *Walker
}

// maxRegions bounds the regions of a heap.
const maxRegions = 1 << 20

// Heap returns the heap; the error says why it is not known.
func (w *Walker) Heap() (*Heap, error) {
	w.once.Do(func() { w.heap, w.bad = w.readHeap() })
	return w.heap, w.bad
}

func (w *Walker) readHeap() (*Heap, error) {
	h := &Heap{w: w, Gaps: map[core.Addr]core.Addr{}}
	for _, x := range []struct {
		flag, name string
		read       func(*Heap)
	}{
		{"UseSerialGC", "Serial", w.serial}, {"UseParallelGC", "Parallel", w.parallel}, {"UseG1GC", "G1", w.g1},
		{"UseShenandoahGC", "Shenandoah", w.shenandoah}, {"UseEpsilonGC", "Epsilon", w.epsilon},
		{"UseZGC", "ZGC", w.z}, {"UseConcMarkSweepGC", "CMS", w.cms},
	} {
		if on, _ := w.Flag(x.flag); !on {
			continue
		}
		h.Collector = x.name
		x.read(h)
		break
	}
	if len(h.Spaces) == 0 {
		return nil, core.Unknown(fmt.Errorf("hotspot: %s heap: %w", cmp.Or(h.Collector, "the"),
			errors.New("no space with objects was found")))
	}
	slices.SortFunc(h.Spaces, func(x, y Space) int { return cmp.Compare(x.Begin, y.Begin) })
	end := core.Addr(0)
	h.Spaces = slices.DeleteFunc(h.Spaces, func(s Space) bool {
		if s.Begin < end {
			h.Notes = append(h.Notes, fmt.Sprintf("%s at %v overlaps the space before it", s.Name, s.Begin))
			return true
		}
		end = s.Top
		return false
	})
	w.gaps(h)
	return h, nil
}

// heapAt returns the address of Universe::_collectedHeap.
func (w *Walker) heapAt() core.Addr {
	return w.PointerAt(0, "Universe._collectedHeap")
}

// add adds the space that a record describes, or a note if it cannot be one.
func (w *Walker) add(h *Heap, name string, at core.Addr, bottom, top, end []string) {
	if at == 0 {
		h.Notes = append(h.Notes, name+": its record was not found")
		return
	}
	w.addSpace(h, Space{Name: name, Begin: w.PointerAt(at, bottom...), Top: w.PointerAt(at, top...),
		End: w.PointerAt(at, end...)})
}

// addSpace adds a space, or a note if it cannot be one.
func (w *Walker) addSpace(h *Heap, s Space) {
	if s.Begin == 0 || s.Top < s.Begin || s.End < s.Top || s.Begin%8 != 0 || s.Top%8 != 0 {
		h.Notes = append(h.Notes, fmt.Sprintf("%s: a space from %v to %v cannot be", s.Name, s.Begin, s.Top))
		return
	}
	if s.Top > s.Begin {
		h.Spaces = append(h.Spaces, s)
	}
}

var (
	contiguousBottom = []string{"ContiguousSpace._bottom", "Space._bottom"}
	contiguousTop    = []string{"ContiguousSpace._top"}
	contiguousEnd    = []string{"ContiguousSpace._end", "Space._end"}
)

func (w *Walker) serial(h *Heap) {
	_, old := w.generations()
	w.young(h)
	space := w.PointerAt(old, "TenuredGeneration._the_space", "OneContigSpaceCardGeneration._the_space")
	w.add(h, "old", space, contiguousBottom, contiguousTop, contiguousEnd)
}

// generations returns the generations of Serial and CMS.
func (w *Walker) generations() (young, old core.Addr) {
	at := w.heapAt()
	young = w.PointerAt(at, "SerialHeap._young_gen", "GenCollectedHeap._young_gen")
	old = w.PointerAt(at, "SerialHeap._old_gen", "GenCollectedHeap._old_gen")
	if gens, ok := w.Optional("GenCollectedHeap._gens"); ok && at != 0 { // an array, in JDK 8
		c := w.Process.Cursor()
		young, old = c.Pointer(at.Add(gens)), c.Pointer(at.Add(gens)+8)
		if c.Err() != nil {
			young, old = 0, 0
		}
	}
	return young, old
}

// young adds the spaces of the young generation of Serial or CMS.
func (w *Walker) young(h *Heap) {
	young, _ := w.generations()
	for _, name := range []string{"eden", "from", "to"} {
		w.add(h, name, w.PointerAt(young, "DefNewGeneration._"+name+"_space"), contiguousBottom,
			contiguousTop, contiguousEnd)
	}
}

func (w *Walker) parallel(h *Heap) {
	bottom, top := []string{"MutableSpace._bottom", "ImmutableSpace._bottom"}, []string{"MutableSpace._top"}
	end := []string{"MutableSpace._end", "ImmutableSpace._end"}
	at := w.heapAt()
	young, old := w.PointerAt(at, "ParallelScavengeHeap._young_gen"), w.PointerAt(at, "ParallelScavengeHeap._old_gen")
	for _, name := range []string{"eden", "from", "to"} {
		w.add(h, name, w.PointerAt(young, "PSYoungGen._"+name+"_space"), bottom, top, end)
	}
	w.add(h, "old", w.PointerAt(old, "PSOldGen._object_space"), bottom, top, end)
}

func (w *Walker) epsilon(h *Heap) {
	w.add(h, "heap", w.PointerAt(w.heapAt(), "EpsilonHeap._space"), contiguousBottom, contiguousTop, contiguousEnd)
}

// g1 reads the table of regions. Those that an object reaches into are one space with that it begins in.
func (w *Walker) g1(h *Heap) {
	manager, ok1 := w.Optional("G1CollectedHeap._hrm")
	regions, ok2 := w.Optional("G1HeapRegionManager._regions", "HeapRegionManager._regions")
	base, ok3 := w.Optional("G1HeapRegionTable._base")
	length, ok4 := w.Optional("G1HeapRegionTable._length")
	if !ok1 || !ok2 || !ok3 || !ok4 {
		h.Notes = append(h.Notes, "libjvm's tables do not have G1's regions")
		return
	}
	c := w.Process.Cursor()
	table := w.heapAt().Add(manager + regions)
	list, n := c.Pointer(table.Add(base)), c.U64(table.Add(length))
	if c.Err() != nil || n > maxRegions {
		h.Notes = append(h.Notes, "G1's table of regions cannot be read")
		return
	}
	var known []g1Region
	for i := range n {
		at := c.Pointer(list + core.Addr(8*i))
		if c.Reset() != nil || at == 0 {
			continue
		}
		before := len(h.Spaces)
		w.add(h, "region "+fmt.Sprint(i), at, []string{"G1HeapRegion._bottom", "HeapRegion._bottom", "Space._bottom"},
			[]string{"G1HeapRegion._top", "HeapRegion._top", "G1OffsetTableContigSpace._top", "ContiguousSpace._top"},
			[]string{"G1HeapRegion._end", "HeapRegion._end", "Space._end"})
		if len(h.Spaces) > before {
			s := &h.Spaces[before]
			known = append(known, g1Region{at, before, s.Begin, s.End})
		}
		if before == 0 || len(h.Spaces) == before || !w.continues(at, h.Spaces[before-1], h.Spaces[before]) {
			continue
		}
		s, last := &h.Spaces[before-1], h.Spaces[before]
		s.Top, s.End = max(s.Top, last.Top), max(s.End, last.End)
		h.Spaces = h.Spaces[:before]
		known[len(known)-1].space = before - 1
	}
	w.mark(h, known)
}

// continues reports whether a region of G1 has the rest of an object that begins in the space before it. JDK
// 8's tables do not have the kind of a region; there the space where such an object begins ends where the
// object does.
func (w *Walker) continues(region core.Addr, before, s Space) bool {
	typ, ok1 := w.Optional("G1HeapRegion._type", "HeapRegion._type")
	tag, ok2 := w.Lookup("G1HeapRegionType._tag", "HeapRegionType._tag")
	continues, ok3 := w.Constant("G1HeapRegionType::ContinuesHumongousTag", "HeapRegionType::ContinuesHumongousTag")
	if !ok1 || !ok2 || !ok3 {
		return s.Begin < before.End
	}
	c := w.Process.Cursor()
	kind := tag.Int(c, region.Add(typ))
	return c.Err() == nil && kind == continues && before.End == s.Begin
}

func (w *Walker) shenandoah(h *Heap) {
	all, err := moving.Regions(w.Tables)
	if err != nil {
		h.Notes = append(h.Notes, err.Error())
	}
	for i, r := range all {
		if r.Gone || r.Top == r.Bottom {
			continue
		}
		if n := len(h.Spaces); r.Continues && n > 0 && h.Spaces[n-1].End == r.Bottom {
			h.Spaces[n-1].Top, h.Spaces[n-1].End = r.Top, r.End
			continue
		}
		w.addSpace(h, Space{Name: "region " + fmt.Sprint(i), Begin: r.Bottom, Top: r.Top, End: r.End,
			left: r.Collected})
	}
}

// gaps finds what threads have not used of their allocation buffers. It is filled with an array where HotSpot
// has looked at the heap meanwhile; that counts as an object then, as HotSpot's own counts do.
func (w *Walker) gaps(h *Heap) {
	tlab, ok1 := w.Optional("Thread._tlab")
	top, ok2 := w.Optional("ThreadLocalAllocBuffer._top")
	end, ok3 := w.Optional("ThreadLocalAllocBuffer._end")
	if !ok1 || !ok2 || !ok3 {
		return
	}
	reserve := w.reserve()
	threads, _ := w.Threads()
	c := w.Process.Cursor()
	for _, t := range threads {
		at := t.Addr.Add(tlab)
		from, to := w.Plain(c.U64(at.Add(top))), w.Plain(c.U64(at.Add(end)))
		if c.Reset() == nil && from != 0 && from <= to && from%8 == 0 && to%8 == 0 {
			h.Gaps[from] = to + reserve
		}
	}
}

// reserve returns the bytes at the end of an allocation buffer that HotSpot keeps for the array that may fill it
// (ThreadLocalAllocBuffer::end_reserve): its header or the bytes for prefetching, whichever is more.
func (w *Walker) reserve() core.Addr {
	words := int64(3)
	switch {
	case w.CompactHeaders():
		words = 0 // every gap has room for an object without fields
	case w.NarrowClasses():
		words = 2
	}
	if n, ok := w.Value("CollectedHeap._lab_alignment_reserve"); ok && n > 0 && n < 1<<16 {
		words = n
	}
	if n, ok := w.Value("ThreadLocalAllocBuffer._reserve_for_allocation_prefetch"); ok && n > 0 && n < 1<<16 {
		words = max(words, n)
	}
	return core.Addr(8 * words)
}

// Space returns the space that has an address; nil if no space has it.
func (h *Heap) Space(at core.Addr) *Space {
	i, found := slices.BinarySearchFunc(h.Spaces, at,
		func(s Space, at core.Addr) int { return cmp.Compare(s.Begin, at) })
	if !found {
		i--
	}
	if i < 0 || at >= h.Spaces[i].Top {
		return nil
	}
	return &h.Spaces[i]
}
