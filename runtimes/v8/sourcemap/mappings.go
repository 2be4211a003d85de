package sourcemap

import (
	"fmt"
	"math"
	"sort"
)

// every is how many segments there are from mark to mark.
const every = 256

// mappings are the segments of a map, as text.
type mappings struct {
	text  string
	marks []mark
	// unsorted is set if columns of a line do not rise.
	unsorted bool
}

// A mark is where the reading of the text can begin.
type mark struct {
	off                          int // of a segment in the text
	line, column                 int32
	source, original, originalAt int32
	name                         int32
}

// A segment is one mapping; all numbers from 0.
type segment struct {
	line, column                         int // of the generated code
	source, originalLine, originalColumn int
	name                                 int
	fields                               int // of the segment: 1, 4 or 5
	named                                bool
}

func (s *segment) mapped() bool { return s.fields >= 4 }

// A reader reads segments from a place in the text on.
type reader struct {
	text string
	off  int
	segment
}

// next reads a segment; false at the end.
func (r *reader) next() (bool, error) {
	for ; r.off < len(r.text) && (r.text[r.off] == ',' || r.text[r.off] == ';'); r.off++ {
		if r.text[r.off] == ';' {
			r.line, r.column = r.line+1, 0
		}
	}
	if r.off == len(r.text) {
		return false, nil
	}
	r.fields = 0
	for _, to := range []*int{&r.column, &r.source, &r.originalLine, &r.originalColumn, &r.name} {
		if r.off == len(r.text) || r.text[r.off] == ',' || r.text[r.off] == ';' {
			break
		}
		n, err := r.vlq()
		if err != nil {
			return false, err
		}
		if *to += n; *to < math.MinInt32 || *to > math.MaxInt32 {
			return false, fmt.Errorf("source map: mappings: byte %d: a number beyond 32 bits", r.off)
		}
		r.fields++
	}
	r.named = r.fields == 5
	switch {
	case r.fields != 1 && r.fields < 4:
		return false, fmt.Errorf("source map: mappings: byte %d: a segment of %d numbers", r.off, r.fields)
	case r.off < len(r.text) && r.text[r.off] != ',' && r.text[r.off] != ';':
		return false, fmt.Errorf("source map: mappings: byte %d: a segment of more than 5 numbers", r.off)
	case r.column < 0:
		return false, fmt.Errorf("source map: mappings: byte %d: column %d", r.off, r.column)
	}
	return true, nil
}

// vlq reads a number: six bits a character. The sixth bit says that more follow, and the lowest bit of all is
// the sign.
func (r *reader) vlq() (int, error) {
	n, shift := uint64(0), 0
	for ; r.off < len(r.text) && shift < 35; shift += 5 {
		c := r.text[r.off]
		d := digits[c]
		if d < 0 {
			return 0, fmt.Errorf("source map: mappings: byte %d: %q is not a digit of base 64", r.off, c)
		}
		r.off++
		n |= uint64(d&31) << shift
		if d&32 == 0 {
			if n&1 != 0 {
				return -int(n >> 1), nil
			}
			return int(n >> 1), nil
		}
	}
	return 0, fmt.Errorf("source map: mappings: byte %d: a number without an end", r.off)
}

// digits are the values of the characters of base 64, -1 for all others.
var digits = func() (t [256]int8) {
	for i := range t {
		t[i] = -1
	}
	for i, c := range "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/" {
		t[c] = int8(i)
	}
	return t
}()

// index reads all segments, has each checked, and sets the marks.
func (m *mappings) index(check func(*segment) error) error {
	r := &reader{text: m.text}
	line, column := 0, 0
	for n := 0; ; n++ {
		at := *r
		ok, err := r.next()
		if err != nil || !ok {
			return err
		}
		if err := check(&r.segment); err != nil {
			return fmt.Errorf("source map: mappings: byte %d: %w", r.off, err)
		}
		if r.line == line && r.column < column {
			m.unsorted = true
		}
		if m.unsorted && len(m.text) > maxUnsorted {
			return fmt.Errorf("source map: mappings: byte %d: columns do not rise, in more than %d bytes",
				r.off, maxUnsorted)
		}
		line, column = r.line, r.column
		if n%every == 0 {
			m.marks = append(m.marks, mark{off: at.off, line: int32(at.line), column: int32(at.column),
				source:   int32(at.source),
				original: int32(at.originalLine), originalAt: int32(at.originalColumn), name: int32(at.name)})
		}
	}
}

// find returns the last segment of a line that is not beyond a column. If first is set, it returns
// the first segment at the column, if one is there.
func (m *mappings) find(line, column int, first bool) (best segment, ok bool) {
	// Before a mark all segments belong to its line or to earlier ones, and are before its column.
	i := sort.Search(len(m.marks), func(i int) bool {
		k := &m.marks[i]
		if m.unsorted {
			return int(k.line) >= line
		}
		return int(k.line) > line || int(k.line) == line && int(k.column) >= column
	})
	// The first segment after the last such mark may be beyond the column: the best is before it.
	if i = max(i-2, 0); i >= len(m.marks) {
		return best, false
	}
	k := &m.marks[i]
	r := &reader{text: m.text, off: k.off, segment: segment{line: int(k.line), column: int(k.column),
		source:       int(k.source),
		originalLine: int(k.original), originalColumn: int(k.originalAt), name: int(k.name)}}
	for {
		more, err := r.next()
		if err != nil || !more || r.line > line {
			return best, ok
		}
		switch {
		case r.line < line:
		case first && ok && best.column == column && r.column == column:
		case r.column <= column && (!ok || r.column >= best.column):
			best, ok = r.segment, true
		case !m.unsorted && r.column > column:
			return best, ok
		}
	}
}
