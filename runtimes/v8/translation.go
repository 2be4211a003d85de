package v8

import "fmt"

// A translationOp is one operation of a frame translation: a frame, or one of
// its values.
type translationOp struct {
	name     opName
	operands [6]int64
}

type opName uint8

// The operations, as far as they differ here: all registers are alike, for
// nobody knows what was in them.
const (
	opOther opName = iota // a value that is made up when it is needed
	opBegin
	opInterpretedWithReturn
	opInterpretedWithoutReturn
	opConstructCreateStub
	opConstructInvokeStub
	opFrame    // any other frame
	opCaptured // an object that was never made; its fields follow
	opConcat   // a string that was never made; its two parts follow
	opLiteral
	opTaggedStackSlot
	opBoolSlot
	opInt32Slot
	opUint32Slot
	opInt64Slot
	opFloatSlot
	opDoubleSlot
	opHoleyDoubleSlot
	opOptimizedOut
	opAnyRegister
	opUpdateFeedback // no value
	opMatchPrevious
)

// A translationSet is a version's list of operations, from
// deoptimizer/translation-opcode.h: the number of operands by opcode, and the
// opcodes that have a name here.
type translationSet struct {
	operands []uint8
	names    []opName
}

// The lists. V8 11.3 to 11.8 sort operations by name; from 12 on frames come
// first. INLINED_EXTRA_ARGUMENTS tells the number of parameters too at the
// latest from 13.6 on, after frames of JavaScript have come to tell theirs.
var (
	translations113 = &translationSet{
		operands: []uint8{1, 0, 3, 3, 1, 1, 3, 1, 3, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 5, 3, 3, 3, 4, 0, 1, 1, 1, 1, 1, 2, 1},
		names: []opName{opOther, opOther, opBegin, opBegin, opAnyRegister, opBoolSlot, opFrame, opCaptured,
			opConstructCreateStub, opAnyRegister, opDoubleSlot, opOther, opAnyRegister, opFloatSlot, opFrame,
			opAnyRegister, opInt32Slot, opAnyRegister, opInt64Slot, opAnyRegister, opOther, opAnyRegister, opOther,
			opInterpretedWithReturn, opInterpretedWithoutReturn, opFrame, opFrame, opFrame,
			opOptimizedOut, opLiteral, opAnyRegister, opTaggedStackSlot, opAnyRegister, opUint32Slot, opUpdateFeedback, opMatchPrevious},
	}
	translations124 = &translationSet{
		operands: []uint8{5, 3, 3, 3, 2, 1, 3, 4, 3, 2, 1, 0, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 2, 1},
		names: []opName{opInterpretedWithReturn, opInterpretedWithoutReturn, opFrame, opFrame, opConstructCreateStub,
			opConstructInvokeStub, opFrame, opFrame, opFrame, opFrame, opOther, opOther, opBegin, opBegin,
			opAnyRegister, opBoolSlot, opCaptured, opAnyRegister, opDoubleSlot, opAnyRegister, opHoleyDoubleSlot, opOther,
			opAnyRegister, opFloatSlot, opAnyRegister, opInt32Slot, opAnyRegister, opInt64Slot, opAnyRegister, opOther, opAnyRegister, opOther,
			opOptimizedOut, opLiteral, opAnyRegister, opTaggedStackSlot, opAnyRegister, opUint32Slot, opUpdateFeedback, opMatchPrevious},
	}
	translations129 = &translationSet{
		operands: []uint8{5, 3, 3, 3, 2, 1, 3, 4, 3, 3, 2, 1, 0, 0, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 2, 1},
		names: []opName{opInterpretedWithReturn, opInterpretedWithoutReturn, opFrame, opFrame, opConstructCreateStub,
			opConstructInvokeStub, opFrame, opFrame, opFrame, opFrame, opFrame, opOther, opOther, opOther, opBegin, opBegin,
			opAnyRegister, opBoolSlot, opCaptured, opAnyRegister, opDoubleSlot, opOther, opAnyRegister, opHoleyDoubleSlot, opAnyRegister, opOther,
			opAnyRegister, opFloatSlot, opAnyRegister, opInt32Slot, opAnyRegister, opInt64Slot, opAnyRegister, opOther, opAnyRegister, opOther,
			opOptimizedOut, opLiteral, opAnyRegister, opTaggedStackSlot, opAnyRegister, opUint32Slot, opUpdateFeedback, opMatchPrevious},
	}
	translations136 = &translationSet{
		operands: []uint8{6, 4, 3, 3, 2, 1, 3, 4, 3, 3, 3, 1, 0, 0, 3, 3, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 2, 1},
		names: []opName{opInterpretedWithReturn, opInterpretedWithoutReturn, opFrame, opFrame, opConstructCreateStub,
			opConstructInvokeStub, opFrame, opFrame, opFrame, opFrame, opFrame, opOther, opOther, opOther, opBegin, opBegin,
			opAnyRegister, opBoolSlot, opCaptured, opConcat, opAnyRegister, opDoubleSlot, opOther, opAnyRegister, opHoleyDoubleSlot, opAnyRegister, opOther,
			opAnyRegister, opFloatSlot, opAnyRegister, opInt32Slot, opAnyRegister, opInt64Slot, opAnyRegister, opOther, opAnyRegister, opOther,
			opOptimizedOut, opLiteral, opAnyRegister, opTaggedStackSlot, opAnyRegister, opUint32Slot, opUpdateFeedback, opMatchPrevious},
	}
)

// translationSet returns the list of the core's version.
func (v *V8) translationSet() (*translationSet, error) {
	switch ver := v.layout.Version; {
	case ver.AtLeast(13, 1):
		return translations136, nil
	case ver.AtLeast(12, 5):
		return translations129, nil
	case ver.AtLeast(12, 0):
		return translations124, nil
	case ver.AtLeast(11, 0):
		return translations113, nil
	}
	return nil, fmt.Errorf("v8: translations of %v are not known", v.layout.Version)
}

// maxTranslation bounds the operations of one translation.
const maxTranslation = 1 << 16

// decode decodes the translation that begins at byte at of table. An opcode
// that is no opcode stands for as many operations, at the same positions, of
// an earlier translation, which BEGIN names by its distance in bytes.
func (s *translationSet) decode(table []byte, at int) ([]translationOp, error) {
	ops, lookback, frames, err := s.begin(table, at)
	if err != nil {
		return nil, err
	}
	var previous []translationOp
	if lookback > 0 {
		prev, back, n, err := s.begin(table, at-lookback)
		if err == nil && back != 0 {
			err = fmt.Errorf("refers to one that refers back itself")
		}
		if err == nil {
			previous, err = s.rest(table, prev, nil, n)
		}
		if err != nil {
			return nil, fmt.Errorf("v8: translation at %d: %w", at, err)
		}
	}
	out, err := s.rest(table, ops, previous, frames)
	if err != nil {
		return nil, fmt.Errorf("v8: translation at %d: %w", at, err)
	}
	return out, nil
}

// cursor is a place in a table of translations.
type cursor struct {
	op    translationOp
	table int // offset of the next opcode
}

func (s *translationSet) begin(table []byte, at int) (c cursor, lookback, frames int, err error) {
	if at < 0 || at >= len(table) {
		return c, 0, 0, fmt.Errorf("v8: translation at %d: out of range", at)
	}
	op, next, err := s.operation(table, at)
	if err == nil && op.name != opBegin {
		err = fmt.Errorf("does not begin with BEGIN but %d", table[at])
	}
	if err != nil {
		return c, 0, 0, fmt.Errorf("v8: translation at %d: %w", at, err)
	}
	// BEGIN's operands are the distance (unsigned) and the numbers of frames
	// and of JavaScript frames.
	return cursor{op, next}, int(op.operands[0]), int(op.operands[1]), nil
}

// rest decodes operations up to the next BEGIN or the end.
func (s *translationSet) rest(table []byte, c cursor, previous []translationOp, frames int) ([]translationOp, error) {
	ops := []translationOp{c.op}
	for at := c.table; at < len(table); {
		if len(ops) > maxTranslation {
			return nil, fmt.Errorf("does not end")
		}
		if n := int(table[at]) - len(s.operands); n >= 0 || s.names[table[at]] == opMatchPrevious {
			at++
			if n < 0 {
				u, rest, err := uleb(table[at:])
				if err != nil {
					return nil, err
				}
				n, at = int(min(u, maxTranslation)), len(table)-len(rest)
			}
			if len(ops)+n > len(previous) {
				return nil, fmt.Errorf("refers past the end of an earlier one")
			}
			ops = append(ops, previous[len(ops):len(ops)+n]...)
			continue
		}
		op, next, err := s.operation(table, at)
		if err != nil {
			return nil, err
		}
		if op.name == opBegin {
			break
		}
		ops = append(ops, op)
		at = next
	}
	return ops, nil
}

// operation reads one operation with its operands.
func (s *translationSet) operation(table []byte, at int) (translationOp, int, error) {
	code := table[at]
	if int(code) >= len(s.operands) {
		return translationOp{}, 0, fmt.Errorf("opcode %d is not known", code)
	}
	op := translationOp{name: s.names[code]}
	rest := table[at+1:]
	for i := range s.operands[code] {
		n, r, err := uleb(rest)
		if err != nil {
			return op, 0, err
		}
		rest = r
		op.operands[i] = zigzag(n)
		if op.name == opBegin && i == 0 {
			op.operands[i] = int64(min(n, 1<<31))
		}
	}
	return op, len(table) - len(rest), nil
}
