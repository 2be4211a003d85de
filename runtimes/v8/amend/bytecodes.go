package amend

import (
	"coredbg/core"
	"coredbg/runtimes/v8/bytecode"
	"coredbg/runtimes/v8/layout"
)

// maxDataShift is how far from where the table has it bytecodes may begin, in bytes: fields of
// one or two bytes before them have come and gone.
const maxDataShift = 8

// Bytecodes corrects the start of the bytecodes in a BytecodeArray. Bytes before or after it decode as some
// bytecodes too, but then positions in the script belong to bytes inside a bytecode, and offsets in frames lead
// to other calls.
func (v *Build) Bytecodes() {
	l := &v.Layout.BytecodeArray
	sizes := v.Image.BytecodeSizes
	if len(sizes) == 0 || l.Data == layout.Unknown {
		return
	}
	votes, total := map[int]int{}, 0
	seen := map[layout.Tagged]bool{}
	for _, fn := range v.Closures() {
		shared, ok := v.Objects.ClosureShared(fn)
		if !ok {
			continue
		}
		array, ok := v.Objects.BytecodeOf(shared)
		if !ok || seen[array] {
			continue
		}
		seen[array] = true
		entries, ok := v.Objects.BytecodePositions(array)
		length, ok1 := v.BytecodeLength(array)
		if !ok || !ok1 || len(entries) < 2 || length <= 0 || length > bytecode.MaxTable {
			continue
		}
		total++
		for at := l.Data - maxDataShift; at <= l.Data+maxDataShift; at++ {
			if v.beginsAt(array, at, length, entries, sizes) {
				votes[at]++
			}
		}
	}
	best := l.Data
	for at := l.Data - maxDataShift; at <= l.Data+maxDataShift; at++ {
		if votes[at] > votes[best] {
			best = at
		}
	}
	if best != l.Data && 2*votes[best] > total && 2*votes[l.Data] < votes[best] {
		v.Layout.Probed("BytecodeArray", "Data", best)
	}
}

// beginsAt reports whether the length bytes at an offset of a BytecodeArray are bytecodes, and each position
// belongs to one.
func (v *Build) beginsAt(array layout.Tagged, at, length int, entries []bytecode.PositionEntry, sizes []byte) bool {
	code, _ := core.ReadBytes(v.Space, array.Addr().Add(int64(at)), uint64(length))
	return len(code) == length && bytecode.Fit(code, sizes, entries)
}
