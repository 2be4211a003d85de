package golang

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"coredbg/core"
)

// A Label is a label that runtime/pprof has given to a goroutine.
type Label struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

const (
	maxLabels    = 64
	maxLabelText = 256
)

// A labelReader reads the labels of a process.
type labelReader struct {
	p    *core.Process
	word core.Addr // bytes of a pointer
}

// labels returns the labels of a set that g.labels points to, in the order of their keys: from Go 1.24
// on a slice of pairs of strings in that order (runtime/pprof/label.go, LabelSet;
// internal/runtime/pprof/label in Go 1.26), before a map.
func (r labelReader) labels(set core.Addr) []Label {
	if set == 0 {
		return nil
	}
	c := r.p.Cursor()
	list, n, room := c.Pointer(set), c.Word(set+r.word), c.Word(set+2*r.word)
	if c.Err() == nil && n > 0 && n <= room && n <= maxLabels {
		if out := r.pairs(list, n); out != nil {
			return out
		}
	}
	return r.labelMap(list)
}

// pairs returns n labels side by side; nil if they are not labels.
func (r labelReader) pairs(list core.Addr, n uint64) (out []Label) {
	for i := range core.Addr(n) {
		l, ok := r.label(list+4*i*r.word, list+(4*i+2)*r.word)
		if !ok {
			return nil
		}
		out = append(out, l)
	}
	return out
}

// Maps before Go 1.24 (runtime/map.go of Go 1.20, hmap and bmap): a count, two bytes whose second is
// the binary logarithm of the number of buckets, six more, and the buckets. A bucket has a byte for
// each of eight cells, less than five if the cell is empty, the keys, the values, and the next bucket
// if there are more.
const (
	cells       = 8
	minTopHash  = 5
	mapHead     = 8 // bytes between the count and the pointer to the buckets
	mostBuckets = 2 * maxLabels
)

// labelMap returns the labels of a map; nil unless there are as many as it says.
func (r labelReader) labelMap(h core.Addr) (out []Label) {
	c := r.p.Cursor()
	count, log, bucket := c.Word(h), c.U8(h+r.word+1), c.Pointer(h+r.word+mapHead)
	const bits = 6
	if c.Err() != nil || count == 0 || count > maxLabels || log > bits {
		return nil
	}
	size := cells + 4*cells*r.word + r.word
	seen := 0
	for i := range core.Addr(1) << log {
		for at := bucket + i*size; at != 0 && seen < mostBuckets; seen++ {
			for j := range core.Addr(cells) {
				if c.U8(at+j) < minTopHash {
					continue
				}
				keys := at + cells
				l, ok := r.label(keys+2*j*r.word, keys+2*(cells+j)*r.word)
				if !ok || c.Err() != nil || uint64(len(out)) == count {
					return nil
				}
				out = append(out, l)
			}
			if at = c.Pointer(at + size - r.word); c.Err() != nil {
				return nil
			}
		}
	}
	if uint64(len(out)) != count {
		return nil
	}
	slices.SortFunc(out, func(a, b Label) int { return cmp.Compare(a.Key, b.Key) })
	return out
}

// label reads one by the headers of its strings.
func (r labelReader) label(key, value core.Addr) (l Label, ok bool) {
	c := r.p.Cursor()
	if l.Key, ok = r.text(c, key); !ok || l.Key == "" {
		return l, false
	}
	l.Value, ok = r.text(c, value)
	return l, ok
}

// text reads a string by its header.
func (r labelReader) text(c *core.Cursor, at core.Addr) (string, bool) {
	p, n := c.Pointer(at), c.Word(at+r.word)
	if c.Err() != nil || n > maxLabelText {
		return "", false
	}
	b := make([]byte, n)
	if n > 0 {
		c.Bytes(b, p)
	}
	return string(b), c.Err() == nil && utf8.Valid(b)
}
