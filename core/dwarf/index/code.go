package index

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
	"sort"
)

// A Range says that the unit with the number Unit has the code at the link-time addresses [Low, High).
type Range struct {
	Low, High uint64
	Unit      int
}

// Code is an index of addresses. It is read by any number of goroutines at once.
//
// Its bytes are the ranges in order of Low, each of three numbers of 8 bytes, little-endian.
type Code struct{ data []byte }

const rangeSize = 24

// NewCode returns the index of ranges, which it sorts.
func NewCode(list []Range) *Code {
	slices.SortStableFunc(list, func(a, b Range) int { return cmp.Compare(a.Low, b.Low) })
	data := make([]byte, 0, rangeSize*len(list))
	for _, r := range list {
		data = binary.LittleEndian.AppendUint64(data, r.Low)
		data = binary.LittleEndian.AppendUint64(data, r.High)
		data = binary.LittleEndian.AppendUint64(data, uint64(r.Unit))
	}
	return &Code{data}
}

var errCode = errors.New("not an index of code")

// ReadCode reads the bytes of an index over a number of units, and keeps them. It fails if any byte is
// invalid.
func ReadCode(data []byte, units int) (*Code, error) {
	c := &Code{data}
	if len(data)%rangeSize != 0 {
		return nil, errCode
	}
	before := uint64(0)
	for i := range c.Len() {
		r := c.at(i)
		if r.Low < before || r.Low >= r.High || uint64(r.Unit) >= uint64(units) {
			return nil, errCode
		}
		before = r.Low
	}
	return c, nil
}

// Bytes returns the index as ReadCode takes it, lent.
func (c *Code) Bytes() []byte { return c.data }

// Len returns the number of ranges.
func (c *Code) Len() int { return len(c.data) / rangeSize }

// All calls yield for the ranges in order of Low, until it returns false.
func (c *Code) All(yield func(Range) bool) {
	for i := range c.Len() {
		if !yield(c.at(i)) {
			return
		}
	}
}

// First returns the lowest address; 0 if there is none.
func (c *Code) First() uint64 {
	if c.Len() == 0 {
		return 0
	}
	return c.at(0).Low
}

func (c *Code) at(i int) Range {
	b := c.data[rangeSize*i:]
	return Range{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:]),
		int(binary.LittleEndian.Uint64(b[16:]))}
}

// maxOverlap is over how many ranges the one that holds an address is looked for: they seldom overlap.
const maxOverlap = 8

// Find returns the number of the unit that has the code at a link-time address. It returns false if
// there is no such unit.
func (c *Code) Find(addr uint64) (unit int, ok bool) {
	i := sort.Search(c.Len(), func(i int) bool { return c.at(i).Low > addr })
	for k := i - 1; k >= 0 && k >= i-maxOverlap; k-- {
		if r := c.at(k); addr < r.High {
			return r.Unit, true
		}
	}
	return 0, false
}
