package secret

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// Grams are the pieces of secrets to look for: each run of a few bytes in a secret. So any piece that
// is long enough is found, in whatever register or buffer it was left. A gram that is also in the
// program's files or names is common: alone it means nothing.
type Grams struct {
	sets    map[int]map[uint64]uint8 // by length in bytes, from 4 to maxGram: hash to flags
	lengths []int                    // the lengths that sets has
	short   filter                   // of the first 4 bytes of those shorter than 8
	long    filter                   // of the first 8 bytes of the others
	edges   [][]byte                 // the secrets whole, in all encodings
	reach   int                      // length of the longest gram
}

// The flags of a gram.
const (
	common  = 1 << iota
	whole   // it is a secret, not a piece of one
	private // it is not common for being a word of a file
	// The bits from here on count the bytes at the beginning of a gram that belong to the name
	// before a secret: they are not a piece of it.
	nameShift = iota
)

// maxWhole is the length in bytes of the longest value that is looked for as a whole, in addition to
// its pieces.
const maxWhole = 256

// maxGram is the length of the longest gram in bytes: 4 characters of UTF-32, 8
// of UTF-16.
const maxGram = 16

// filter is a set of words that may say yes to others.
type filter struct {
	bits  []uint64
	shift uint
}

func newFilter(entries int) filter {
	n := max(16, bits.Len(uint(entries))+6)
	return filter{make([]uint64, 1<<(n-6)), uint(64 - n)}
}

func (f *filter) slot(w uint64) uint64 { return (w * 0x9e3779b97f4a7c15) >> f.shift }

func (f *filter) add(w uint64) { s := f.slot(w); f.bits[s/64] |= 1 << (s % 64) }

func (f *filter) has(w uint64) bool { s := f.slot(w); return f.bits[s/64]>>(s%64)&1 != 0 }

// hash returns 8 bytes as they are, and mixes others (FNV-1a).
func hash(b []byte) uint64 {
	if len(b) == 8 {
		return binary.LittleEndian.Uint64(b)
	}
	h := uint64(14695981039346656037)
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}

// NewGrams makes the grams of secrets, each in all encodings.
func NewGrams(secrets []Secret) *Grams {
	g := &Grams{sets: map[int]map[uint64]uint8{}, reach: maxGram}
	var longs, shorts []uint64
	add := func(b []byte, flags uint8) {
		n := len(b)
		set := g.sets[n]
		if set == nil {
			set = map[uint64]uint8{}
			g.sets[n] = set
			g.lengths = append(g.lengths, n)
			g.reach = max(g.reach, n)
		}
		set[hash(b)] |= flags
		if n < 8 {
			shorts = append(shorts, uint64(binary.LittleEndian.Uint32(b)))
		} else {
			longs = append(longs, binary.LittleEndian.Uint64(b))
		}
	}
	for _, s := range secrets {
		all := uint8(whole)
		if s.private() {
			all |= private
		}
		for _, e := range encodings(s.Value) {
			g.edges = append(g.edges, e.text)
			if s.private() && len(e.text) <= maxWhole {
				add(e.text, all)
			}
			for i := 0; i+e.gram < len(e.text); i += e.unit {
				add(e.text[i:i+e.gram], 0)
			}
			if n := len(e.text); n <= e.gram {
				add(e.text, all)
			} else {
				add(e.text[n-e.gram:], 0)
			}
		}
	}
	for _, s := range secrets {
		for _, before := range s.beside() {
			besideName(before, s.Value, func(gram []byte, name int) {
				if _, ok := g.sets[len(gram)][hash(gram)]; !ok {
					add(gram, uint8(name)<<nameShift)
				}
			})
		}
	}
	slices.Sort(g.lengths)
	g.short, g.long = newFilter(len(shorts)), newFilter(len(longs))
	for _, w := range shorts {
		g.short.add(w)
	}
	for _, w := range longs {
		g.long.add(w)
	}
	return g
}

// besideName calls yield with the grams that begin in the name before a value and end in the
// value, and with the number of their bytes that belong to the name: a piece of a value that is too short
// to be found alone is found next to its name.
func besideName(before string, value []byte, yield func(gram []byte, name int)) {
	values := encodings(value)
	for i, e := range encodings(append([]byte(before), value...)) {
		if i >= len(values) || values[i].unit != e.unit {
			return // another encoding
		}
		name := len(e.text) - len(values[i].text)
		for at := max(0, name-e.gram+e.unit); at < name && at+e.gram <= len(e.text); at += e.unit {
			yield(e.text[at:at+e.gram], name-at)
		}
	}
}

// each calls visit with each place in b where a gram is, with its length and its flags. A gram in the
// last bytes of b may be cut.
func (g *Grams) each(b []byte, visit func(at, n int, flags uint8)) {
	for i := 0; i+4 <= len(b); i++ {
		hit := false
		if i+8 <= len(b) {
			w := binary.LittleEndian.Uint64(b[i:])
			if w == 0 {
				i += 4 // a gram begins with 3 zeros at most: UTF-32, big-endian
				continue
			}
			hit = g.long.has(w) || g.short.has(w&0xffffffff)
		} else {
			hit = g.short.has(uint64(binary.LittleEndian.Uint32(b[i:])))
		}
		if !hit {
			continue
		}
		for _, n := range g.lengths {
			if i+n > len(b) {
				break
			}
			if flags, ok := g.sets[n][hash(b[i:i+n])]; ok {
				visit(i, n, flags)
			}
		}
	}
}

// Know marks the grams in b as common. If words is set, as for the bytes of a file, a short secret
// becomes common only if it is a word of its own: any four letters occur somewhere in a large program.
func (g *Grams) Know(b []byte, words bool) {
	g.each(b, func(at, n int, flags uint8) {
		if words && (flags&private != 0 || flags&whole != 0 && (wordAt(b, at-1) || wordAt(b, at+n))) {
			return
		}
		g.sets[n][hash(b[at:at+n])] = flags | common
	})
}

func wordAt(b []byte, i int) bool {
	return i >= 0 && i < len(b) && (b[i] == '_' || '0' <= b[i] && b[i] <= '9' || 'A' <= b[i] && b[i] <= 'Z' ||
		'a' <= b[i] && b[i] <= 'z')
}

// WithoutEdges returns grams that do not find a secret's head or tail alone, at places where bytes are
// cut off.
func (g *Grams) WithoutEdges() *Grams {
	c := *g
	c.edges = nil
	return &c
}

// Reach returns the length in bytes of the longest piece that is looked for.
func (g *Grams) Reach() int { return g.reach }

// Rare reports whether anything of a value, as bytes, would be found, because not all of
// it is common.
func (g *Grams) Rare(value []byte) bool { return g.rare(encoding{value, 1, 8}) }

// rare reports whether an encoded value can be found because some of its grams are not common.
func (g *Grams) rare(e encoding) bool {
	if f, ok := g.sets[len(e.text)][hash(e.text)]; ok && f&common == 0 {
		return true
	}
	n := min(len(e.text), e.gram)
	for i := 0; i+n <= len(e.text); i += e.unit {
		if g.sets[n][hash(e.text[i:i+n])]&common == 0 {
			return true
		}
	}
	return false
}

// A Sweep looks for secrets in bytes that come piece by piece.
type Sweep struct {
	*Grams
	Found func(lo, hi uint64) // is called with each place; hi is exclusive

	tail   []byte
	at     uint64 // place of the end of the tail
	lo, hi uint64 // of the run of grams that is growing; none if they are equal
	first  uint64 // where its first gram begins, which may be in a name
	keep   bool   // the run is more than common
}

// Feed searches the bytes at a place: an address or an offset. If they do not follow the bytes fed
// before, it also finds heads and tails of secrets that were cut off there.
func (s *Sweep) Feed(at uint64, b []byte) {
	if len(b) == 0 {
		return
	}
	if at != s.at || s.tail == nil {
		s.End()
		s.begin(at, b)
	}
	data := append(s.tail, b...)
	base := at - uint64(len(s.tail))
	s.each(data, func(i, n int, flags uint8) {
		lo, hi := base+uint64(i+int(flags>>nameShift)), base+uint64(i+n)
		if lo > s.hi {
			s.flush()
			s.lo, s.hi, s.first = lo, lo, base+uint64(i)
		}
		if s.hi = max(s.hi, hi); lo >= s.first {
			s.lo = min(s.lo, lo)
		}
		s.keep = s.keep || flags&common == 0
	})
	s.at = at + uint64(len(b))
	s.tail = append([]byte{}, data[max(0, len(data)-s.reach+1):]...)
}

// flush reports the run.
func (s *Sweep) flush() {
	if s.keep {
		s.Found(s.lo, s.hi)
	}
	s.lo, s.hi, s.keep = 0, 0, false
}

// minEdge is the length in bytes of the shortest rest of a secret at an edge of
// memory.
const minEdge = 4

// begin finds the end of a secret at the beginning of b.
func (s *Sweep) begin(at uint64, b []byte) {
	for _, e := range s.edges {
		for n := min(len(e)-1, maxGram-1, len(b)); n >= minEdge; n-- {
			if string(b[:n]) == string(e[len(e)-n:]) {
				s.Found(at, at+uint64(n))
				break
			}
		}
	}
}

// End finds the beginning of a secret at the end of the bytes fed.
func (s *Sweep) End() {
	s.flush()
	for _, e := range s.edges {
		for n := min(len(e)-1, len(s.tail)); n >= minEdge; n-- {
			if string(s.tail[len(s.tail)-n:]) == string(e[:n]) {
				s.Found(s.at-uint64(n), s.at)
				break
			}
		}
	}
	s.tail = nil
}
