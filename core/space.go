package core

import (
	"cmp"
	"container/heap"
	"errors"
	"io"
	"slices"
	"sync/atomic"
)

// SegKind says where the bytes of a segment come from.
type SegKind uint8

// The kinds of segments.
const (
	SegGap  SegKind = iota // bytes that the core does not have; see Segment.Gap
	SegCore                // bytes of the core file
	SegFile                // bytes of a library file whose build-id agrees
	SegZero                // known to be zero
)

// String returns the kind in a word.
func (k SegKind) String() string {
	return [...]string{"gap", "core", "file", "zero"}[k&3]
}

// A Segment is a run of addresses with one origin and one protection.
type Segment struct {
	Start, End Addr // End is exclusive; it is never below Start
	Kind       SegKind
	Prot       Prot
	// ProtUnknown is set if Prot does not come from the core; resolving a gap
	// may report it.
	ProtUnknown bool
	Gap         Gap    // the reason, if Kind is SegGap
	Detail      string // of the gap: which file, which limit

	Src Source // SegCore and SegFile: where the bytes are
	Off int64  // offset in Src of the byte at Start
}

// Size returns the segment's length in bytes.
func (s *Segment) Size() uint64 { return uint64(s.End - s.Start) }

// NextData returns a, or if a is in a hole of the source, the end of the hole. It is at most the
// segment's end.
func (s *Segment) NextData(a Addr) Addr {
	if s.Src == nil {
		return a
	}
	off := s.Off + int64(a-s.Start)
	start, _ := SourceData(s.Src, off)
	if start <= off {
		return a
	}
	return min(a+Addr(start-off), s.End)
}

// A Filler supplies bytes that the core left out, from the files that were mapped there. It is asked
// when a gap is read, so that opening a core opens no library. It returns a segment of any kind that
// holds a and is within gap. If the gap remains one, the segment has the better reason.
type Filler interface {
	Fill(gap Segment, a Addr) Segment
}

// Space is an address space: sorted segments without overlap. Addresses in no
// segment were not mapped, unless Elsewhere says more. A Space is safe for concurrent readers.
type Space struct {
	// Trace, if it is set, is called for each run of n bytes at a that is
	// lent or copied. While it is set no window crosses a multiple of
	// TracePage, so that what is read is known to the page. Set it only
	// while nothing reads.
	Trace func(a Addr, n int)
	// Elsewhere is the reason why nothing can be read at addresses outside all segments. It is Unmapped
	// unless the Space covers only a part of memory. Set it before any reads.
	Elsewhere Gap
	// Ignored is a mask of the address bits that the processor ignores. Reads drop them; lookups of
	// segments do not. Set it before any reads.
	Ignored Addr

	segs   []Segment
	filler Filler
	last   [16]atomic.Int32 // the segments that were found last, each for other addresses
	whole  *Space           // of a view that Dumped returned: the space it is a view of
}

// Dumped returns the space as the core alone has it: no gap is filled. Code that finds the files that
// may fill gaps reads through it.
func (s *Space) Dumped() *Space {
	if s.filler == nil {
		return s
	}
	return &Space{segs: s.segs, whole: s, Elsewhere: s.Elsewhere, Ignored: s.Ignored}
}

// Untraced returns the space without Trace, for searches that look through much of memory for a little
// data and then read that from s.
func (s *Space) Untraced() *Space {
	return &Space{Elsewhere: s.Elsewhere, Ignored: s.Ignored, segs: s.segs, filler: s.filler}
}

// NewSpace splices segs into a Space. Where segments overlap, the later one in the list wins. Empty
// segments and segments that wrap around are left out. Its cost is the cost of sorting.
func NewSpace(segs []Segment, filler Filler) *Space {
	kept := make([]Segment, 0, len(segs))
	for _, s := range segs {
		if s.End > s.Start {
			kept = append(kept, s)
		}
	}
	sorted := slices.IsSortedFunc(kept, func(a, b Segment) int { return cmp.Compare(a.Start, b.Start) })
	overlap := !sorted
	for i := 1; sorted && i < len(kept) && !overlap; i++ {
		overlap = kept[i].Start < kept[i-1].End
	}
	if overlap {
		kept = splice(kept)
	}
	return &Space{segs: kept, filler: filler}
}

// byRank is a heap of indices into a list of segments; the latest is on top.
type byRank []int

func (h byRank) Len() int           { return len(h) }
func (h byRank) Less(i, j int) bool { return h[i] > h[j] }
func (h byRank) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *byRank) Push(x any)        { *h = append(*h, x.(int)) }
func (h *byRank) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

// splice cuts overlapping segments: it sweeps over all their edges and gives
// each stretch between two edges to the latest segment that covers it.
func splice(in []Segment) []Segment {
	order := make([]int, len(in))
	edges := make([]Addr, 0, 2*len(in))
	for i, s := range in {
		order[i] = i
		edges = append(edges, s.Start, s.End)
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(in[a].Start, in[b].Start) })
	slices.Sort(edges)
	edges = slices.Compact(edges)

	var out []Segment
	var active byRank
	lastFrom := -1
	for e := 0; e+1 < len(edges); e++ {
		lo, hi := edges[e], edges[e+1]
		for len(order) > 0 && in[order[0]].Start <= lo {
			heap.Push(&active, order[0])
			order = order[1:]
		}
		for len(active) > 0 && in[active[0]].End <= lo {
			heap.Pop(&active)
		}
		if len(active) == 0 {
			lastFrom = -1
			continue
		}
		from := active[0]
		if from == lastFrom {
			out[len(out)-1].End = hi
			continue
		}
		s := in[from]
		s.Off += int64(lo - s.Start)
		s.Start, s.End = lo, hi
		out = append(out, s)
		lastFrom = from
	}
	return out
}

// Segments returns the segments in order of address. The slice must not be
// changed.
func (s *Space) Segments() []Segment { return s.segs }

// Find returns the segment that holds a.
func (s *Space) Find(a Addr) (Segment, bool) {
	if i := s.index(a); i >= 0 {
		return s.segs[i], true
	}
	return Segment{}, false
}

// lastBits is the binary logarithm of the size of an address block; index remembers a segment for each
// block.
const lastBits = 18

func (s *Space) index(a Addr) int {
	// Readers go to and fro between objects and their descriptions.
	last := &s.last[a>>lastBits%Addr(len(s.last))]
	if i := int(last.Load()); i < len(s.segs) && s.segs[i].Start <= a && a < s.segs[i].End {
		return i
	}
	i, found := slices.BinarySearchFunc(s.segs, a, func(g Segment, a Addr) int { return cmp.Compare(g.Start, a) })
	if !found {
		i--
	}
	if i < 0 || a >= s.segs[i].End {
		return -1
	}
	last.Store(int32(i))
	return i
}

// Resolve returns the segment that holds a after the files that back gaps have
// been asked; it may be smaller than the one that Find returns.
func (s *Space) Resolve(a Addr) (Segment, bool) {
	g, ok := s.Find(a)
	if ok && g.Kind == SegGap && s.filler != nil {
		g = s.filler.Fill(g, a)
	}
	return g, ok
}

// Scattered calls do, which reads few bytes far apart, with the sources of the
// core's own segments told so.
func (s *Space) Scattered(do func()) {
	told := map[ScatteredSource]bool{}
	for i := range s.segs {
		if src, ok := s.segs[i].Src.(ScatteredSource); ok && s.segs[i].Kind == SegCore && !told[src] {
			told[src] = true
			src.Scattered(true)
			defer src.Scattered(false)
		}
	}
	do()
}

// Ease lets the sources of the core's own segments release the memory they have read, if it has become
// much. Code that passes through a whole core calls it now and then, so that the process does not hold
// all of it.
func (s *Space) Ease() {
	told := map[EasySource]bool{}
	for i := range s.segs {
		if src, ok := s.segs[i].Src.(EasySource); ok && s.segs[i].Kind == SegCore && !told[src] {
			told[src] = true
			src.Ease()
		}
	}
}

var zeros [64 << 10]byte

// TracePage is the granularity of read tracing, in bytes.
const TracePage = 4096

// Window returns the bytes from a on that can be lent without a copy.
func (s *Space) Window(a Addr) ([]byte, error) {
	w, err := s.window(a)
	trace := s.Trace
	if s.whole != nil {
		trace = s.whole.Trace
	}
	if trace == nil {
		return w, err
	}
	if left := TracePage - int(a%TracePage); len(w) > left {
		w = w[:left:left]
	}
	if err == nil {
		trace(a, len(w))
	}
	return w, err
}

func (s *Space) window(a Addr) ([]byte, error) {
	i := s.index(a)
	if i < 0 && a&s.Ignored != 0 && a>>55&1 == 0 {
		a &^= s.Ignored
		i = s.index(a)
	}
	if i < 0 {
		return nil, &FaultError{Addr: a, Gap: s.Elsewhere}
	}
	g := &s.segs[i]
	if g.Kind == SegGap && s.filler != nil {
		filled := s.filler.Fill(*g, a)
		g = &filled
	}
	left := uint64(g.End - a)
	switch g.Kind {
	case SegZero:
		return zeros[:min(left, uint64(len(zeros)))], nil
	case SegCore, SegFile:
		w, err := g.Src.Window(g.Off + int64(a-g.Start))
		if err == nil {
			return w[:min(uint64(len(w)), left)], nil
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return nil, &FaultError{Addr: a, Gap: Truncated}
		}
		var gap *GapError
		if errors.As(err, &gap) {
			return nil, &FaultError{Addr: a, Gap: gap.Gap, Detail: gap.Detail}
		}
		return nil, &FaultError{Addr: a, Gap: Unreadable, Detail: err.Error()}
	}
	return nil, &FaultError{Addr: a, Gap: g.Gap, Detail: g.Detail}
}

// ReadAt fills p with the bytes at a; see Memory.
func (s *Space) ReadAt(p []byte, a Addr) (int, error) {
	n := 0
	for n < len(p) {
		at := a + Addr(n)
		if n > 0 && at < a {
			return n, &FaultError{Addr: at, Gap: Unmapped, Detail: "address space wraps"}
		}
		w, err := s.Window(at)
		if err != nil {
			return n, err
		}
		n += copy(p[n:], w)
	}
	return n, nil
}

// Slice returns the n bytes at a, lent where one window holds them and copied
// elsewhere. On an error it returns the bytes before the fault.
func (s *Space) Slice(a Addr, n int) ([]byte, error) {
	if n <= 0 {
		return nil, nil
	}
	w, err := s.Window(a)
	if err != nil {
		return nil, err
	}
	if len(w) >= n {
		return w[:n:n], nil
	}
	return ReadBytes(s, a, uint64(n))
}
