// Package compact finds the compact unwind information of a Mach-O function and
// turns it into a row of call frame information.
//
// The object chain: __TEXT,__unwind_info has a header and a first-level index; its
// entry for an address leads to a second-level page, regular or compressed; the
// page's entry for the address is a 32-bit encoding. An encoding gives a row, or
// the offset of a frame description in __TEXT,__eh_frame. Nothing is parsed ahead:
// a question costs two binary searches. Sources: mach-o/compact_unwind_encoding.h
// and src/CompactUnwinder.hpp of LLVM's libunwind 19.
//
// Encodings hold after prologues and before epilogues only. Neighbouring
// functions with one encoding share an entry, so that an entry's start is a
// function's start only for encodings that need it (stack sizes in the code).
//
// LIMITATIONS: x86-64 and arm64. Personalities and language-specific data are
// not read. Floating-point registers are skipped, not recovered.
package compact

import (
	"errors"
	"fmt"
	"sort"

	"coredbg/core"
	"coredbg/walk/cfi"
)

// ErrNoEntry is returned where the table has no encoding for an address.
var ErrNoEntry = errors.New("compact: no unwind information covers this address")

// A DWARFError says that an encoding refers to __eh_frame.
type DWARFError struct {
	Off uint32 // of the frame description in the section; 0 if not given
}

// Error says where the frame description is.
func (e *DWARFError) Error() string {
	return fmt.Sprintf("compact: described at offset %#x of __eh_frame", e.Off)
}

// A Table is the compact unwind information of one image. It is safe for
// concurrent use.
type Table struct {
	arch *core.Arch
	data []byte // __unwind_info
	base uint64 // link-time address of the image's header
	text core.Section
}

// New returns the table in the bytes of __unwind_info of an image with its header at the link-time
// address base. Text is the section __text; encodings may refer to it for the size of a stack frame. It
// may be empty. New returns nil if the architecture has no compact unwind information, or if the
// version of the table is unknown.
func New(arch *core.Arch, info []byte, base uint64, text core.Section) *Table {
	t := &Table{arch: arch, data: info, base: base, text: text}
	if arch != core.AMD64 && arch != core.ARM64 || t.u32(0) != 1 {
		return nil
	}
	return t
}

func (t *Table) u32(off uint64) uint32 {
	if off > uint64(len(t.data)) || uint64(len(t.data))-off < 4 {
		return 0
	}
	return t.arch.Order.Uint32(t.data[off:])
}

func (t *Table) u16(off uint64) uint16 {
	if off > uint64(len(t.data)) || uint64(len(t.data))-off < 2 {
		return 0
	}
	return t.arch.Order.Uint16(t.data[off:])
}

// room is how many items of size bytes the section can hold after off, at
// most n.
func (t *Table) room(off uint64, n uint32, size uint64) int {
	if off >= uint64(len(t.data)) {
		return 0
	}
	return int(min(uint64(n), (uint64(len(t.data))-off)/size))
}

// An Entry is a stretch of addresses with one encoding.
type Entry struct {
	Start    uint64 // link-time address; not always the start of a function
	Encoding uint32
}

// The kinds of second-level pages.
const (
	pageRegular    = 2
	pageCompressed = 3
)

// Find returns the entry for the link-time address pc, or ErrNoEntry.
func (t *Table) Find(pc uint64) (Entry, error) {
	if pc < t.base || pc-t.base > 1<<32-1 {
		return Entry{}, ErrNoEntry
	}
	off := uint32(pc - t.base)
	index := uint64(t.u32(20))
	n := t.room(index, t.u32(24), 12)
	// The last entry of the index is where the others end.
	i := sort.Search(n, func(i int) bool { return t.u32(index+12*uint64(i)) > off }) - 1
	if i < 0 || i >= n-1 {
		return Entry{}, ErrNoEntry
	}
	first, page := t.u32(index+12*uint64(i)), uint64(t.u32(index+12*uint64(i)+4))
	if page == 0 {
		return Entry{}, ErrNoEntry
	}
	e, ok := t.inPage(page, first, off)
	if !ok || e.Encoding == 0 {
		return Entry{}, ErrNoEntry
	}
	return e, nil
}

// inPage searches a second-level page; first is the offset of its functions.
func (t *Table) inPage(page uint64, first, off uint32) (Entry, bool) {
	at := page + uint64(t.u16(page+4))
	count := uint32(t.u16(page + 6))
	switch t.u32(page) {
	case pageRegular:
		n := t.room(at, count, 8)
		i := sort.Search(n, func(i int) bool { return t.u32(at+8*uint64(i)) > off }) - 1
		if i < 0 {
			return Entry{}, false
		}
		return t.regular(at, i), true
	case pageCompressed:
		n := t.room(at, count, 4)
		i := sort.Search(n, func(i int) bool { return t.u32(at+4*uint64(i))&0xffffff+first > off }) - 1
		if i < 0 {
			return Entry{}, false
		}
		return t.compressed(page, at, first, i), true
	}
	return Entry{}, false
}

func (t *Table) regular(at uint64, i int) Entry {
	return Entry{t.base + uint64(t.u32(at+8*uint64(i))), t.u32(at + 8*uint64(i) + 4)}
}

func (t *Table) compressed(page, at uint64, first uint32, i int) Entry {
	w := t.u32(at + 4*uint64(i))
	e := Entry{Start: t.base + uint64(first) + uint64(w&0xffffff)}
	k, common := w>>24, t.u32(8)
	if k < common {
		e.Encoding = t.u32(uint64(t.u32(4)) + 4*uint64(k))
	} else if k -= common; k < uint32(t.u16(page+10)) {
		e.Encoding = t.u32(page + uint64(t.u16(page+8)) + 4*uint64(k))
	}
	return e
}

// Entries calls yield for all entries in the table's order until it returns false.
func (t *Table) Entries(yield func(Entry) bool) {
	index := uint64(t.u32(20))
	n := t.room(index, t.u32(24), 12)
	for i := 0; i < n-1; i++ {
		first, page := t.u32(index+12*uint64(i)), uint64(t.u32(index+12*uint64(i)+4))
		at := page + uint64(t.u16(page+4))
		count, kind := uint32(t.u16(page+6)), t.u32(page)
		switch {
		case page == 0:
			continue
		case kind == pageRegular:
			for j := range t.room(at, count, 8) {
				if !yield(t.regular(at, j)) {
					return
				}
			}
		case kind == pageCompressed:
			for j := range t.room(at, count, 4) {
				if !yield(t.compressed(page, at, first, j)) {
					return
				}
			}
		}
	}
}

// Row returns what holds in the body of the function at the link-time address pc:
// ErrNoEntry if the table does not say, a *DWARFError if __eh_frame does.
func (t *Table) Row(pc uint64) (*cfi.Row, error) {
	e, err := t.Find(pc)
	if err != nil {
		return nil, err
	}
	var r cfi.Row
	if t.arch == core.AMD64 {
		r, err = t.rowX86(e)
	} else {
		r, err = rowARM64(e.Encoding)
	}
	if err != nil {
		return nil, err
	}
	return cfi.NewRow(t.arch, r), nil
}

// saved is the rule of a register at an offset from the CFA.
func saved(slot int, off int64) cfi.SlotRule {
	return cfi.SlotRule{Slot: int8(slot), Rule: cfi.Rule{Kind: cfi.Offset, Off: off}}
}
