package frame

import (
	"slices"
	"testing"

	"coredbg/runtimes/v8/callsite"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/v8test"
)

// TestTranslatedFrame lays out a frame with one parameter and two registers;
// an object that was never made lies among them with its fields.
func TestTranslatedFrame(t *testing.T) {
	ops := []TranslationOp{
		{Name: opOptimizedOut}, // closure
		{Name: opAnyRegister},  // receiver
		{Name: opUpdateFeedback},
		{Name: opCaptured, Operands: [6]int64{2}}, // parameter, of two fields
		{Name: opCaptured, Operands: [6]int64{1}}, {Name: opOptimizedOut},
		{Name: opConcat}, {Name: opOptimizedOut}, {Name: opOptimizedOut},
		{Name: opOptimizedOut}, // context
		{Name: opAnyRegister}, {Name: opOptimizedOut},
		{Name: opOptimizedOut}, // accumulator
		{Name: OpInterpretedWithoutReturn},
		{Name: opOptimizedOut},
	}
	r := TranslatedReader{Ops: ops}
	f := r.Frame(2)
	if f == nil || len(f.Parameters) != 2 || len(f.Registers) != 2 {
		t.Fatalf("frame is %+v", f)
	}
	if f.Parameters[0].Missing != missingRegister || f.Parameters[1].Missing != missingObject ||
		f.Registers[0].Missing != missingRegister || f.Registers[1].Missing != missingOptimised {
		t.Errorf("values are %+v", f)
	}
	r = TranslatedReader{Ops: ops}
	if f := r.Frame(20); f != nil {
		t.Errorf("more registers than values: %+v", f)
	}
	r = TranslatedReader{Ops: []TranslationOp{{Name: opCaptured, Operands: [6]int64{1 << 40}}}}
	if f := r.Frame(0); f != nil {
		t.Errorf("an object without its fields: %+v", f)
	}
}

// TestUnmadeObjects numbers objects as TranslatedState::CreateNextTranslatedValue does, in
// deoptimizer/translated-state.cc: objects for arguments count, registers do not.
func TestUnmadeObjects(t *testing.T) {
	h := v8test.NewHeap(t, v8test.Node24)
	first, second := h.MapOf("JS_OBJECT"), h.MapOf("JS_FUNCTION")
	literals := h.Object("FIXED_ARRAY", v8test.Smi(2), uint64(first), uint64(second))
	data := h.Object("FIXED_ARRAY", v8test.Smi(4), 0, 0, 0, uint64(literals))
	operand := func(name opName, n int64) TranslationOp { return TranslationOp{Name: name, Operands: [6]int64{n}} }
	ops := []TranslationOp{
		operand(opElements, 0),
		operand(opCaptured, 2), operand(opLiteral, 0), operand(opAnyRegister, 3),
		operand(opCaptured, 1), operand(opLiteral, 1),
		operand(opDuplicated, 1), operand(opDuplicated, 2), operand(opDuplicated, 3), operand(opDuplicated, 0),
		operand(opDuplicated, 99), operand(opDuplicated, -1),
		operand(opCaptured, 1), operand(opTaggedStackSlot, 1), // the map is not told
	}
	want := []layout.Tagged{0, first, 0, 0, second, 0, first, second, first, 0, 0, 0, 0, 0}
	if got := framesOf(h.Memory()).Frames.unmadeMaps(ops, data); !slices.Equal(got, want) {
		t.Errorf("maps are %x, want %x", got, want)
	}
}

// TestTakeCall: a receiver is a word, a number that is not tagged, or an object
// that was never made.
func TestTakeCall(t *testing.T) {
	h := v8test.NewHeap(t, v8test.Node24)
	f := h.Function("work")
	o, m := h.Object("JS_OBJECT", 0, 0), h.MapOf("JS_OBJECT")
	v := framesOf(h.Memory())
	for what, c := range map[string]struct {
		receiver Local
		want     callsite.Call
	}{
		"a word":   {Local{Slot: object.Slot{Word: o}}, callsite.Call{Receiver: o, HasReceiver: true}},
		"a number": {Local{Slot: object.RawSlot(1.5)}, callsite.Call{HasReceiver: true}},
		"unknown":  {Local{Missing: missingRegister}, callsite.Call{}},
	} {
		c.want.Closure, c.want.Shared = f.Closure, f.Shared
		got := callsite.Call{Shared: 1} // Maglev's own function
		v.Frames.takeCall(&got, &TranslatedValues{closure: Local{Slot: object.Slot{Word: f.Closure}},
			Parameters: []Local{c.receiver}})
		if got != c.want {
			t.Errorf("%s: got %+v, want %+v", what, got, c.want)
		}
	}
	got := callsite.Call{}
	v.Frames.takeCall(&got, &TranslatedValues{closure: Local{Missing: missingOptimised},
		Parameters: []Local{{Missing: missingObject, unmade: m}}})
	if got.Unmade != m || got.Closure != 0 || !got.HasReceiver {
		t.Errorf("an object never made: %+v", got)
	}
}
