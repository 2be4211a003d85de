package heap

import (
	"math/bits"

	"coredbg/core"
)

// marks are the objects of a region that G1 found to live when it last marked the heap: below top the others
// are dead. HotSpot's own counts leave them out, and classes of theirs may have gone.
type marks struct {
	bitmap *bitmap
	top    core.Addr
}

// A bitmap is a MarkBitMap: a bit for each place where an object may begin.
type bitmap struct {
	begin core.Addr
	shift uint // of an offset to its bit
	words core.Addr
	p     *core.Process
}

// next returns the first object at or after an address that is not dead, below end.
func (m *marks) next(at, end core.Addr) core.Addr {
	end = min(end, m.top)
	for at < end {
		bit := uint64(at-m.bitmap.begin) >> m.bitmap.shift
		c := m.bitmap.p.Cursor()
		w := c.U64(m.bitmap.words+core.Addr(bit/64*8)) >> (bit % 64)
		if c.Err() != nil {
			return at // what is not known counts
		}
		if w != 0 {
			return min(at+core.Addr(bits.TrailingZeros64(w))<<m.bitmap.shift, end)
		}
		at += core.Addr(64-bit%64) << m.bitmap.shift
	}
	return end
}

// closed is the bit that tells a closed archive from an open one (HeapRegionType,
// share/gc/g1/heapRegionType.hpp, JDK 9 to 19).
const closed = 1

// Bounds of the objects that lead to the bitmap.
const (
	markerWords = 128 // of a G1ConcurrentMark that are looked at
	maxG1       = 1 << 14
	maxRegion   = 1 << 12
)

// markBitmap finds the bitmap of G1's last marking. Libjvm's tables do not have it. Before JDK 20 a
// G1ConcurrentMark, which the G1CollectedHeap leads to, has two bitmaps and two pointers to them; the first
// pointer leads to the one of the last marking. A bitmap has the begin and the words of the heap, a shift,
// and its own words and bits (share/gc/g1/g1ConcurrentMark.hpp, gc/shared/markBitMap.hpp; concurrentMark.hpp
// of JDK 8). It returns nil if there is none.
func (w *Walker) markBitmap() *bitmap {
	heap := w.heapAt()
	size := w.Width("G1CollectedHeap")
	if heap == 0 || size <= 0 || size > maxG1 {
		return nil
	}
	for _, p := range w.Words(heap, int(size/8)) {
		if p == 0 || p%8 != 0 || p == heap {
			continue
		}
		x := w.Words(p, markerWords)
		first, second := -1, -1
		for i := 0; i+4 < len(x) && second < 0; i++ {
			switch b := w.bitmapIn(x[i:]); {
			case b == nil:
			case first < 0:
				first = i
			default:
				second = i
			}
		}
		if second < 0 {
			continue
		}
		at1, at2 := p+core.Addr(8*first), p+core.Addr(8*second)
		last := -1
		for i := second; i+1 < len(x); i++ {
			// A virtual table may be before the members. A bitmap's listener has a pointer to it, too, before the two.
			switch a, b := x[i], x[i+1]; {
			case (a == at1 || a == at1-8) && b-a == at2-at1:
				last = first
			case (a == at2 || a == at2-8) && a-b == at2-at1:
				last = second
			}
		}
		if last >= 0 {
			return w.bitmapIn(x[last:])
		}
	}
	return nil
}

// bitmapIn returns the bitmap whose members words begins with; nil if they cannot be members of one.
func (w *Walker) bitmapIn(x []core.Addr) *bitmap {
	begin, words, shift, at, n := x[0], uint64(x[1]), uint64(x[2])&(1<<32-1), x[3], uint64(x[4])
	if begin == 0 || begin%8 != 0 || words == 0 || words > 1<<44 || shift > 8 || at == 0 || at%8 != 0 ||
		n != words>>shift {
		return nil
	}
	return &bitmap{begin: begin, shift: uint(3 + shift), words: at, p: w.Process}
}

// A g1Region is a region of G1, with where its space is in a list.
type g1Region struct {
	at    core.Addr
	space int
	begin core.Addr
	end   core.Addr
}

// markTops returns where a region has the top of its objects when the last marking began; 0 if that is not
// known. It is the first of two adjacent members that are addresses in the region, for each region. Libjvm's
// tables have neither.
func (w *Walker) markTops(regions []g1Region) int64 {
	size := max(w.Width("HeapRegion"), w.Width("G1HeapRegion"))
	if size <= 0 || size > maxRegion || len(regions) == 0 {
		return 0
	}
	named := map[int64]bool{}
	for _, f := range [][]string{{"HeapRegion._bottom", "Space._bottom"}, {"HeapRegion._end", "Space._end"},
		{"HeapRegion._top", "G1OffsetTableContigSpace._top", "ContiguousSpace._top"},
		{"HeapRegion._compaction_top", "CompactibleSpace._compaction_top"}} {
		if off, ok := w.Optional(f...); ok {
			named[off] = true
		}
	}
	fits := make([]bool, size/8)
	for i := range fits {
		fits[i] = !named[int64(8*i)]
	}
	for _, r := range regions {
		x := w.Words(r.at, len(fits))
		for i := range fits {
			fits[i] = fits[i] && i < len(x) && r.begin <= x[i] && x[i] <= r.end
		}
	}
	found := int64(0)
	for i := 0; i+1 < len(fits); i++ {
		if !fits[i] || !fits[i+1] {
			continue
		}
		if found != 0 {
			return 0
		}
		found = int64(8 * i)
	}
	return found
}

// mark adds to the spaces of regions which of their objects are dead. Objects of closed archives live.
func (w *Walker) mark(h *Heap, regions []g1Region) {
	b := w.markBitmap()
	if b == nil {
		return
	}
	off := w.markTops(regions)
	if off == 0 {
		return
	}
	typ, ok1 := w.Optional("G1HeapRegion._type", "HeapRegion._type")
	tag, ok2 := w.Lookup("G1HeapRegionType._tag", "HeapRegionType._tag")
	archive, ok3 := w.Constant("HeapRegionType::ArchiveMask")
	c := w.Process.Cursor()
	for _, r := range regions {
		s := &h.Spaces[r.space]
		if s.Begin != r.begin {
			continue // the rest of an object
		}
		if ok1 && ok2 && ok3 {
			if kind := tag.Int(c, r.at.Add(typ)); kind&archive != 0 && kind&closed != 0 {
				continue
			}
		}
		top := c.Pointer(r.at.Add(off))
		if c.Reset() != nil || top <= r.begin || top > r.end {
			continue
		}
		if s.End > r.end {
			top = s.Top // one object that is larger than the region
		}
		s.marks = &marks{b, top}
	}
}
