package pcln

import "encoding/binary"

// maxSteps bounds how many changes of values are looked at for the places of one address. A function of a hundred
// thousand lines has as many.
const maxSteps = 4 << 20

// valueAt returns what a table of values at an offset has for a pc; -1 if it has nothing. It takes what it
// looks at off steps.
func (f *function) valueAt(off, pc uint64, steps *int) int32 {
	if off == 0 || off >= uint64(len(f.data))-f.values {
		return -1
	}
	b, at, value := f.data[f.values+off:], f.entry, int32(-1)
	for first := true; *steps > 0; first = false {
		*steps--
		delta, n := binary.Uvarint(b)
		if n <= 0 || delta == 0 && !first {
			return -1
		}
		b = b[n:]
		value += int32(delta>>1) ^ -int32(delta&1)
		length, n := binary.Uvarint(b)
		if n <= 0 || length > f.end {
			return -1
		}
		b = b[n:]
		if at += length * f.step; pc < at {
			return value
		}
	}
	return -1
}
