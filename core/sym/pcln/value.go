package pcln

import "coredbg/core"

// maxSteps bounds how many changes of values are looked at for the places of one address. A function of a hundred
// thousand lines has as many.
const maxSteps = 4 << 20

// ranges calls yield for each value of a table at an offset with the pc after the last that has it, until it
// returns false. It takes what it looks at off steps.
func (f *function) ranges(off uint64, steps *int, yield func(value int32, end uint64) bool) {
	if off == 0 || off >= uint64(len(f.data))-f.values {
		return
	}
	b, at, value := core.BufAt(f.data, f.values+off, nil), f.entry, int32(-1)
	for first := true; *steps > 0; first = false {
		*steps--
		delta := b.ULEB()
		if delta == 0 && !first { // or nothing is left
			return
		}
		value += int32(delta>>1) ^ -int32(delta&1)
		length := b.ULEB()
		if b.Bad || length > f.end {
			return
		}
		if at += length * f.step; !yield(value, at) {
			return
		}
	}
}

// valueAt returns what a table of values at an offset has for a pc; -1 if it has nothing.
func (f *function) valueAt(off, pc uint64, steps *int) int32 {
	found := int32(-1)
	f.ranges(off, steps, func(value int32, end uint64) bool {
		if pc < end {
			found = value
		}
		return pc >= end
	})
	return found
}

// greatest returns the greatest value of a table at an offset; -1 if the table is empty.
func (f *function) greatest(off uint64, steps *int) int32 {
	most := int32(-1)
	f.ranges(off, steps, func(value int32, _ uint64) bool {
		most = max(most, value)
		return true
	})
	return most
}
