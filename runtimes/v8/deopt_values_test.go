package v8

import "testing"

// TestTranslatedFrame lays out a frame with one parameter and two registers;
// an object that was never made lies among them with its fields.
func TestTranslatedFrame(t *testing.T) {
	ops := []translationOp{
		{name: opOptimizedOut}, // closure
		{name: opAnyRegister},  // receiver
		{name: opUpdateFeedback},
		{name: opCaptured, operands: [6]int64{2}}, // parameter, of two fields
		{name: opCaptured, operands: [6]int64{1}}, {name: opOptimizedOut},
		{name: opConcat}, {name: opOptimizedOut}, {name: opOptimizedOut},
		{name: opOptimizedOut}, // context
		{name: opAnyRegister}, {name: opOptimizedOut},
		{name: opOptimizedOut}, // accumulator
		{name: opInterpretedWithoutReturn},
		{name: opOptimizedOut},
	}
	r := translatedReader{ops: ops}
	f := r.frame(2)
	if f == nil || len(f.parameters) != 2 || len(f.registers) != 2 {
		t.Fatalf("frame is %+v", f)
	}
	if f.parameters[0].Missing != missingRegister || f.parameters[1].Missing != missingObject ||
		f.registers[0].Missing != missingRegister || f.registers[1].Missing != missingOptimised {
		t.Errorf("values are %+v", f)
	}
	r = translatedReader{ops: ops}
	if f := r.frame(20); f != nil {
		t.Errorf("more registers than values: %+v", f)
	}
	r = translatedReader{ops: []translationOp{{name: opCaptured, operands: [6]int64{1 << 40}}}}
	if f := r.frame(0); f != nil {
		t.Errorf("an object without its fields: %+v", f)
	}
}
