package hprof

import (
	"slices"

	"coredbg/core"
	"coredbg/runtimes/art/object"
	"coredbg/runtimes/heap/hprof/format"
)

// stringData is where a java.lang.String's characters begin (runtime/mirror/string.h).
const stringData = 16

// instance writes an object that is neither a class nor an array.
func (x *writer) instance(o object.Object, c *class, size uint64) {
	x.U1(format.InstanceDump)
	x.U4(uint32(o.Addr))
	x.U4(0)
	x.U4(uint32(c.Addr))
	x.U4(uint32(c.instance))
	b, err := x.w.Space.Slice(o.Addr, int(min(size, maxInstance)))
	if err != nil {
		b = append(slices.Clone(b), make([]byte, maxFieldEnd)...)
	}
	count, loader := uint32(0), false
	value := core.Addr(0)
	for _, k := range c.chain {
		for _, f := range k.fields {
			v := x.in(b, f)
			if f.length {
				count = uint32(v)
				v >>= 1
			}
			x.Value(f.typ, v)
		}
		if k.Flags&object.FlagString != 0 {
			value = o.Addr + stringData
			if count>>1 == 0 {
				value = o.Addr + object.Alignment
			}
			x.U4(uint32(value))
		}
		if k.loader {
			loader = true
			x.U4(uint32(o.Addr) + internalID)
		}
	}
	if value != 0 {
		x.characters(o, value, count)
	}
	if loader {
		x.loaded(o.Addr)
	}
}

// internalID is added to a class loader's address to identify the array of objects it keeps: no object is
// there.
const internalID = object.Alignment / 2

// loaded writes the array that stands for a class loader's table.
func (x *writer) loaded(at core.Addr) {
	kept := x.kept(at)
	x.big(17 + 4*uint64(len(kept)))
	x.U1(format.ObjectArrayDump)
	x.U4(uint32(at) + internalID)
	x.U4(0)
	x.U4(uint32(len(kept)))
	x.U4(uint32(x.arrays))
	for _, k := range kept {
		x.U4(uint32(k))
	}
	x.endLong()
}

// Bounds of the fields of an object.
const (
	maxInstance = 1 << 18
	maxFieldEnd = 1 << 18
)

// in returns the value of a field in an object's bytes.
func (x *writer) in(b []byte, f field) uint64 {
	n := f.typ.Size(4)
	if int(f.offset)+n > len(b) {
		return 0
	}
	b = b[f.offset:]
	switch n {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(x.w.Order.Uint16(b))
	case 4:
		return uint64(x.w.Order.Uint32(b))
	}
	return x.w.Order.Uint64(b)
}

// characters writes the array that a string's characters are shown as.
func (x *writer) characters(o object.Object, at core.Addr, count uint32) {
	t := format.TypeByte
	if count&1 != 0 {
		t = format.TypeChar
	}
	x.elements(at, t, uint64(count>>1), o.Addr+stringData)
}

// array writes an array.
func (x *writer) array(o object.Object, c *class, size uint64) {
	data := object.ArrayData(c.ElementSize)
	n, _ := x.w.ArrayLength(o.Addr)
	n = min(n, (size-uint64(data))/max(c.ElementSize, 1))
	if c.element != format.TypeObject && c.element != 0 {
		x.elements(o.Addr, c.element, n, o.Addr+data)
		return
	}
	x.big(17 + 4*n)
	x.U1(format.ObjectArrayDump)
	x.U4(uint32(o.Addr))
	x.U4(0)
	x.U4(uint32(n))
	x.U4(uint32(c.Addr))
	x.raw(o.Addr+data, format.TypeObject, n)
}

// elements writes an array of a primitive type.
func (x *writer) elements(id core.Addr, t format.BasicType, n uint64, data core.Addr) {
	x.big(14 + n*uint64(t.Size(4)))
	x.U1(format.PrimitiveArrayDump)
	x.U4(uint32(id))
	x.U4(0)
	x.U4(uint32(n))
	x.U1(byte(t))
	x.raw(data, t, n)
}

// big makes a segment of its own for an array of n bytes that would be the larger part of one.
func (x *writer) big(n uint64) {
	if n < format.SegmentSize {
		return
	}
	heap, name := x.heap, x.StringID(x.heap.name())
	x.flush()
	x.room(heap, name)
	x.Long(n)
	x.long = true
}

// raw writes values as they are in memory.
func (x *writer) raw(at core.Addr, t format.BasicType, n uint64) {
	const chunk = 64 << 10
	size := uint64(t.Size(4))
	for i := uint64(0); i < n; {
		k := min(n-i, chunk/size)
		b, err := x.w.Space.Slice(at+core.Addr(i*size), int(k*size))
		if err != nil {
			b = append(slices.Clone(b), make([]byte, int(k*size)-len(b))...)
		}
		x.Values(b, t.Size(4), x.w.Order)
		x.Pass()
		i += k
	}
	x.endLong()
}

// endLong ends the segment of a large array.
func (x *writer) endLong() {
	if x.long {
		x.EndLong()
		x.heap, x.long = heapDefault, false
	}
}

// maxOverhead bounds the other bytes of a class.
const maxOverhead = 1 << 24
