package fit

import (
	"coredbg/runtimes/v8/layout"
)

// Machine code that V8 makes is on pages of its own, as InstructionStreams: what their type
// is called can be seen, and where the Code of each has its size, which the stream has too.
// Source: objects/instruction-stream.h, objects/code.h @ 11.8 to 15.0.

const (
	// codeSlots are the tagged fields of a Code that come first: data of the deoptimizer, positions, its wrapper.
	codeSlots = 3
	// lastCodeField is more than the bytes before the size of a Code.
	lastCodeField = 64
)

// mainFields returns the fields of trusted objects that refer to the main cage in this build: fields that
// mostly lead to objects there, and not to objects in the trusted cage.
func mainFields(v *Candidate) map[layout.TypeField]bool {
	main, trusted := map[layout.TypeField]int{}, map[layout.TypeField]int{} // how many lead to objects
	count := func(o layout.Tagged, off int) {
		typ, _ := v.InstanceType(o)
		at := layout.TypeField{Type: typ, Offset: off}
		here, there := bothCages(v, o, off)
		if _, is := v.InstanceType(here); is {
			main[at]++
		}
		if _, is := v.InstanceType(there); is {
			trusted[at]++
		}
	}
	for _, s := range amended(v).Codes() {
		from := v.Layout.Code.FromBody
		if from == layout.Unknown {
			break
		}
		count(s, from)
		code, there := bothCages(v, s, from)
		if !v.Is(code, v.Types.Code) {
			code = there
		}
		for i := 1; i <= codeSlots && v.Is(code, v.Types.Code); i++ {
			count(code, v.OwnHandle()+v.Slots(i))
		}
	}
	for _, fn := range v.sampleFunctions() {
		shared, _ := v.Objects.ClosureShared(fn)
		array, ok := v.Objects.BytecodeOf(shared)
		for off := v.BytecodeLengthAt() + v.SlotSize(); ok &&
			off < v.Layout.BytecodeArray.FrameSize; off += v.SlotSize() {
			count(array, off)
		}
	}
	out := map[layout.TypeField]bool{}
	for at, n := range main {
		if n >= leastFieldVotes && n > trusted[at] {
			out[at] = true
		}
	}
	return out
}

// bothCages returns a field's target in the main cage and in the trusted cage. If the field holds a number, it
// returns the number twice.
func bothCages(v *Candidate, o layout.Tagged, off int) (main, trusted layout.Tagged) {
	main, ok := v.Field(o, off)
	if !ok || !main.IsHeap() {
		return main, main
	}
	return main, layout.Decompress(uint32(main), v.Sandbox.TrustedCage)
}

// probeCode corrects where a Code has the size of its instructions, and its flags, which are
// before that: the size is the body's where nothing else is in that; else with the size of the
// metadata, which comes next, it makes the body.
func (v *Candidate) probeCode() {
	votes := map[int]int{}
	l := &v.Layout.Code
	best := l.InstructionSize
	for _, s := range amended(v).Codes() {
		code, ok := v.ProtectedField(s, l.FromBody)
		body, ok1 := v.U32Field(s, l.Body-v.Slots(1))
		if l.FromBody == layout.Unknown || !ok || !ok1 || !v.Is(code, v.Types.Code) {
			continue
		}
		for off := v.Slots(codeSlots); off < lastCodeField; off += 4 {
			n, ok := v.U32Field(code, off)
			if metadata, _ := v.U32Field(code, off+4); ok && n > 0 && (n == body || n+metadata == body) {
				votes[off]++
			}
		}
	}
	for off, n := range votes {
		if n > votes[best] || n == votes[best] && off < best && best != l.InstructionSize {
			best = off
		}
	}
	if best != l.InstructionSize && votes[best] >= leastFieldVotes {
		v.Layout.Probed("Code", "InstructionSize", best)
		v.Layout.Probed("Code", "Flags", best-4)
	}
}

// probeDispatch corrects where functions have the handle of their code: builds without
// leaptiering have the Code itself there (objects/js-function.tq).
func (v *Candidate) probeDispatch() {
	at := v.Layout.JSFunction.DispatchHandle
	if at == layout.Unknown {
		return
	}
	functions, coded := v.sampleFunctions(), 0
	for _, f := range functions {
		if w, ok := v.Field(f, at); ok && w.IsHeap() && v.Is(w, v.Types.Code) {
			coded++
		}
	}
	if coded > 0 && 2*coded > len(functions) {
		v.Layout.Probed("JSFunction", "DispatchHandle", layout.Unknown)
	}
}
