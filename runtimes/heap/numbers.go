package heap

import "math"

// An ID is the number of an object: dense, from 0, in order of address.
type ID = int32

// None is the number of no object. As a dominator it is the roots together.
const None ID = -1

// maxObjects is the number of objects that a Graph can have.
const maxObjects = math.MaxInt32 - 1

// A bitset is a set of objects.
type bitset []uint64

func newBitset(n int) bitset      { return make(bitset, (n+63)/64) }
func (b bitset) has(i int32) bool { return b[i>>6]>>(i&63)&1 == 1 }
func (b bitset) add(i int32)      { b[i>>6] |= 1 << (i & 63) }

// typeNumbers are the numbers of the types of objects, in two bytes each if all are
// small enough.
type typeNumbers struct {
	small []uint16
	any   []int32 // nil if small has them
}

// newTypeNumbers returns room for the type numbers of n objects, up to most.
func newTypeNumbers(n int64, most int32) typeNumbers {
	if most <= math.MaxUint16 {
		return typeNumbers{small: make([]uint16, 0, n)}
	}
	return typeNumbers{any: make([]int32, 0, n)}
}

// add appends the type number of the next object.
func (t *typeNumbers) add(n int32) {
	if t.any != nil {
		t.any = append(t.any, n)
	} else {
		t.small = append(t.small, uint16(n))
	}
}

// of returns the type number of an object.
func (t *typeNumbers) of(id ID) int32 {
	if t.any != nil {
		return t.any[id]
	}
	return int32(t.small[id])
}

// byteCounts are numbers of bytes, in four bytes each unless a heap has 4 GiB.
type byteCounts struct {
	low  []uint32
	high []uint32 // nil if all are less
}

// newByteCounts returns zeros in low, as many as it has room for.
func newByteCounts(low []uint32, most uint64) byteCounts {
	clear(low)
	c := byteCounts{low: low}
	if most > math.MaxUint32 {
		c.high = make([]uint32, len(low))
	}
	return c
}

func (c *byteCounts) of(n int32) uint64 {
	v := uint64(c.low[n])
	if c.high != nil {
		v |= uint64(c.high[n]) << 32
	}
	return v
}

func (c *byteCounts) add(n int32, v uint64) {
	if c.high == nil {
		c.low[n] += uint32(v)
		return
	}
	v += c.of(n)
	c.low[n], c.high[n] = uint32(v), uint32(v>>32)
}
