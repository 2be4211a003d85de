package bundle

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// The most bytes that a chunk has, unpacked.
const (
	chunkSize = 256 << 10 // of what is read here and there
	maxChunk  = 8 << 20   // of what is read whole
)

// A table is a part of a file that has chunks of its own: what is alike packs
// better together, and is the same chunk in each bundle that has the file.
type table struct {
	fileRange
	limit int64 // the most bytes of a chunk
	columns
}

// columns say how a table of records is turned before it is packed: the first
// bytes of all records, then the second ones, and so on. Of the words of four
// bytes, little-endian, that the bits of delta name, the differences to the record
// before are taken first, modulo 2³². Symbol tables pack to three quarters of what
// they would otherwise, tables of addresses to a fifth.
type columns struct {
	stride uint8 // bytes of a record; 0 if there are none
	delta  uint8 // bit i: word i of each record
}

// maxStride is the most bytes of a record.
const maxStride = 64

// valid reports whether a table can be turned so.
func (c columns) valid() bool {
	return c.stride <= maxStride && c.delta>>min(c.stride/4, 8) == 0
}

// turn returns data as it is packed. What is left of the last record, if it is not whole, comes last.
func (c columns) turn(data []byte) []byte {
	n := c.records(data)
	if n == 0 {
		return data
	}
	data = slices.Clone(data)
	c.each(func(at int) {
		for i := (n-1)*int(c.stride) + at; i > at; i -= int(c.stride) {
			w, before := data[i:i+4], data[i-int(c.stride):]
			binary.LittleEndian.PutUint32(w, binary.LittleEndian.Uint32(w)-binary.LittleEndian.Uint32(before))
		}
	})
	out := make([]byte, 0, len(data))
	for col := range int(c.stride) {
		for i := range n {
			out = append(out, data[i*int(c.stride)+col])
		}
	}
	return append(out, data[len(out):]...)
}

// turnBack returns what turn was given.
func (c columns) turnBack(packed []byte) []byte {
	n := c.records(packed)
	if n == 0 {
		return packed
	}
	out := make([]byte, len(packed))
	for col := range int(c.stride) {
		column := packed[col*n : (col+1)*n]
		for i, at := 0, col; i < n; i, at = i+1, at+int(c.stride) {
			out[at] = column[i]
		}
	}
	copy(out[n*int(c.stride):], packed[n*int(c.stride):])
	c.each(func(at int) {
		sum := uint32(0)
		for i := range n {
			w := out[i*int(c.stride)+at:][:4]
			sum += binary.LittleEndian.Uint32(w)
			binary.LittleEndian.PutUint32(w, sum)
		}
	})
	return out
}

// records returns how many whole records data has; 0 if it has no columns.
func (c columns) records(data []byte) int {
	if c.stride == 0 {
		return 0
	}
	return len(data) / int(c.stride)
}

// each calls f with the offset of each word that differences are taken of.
func (c columns) each(f func(at int)) {
	for at := 0; at+4 <= int(c.stride) && at/4 < 8; at += 4 {
		if c.delta>>(at/4)&1 != 0 {
			f(at)
		}
	}
}

// setTables gives ranges of the part's file chunks of their own. Of tables that
// overlap, as those of a damaged file may, only the first counts.
func (p *plannedPart) setTables(tables []table) {
	slices.SortStableFunc(tables, func(a, b table) int { return cmp.Compare(a.lo, b.lo) })
	p.tables = nil
	at := int64(0)
	for _, t := range tables {
		if t.lo >= at && t.hi > t.lo {
			p.tables = append(p.tables, t)
			at = t.hi
		}
	}
}

// tableAt returns what the bytes from at on belong to, and where that ends.
func (p *plannedPart) tableAt(at int64) table {
	next := p.src.Size()
	for _, t := range p.tables {
		switch {
		case at < t.lo:
			return table{fileRange{0, min(t.lo, next)}, chunkSize, columns{}}
		case at < t.hi:
			return t
		}
	}
	return table{fileRange{0, next}, chunkSize, columns{}}
}
