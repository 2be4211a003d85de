// Package ehabi finds the exception table entry of a function of 32-bit Arm and
// turns it into a row of call frame information.
//
// The object chain: .ARM.exidx has a pair of words for each function in order of address: its start,
// and how it is unwound: by instructions in the word itself, by instructions in an entry of .ARM.extab,
// or not at all. The instructions move a virtual stack pointer and pop registers from it. Nothing is
// parsed ahead: a query costs a binary search. Source: "Exception Handling ABI for the Arm
// Architecture" (IHI 0038), sections 6, 7 and 10.
//
// Entries hold after prologues and before epilogues only.
//
// LIMITATIONS. An entry that takes the stack pointer from a register after the
// first pop cannot be a row, and is refused. Personality routines other than the
// standard ones are taken to keep their instructions as GNU's do.
package ehabi

import (
	"encoding/binary"
	"errors"
	"fmt"

	"coredbg/core"
	"coredbg/walk/cfi"
)

// ErrNoEntry is returned for an address that no function of the table holds.
var ErrNoEntry = errors.New("ehabi: no entry")

// ErrCannotUnwind is returned for functions that say so of themselves.
var ErrCannotUnwind = errors.New("ehabi: the function cannot be unwound")

// A Table is the exception tables of an image. It is safe for concurrent use.
type Table struct {
	index, extab core.Section
}

// New returns the table of an image's sections .ARM.exidx and .ARM.extab; nil if
// the first has no entries.
func New(index, extab core.Section) *Table {
	if len(index.Data) < entrySize {
		return nil
	}
	return &Table{index, extab}
}

// Sizes in bytes, and the second word of an entry that cannot be unwound.
const (
	entrySize    = 8
	wordSize     = 4
	cantUnwind   = 1
	maxTableSize = 1 << 24
)

// word returns the word at an offset of a section.
func word(s core.Section, off uint64) (uint32, bool) {
	if off+wordSize > uint64(len(s.Data)) || off+wordSize < off {
		return 0, false
	}
	return binary.LittleEndian.Uint32(s.Data[off:]), true
}

// prel31 returns the address that a word at an address refers to: it is relative
// to itself, in 31 bits.
func prel31(w uint32, at uint64) uint64 {
	return uint64(uint32(at) + uint32(int32(w<<1)>>1))
}

// Row returns the row of the function that holds the link-time address pc.
func (t *Table) Row(pc uint64) (*cfi.Row, error) {
	n := min(len(t.index.Data), maxTableSize) / entrySize
	lo, hi := 0, n
	for lo < hi {
		mid := (lo + hi) / 2
		if at := uint64(mid) * entrySize; t.start(at) <= pc {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == 0 {
		return nil, ErrNoEntry
	}
	at := uint64(lo-1) * entrySize
	code, err := t.code(at)
	if err != nil {
		return nil, err
	}
	row, err := decode(code)
	if err != nil {
		return nil, fmt.Errorf("ehabi: entry of %#x: %w", t.start(at), err)
	}
	return cfi.NewRow(core.ARM, row), nil
}

// start returns where the function of the entry at an offset begins, without
// the Thumb bit.
func (t *Table) start(off uint64) uint64 {
	w, _ := word(t.index, off)
	return prel31(w, t.index.Addr+off) &^ 1
}

// code returns the unwinding instructions of the entry at an offset.
func (t *Table) code(off uint64) ([]byte, error) {
	w, _ := word(t.index, off+wordSize)
	if w == cantUnwind {
		return nil, ErrCannotUnwind
	}
	if w>>31 != 0 {
		if w>>24 != 0x80 {
			return nil, fmt.Errorf("ehabi: entry at %#x: personality %d in the index", t.index.Addr+off, w>>24&0xf)
		}
		return []byte{byte(w >> 16), byte(w >> 8), byte(w)}, nil
	}
	at := prel31(w, t.index.Addr+off+wordSize) - t.extab.Addr
	first, ok := word(t.extab, at)
	if !ok {
		return nil, fmt.Errorf("ehabi: entry at %#x: its table at %#x lies outside of .ARM.extab", t.index.Addr+off,
			at+t.extab.Addr)
	}
	switch {
	case first>>31 == 0: // the personality routine; what it is given follows
		at += wordSize
		if first, ok = word(t.extab, at); !ok {
			return nil, fmt.Errorf("ehabi: .ARM.extab ends at %#x", at+t.extab.Addr)
		}
		return t.words(at, []byte{byte(first >> 16), byte(first >> 8), byte(first)}, first>>24)
	case first>>24&0xf == 0:
		return []byte{byte(first >> 16), byte(first >> 8), byte(first)}, nil
	case first>>24&0xf <= 2:
		return t.words(at, []byte{byte(first >> 8), byte(first)}, first>>16&0xff)
	}
	return nil, fmt.Errorf("ehabi: .ARM.extab at %#x: personality %d", at+t.extab.Addr, first>>24&0xf)
}

// words appends the n words after an offset, the highest byte of each first.
func (t *Table) words(at uint64, code []byte, n uint32) ([]byte, error) {
	for i := range uint64(n) {
		w, ok := word(t.extab, at+wordSize*(i+1))
		if !ok {
			return nil, fmt.Errorf("ehabi: .ARM.extab ends within the entry at %#x", at+t.extab.Addr)
		}
		code = binary.BigEndian.AppendUint32(code, w)
	}
	return code, nil
}
