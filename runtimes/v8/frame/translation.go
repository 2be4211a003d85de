package frame

import (
	"errors"
	"fmt"
	"slices"

	"coredbg/runtimes/v8/bytecode"
	"coredbg/runtimes/v8/layout"
)

// A TranslationOp is one operation of a frame translation: a frame, or one of
// its values.
type TranslationOp struct {
	Name     opName
	Operands [6]int64
}

type opName uint8

// The operations, as far as they differ here. All registers are alike, as their
// contents are not known.
const (
	opOther opName = iota // a value that is made up when it is needed
	opBegin
	OpInterpretedWithReturn
	OpInterpretedWithoutReturn
	OpConstructCreateStub
	OpConstructInvokeStub
	OpBuiltinFunction // a builtin of JavaScript that goes on after a call, such as map
	OpFrame           // any other frame
	opCaptured        // an object that was never made; its fields follow, the map first
	opDuplicated      // one of those again
	opElements        // one for the arguments of a call
	opConcat          // a string that was never made; its two parts follow
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

// A TranslationSet is a version's list of operations, from
// deoptimizer/translation-opcode.h: the number of operands by opcode, and the
// opcodes that have a name here.
type TranslationSet struct {
	operands []uint8
	names    []opName
	Encoding translationEncoding
}

// A translationEncoding is the encoding of numbers.
type translationEncoding uint8

const (
	// OpcodeBytes: opcodes are bytes. Bytes past the list refer to an
	// earlier translation. Operands are LEB128 with the sign in bit 0 (V8 11 on).
	OpcodeBytes translationEncoding = iota
	// numbers: opcodes are written like operands (translation-array.cc @ 9.4).
	numbers
	// lowNumbers: and bit 0 of a byte, not bit 7, says that more follow
	// (deoptimizer.cc @ 7.8: TranslationIterator::Next).
	lowNumbers
)

// The lists. Until V8 8 operations are in the order of their invention,
// then sorted by name; from 11.8 on frames come first.
// INLINED_EXTRA_ARGUMENTS gives the number of parameters too at the latest from
// 13.6 on, after frames of JavaScript did so.
var (
	translations78 = &TranslationSet{ // deoptimizer/deoptimizer.h @ 7.8
		Encoding: lowNumbers,
		operands: []uint8{3, 5, 3, 3, 3, 3, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2},
		names: []opName{opBegin, OpInterpretedWithReturn, OpFrame, OpBuiltinFunction, OpBuiltinFunction,
			OpConstructCreateStub, OpFrame, opDuplicated, opElements, opOther, opCaptured,
			opAnyRegister, opAnyRegister, opAnyRegister, opAnyRegister, opAnyRegister, opAnyRegister, opAnyRegister,
			opTaggedStackSlot, opInt32Slot, opInt64Slot, opUint32Slot, opBoolSlot, opFloatSlot, opDoubleSlot,
			opLiteral, opUpdateFeedback},
	}
	translations86 = &TranslationSet{ // ARGUMENTS_LENGTH has no operand any more
		Encoding: lowNumbers,
		operands: []uint8{3, 5, 3, 3, 3, 3, 2, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2},
		names:    translations78.names,
	}
	translations90 = &TranslationSet{Encoding: lowNumbers, operands: translations94.operands,
		names: translations94.names}
	translations94 = &TranslationSet{ // deoptimizer/translation-opcode.h @ 9.4, 10.2
		Encoding: numbers,
		operands: []uint8{2, 1, 0, 3, 1, 1, 3, 1, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 5, 3, 3, 4, 1, 1, 1, 1, 1, 2},
		names: []opName{OpFrame, opElements, opOther, opBegin, opAnyRegister, opBoolSlot, OpFrame, opCaptured,
			OpConstructCreateStub, opAnyRegister, opDoubleSlot, opDuplicated, opAnyRegister, opFloatSlot,
			opAnyRegister, opInt32Slot, opAnyRegister, opInt64Slot, OpInterpretedWithReturn,
			OpBuiltinFunction, OpBuiltinFunction, OpFrame, opLiteral, opAnyRegister, opTaggedStackSlot,
			opAnyRegister, opUint32Slot, opUpdateFeedback},
	}
	translations113 = &TranslationSet{
		operands: []uint8{1, 0, 3, 3, 1, 1, 3, 1, 3, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 5, 3, 3, 3, 4, 0, 1, 1,
			1, 1, 1, 2, 1},
		names: []opName{opElements, opOther, opBegin, opBegin, opAnyRegister, opBoolSlot, OpFrame, opCaptured,
			OpConstructCreateStub, opAnyRegister, opDoubleSlot, opDuplicated, opAnyRegister, opFloatSlot, OpFrame,
			opAnyRegister, opInt32Slot, opAnyRegister, opInt64Slot, opAnyRegister, opOther, opAnyRegister, opOther,
			OpInterpretedWithReturn, OpInterpretedWithoutReturn, OpBuiltinFunction, OpBuiltinFunction, OpFrame,
			opOptimizedOut, opLiteral, opAnyRegister, opTaggedStackSlot, opAnyRegister, opUint32Slot, opUpdateFeedback,
			opMatchPrevious},
	}
	translations124 = &TranslationSet{
		operands: []uint8{5, 3, 3, 3, 2, 1, 3, 4, 3, 2, 1, 0, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
			1, 0, 1, 1, 1, 1, 1, 2, 1},
		names: []opName{OpInterpretedWithReturn, OpInterpretedWithoutReturn, OpBuiltinFunction, OpBuiltinFunction,
			OpConstructCreateStub, OpConstructInvokeStub, OpFrame, OpFrame, OpFrame, OpFrame, opElements, opOther,
			opBegin, opBegin, opAnyRegister, opBoolSlot, opCaptured, opAnyRegister, opDoubleSlot, opAnyRegister,
			opHoleyDoubleSlot, opDuplicated, opAnyRegister, opFloatSlot, opAnyRegister, opInt32Slot, opAnyRegister,
			opInt64Slot, opAnyRegister, opOther, opAnyRegister, opOther, opOptimizedOut, opLiteral, opAnyRegister,
			opTaggedStackSlot, opAnyRegister, opUint32Slot, opUpdateFeedback, opMatchPrevious},
	}
	translations126 = &TranslationSet{ // 12.6.228 of workerd 1.20240701: without SIMD
		operands: []uint8{5, 3, 3, 3, 2, 1, 3, 4, 3, 3, 2, 1, 0, 0, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
			1, 1, 1, 0, 1, 1, 1, 1, 1, 2, 1},
		names: []opName{OpInterpretedWithReturn, OpInterpretedWithoutReturn, OpBuiltinFunction, OpBuiltinFunction,
			OpConstructCreateStub, OpConstructInvokeStub, OpFrame, OpFrame, OpFrame, OpFrame, OpFrame, opElements,
			opOther, opOther, opBegin, opBegin, opAnyRegister, opBoolSlot, opCaptured, opAnyRegister, opDoubleSlot,
			opAnyRegister, opHoleyDoubleSlot, opDuplicated, opAnyRegister, opFloatSlot, opAnyRegister, opInt32Slot,
			opAnyRegister, opInt64Slot, opAnyRegister, opOther, opAnyRegister, opOther,
			opOptimizedOut, opLiteral, opAnyRegister, opTaggedStackSlot, opAnyRegister, opUint32Slot, opUpdateFeedback,
			opMatchPrevious},
	}
	translations129 = &TranslationSet{
		operands: []uint8{5, 3, 3, 3, 2, 1, 3, 4, 3, 3, 2, 1, 0, 0, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
			1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 2, 1},
		names: []opName{OpInterpretedWithReturn, OpInterpretedWithoutReturn, OpBuiltinFunction, OpBuiltinFunction,
			OpConstructCreateStub, OpConstructInvokeStub, OpFrame, OpFrame, OpFrame, OpFrame, OpFrame, opElements,
			opOther, opOther, opBegin, opBegin, opAnyRegister, opBoolSlot, opCaptured, opAnyRegister, opDoubleSlot,
			opOther, opAnyRegister, opHoleyDoubleSlot, opAnyRegister, opDuplicated,
			opAnyRegister, opFloatSlot, opAnyRegister, opInt32Slot, opAnyRegister, opInt64Slot, opAnyRegister, opOther,
			opAnyRegister, opOther, opOptimizedOut, opLiteral, opAnyRegister, opTaggedStackSlot, opAnyRegister,
			opUint32Slot, opUpdateFeedback, opMatchPrevious},
	}
	Translations136 = &TranslationSet{
		operands: []uint8{6, 4, 3, 3, 2, 1, 3, 4, 3, 3, 3, 1, 0, 0, 3, 3, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
			1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 2, 1},
		names: []opName{OpInterpretedWithReturn, OpInterpretedWithoutReturn, OpBuiltinFunction, OpBuiltinFunction,
			OpConstructCreateStub, OpConstructInvokeStub, OpFrame, OpFrame, OpFrame, OpFrame, OpFrame, opElements,
			opOther, opOther, opBegin, opBegin, opAnyRegister, opBoolSlot, opCaptured, opConcat, opAnyRegister,
			opDoubleSlot, opOther, opAnyRegister, opHoleyDoubleSlot, opAnyRegister, opDuplicated,
			opAnyRegister, opFloatSlot, opAnyRegister, opInt32Slot, opAnyRegister, opInt64Slot, opAnyRegister, opOther,
			opAnyRegister, opOther, opOptimizedOut, opLiteral, opAnyRegister, opTaggedStackSlot, opAnyRegister,
			opUint32Slot, opUpdateFeedback, opMatchPrevious},
	}
	// translations132 is the list of Chromium 132: frames of JavaScript have the literal of their bytecode, and
	// strings are not put together yet. The operands of frames of extra arguments are not known.
	translations132 = &TranslationSet{
		operands: slices.Concat(Translations136.operands[:10], []uint8{unknown}, Translations136.operands[11:19],
			Translations136.operands[20:]),
		names: slices.Concat(Translations136.names[:19], Translations136.names[20:]),
	}
	// translations158 is what tables of workerd 1.20261117 are written with: two operations more than before, somewhere
	// before two that have a whole number each, in what form is not known.
	translations158 = &TranslationSet{
		operands: slices.Concat(Translations136.operands[:16], slices.Repeat([]uint8{unknown}, 15),
			Translations136.operands[29:]),
		names: slices.Concat(Translations136.names[:16], slices.Repeat([]opName{opOther}, 17),
			Translations136.names[31:]),
	}
)

// translationSets are the lists, each with the first and the last version that is known to have it.
var translationSets = []layout.Span[*TranslationSet]{
	{First: layout.V(7, 4), Last: layout.V(8, 4), Value: translations78},
	{First: layout.V(8, 6), Last: layout.V(8, 6), Value: translations86},
	{First: layout.V(9, 0), Last: layout.V(9, 1), Value: translations90},
	{First: layout.V(9, 2), Last: layout.V(10, 2), Value: translations94},
	{First: layout.V(11, 3), Last: layout.V(11, 3), Value: translations113},
	{First: layout.V(11, 8), Last: layout.V(12, 4), Value: translations124},
	{First: layout.V(12, 6), Last: layout.V(12, 6), Value: translations126},
	{First: layout.V(12, 8), Last: layout.V(13, 1), Value: translations129},
	{First: layout.V(13, 2), Last: layout.V(13, 2), Value: translations132},
	{First: layout.V(13, 3), Last: layout.V(15, 6), Value: Translations136},
	{First: layout.V(15, 8), Last: layout.V(15, 8), Value: translations158},
}

// unknown is the number of operands of an operation that is not known.
const unknown = 0xff

// TranslationSet returns the list of operations of a table of translations. If the core's version is between
// the spans of two lists, it is the list before or the list after, whichever decodes the whole table.
func (dec *Deopt) TranslationSet(table []byte) (*TranslationSet, error) {
	i, ok := layout.FindSpan(translationSets, dec.Layout.Version)
	if ok {
		return translationSets[i].Value, nil
	}
	for _, s := range translationSets[max(i-1, 0):min(i+1, len(translationSets))] {
		if s.Value.fits(table) {
			return s.Value, nil
		}
	}
	return nil, fmt.Errorf("v8: translations of %v are not known", dec.Layout.Version)
}

// maxTableOps bounds the operations of a table that is looked through.
const maxTableOps = 4 << 20

// fits reports whether a table is one translation after the other. A translation that refers to an earlier
// one must refer to the last one without a reference, as V8 writes them
// (deoptimizer/frame-translation-builder.cc, BeginTranslation).
func (s *TranslationSet) fits(table []byte) bool {
	var basis []TranslationOp
	basisAt, left := -1, maxTableOps
	for at := 0; at < len(table); {
		first, lookback, err := s.begin(table, at)
		if err != nil || lookback > 0 && at-lookback != basisAt {
			return false
		}
		previous := basis
		if lookback == 0 {
			previous = nil
		}
		ops, next, err := s.rest(table, first, previous)
		if left -= len(ops); err != nil || left < 0 {
			return false
		}
		if lookback == 0 {
			basis, basisAt = ops, at
		}
		at = next
	}
	return len(table) > 0
}

// maxTranslation bounds the operations of one translation.
const maxTranslation = 1 << 16

// Decode decodes the translation that begins at byte at of table. From V8 11 on
// an opcode that is not one stands for as many operations, at the same
// positions, of an earlier translation, which BEGIN names by its distance in bytes.
func (s *TranslationSet) Decode(table []byte, at int) ([]TranslationOp, error) {
	first, lookback, err := s.begin(table, at)
	if err != nil {
		return nil, err
	}
	var previous []TranslationOp
	if lookback > 0 {
		prev, back, err := s.begin(table, at-lookback)
		if err == nil && back != 0 {
			err = errors.New("refers to one that refers back itself")
		}
		if err == nil {
			previous, _, err = s.rest(table, prev, nil)
		}
		if err != nil {
			return nil, fmt.Errorf("v8: translation at %d: %w", at, err)
		}
	}
	out, _, err := s.rest(table, first, previous)
	if err != nil {
		return nil, fmt.Errorf("v8: translation at %d: %w", at, err)
	}
	return out, nil
}

// cursor is a place in a table of translations.
type cursor struct {
	op    TranslationOp
	table int // offset of the next opcode
}

// begin reads BEGIN. Its operands are the numbers of frames and of frames of
// JavaScript; before them, from V8 11 on, the distance to the translation
// that it refers to (unsigned), 0 for none.
func (s *TranslationSet) begin(table []byte, at int) (c cursor, lookback int, err error) {
	if at < 0 || at >= len(table) {
		return c, 0, fmt.Errorf("v8: translation at %d: out of range", at)
	}
	op, next, err := s.operation(table, at)
	if err == nil && op.Name != opBegin {
		err = fmt.Errorf("does not begin with BEGIN but %d", table[at])
	}
	if err != nil {
		return c, 0, fmt.Errorf("v8: translation at %d: %w", at, err)
	}
	if s.Encoding == OpcodeBytes {
		lookback = int(op.Operands[0])
	}
	return cursor{op, next}, lookback, nil
}

// rest decodes operations up to the next BEGIN or the end, and says where that is.
func (s *TranslationSet) rest(table []byte, c cursor,
	previous []TranslationOp) (ops []TranslationOp, at int, err error) {
	ops, at = []TranslationOp{c.op}, c.table
	for at < len(table) {
		if len(ops) > maxTranslation {
			return nil, 0, errors.New("does not end")
		}
		n, next, err := s.matches(table, at)
		if err != nil {
			return nil, 0, err
		}
		if next > at {
			if len(ops)+n > len(previous) {
				return nil, 0, errors.New("refers past the end of an earlier one")
			}
			ops, at = append(ops, previous[len(ops):len(ops)+n]...), next
			continue
		}
		op, next, err := s.operation(table, at)
		if err != nil {
			return nil, 0, err
		}
		if op.Name == opBegin {
			break
		}
		ops, at = append(ops, op), next
	}
	return ops, at, nil
}

// matches reads an opcode that stands for n operations of an earlier
// translation; next is at if it is another.
func (s *TranslationSet) matches(table []byte, at int) (n, next int, err error) {
	if s.Encoding != OpcodeBytes {
		return 0, at, nil
	}
	if n := int(table[at]) - len(s.operands); n >= 0 {
		return n, at + 1, nil
	}
	if s.names[table[at]] != opMatchPrevious {
		return 0, at, nil
	}
	u, rest, err := bytecode.ULEB(table[at+1:])
	return int(min(u, maxTranslation)), len(table) - len(rest), err
}

// operation reads one operation with its operands.
func (s *TranslationSet) operation(table []byte, at int) (TranslationOp, int, error) {
	code, rest := uint64(table[at]), table[at+1:]
	if s.Encoding != OpcodeBytes {
		var err error
		if code, rest, err = s.number(table[at:]); err != nil {
			return TranslationOp{}, 0, err
		}
		code = uint64(signed(code)) // a negative one is not an opcode either
	}
	if code >= uint64(len(s.operands)) || s.operands[code] == unknown {
		return TranslationOp{}, 0, fmt.Errorf("opcode %d is not known", int64(code))
	}
	op := TranslationOp{Name: s.names[code]}
	for i := range s.operands[code] {
		n, r, err := s.number(rest)
		if err != nil {
			return op, 0, err
		}
		rest = r
		op.Operands[i] = signed(n)
		if op.Name == opBegin && i == 0 && s.Encoding == OpcodeBytes {
			op.Operands[i] = int64(min(n, 1<<31))
		}
	}
	return op, len(table) - len(rest), nil
}

// number reads an unsigned number.
func (s *TranslationSet) number(b []byte) (n uint64, rest []byte, err error) {
	if s.Encoding != lowNumbers {
		return bytecode.ULEB(b)
	}
	for i := 0; i < len(b) && i < 10; i++ {
		n |= uint64(b[i]>>1) << (7 * i)
		if b[i]&1 == 0 {
			return n, b[i+1:], nil
		}
	}
	return 0, nil, bytecode.ErrTruncated
}

// signed takes a number from base/vlq.h apart: bit 0 is the sign, the rest is
// the magnitude. This is not zig-zag, as which position tables write theirs.
func signed(n uint64) int64 {
	if n&1 == 1 {
		return -int64(n >> 1)
	}
	return int64(n >> 1)
}
