package frame

import (
	"errors"
	"fmt"
	"iter"
	"math"

	"coredbg/core"
	"coredbg/runtimes/v8/code"
	"coredbg/runtimes/v8/layout"
)

// A safepointForm says how a version lays its safepoint tables out.
type safepointForm struct {
	// wide: until V8 9.7 the header is the number of entries and the size of
	// their bitmaps, and entries are three words of four bytes: pc, index of the
	// deoptimization entry, trampoline, all ones for none
	// (codegen/safepoint-table.h @ 7.8, 9.4). Since then a word of the header
	// gives the bytes of each, and indexes and trampolines are kept plus one.
	wide bool
	// stackSlots: from V8 13 on the header begins with the frame's size.
	stackSlots bool
	// maglev: two words in the header, and a byte in entries, of spill slots
	// (codegen/maglev-safepoint-table.h).
	maglev bool
}

// A SafepointTable is the calls of optimised code, sorted by pc.
type safepointTable struct {
	entries                   []byte
	size, pcBytes, deoptBytes int         // bytes of an entry and of its parts; deoptBytes is 0 if there are no indexes
	bias                      int         // the sum to add to indexes and trampolines
	list                      []safepoint // instead of entries, if their sizes differ
}

// A safepoint is an entry of the table; a missing Deopt or Trampoline is -1.
type safepoint struct {
	PC, Deopt, Trampoline int
}

// maxSafepoints bounds the entries of one table.
const maxSafepoints = 1 << 20

// headerSize is the size of a table's header in bytes.
func (f safepointForm) headerSize() int {
	n := 8
	if f.stackSlots {
		n += 4
	}
	if f.maglev && f.stackSlots {
		n += 4
	} else if f.maglev {
		n += 8
	}
	return n
}

// parse reads a table's header, which has headerSize bytes, and returns the
// number of entries after it.
func (f safepointForm) parse(header []byte) (t safepointTable, n int, err error) {
	if f.stackSlots {
		header = header[4:]
	}
	length, config := little(header[:4]), little(header[4:8])
	if length > maxSafepoints {
		return t, 0, fmt.Errorf("v8: safepoint table of %d entries", length)
	}
	if f.wide {
		return safepointTable{size: 12, pcBytes: 4, deoptBytes: 4}, int(length), nil
	}
	hasDeopt := config&1 != 0
	registers := int(config >> 1 & 7)
	t.pcBytes, t.deoptBytes, t.bias = int(config>>4&7), int(config>>7&7), 1
	if !hasDeopt || t.pcBytes == 0 || t.pcBytes > 4 || t.deoptBytes == 0 || t.deoptBytes > 4 {
		return t, 0, errors.New("v8: safepoint table has no deoptimization indexes")
	}
	t.size = 2*t.pcBytes + t.deoptBytes + registers
	if f.maglev {
		t.size++
	}
	return t, int(length), nil
}

// packed is the bit in the word of a table's length that tells that its entries differ in
// size: TurboFan's since V8 14.7 (seen in Deno 2.7 to 2.9). The other bits are then the bytes
// of the table with its header.
const packed = 1 << 31

// Low bits of the numbers in a set of tagged slots: one bit marks the last number, one the others. An empty set
// is 0.
const (
	setMask = 3
	setLast = 1
	setMore = 3
)

// unpack reads such entries of code of a given size: numbers of seven bits to a byte, the lowest
// first. Each is a difference from the entry before: to the pc, which begins at 1, to the
// index of the deoptimization entry, which begins at -1, and to the trampoline, which only entries
// with an index have. The set of tagged slots follows, one number or more. The table must be read
// to its end, with exits after all calls and calls one after the other.
func unpack(b []byte, size int) (list []safepoint, err error) {
	r := core.Buf{Data: b}
	ok := true
	next := func() int {
		n := r.ULEB()
		if ok = ok && !r.Bad && n <= math.MaxInt64; !ok {
			return 0
		}
		return int(n)
	}
	pc, deopt, trampoline, first := 1, -1, 0, size
	for r.More() {
		d := next()
		s := safepoint{PC: pc + d, Deopt: -1, Trampoline: -1}
		ok = ok && 0 < d && d < size
		pc = s.PC
		if d = next(); d > 0 {
			deopt += min(d, maxSafepoints)
			trampoline += min(next(), size)
			s.Deopt, s.Trampoline = deopt, trampoline
			first = min(first, trampoline)
		}
		set := next()
		for ok && set&setMask == setMore {
			set = next()
		}
		if ok = ok && (set == 0 || set&setMask == setLast) && pc <= first && trampoline < size; !ok {
			return nil, fmt.Errorf("v8: entry %d of the safepoint table cannot be read", len(list))
		}
		list = append(list, s)
	}
	return list, nil
}

// All goes through the entries.
func (t *safepointTable) All() iter.Seq[safepoint] {
	return func(yield func(safepoint) bool) {
		for _, s := range t.list {
			if !yield(s) {
				return
			}
		}
		number := func(b []byte) int {
			n := int32(little(b))
			if n == math.MaxInt32 {
				n = -1 // SafepointEntry::kNoDeoptIndex of V8 7.4 (codegen/safepoint-table.h)
			}
			return int(n) - t.bias
		}
		for b := t.entries; t.size > 0 && len(b) >= t.size; b = b[t.size:] {
			s := safepoint{
				PC:         int(little(b[:t.pcBytes])),
				Deopt:      number(b[t.pcBytes : t.pcBytes+t.deoptBytes]),
				Trampoline: number(b[t.pcBytes+t.deoptBytes : 2*t.pcBytes+t.deoptBytes]),
			}
			if !yield(s) {
				return
			}
		}
	}
}

// SafepointTable reads the table of optimised code. It is after the
// instructions; until V8 8.8 it counts as a part of them, and the Code says where.
func (dec *Deopt) SafepointTable(c *code.Code) (t safepointTable, err error) {
	l := &dec.Layout.Safepoint
	f := safepointForm{
		wide:       l.Wide == 1,
		stackSlots: l.StackSlots == 1,
		maglev:     c.Kind == dec.Layout.Code.KindMaglev,
	}
	at := c.Start + core.Addr(c.Size)
	if l.Offset != layout.Unknown {
		off, ok := dec.U32Field(c.Obj, l.Offset)
		if !ok || uint64(off) >= c.Size {
			return t, errors.New("v8: code has no safepoint table")
		}
		at = c.Start + core.Addr(off)
	}
	header, err := dec.Space.Slice(at, f.headerSize())
	if err != nil {
		return t, fmt.Errorf("v8: safepoint table: %w", err)
	}
	if n := little(header[4:8]); f.stackSlots && n&packed != 0 {
		size := int(n &^ packed)
		if size < len(header) || size > maxSafepoints {
			return t, fmt.Errorf("v8: safepoint table of %d bytes", size)
		}
		b, err := dec.Space.Slice(at, size)
		if err != nil {
			return t, fmt.Errorf("v8: safepoint table: %w", err)
		}
		t.list, err = unpack(b[8:], int(c.Size))
		return t, err
	}
	t, n, err := f.parse(header)
	if err != nil {
		return t, err
	}
	if t.entries, err = dec.Space.Slice(at+core.Addr(f.headerSize()), t.size*n); err != nil {
		return t, fmt.Errorf("v8: safepoint table: %w", err)
	}
	return t, nil
}

// deoptIndex finds the deoptimization entry for a return address.
func (dec *Deopt) deoptIndex(c *code.Code, pcOffset int) (int, error) {
	t, err := dec.SafepointTable(c)
	if err != nil {
		return 0, err
	}
	for s := range t.All() {
		if s.PC == pcOffset && s.Deopt >= 0 {
			return s.Deopt, nil
		}
	}
	return 0, fmt.Errorf("v8: no safepoint at offset %#x", pcOffset)
}

// returnOffset returns the offset after the call that a frame of optimised code
// is in. Where code was thrown away while it ran, V8 has put the address of the
// call's exit to the deoptimizer, its trampoline, in place of the return address
// (deoptimizer/deoptimizer.cc: ActivationsFinder): the safepoint knows both.
func (dec *Deopt) returnOffset(c *code.Code, pcOffset int) int {
	t, err := dec.SafepointTable(c)
	if err != nil {
		return pcOffset
	}
	if pc, ok := t.before(pcOffset); ok {
		return pc
	}
	return pcOffset
}

// before returns the offset after the call that has its trampoline at pcOffset.
func (t *safepointTable) before(pcOffset int) (int, bool) {
	for s := range t.All() {
		if s.Trampoline >= 0 && s.Trampoline == pcOffset {
			return s.PC, true
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
