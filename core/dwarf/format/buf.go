// Package format reads how DWARF is written: sections, numbers in them, abbreviations, and values of attributes.
// It knows no units.
//
// Files: buf.go (numbers), const.go (tags, attributes, forms), ops.go (operations of expressions), abbrev.go
// (the shapes of entries), value.go (values of attributes), sections.go (the sections of an image), package.go
// (the sections of split units).
//
// Facts: DWARF 5 (dwarfstd.org), and GNU's extensions.
//
// LIMITATIONS: reading a unit ends at an attribute whose form has no name here, as its size is not known.
package format

import (
	"bytes"
	"encoding/binary"

	"coredbg/core"
)

// An Offset is where an entry lies: in bytes from the start of .debug_info.
type Offset uint64

// A Buf reads numbers from a section. A read past its end returns 0 and sets Bad.
type Buf struct {
	Data  []byte
	Off   int
	Order binary.ByteOrder
	Bad   bool
}

// BigEndian reports whether the first byte of a number is its most significant one.
func BigEndian(o binary.ByteOrder) bool { return o != binary.LittleEndian }

// At returns a Buf that reads data from off on.
func At(data []byte, off uint64, order binary.ByteOrder) Buf {
	if off > uint64(len(data)) {
		return Buf{Order: order, Bad: true}
	}
	return Buf{Data: data, Off: int(off), Order: order}
}

// More reports whether bytes are left.
func (b *Buf) More() bool { return !b.Bad && b.Off < len(b.Data) }

// Bytes returns the next n bytes, lent; nil past the end.
func (b *Buf) Bytes(n uint64) []byte {
	if b.Bad || n > uint64(len(b.Data)-b.Off) {
		b.Bad = true
		return nil
	}
	s := b.Data[b.Off : b.Off+int(n)]
	b.Off += int(n)
	return s
}

// Rest returns what is left, lent.
func (b Buf) Rest() []byte { return b.Data[min(b.Off, len(b.Data)):] }

// Uint reads an unsigned number of n bytes, at most 8.
func (b *Buf) Uint(n int) uint64 {
	s := b.Bytes(uint64(n))
	if s == nil {
		return 0
	}
	return Fixed(s, b.Order)
}

// Fixed returns the unsigned number that s is, of at most 8 bytes.
func Fixed(s []byte, order binary.ByteOrder) uint64 {
	// All addresses and headers of entries have one of these sizes.
	switch little := order == binary.LittleEndian; {
	case len(s) == 1:
		return uint64(s[0])
	case len(s) == 8 && little:
		return binary.LittleEndian.Uint64(s)
	case len(s) == 4 && little:
		return uint64(binary.LittleEndian.Uint32(s))
	case len(s) == 2 && little:
		return uint64(binary.LittleEndian.Uint16(s))
	case len(s) == 8:
		return order.Uint64(s)
	}
	var v uint64
	for i := range s {
		c := s[i]
		if order == binary.LittleEndian {
			c = s[len(s)-1-i]
		}
		v = v<<8 | uint64(c)
	}
	return v
}

// U8 reads a byte.
func (b *Buf) U8() uint8 {
	if b.Bad || b.Off >= len(b.Data) {
		b.Bad = true
		return 0
	}
	c := b.Data[b.Off]
	b.Off++
	return c
}

// U16 reads a number of two bytes.
func (b *Buf) U16() uint16 { return uint16(b.Uint(2)) }

// U32 reads a number of four bytes.
func (b *Buf) U32() uint32 { return uint32(b.Uint(4)) }

// maxLEB is the most bytes of a LEB128 number.
const maxLEB = 16

// ULEB reads an unsigned LEB128 number.
func (b *Buf) ULEB() uint64 {
	if b.Bad {
		return 0
	}
	v, n := core.ULEB128(b.Data[b.Off:], maxLEB)
	b.Off, b.Bad = b.Off+n, n == 0
	return v
}

// SLEB reads a signed LEB128 number.
func (b *Buf) SLEB() int64 {
	if b.Bad {
		return 0
	}
	v, n := core.SLEB128(b.Data[b.Off:], maxLEB)
	b.Off, b.Bad = b.Off+n, n == 0
	return v
}

// Offset reads an offset of a section, which has 8 bytes in 64-bit DWARF, else 4.
func (b *Buf) Offset(dwarf64 bool) uint64 {
	if dwarf64 {
		return b.Uint(8)
	}
	return b.Uint(4)
}

// CString returns the bytes up to the next zero, lent.
func (b *Buf) CString() []byte {
	if b.Bad {
		return nil
	}
	n := bytes.IndexByte(b.Data[b.Off:], 0)
	if n < 0 {
		b.Bad = true
		return nil
	}
	s := b.Data[b.Off : b.Off+n]
	b.Off += n + 1
	return s
}
