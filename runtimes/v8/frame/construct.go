package frame

import (
	"slices"
	"strings"

	"coredbg/runtimes/v8/bytecode"
	"coredbg/runtimes/v8/layout"
)

// markNew finds out which of the frames that a position table lists were called
// with new: the table does not say, the caller's bytecode at that place does.
func (dec *Deopt) markNew(frames []inlinedFrame) {
	for i := 0; i+1 < len(frames); i++ {
		frames[i].Construct = dec.callsNew(&frames[i+1], frames[i].Shared)
	}
}

// callsNew reports whether the function of caller calls callee with new where
// it is. A class is called in no other way.
func (dec *Deopt) callsNew(caller *inlinedFrame, callee layout.Tagged) bool {
	f, ok := dec.objects.SharedInfo(callee)
	if !ok {
		return false
	}
	if f.Flags>>uint(dec.Layout.SharedFunctionInfo.ClassConstructorShift)&1 == 1 {
		return true
	}
	a, err := dec.objects.BytecodeArray(caller.Shared)
	if err != nil {
		return false
	}
	for _, p := range a.Positions {
		if p.Position != caller.position {
			continue
		}
		at := slices.IndexFunc(a.Bytecodes, func(b bytecode.Bytecode) bool { return b.Offset == p.Offset })
		if at >= 0 && isConstruct(a.Bytecodes[at].Name) && !dec.constructsPromise(a.Bytecodes[:at+1]) {
			return true
		}
	}
	return false
}

// isConstruct reports whether a bytecode calls with new; interpreter/bytecodes.h.
func isConstruct(name string) bool {
	return strings.HasPrefix(name, "Construct") || strings.HasPrefix(name, "FindNonDefaultConstructorOrConstruct")
}

// constructsPromise reports whether the last of code makes a Promise, known by the
// name of a global: where that is expanded, the function that it is given is
// called at the same place, but not with new (compiler/js-call-reducer.cc:
// ReducePromiseConstructor).
func (dec *Deopt) constructsPromise(code []bytecode.Bytecode) bool {
	last := len(code) - 1
	if len(code[last].Operands) == 0 {
		return false
	}
	target := code[last].Operands[0].Text
	for i := last - 1; i > 0; i-- {
		b := &code[i]
		if !strings.HasPrefix(b.Name, "Star") {
			continue
		}
		to := "r" + b.Name[len("Star"):] // Star3 is short for Star r3
		if len(b.Operands) > 0 {
			to = b.Operands[0].Text
		}
		if to != target {
			continue
		}
		load := &code[i-1]
		return strings.HasPrefix(load.Name, "LdaGlobal") && len(load.Operands) > 0 && dec.objects.NameIs(load.Operands[0].Constant, "Promise")
	}
	return false
}
