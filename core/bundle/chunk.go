package bundle

import (
	"encoding/binary"
	"slices"

	"coredbg/core/bundle/span"
)

// The most bytes that a chunk has, unpacked.
const (
	ChunkSize = 256 << 10 // for data read here and there
	MaxChunk  = 8 << 20   // for data read whole
)

// A Table is a part of a file that has chunks of its own: what is alike packs
// better together, and is the same chunk in each bundle that has the file.
type Table struct {
	span.Range
	Limit int64 // the most bytes of a chunk
	Columns
}

// Columns describe how a table of records is transposed before it is packed: the first bytes of all
// records, then the second ones, and so on. Delta selects little-endian words of four bytes; each is
// first replaced by its difference from the record before, modulo 2³². Transposed symbol tables pack to
// three quarters of their size otherwise, tables of addresses to a fifth.
type Columns struct {
	Stride uint8 // bytes of a record; 0 if there are none
	Delta  uint8 // bit i: word i of each record
}

// MaxStride is the most bytes of a record.
const MaxStride = 64

// Valid reports whether a table can be turned so.
func (c Columns) Valid() bool {
	return c.Stride <= MaxStride && c.Delta>>min(c.Stride/4, 8) == 0
}

// turn returns data as it is packed. An incomplete last record stays at the end.
func (c Columns) turn(data []byte) []byte {
	n := c.records(data)
	if n == 0 {
		return data
	}
	data = slices.Clone(data)
	c.each(func(at int) {
		for i := (n-1)*int(c.Stride) + at; i > at; i -= int(c.Stride) {
			w, before := data[i:i+4], data[i-int(c.Stride):]
			binary.LittleEndian.PutUint32(w, binary.LittleEndian.Uint32(w)-binary.LittleEndian.Uint32(before))
		}
	})
	out := make([]byte, 0, len(data))
	for col := range int(c.Stride) {
		for i := range n {
			out = append(out, data[i*int(c.Stride)+col])
		}
	}
	return append(out, data[len(out):]...)
}

// turnBack returns what turn was given.
func (c Columns) turnBack(packed []byte) []byte {
	n := c.records(packed)
	if n == 0 {
		return packed
	}
	out := make([]byte, len(packed))
	for col := range int(c.Stride) {
		column := packed[col*n : (col+1)*n]
		for i, at := 0, col; i < n; i, at = i+1, at+int(c.Stride) {
			out[at] = column[i]
		}
	}
	copy(out[n*int(c.Stride):], packed[n*int(c.Stride):])
	c.each(func(at int) {
		sum := uint32(0)
		for i := range n {
			w := out[i*int(c.Stride)+at:][:4]
			sum += binary.LittleEndian.Uint32(w)
			binary.LittleEndian.PutUint32(w, sum)
		}
	})
	return out
}

// records returns how many whole records data has; 0 if it has no columns.
func (c Columns) records(data []byte) int {
	if c.Stride == 0 {
		return 0
	}
	return len(data) / int(c.Stride)
}

// each calls f with the offset of each word that is stored as a difference.
func (c Columns) each(f func(at int)) {
	for at := 0; at+4 <= int(c.Stride) && at/4 < 8; at += 4 {
		if c.Delta>>(at/4)&1 != 0 {
			f(at)
		}
	}
}
