package heap

import (
	"math/bits"
	"slices"
	"sort"

	"coredbg/core"
)

// An index numbers objects in order of address, with a bit for each place where one
// may begin: 1.5 bits for each alignment of the heap.
type index struct {
	spans []indexSpan
	chunk map[core.Addr]int32 // the first span in each chunk of addresses
}

type indexSpan struct {
	Span
	starts []uint64 // a bit for each aligned address, set where an object begins
	before []uint32 // how many objects of the span begin before each word of starts
	first  int32    // number of the first object
	count  int32
	shift  uint8 // the alignment of objects is 1<<shift
}

// chunkBits is the size of the chunks of addresses that lead to spans.
const chunkBits = 18

func newIndex(spans []Span) *index {
	x := &index{spans: make([]indexSpan, len(spans)), chunk: make(map[core.Addr]int32, len(spans))}
	for i, s := range spans {
		x.spans[i].Span, x.spans[i].shift = s, uint8(bits.TrailingZeros64(uint64(s.alignment())))
		c := s.Start >> chunkBits
		if _, ok := x.chunk[c]; !ok {
			x.chunk[c] = int32(i)
		}
	}
	return x
}

// add notes that an object begins at a.
func (s *indexSpan) add(a core.Addr) {
	k := uint64(a-s.Start) >> s.shift
	for int(k/64) >= len(s.starts) {
		s.starts = append(s.starts, 0)
	}
	s.starts[k/64] |= 1 << (k % 64)
}

// number gives the objects their numbers, and returns how many there are.
func (x *index) number() int64 {
	n := int64(0)
	for i := range x.spans {
		s := &x.spans[i]
		s.starts = slices.Clip(s.starts)
		s.first, s.before = int32(min(n, maxObjects)), make([]uint32, len(s.starts))
		k := 0
		for w, b := range s.starts {
			s.before[w] = uint32(k)
			k += bits.OnesCount64(b)
		}
		s.count = int32(k)
		n += int64(k)
	}
	return n
}

// spanAt returns the span that contains a; nil if there is no such span.
func (x *index) spanAt(a core.Addr) *indexSpan {
	if i, ok := x.chunk[a>>chunkBits]; ok {
		s := &x.spans[i]
		if a >= s.Start && a < s.End {
			return s
		}
	}
	// Several spans in a chunk, or one over many.
	i := sort.Search(len(x.spans), func(i int) bool { return x.spans[i].End > a })
	if i < len(x.spans) && a >= x.spans[i].Start {
		return &x.spans[i]
	}
	return nil
}

// id returns the number of the object at a.
func (x *index) id(a core.Addr) (int32, bool) {
	s := x.spanAt(a)
	if s == nil {
		return 0, false
	}
	return s.id(a)
}

// A Locator finds objects by their addresses, as Graph.ID does, and remembers where they
// were found. It is for one goroutine.
type Locator struct {
	index  *index
	recent [256]*indexSpan
}

// ID returns the number of the object that begins at a.
func (l *Locator) ID(a core.Addr) (ID, bool) {
	r := &l.recent[a>>chunkBits%core.Addr(len(l.recent))]
	if s := *r; s != nil && a >= s.Start && a < s.End {
		return s.id(a)
	}
	s := l.index.spanAt(a)
	if s == nil {
		return 0, false
	}
	*r = s
	return s.id(a)
}

func (s *indexSpan) id(a core.Addr) (int32, bool) {
	k := uint64(a-s.Start) >> s.shift
	if a&(1<<s.shift-1) != 0 || k/64 >= uint64(len(s.starts)) {
		return 0, false
	}
	w := s.starts[k/64]
	if w>>(k%64)&1 == 0 {
		return 0, false
	}
	return s.first + int32(s.before[k/64]) + int32(bits.OnesCount64(w&(1<<(k%64)-1))), true
}

// enclosing returns the number of the last object that begins at or before a, in the
// same span.
func (x *index) enclosing(a core.Addr) (int32, bool) {
	s := x.spanAt(a)
	if s == nil || s.count == 0 {
		return 0, false
	}
	k := min(uint64(a-s.Start)>>s.shift, uint64(len(s.starts))*64-1)
	n := int32(s.before[k/64]) + int32(bits.OnesCount64(s.starts[k/64]<<(63-k%64)))
	if n == 0 {
		return 0, false
	}
	return s.first + n - 1, true
}

// addr is the reverse of id.
func (x *index) addr(id int32) core.Addr {
	i := sort.Search(len(x.spans), func(i int) bool { return x.spans[i].first > id }) - 1
	for i > 0 && x.spans[i].count == 0 {
		i--
	}
	s := &x.spans[i]
	left := uint32(id - s.first)
	w := s.word(left)
	b := s.starts[w]
	for range left - s.before[w] {
		b &= b - 1
	}
	return s.Start + core.Addr(64*w+bits.TrailingZeros64(b))<<s.shift
}

// each calls visit for the objects from number from to, and without, end, in order, until it
// returns false.
func (x *index) each(from, end int32, visit func(id int32, at core.Addr) bool) {
	i := sort.Search(len(x.spans), func(i int) bool { return x.spans[i].first+x.spans[i].count > from })
	for id := from; id < end; i++ {
		s := &x.spans[i]
		if s.count == 0 {
			continue
		}
		w := s.word(uint32(id - s.first))
		id = s.first + int32(s.before[w])
		for ; w < len(s.starts) && id < end; w++ {
			for b := s.starts[w]; b != 0; b &= b - 1 {
				if id >= from && id < end && !visit(id, s.Start+core.Addr(64*w+bits.TrailingZeros64(b))<<s.shift) {
					return
				}
				id++
			}
		}
	}
}

// word returns the index in starts of the word that contains object n.
func (s *indexSpan) word(n uint32) int {
	return sort.Search(len(s.before), func(i int) bool { return s.before[i] > n }) - 1
}
