package object

import (
	"errors"
	"fmt"

	"coredbg/runtimes/v8/bytecode"
	"coredbg/runtimes/v8/code"
	"coredbg/runtimes/v8/layout"
)

// BytecodePositions decodes the table of a BytecodeArray. It fails if V8 left
// positions out (--enable-lazy-source-positions).
func (r *BytecodeReader) BytecodePositions(array layout.Tagged) ([]bytecode.PositionEntry, bool) {
	t, ok := r.ProtectedField(array, r.Layout.BytecodeArray.Positions)
	if !ok {
		return nil, false
	}
	table, ok := r.ByteArray(t, bytecode.MaxTable)
	if !ok || len(table) == 0 {
		return nil, false
	}
	entries, _ := bytecode.DecodePositions(table, r.PositionEncoding(r.Layout.Frame.FirstCodeOffset))
	return entries, len(entries) > 0
}

// PositionEncoding returns how position tables of the version are written, whose first entry
// counts from first.
func (r *BytecodeReader) PositionEncoding(first int) bytecode.PositionEncoding {
	return bytecode.PositionEncoding{Flags: r.Layout.SourcePositionTable.FlagBits, First: first}
}

// BytecodePosition returns the script offset for a bytecode offset.
func (r *BytecodeReader) BytecodePosition(array layout.Tagged, offset int) (int, bool) {
	entries, ok := r.BytecodePositions(array)
	if !ok {
		return 0, false
	}
	p, ok := bytecode.LookupPosition(entries, offset)
	return p.Offset(), ok && p.Offset() >= 0
}

// PositionIn returns the script offset for an offset in the bytecodes array of a function: as
// its table has it, or the call that is there by its text.
func (r *Functions) PositionIn(shared, array layout.Tagged, offset int) (int, bool) {
	if p, ok := r.BytecodePosition(array, offset); ok || r.above == nil {
		return p, ok
	}
	if own, ok := r.BytecodeOf(shared); !ok || own != array {
		return 0, false
	}
	return r.above.CallPosition(shared, offset)
}

// bytecodeSizes returns V8's table of bytecode sizes, three rows of the same length:
// for no prefix, Wide, ExtraWide.
func (r *BytecodeReader) bytecodeSizes() ([]byte, error) {
	r.sizes.once.Do(func() { r.sizes.table, r.sizes.err = r.readBytecodeSizes() })
	return r.sizes.table, r.sizes.err
}

func (r *BytecodeReader) readBytecodeSizes() ([]byte, error) {
	if r.Image.BytecodeSizes != nil {
		return r.Image.BytecodeSizes, nil
	}
	s, ok := r.Symbols.Find(r.Image.Module.Path, layout.SymBytecodeSizes)
	if !ok || s.Size == 0 || s.Size%3 != 0 || s.Size > 3*256*4 {
		return nil, errors.New("v8: the table of bytecode sizes is not there")
	}
	// Entries are bytes; ints until V8 8 (interpreter/bytecodes.h).
	b, err := r.Space.Slice(s.Addr, int(s.Size))
	if err != nil {
		return nil, fmt.Errorf("v8: reading the table of bytecode sizes: %w", err)
	}
	if s.Size > 3*256 || b[1] == 0 && b[2] == 0 && b[3] == 0 {
		narrow := make([]byte, 0, len(b)/4)
		for i := 0; i+3 < len(b); i += 4 {
			narrow = append(narrow, b[i])
		}
		b = narrow
	}
	return b, nil
}

// bytecodes returns the instructions of a BytecodeArray.
func (r *BytecodeReader) bytecodes(array layout.Tagged) ([]byte, bool) {
	n, ok := r.BytecodeLength(array)
	if !ok || n < 0 || n > bytecode.MaxTable {
		return nil, false
	}
	b, err := r.Space.Slice(array.Addr().Add(int64(r.Layout.BytecodeArray.Data)), n)
	return b, err == nil
}

// begin reports whether the bytecodes of an array have these sizes: each position belongs to the first byte
// of a bytecode.
func (r *BytecodeReader) begin(array layout.Tagged, code, sizes []byte) bool {
	entries, ok := r.BytecodePositions(array)
	return ok && bytecode.Fit(code, sizes, entries)
}

// BaselinePosition returns the bytecode offset of a pc in baseline code.
func (r *BytecodeReader) BaselinePosition(c *code.Code, array layout.Tagged, pcOffset int) (int, bool) {
	t, ok := r.ProtectedField(c.Obj, r.Layout.Code.PositionTable)
	if !ok {
		return 0, false
	}
	table, ok := r.ByteArray(t, bytecode.MaxTable)
	if !ok {
		return 0, false
	}
	if r.Layout.BaselineData.CallOffsets == 1 {
		return bytecode.BaselineCallOffset(table, pcOffset)
	}
	code, ok := r.bytecodes(array)
	if !ok {
		return 0, false
	}
	sizes, err := r.bytecodeSizes()
	if err != nil {
		// A stripped image: the sizes of a version that is known are known too.
		set, assumed := r.bytecodeSet()
		sizes = set.Sizes()
		if assumed && !r.begin(array, code, sizes) {
			return 0, false
		}
	}
	return bytecode.BaselineOffset(table, code, sizes, pcOffset)
}
