package fit

import (
	"coredbg/runtimes/v8/bytecode"
)

// positionFlags are the numbers of flags below the code offset of an entry of a source
// position table that V8 has had (codegen/source-position-table.cc).
var positionFlags = []int{0, 2, 3}

// probePositions corrects the encoding of source position tables. With too few flags, offsets come out at least
// twice too large, past the end of the bytecodes; with too many, all are before the end. The right encoding is
// the one with the fewest flags that suits most functions on the stacks.
func (v *Candidate) probePositions() {
	votes := map[int]int{}
	p := &v.Layout.SourcePositionTable
	for _, fn := range v.sampleFunctions() {
		shared, ok := v.Objects.ClosureShared(fn)
		if !ok {
			continue
		}
		array, ok := v.Objects.BytecodeOf(shared)
		if !ok {
			continue
		}
		length, ok := v.BytecodeLength(array)
		table, ok1 := v.ProtectedField(array, v.Layout.BytecodeArray.Positions)
		data, ok2 := v.Objects.ByteArray(table, bytecode.MaxTable)
		if !ok || !ok1 || !ok2 || len(data) == 0 {
			continue
		}
		for _, flags := range positionFlags {
			entries, err := bytecode.DecodePositions(data,
				bytecode.PositionEncoding{Flags: flags, First: v.Layout.Frame.FirstCodeOffset})
			if n := len(entries); err == nil && n > 1 && entries[n-1].Code < length {
				votes[flags]++
			}
		}
	}
	best := p.FlagBits
	for _, flags := range positionFlags {
		if votes[flags] > votes[best] || votes[flags] == votes[best] && flags < best && votes[flags] > 0 {
			best = flags
		}
	}
	if best != p.FlagBits {
		v.Layout.Probed("SourcePositionTable", "FlagBits", best)
	}
}
