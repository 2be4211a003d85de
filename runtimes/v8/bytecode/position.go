package bytecode

import (
	"errors"
	"fmt"
	"sort"

	"coredbg/core"
)

// A SourcePosition is V8's SourcePosition: bit 0 says that it is external,
// bits 1 to 30 are the script offset plus one, bits 31 to 46 the inlining id
// plus one (codegen/source-position.h).
type SourcePosition uint64

// Offset returns the offset in the script in UTF-16 code units, or -1.
func (p SourcePosition) Offset() int { return int(p>>1&(1<<30-1)) - 1 }

// Inlining returns the index in the table of inlined calls, or -1 if the position is in the outermost function.
func (p SourcePosition) Inlining() int { return int(p>>31&0xffff) - 1 }

// A PositionEntry is a row of a source position table.
type PositionEntry struct {
	Code   int // offset in the bytecode or machine code, bytes
	Source SourcePosition
}

// ErrTruncated says that a table ends inside a number.
var ErrTruncated = errors.New("ends inside a number")

// ULEB reads an unsigned LEB128 number as base/vlq.h writes it: at most five
// (32 bits) or ten bytes.
func ULEB(b []byte) (n uint64, rest []byte, err error) {
	const most = 10
	n, size := core.ULEB128(b, most)
	if size == 0 {
		return 0, nil, ErrTruncated
	}
	return n, b[size:], nil
}

// Zigzag decodes a signed number that is written with its sign in bit 0.
func Zigzag(n uint64) int64 { return int64(n>>1) ^ -int64(n&1) }

// A PositionEncoding says how a table writes the code delta of an entry.
type PositionEncoding struct {
	// Flags is the number of bits below the delta. From V8 14 on bit 0 says
	// statement, bit 1 breakable; from V8 15 on bit 2 says that the position is
	// not a difference. Where there are none, it is zig-zag, and negative for
	// expressions (codegen/source-position-table.cc).
	Flags int
	// first is the code offset that the first entry counts from.
	First int
}

// DecodePositions decodes a whole source position table. On an error it
// returns the entries before it.
func DecodePositions(table []byte, enc PositionEncoding) ([]PositionEntry, error) {
	var out []PositionEntry
	at, source := int64(enc.First), int64(0)
	for len(table) > 0 {
		raw, rest, err := ULEB(table)
		if err != nil {
			return out, fmt.Errorf("position table: entry %d %w", len(out), err)
		}
		delta, rest, err := ULEB(rest)
		if err != nil {
			return out, fmt.Errorf("position table: entry %d %w", len(out), err)
		}
		table = rest
		if enc.Flags > 0 {
			at += int64(raw >> enc.Flags)
			if enc.Flags > 2 && raw>>2&1 == 1 {
				source = 0
			}
		} else if d := Zigzag(raw); d < 0 {
			at += -(d + 1)
		} else {
			at += d
		}
		source += Zigzag(delta)
		if at < int64(enc.First) || at > 1<<31 || source < 0 {
			return out, fmt.Errorf("position table: entry %d is out of range", len(out))
		}
		out = append(out, PositionEntry{int(at), SourcePosition(source)})
	}
	return out, nil
}

// LookupPosition returns the last entry at or before a code offset.
func LookupPosition(entries []PositionEntry, offset int) (SourcePosition, bool) {
	i := sort.Search(len(entries), func(i int) bool { return entries[i].Code > offset })
	if i == 0 {
		return 0, false
	}
	return entries[i-1].Source, true
}

// MaxTable bounds the tables of one function in bytes.
const MaxTable = 64 << 20

// Size returns the length in bytes of the bytecode at the start of b,
// with its prefix. Bytecodes 0 to 3 are Wide, ExtraWide and their variants for
// the debugger (interpreter/bytecodes.h).
func Size(b, sizes []byte) (int, bool) {
	row := len(sizes) / 3
	if len(b) == 0 || row == 0 {
		return 0, false
	}
	scale, prefix := 0, 0
	if op := b[0]; op < 4 {
		scale, prefix = 1+int(op&1), 1
		if len(b) < 2 {
			return 0, false
		}
	}
	op := int(b[prefix])
	if op >= row {
		return 0, false
	}
	n := int(sizes[scale*row+op])
	return n + prefix, n > 0
}

// BaselineOffset maps an offset in baseline code to the bytecode that it
// belongs to. The table holds the length of the machine code of each bytecode
// in order, first the prologue's (baseline/bytecode-offset-iterator.h). A
// prologue has bytecode offset -1.
func BaselineOffset(table, bytecodes, sizes []byte, pc int) (int, bool) {
	n, rest, err := ULEB(table)
	if err != nil {
		return 0, false
	}
	end, at, next := int64(n), -1, 0
	for int64(pc) >= end {
		if n, rest, err = ULEB(rest); err != nil || n > 1<<31 {
			return at, false
		}
		if next >= len(bytecodes) {
			return at, false
		}
		size, ok := Size(bytecodes[next:], sizes)
		if !ok {
			return at, false
		}
		at = next
		next += size
		end += int64(n)
	}
	return at, true
}

// BaselineCallOffset is BaselineOffset for V8 9.0, whose table has an entry
// for each call: the distances from the entry before of the return address
// and of the bytecode (baseline/baseline-compiler.h @ 9.0).
func BaselineCallOffset(table []byte, pc int) (int, bool) {
	var end, at int64
	for len(table) > 0 {
		n, rest, err := ULEB(table)
		if err != nil {
			return 0, false
		}
		m, rest, err := ULEB(rest)
		if err != nil || n > 1<<31 || m > 1<<31 {
			return 0, false
		}
		end, at, table = end+int64(n), at+int64(m), rest
		if end > int64(pc) {
			return int(at), true
		}
	}
	return 0, false
}
