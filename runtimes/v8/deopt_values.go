package v8

import (
	"errors"
	"fmt"
	"math"

	"coredbg/core"
)

// translatedValues are what an interpreter frame would hold, had the function
// not been optimised (deoptimizer/translated-state.cc).
type translatedValues struct {
	closure, context Local
	parameters       []Local // the receiver first
	registers        []Local
}

// translatedFrames turns the operations of a translation into frames,
// innermost first. Each frame is followed by its values: closure, receiver and
// parameters, context, registers, accumulator.
func (v *V8) translatedFrames(set *translationSet, ops []translationOp, d Tagged, fp core.Addr) ([]inlinedFrame, error) {
	var out []inlinedFrame // outermost first
	construct := false
	for i, op := range ops {
		switch op.name {
		case opConstructCreateStub, opConstructInvokeStub:
			construct = true
		case opInterpretedWithReturn, opInterpretedWithoutReturn:
			shared, ok := v.sharedLiteral(d, int(op.operands[1]))
			if !ok {
				return nil, fmt.Errorf("v8: translation: literal %d is no function", op.operands[1])
			}
			f := inlinedFrame{call: call{shared: shared, construct: construct}, position: -1}
			if bytecode, ok := v.bytecodeOf(shared); ok {
				if pos, ok := v.bytecodePosition(bytecode, int(op.operands[0])); ok {
					f.position = pos
				}
				r := translatedReader{v: v, ops: ops[i+1:], deoptData: d, fp: fp}
				f.values = r.frame(v.registerCount(bytecode))
			}
			if f.values != nil {
				if fn := f.values.closure.Slot.Word; f.values.closure.Known() && v.isFunction(fn) {
					f.closure = fn
				}
				f.receiver, f.hasReceiver = f.values.receiver()
			}
			out = append(out, f)
			construct = false
		}
	}
	if len(out) == 0 {
		return nil, errors.New("v8: translation has no frame")
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out, nil
}

func (t *translatedValues) receiver() (Tagged, bool) {
	if len(t.parameters) == 0 || !t.parameters[0].Known() || t.parameters[0].Slot.Raw {
		return 0, false
	}
	return t.parameters[0].Slot.Word, true
}

// translatedReader reads the values of one frame.
type translatedReader struct {
	v         *V8
	ops       []translationOp
	deoptData Tagged
	fp        core.Addr
}

// maxTranslated bounds the values of one frame.
const maxTranslated = 1 << 16

// frame reads all values up to the next frame. How many of them are parameters
// is not told: the rest are registers, and three with a place of their own.
func (r *translatedReader) frame(registers int) *translatedValues {
	var all []Local
	for len(r.ops) > 0 && len(all) < maxTranslated {
		switch r.ops[0].name {
		case opBegin, opInterpretedWithReturn, opInterpretedWithoutReturn, opConstructCreateStub, opConstructInvokeStub, opFrame:
			r.ops = nil
		case opUpdateFeedback:
			r.ops = r.ops[1:]
		default:
			all = append(all, r.value())
		}
	}
	parameters := len(all) - registers - 3
	if registers < 0 || parameters < 1 {
		return nil
	}
	t := &translatedValues{closure: all[0], parameters: all[1 : 1+parameters], context: all[1+parameters]}
	t.registers = all[2+parameters : 2+parameters+registers]
	return t
}

// value reads one value; those of which an object consists are skipped.
func (r *translatedReader) value() Local {
	op := r.ops[0]
	r.ops = r.ops[1:]
	parts := 0
	switch op.name {
	case opCaptured:
		parts = int(min(max(op.operands[0], 0), maxTranslated))
	case opConcat:
		parts = 2
	}
	for skipped := 0; parts > 0 && len(r.ops) > 0 && skipped < maxTranslated; skipped++ {
		switch op := r.ops[0]; op.name {
		case opCaptured:
			parts += int(min(max(op.operands[0], 0), maxTranslated))
		case opConcat:
			parts += 2
		}
		r.ops = r.ops[1:]
		parts--
	}
	slot, missing := r.read(op)
	return Local{Slot: slot, Missing: missing}
}

// read finds what an operation describes, or says why it is not known:
// registers do not survive calls, and objects that were never made have no
// address.
func (r *translatedReader) read(op translationOp) (Slot, string) {
	v := r.v
	// OptimizedJSFrame::StackSlotOffsetRelativeToFp.
	at := r.fp.Add(16 - 8*(op.operands[0]+1))
	switch op.name {
	case opLiteral:
		w, ok := v.literal(r.deoptData, int(op.operands[0]))
		return tellMissing(Slot{Word: w}, ok && w != clearedWeak)
	case opTaggedStackSlot:
		w, ok := v.word(at)
		return tellMissing(Slot{Word: Tagged(w)}, ok)
	case opBoolSlot:
		w, ok := v.u32(at)
		return tellMissing(rawSlot(float64(w)), ok)
	case opInt32Slot:
		w, ok := v.u32(at)
		return tellMissing(rawSlot(float64(int32(w))), ok)
	case opUint32Slot:
		w, ok := v.u32(at)
		return tellMissing(rawSlot(float64(w)), ok)
	case opInt64Slot:
		w, ok := v.word(at)
		return tellMissing(rawSlot(float64(int64(w))), ok)
	case opFloatSlot:
		w, ok := v.u32(at)
		return tellMissing(rawSlot(float64(math.Float32frombits(w))), ok)
	case opDoubleSlot, opHoleyDoubleSlot:
		w, ok := v.word(at)
		return tellMissing(rawSlot(math.Float64frombits(w)), ok)
	case opCaptured, opConcat:
		return Slot{}, missingObject
	case opAnyRegister:
		return Slot{}, missingRegister
	}
	return Slot{}, missingOptimised
}

func tellMissing(s Slot, ok bool) (Slot, string) {
	if !ok {
		return Slot{}, missingMemory
	}
	return s, ""
}
