package frame

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/v8/callsite"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// TranslatedValues are what an interpreter frame would hold, had the function
// not been optimised (deoptimizer/translated-state.cc).
type TranslatedValues struct {
	closure, context Local
	Parameters       []Local // the receiver first
	Registers        []Local
}

// An inlinedFrame is one of the functions that an optimised frame stands for.
type inlinedFrame struct {
	callsite.Call
	position int  // offset in the script; -1 if unknown
	builtin  bool // one of V8's own, which has no position
	// values are the values that the deoptimizer would give to the frame; nil if they are not known.
	values *TranslatedValues
}

// translatedFrames turns the operations of a translation into frames,
// innermost first (execution/frames.cc: OptimizedFrame::Summarize). Each frame is
// followed by its values: closure, receiver and parameters, context, registers,
// accumulator. constructs says that the innermost calls with new what has a
// frame of its own.
func (dec *Deopt) translatedFrames(ops []TranslationOp, d layout.Tagged,
	fp core.Addr) (out []inlinedFrame, constructs bool, err error) {
	maps := dec.unmadeMaps(ops, d)
	for i, op := range ops {
		switch op.Name {
		case OpConstructCreateStub, OpConstructInvokeStub:
			constructs = true
		case OpInterpretedWithReturn, OpInterpretedWithoutReturn, OpBuiltinFunction:
			shared, ok := dec.SharedLiteral(d, int(op.Operands[1]))
			if !ok {
				return nil, false, fmt.Errorf("v8: translation: literal %d is not a function", op.Operands[1])
			}
			f := inlinedFrame{Call: callsite.Call{Shared: shared, Construct: constructs}, position: -1}
			r := TranslatedReader{V: dec, Ops: ops[i+1:], DeoptData: d, fp: fp, maps: maps[i+1:]}
			if op.Name == OpBuiltinFunction {
				f.builtin, f.values = true, r.Frame(-1)
			} else if bytecode, ok := dec.objects.BytecodeOf(shared); ok {
				if pos, ok := dec.objects.PositionIn(shared, bytecode, int(op.Operands[0])); ok {
					f.position = pos
				}
				f.values = r.Frame(dec.RegisterCount(bytecode))
			}
			if f.values != nil {
				dec.takeCall(&f.Call, f.values)
			}
			out, constructs = append(out, f), false
		}
	}
	if len(out) == 0 {
		return nil, false, errors.New("v8: translation has no frame")
	}
	slices.Reverse(out)
	return out, constructs, nil
}

// takeCall takes the function and the receiver from a frame's values. Maglev gives
// the frames of builtins its own function (maglev/maglev-graph-builder.cc): the
// closure knows better.
func (dec *Deopt) takeCall(c *callsite.Call, t *TranslatedValues) {
	if fn := t.closure.Slot.Word; t.closure.Known() && dec.IsFunction(fn) {
		c.Closure = fn
		if s, ok := dec.objects.ClosureShared(fn); ok {
			c.Shared = s
		}
	}
	r := t.Parameters[0]
	switch {
	case r.Known() && r.Slot.Raw:
		c.Receiver, c.HasReceiver = 0, true // a number, whichever
	case r.Known():
		c.Receiver, c.HasReceiver = r.Slot.Word, true
	case r.unmade != 0:
		c.Unmade = r.unmade
		c.Receiver, c.HasReceiver = dec.Field(r.unmade, dec.Layout.Map.Prototype)
	}
}

// unmadeMaps returns the maps of the objects that were never made, by their operations; 0 for other operations.
// They are numbered in decoding order (TranslatedState::CreateNextTranslatedValue).
func (dec *Deopt) unmadeMaps(ops []TranslationOp, d layout.Tagged) []layout.Tagged {
	maps := make([]layout.Tagged, len(ops))
	var objects []layout.Tagged
	for i, op := range ops {
		switch op.Name {
		case opCaptured:
			if i+1 < len(ops) && ops[i+1].Name == opLiteral {
				if m, ok := dec.literal(d, int(ops[i+1].Operands[0])); ok && dec.IsMap(m) {
					maps[i] = m
				}
			}
		case opDuplicated:
			if n := op.Operands[0]; n >= 0 && n < int64(len(objects)) {
				maps[i] = objects[n]
			}
		case opElements, opConcat:
		default:
			continue
		}
		objects = append(objects, maps[i])
	}
	return maps
}

// TranslatedReader reads the values of one frame.
type TranslatedReader struct {
	V         *Deopt
	Ops       []TranslationOp
	DeoptData layout.Tagged
	fp        core.Addr
	maps      []layout.Tagged // of ops, as unmadeMaps returns them
}

// maxTranslated bounds the values of one frame.
const maxTranslated = 1 << 16

// Frame reads all values up to the next frame. How many of them are parameters
// is not recorded: the rest are registers, and three with a place of their own.
// Builtins have no registers, and no accumulator either; they are known by -1.
func (r *TranslatedReader) Frame(registers int) *TranslatedValues {
	var all []Local
	for len(r.Ops) > 0 && len(all) < maxTranslated {
		switch r.Ops[0].Name {
		case opBegin, OpInterpretedWithReturn, OpInterpretedWithoutReturn, OpConstructCreateStub, OpConstructInvokeStub,
			OpBuiltinFunction, OpFrame:
			r.Ops = nil
		case opUpdateFeedback:
			r.next()
		default:
			all = append(all, r.value())
		}
	}
	parameters := len(all) - registers - 3 // -1: there is no accumulator
	if registers < -1 || parameters < 1 {
		return nil
	}
	t := &TranslatedValues{closure: all[0], Parameters: all[1 : 1+parameters], context: all[1+parameters]}
	t.Registers = all[2+parameters : 2+parameters+max(registers, 0)]
	return t
}

// value reads one value; the values of an object's parts are skipped.
func (r *TranslatedReader) value() Local {
	op, unmade := r.next()
	parts := 0
	switch op.Name {
	case opCaptured:
		parts = int(min(max(op.Operands[0], 0), maxTranslated))
	case opConcat:
		parts = 2
	}
	for skipped := 0; parts > 0 && len(r.Ops) > 0 && skipped < maxTranslated; skipped++ {
		switch op := r.Ops[0]; op.Name {
		case opCaptured:
			parts += int(min(max(op.Operands[0], 0), maxTranslated))
		case opConcat:
			parts += 2
		}
		r.next()
		parts--
	}
	slot, missing := r.read(op)
	if unmade != 0 && missing == missingObject {
		missing = r.V.describeUnmade(unmade)
	}
	return Local{Slot: slot, Missing: missing, unmade: unmade}
}

// describeUnmade describes the class of an object that was never made.
func (dec *Deopt) describeUnmade(m layout.Tagged) string {
	first, _ := dec.Field(m, dec.Layout.Map.Prototype)
	if name := dec.objects.ConstructorNameOf(m, first, false); name != "" {
		return "optimised out: an object of class " + name + " that was never made"
	}
	return missingObject
}

// next takes an operation, with the map of the object that it is.
func (r *TranslatedReader) next() (op TranslationOp, unmade layout.Tagged) {
	op, r.Ops = r.Ops[0], r.Ops[1:]
	if len(r.maps) > 0 {
		unmade, r.maps = r.maps[0], r.maps[1:]
	}
	return op, unmade
}

// read finds what an operation describes, or says why it is not known:
// registers do not survive calls, and objects that were never made have no
// address.
func (r *TranslatedReader) read(op TranslationOp) (object.Slot, string) {
	dec := r.V
	// OptimizedJSFrame::StackSlotOffsetRelativeToFp.
	at := r.fp.Add(16 - 8*(op.Operands[0]+1))
	switch op.Name {
	case opLiteral:
		w, ok := dec.literal(r.DeoptData, int(op.Operands[0]))
		if ok && dec.Is(w, dec.Types.Oddball) && dec.objects.Oddball(w) == "optimized_out" {
			return object.Slot{}, missingOptimised // until V8 10 it has no opcode
		}
		return tellMissing(object.Slot{Word: w}, ok && w != layout.ClearedWeak)
	case opTaggedStackSlot:
		w, ok := dec.Word(at)
		return tellMissing(object.Slot{Word: dec.Full(w)}, ok)
	case opBoolSlot:
		w, ok := dec.U32(at)
		return tellMissing(object.RawSlot(float64(w)), ok)
	case opInt32Slot:
		w, ok := dec.U32(at)
		return tellMissing(object.RawSlot(float64(int32(w))), ok)
	case opUint32Slot:
		w, ok := dec.U32(at)
		return tellMissing(object.RawSlot(float64(w)), ok)
	case opInt64Slot:
		w, ok := dec.Word(at)
		return tellMissing(object.RawSlot(float64(int64(w))), ok)
	case opFloatSlot:
		w, ok := dec.U32(at)
		return tellMissing(object.RawSlot(float64(math.Float32frombits(w))), ok)
	case opDoubleSlot, opHoleyDoubleSlot:
		w, ok := dec.Word(at)
		return tellMissing(object.RawSlot(math.Float64frombits(w)), ok)
	case opCaptured, opDuplicated, opConcat:
		return object.Slot{}, missingObject
	case opAnyRegister:
		return object.Slot{}, missingRegister
	}
	return object.Slot{}, missingOptimised
}

func tellMissing(s object.Slot, ok bool) (object.Slot, string) {
	if !ok {
		return object.Slot{}, missingMemory
	}
	return s, ""
}
