package v8

import (
	"errors"
	"fmt"
)

// bytecodePositions decodes the table of a BytecodeArray. It fails if V8 left
// positions out (--enable-lazy-source-positions).
func (v *V8) bytecodePositions(bytecode Tagged) ([]positionEntry, bool) {
	t, ok := v.field(bytecode, v.layout.BytecodeArray.Positions)
	if !ok {
		return nil, false
	}
	table, ok := v.byteArray(t, maxTable)
	if !ok || len(table) == 0 {
		return nil, false
	}
	entries, _ := decodePositions(table, v.positionEncoding(v.layout.Frame.FirstCodeOffset))
	return entries, len(entries) > 0
}

func (v *V8) positionEncoding(first int) positionEncoding {
	return positionEncoding{flags: v.layout.Version.AtLeast(14, 0), first: first}
}

// bytecodePosition returns the script offset for a bytecode offset.
func (v *V8) bytecodePosition(bytecode Tagged, offset int) (int, bool) {
	entries, ok := v.bytecodePositions(bytecode)
	if !ok {
		return 0, false
	}
	p, ok := lookupPosition(entries, offset)
	return p.offset(), ok && p.offset() >= 0
}

// sizesOf returns V8's table of bytecode sizes, three rows of the same length:
// for no prefix, Wide, ExtraWide.
func (v *V8) bytecodeSizes() ([]byte, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.sizesGot {
		return v.sizes, v.sizesErr
	}
	v.sizesGot = true
	s, ok := v.symbols.Find(v.image.module.Path, symBytecodeSizes)
	if !ok || s.Size == 0 || s.Size%3 != 0 || s.Size > 3*256*4 {
		v.sizesErr = errors.New("v8: the table of bytecode sizes is not there")
		return nil, v.sizesErr
	}
	// Entries are bytes; ints until V8 8 (interpreter/bytecodes.h).
	b, err := v.space.Slice(s.Addr, int(s.Size))
	if err != nil {
		v.sizesErr = fmt.Errorf("v8: reading the table of bytecode sizes: %w", err)
		return nil, v.sizesErr
	}
	if s.Size > 3*256 || b[1] == 0 && b[2] == 0 && b[3] == 0 {
		narrow := make([]byte, 0, len(b)/4)
		for i := 0; i+3 < len(b); i += 4 {
			narrow = append(narrow, b[i])
		}
		b = narrow
	}
	v.sizes = b
	return b, nil
}

// bytecodes returns the instructions of a BytecodeArray.
func (v *V8) bytecodes(bytecode Tagged) ([]byte, bool) {
	n, ok := v.smiField(bytecode, v.layout.FixedArray.Length)
	if !ok || n < 0 || n > maxTable {
		return nil, false
	}
	b, err := v.space.Slice(bytecode.Addr().Add(int64(v.layout.BytecodeArray.Data)), n)
	return b, err == nil
}

// baselinePosition returns the bytecode offset of a pc in baseline code.
func (v *V8) baselinePosition(c *code, bytecode Tagged, pcOffset int) (int, bool) {
	t, ok := v.field(c.obj, v.layout.Code.PositionTable)
	if !ok {
		return 0, false
	}
	table, ok := v.byteArray(t, maxTable)
	if !ok {
		return 0, false
	}
	if v.layout.Version.Before(9, 1) {
		return baselineCallOffset(table, pcOffset)
	}
	code, ok := v.bytecodes(bytecode)
	if !ok {
		return 0, false
	}
	sizes, err := v.bytecodeSizes()
	if err != nil {
		// A stripped image: the sizes of a version that is known are known too.
		set, assumed := v.bytecodeSet()
		if assumed {
			return 0, false
		}
		sizes = set.sizes()
	}
	return baselineOffset(table, code, sizes, pcOffset)
}
