package frame

import (
	"errors"
	"fmt"
	"sync"

	"coredbg/core"
	"coredbg/runtimes/v8/bytecode"
	"coredbg/runtimes/v8/callsite"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// A Deopt reads what optimised code keeps for the deoptimizer and the
// collector.
type Deopt struct {
	*layout.Memory
	objects *object.Reader
	sites   *callsite.Reader
	sets    sync.Map // of translations, by the table that is written with it
}

// An optimised frame can be expanded into the frames that its code stands for
// in two ways: by the translation that the deoptimizer would use at this call, as
// Error.stack does, or by the position table of the code with its table of inlined
// calls. Only the translation has receivers and values, and builtins of V8's own
// among the calls; only the position table knows places that are not calls.

// maxInlined bounds the functions inlined into one code object.
const maxInlined = 1 << 12

// An inlinedFrame is one of the functions that an optimised frame stands for.
type inlinedFrame struct {
	callsite.Call
	position int  // offset in the script; -1 if unknown
	builtin  bool // one of V8's own, which has no position
	// values are the values that the deoptimizer would give to the frame; nil if they are not known.
	values *TranslatedValues
}

// byPositions expands a pc offset by the position table, innermost first. It
// fails if the code has no table, as Maglev's has not in V8 12.4 to 13.6.
func (dec *Deopt) byPositions(c *object.Code, pcOffset int, outer layout.Tagged) ([]inlinedFrame, bool) {
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

// inlinedCall reads an item of the code's InliningPositions: where it was
// called from, and the literal that is the function.
func (dec *Deopt) inlinedCall(c *object.Code, index int) (bytecode.SourcePosition, layout.Tagged, bool) {
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

// literal returns an element of the literal array as a strong reference.
func (dec *Deopt) literal(deoptData layout.Tagged, id int) (layout.Tagged, bool) {
	arr, ok := dec.objects.ProtectedElement(deoptData, dec.Layout.DeoptimizationData.LiteralArray)
	if !ok {
		return 0, false
	}
	l, ok := dec.objects.Element(arr, id)
	if !ok || l.IsSmi() {
		return l, ok
	}
	return l &^ 2, l.IsHeap()
}

// SharedLiteral returns a literal that is a SharedFunctionInfo, or its wrapper
// from V8 13 on.
func (dec *Deopt) SharedLiteral(deoptData layout.Tagged, id int) (layout.Tagged, bool) {
	l, ok := dec.literal(deoptData, id)
	if !ok {
		return 0, false
	}
	if dec.Is(l, dec.Types.SharedProxy) {
		if l, ok = dec.Field(l, dec.Slots(1)); !ok {
			return 0, false
		}
	}
	return l, dec.IsSharedFunctionInfo(l)
}

// byTranslation expands a pc offset by the deoptimizer's translation,
// innermost first. Stack slots are read relative to fp. constructs says that the
// innermost of the calls calls with new.
func (dec *Deopt) byTranslation(c *object.Code, pcOffset int,
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

// SmiElement returns the Smi at index i of the array o.
func (dec *Deopt) SmiElement(o layout.Tagged, i int) (int, bool) {
	e, ok := dec.objects.Element(o, i)
	return int(e.Smi()), ok && e.IsSmi()
}
