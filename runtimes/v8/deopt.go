package v8

import (
	"errors"
	"fmt"

	"coredbg/core"
)

// An optimised frame can be expanded into the frames that its code stands for
// in two ways: by the position table of the code with its table of inlined
// calls, or by the translation that the deoptimizer would use at this call.
// The translation also tells receivers.

// maxInlined bounds the functions inlined into one code object.
const maxInlined = 1 << 12

// An inlinedFrame is one of the functions that an optimised frame stands for.
type inlinedFrame struct {
	call
	position int // offset in the script; -1 if unknown
	// values are those that the deoptimizer would give to the frame; nil if
	// they are not known.
	values *translatedValues
}

// byPositions expands a pc offset by the position table, innermost first. It
// fails if the code has no table, as Maglev's has not in V8 12.4 to 13.6.
func (v *V8) byPositions(c *code, pcOffset int, outer Tagged) ([]inlinedFrame, bool) {
	t, ok := v.field(c.obj, v.layout.Code.PositionTable)
	if !ok {
		return nil, false
	}
	table, ok := v.byteArray(t, maxTable)
	if !ok || len(table) == 0 {
		return nil, false
	}
	entries, _ := decodePositions(table, v.positionEncoding(v.layout.Frame.FirstCodeOffset))
	pos, ok := lookupPosition(entries, pcOffset)
	if !ok {
		return nil, false
	}
	var out []inlinedFrame
	for pos.inlining() >= 0 {
		caller, shared, ok := v.inlinedCall(c, pos.inlining())
		if !ok || len(out) > maxInlined {
			return out, false
		}
		out = append(out, inlinedFrame{call: call{shared: shared}, position: pos.offset()})
		pos = caller
	}
	return append(out, inlinedFrame{call: call{shared: outer}, position: pos.offset()}), true
}

// inlinedCall reads an item of the code's InliningPositions: where it was
// called from, and the literal that is the function.
func (v *V8) inlinedCall(c *code, index int) (sourcePosition, Tagged, bool) {
	d, ok := v.deoptData(c)
	if !ok {
		return 0, 0, false
	}
	arr, ok := v.element(d, v.layout.DeoptimizationData.InliningPositions)
	if !ok {
		return 0, 0, false
	}
	items, ok := v.byteArray(arr, maxTable)
	if !ok || len(items) < 16*(index+1) {
		return 0, 0, false
	}
	item := items[16*index:]
	shared, ok := v.sharedLiteral(d, int(int32(v.order.Uint32(item[8:]))))
	return sourcePosition(v.order.Uint64(item)), shared, ok
}

// literal returns an element of the literal array as a strong reference.
func (v *V8) literal(deoptData Tagged, id int) (Tagged, bool) {
	arr, ok := v.element(deoptData, v.layout.DeoptimizationData.LiteralArray)
	if !ok {
		return 0, false
	}
	l, ok := v.element(arr, id)
	if !ok || l.IsSmi() {
		return l, ok
	}
	return l &^ 2, l.IsHeap()
}

// sharedLiteral returns a literal that is a SharedFunctionInfo, or its wrapper
// from V8 13 on.
func (v *V8) sharedLiteral(deoptData Tagged, id int) (Tagged, bool) {
	l, ok := v.literal(deoptData, id)
	if !ok {
		return 0, false
	}
	if v.is(l, v.types.sharedProxy) {
		if l, ok = v.field(l, 8); !ok {
			return 0, false
		}
	}
	return l, v.isSharedFunctionInfo(l)
}

// byTranslation expands a pc offset by the deoptimizer's translation,
// innermost first. Stack slots are read relative to fp.
func (v *V8) byTranslation(c *code, pcOffset int, fp core.Addr) ([]inlinedFrame, error) {
	set, err := v.translationSet()
	if err != nil {
		return nil, err
	}
	d, ok := v.deoptData(c)
	if !ok {
		return nil, errors.New("v8: code has no deoptimization data")
	}
	index, err := v.deoptIndex(c, pcOffset)
	if err != nil {
		return nil, err
	}
	at, ok := v.smiElement(d, v.layout.DeoptimizationData.FirstEntry+3*index+1)
	arr, ok2 := v.element(d, v.layout.DeoptimizationData.FrameTranslation)
	if !ok || !ok2 {
		return nil, fmt.Errorf("v8: deoptimization entry %d cannot be read", index)
	}
	table, ok := v.byteArray(arr, maxTable)
	if !ok {
		return nil, errors.New("v8: translations cannot be read")
	}
	ops, err := set.decode(table, at)
	if err != nil {
		return nil, err
	}
	return v.translatedFrames(set, ops, d, fp)
}

func (v *V8) smiElement(o Tagged, i int) (int, bool) {
	e, ok := v.element(o, i)
	return int(e.Smi()), ok && e.IsSmi()
}

// A safepointTable is the calls of optimised code, sorted by pc.
type safepointTable struct {
	entries                   []byte
	size, pcBytes, deoptBytes int // bytes of an entry and of its first two parts; 0 for what entries do not have
	bias                      int // what trampolines lack to being kept plus one
}

// safepointTable reads the table that lies behind the instructions
// (codegen/safepoint-table.h, codegen/maglev-safepoint-table.h).
func (v *V8) safepointTable(c *code) (t safepointTable, err error) {
	at := c.start + core.Addr(c.size)
	header := core.Addr(8)
	if v.layout.Safepoint.StackSlots == 1 {
		at += 4
	}
	if c.kind == v.layout.Code.KindMaglev {
		header += 8
		if v.layout.Safepoint.StackSlots == 1 {
			header -= 4
		}
	}
	length, ok1 := v.u32(at)
	config, ok2 := v.u32(at + 4)
	if !ok1 || !ok2 || length > 1<<20 {
		return t, errors.New("v8: safepoint table cannot be read")
	}
	hasDeopt := config&1 != 0
	registers := int(config >> 1 & 7)
	t.pcBytes, t.deoptBytes = int(config>>4&7), int(config>>7&7)
	if !hasDeopt || t.pcBytes == 0 || t.pcBytes > 4 || t.deoptBytes == 0 || t.deoptBytes > 4 {
		return t, errors.New("v8: safepoint table has no deoptimization indexes")
	}
	t.size = 2*t.pcBytes + t.deoptBytes + registers
	if c.kind == v.layout.Code.KindMaglev {
		t.size++
	}
	if t.entries, err = v.space.Slice(at+header, t.size*int(length)); err != nil {
		return t, fmt.Errorf("v8: safepoint table: %w", err)
	}
	return t, nil
}

// deoptIndex finds the entry of the safepoint table for a return address.
func (v *V8) deoptIndex(c *code, pcOffset int) (int, error) {
	t, err := v.safepointTable(c)
	if err != nil {
		return 0, err
	}
	for b := t.entries; len(b) >= t.size; b = b[t.size:] {
		if int(little(b[:t.pcBytes])) != pcOffset {
			continue
		}
		n := little(b[t.pcBytes : t.pcBytes+t.deoptBytes])
		if n == 1<<(8*t.deoptBytes)-1 {
			break
		}
		return int(n), nil
	}
	return 0, fmt.Errorf("v8: no safepoint at offset %#x", pcOffset)
}

// returnOffset returns the offset behind the call that a frame of optimised code
// is in. Where code was thrown away while it ran, V8 has put the address of the
// call's exit to the deoptimizer, its trampoline, in place of the return address
// (deoptimizer/deoptimizer.cc: ActivationsFinder): the safepoint knows both.
func (v *V8) returnOffset(c *code, pcOffset int) int {
	t, err := v.safepointTable(c)
	if v.layout.Version.Before(9, 8) {
		t, err = v.wideSafepointTable(c)
	}
	if err != nil {
		return pcOffset
	}
	if pc, ok := t.before(pcOffset + t.bias); ok {
		return pc
	}
	return pcOffset
}

// wideSafepointTable reads the table of V8 until 9.7: the number of entries, the
// size of their bitmaps, which lie apart, then three words of four bytes each:
// pc, encoded information, and the trampoline, -1 for none
// (codegen/safepoint-table.h @ 9.4).
func (v *V8) wideSafepointTable(c *code) (t safepointTable, err error) {
	at := c.start + core.Addr(c.size)
	length, ok := v.u32(at)
	if !ok || length > 1<<16 {
		return t, errors.New("v8: safepoint table cannot be read")
	}
	t.pcBytes, t.deoptBytes, t.size, t.bias = 4, 4, 12, -1
	if t.entries, err = v.space.Slice(at+8, t.size*int(length)); err != nil {
		return t, fmt.Errorf("v8: safepoint table: %w", err)
	}
	return t, nil
}

// before returns the offset behind the call that has its trampoline at pcOffset,
// which is kept plus one for 0 to say that there is none.
func (t *safepointTable) before(pcOffset int) (int, bool) {
	for b := t.entries; len(b) >= t.size; b = b[t.size:] {
		if int(little(b[t.pcBytes+t.deoptBytes:2*t.pcBytes+t.deoptBytes])) == pcOffset+1 {
			return int(little(b[:t.pcBytes])), true
		}
	}
	return 0, false
}

func little(b []byte) uint64 {
	var n uint64
	for i, c := range b {
		n |= uint64(c) << (8 * i)
	}
	return n
}
