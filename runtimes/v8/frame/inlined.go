package frame

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/v8/bytecode"
	"coredbg/runtimes/v8/callsite"
	"coredbg/runtimes/v8/code"
	"coredbg/runtimes/v8/layout"
)

// An optimised frame can be expanded into the frames that its code stands for
// in two ways: by the translation that the deoptimizer would use at this call, as
// Error.stack does, or by the position table of the code with its table of inlined
// calls. Only the translation has receivers and values, and builtins of V8's own
// among the calls; only the position table knows places that are not calls.

// maxInlined bounds the functions inlined into one code object.
const maxInlined = 1 << 12

// byPositions expands a pc offset by the position table, innermost first. It
// fails if the code has no table, as Maglev's has not in V8 12.4 to 13.6.
func (dec *Deopt) byPositions(c *code.Code, pcOffset int, outer layout.Tagged) ([]inlinedFrame, bool) {
	t, ok := dec.ProtectedField(c.Obj, dec.Layout.Code.PositionTable)
	if !ok {
		return nil, false
	}
	table, ok := dec.objects.ByteArray(t, bytecode.MaxTable)
	if !ok || len(table) == 0 {
		return nil, false
	}
	entries, _ := bytecode.DecodePositions(table, dec.objects.PositionEncoding(dec.Layout.Frame.FirstCodeOffset))
	pos, ok := bytecode.LookupPosition(entries, pcOffset)
	if !ok {
		return nil, false
	}
	var out []inlinedFrame
	for pos.Inlining() >= 0 {
		caller, shared, ok := dec.inlinedCall(c, pos.Inlining())
		if !ok || len(out) > maxInlined {
			return out, false
		}
		out = append(out, inlinedFrame{Call: callsite.Call{Shared: shared}, position: pos.Offset()})
		pos = caller
	}
	out = append(out, inlinedFrame{Call: callsite.Call{Shared: outer}, position: pos.Offset()})
	dec.markNew(out)
	return out, true
}

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
		return strings.HasPrefix(load.Name, "LdaGlobal") && len(load.Operands) > 0 &&
			dec.objects.NameIs(load.Operands[0].Constant, "Promise")
	}
	return false
}

// inlinedCall reads an item of the code's InliningPositions: where it was
// called from, and the literal that is the function.
func (dec *Deopt) inlinedCall(c *code.Code, index int) (bytecode.SourcePosition, layout.Tagged, bool) {
	d, ok := dec.objects.DeoptData(c)
	if !ok {
		return 0, 0, false
	}
	arr, ok := dec.objects.ProtectedElement(d, dec.Layout.DeoptimizationData.InliningPositions)
	if !ok {
		return 0, 0, false
	}
	items, ok := dec.objects.ByteArray(arr, bytecode.MaxTable)
	if !ok || len(items) < 16*(index+1) {
		return 0, 0, false
	}
	item := items[16*index:]
	shared, ok := dec.SharedLiteral(d, int(int32(dec.Order.Uint32(item[8:]))))
	return bytecode.SourcePosition(dec.Order.Uint64(item)), shared, ok
}

// byTranslation expands a pc offset by the deoptimizer's translation,
// innermost first. Stack slots are read relative to fp. constructs says that the
// innermost of the calls calls with new.
func (dec *Deopt) byTranslation(c *code.Code, pcOffset int,
	fp core.Addr) (frames []inlinedFrame, constructs bool, err error) {
	d, ok := dec.objects.DeoptData(c)
	if !ok {
		return nil, false, errors.New("v8: code has no deoptimization data")
	}
	index, err := dec.deoptIndex(c, pcOffset)
	if err != nil {
		return nil, false, err
	}
	at, ok := dec.SmiElement(d, dec.Layout.DeoptimizationData.FirstEntry+3*index+1)
	arr, ok2 := dec.objects.ProtectedElement(d, dec.Layout.DeoptimizationData.FrameTranslation)
	if !ok || !ok2 {
		return nil, false, fmt.Errorf("v8: deoptimization entry %d cannot be read", index)
	}
	table, ok := dec.objects.ByteArray(arr, bytecode.MaxTable)
	if !ok {
		return nil, false, errors.New("v8: translations cannot be read")
	}
	set, err := dec.setOf(arr, table)
	if err != nil {
		return nil, false, err
	}
	ops, err := set.Decode(table, at)
	if err != nil {
		return nil, false, err
	}
	return dec.translatedFrames(ops, d, fp)
}

// setOf is TranslationSet of the table at an address, which is looked through once.
func (dec *Deopt) setOf(at layout.Tagged, table []byte) (*TranslationSet, error) {
	if s, ok := dec.sets.Load(at); ok {
		return s.(*TranslationSet), nil
	}
	s, err := dec.TranslationSet(table)
	if err == nil {
		dec.sets.Store(at, s)
	}
	return s, err
}
