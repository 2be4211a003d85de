package core

import (
	"bytes"
	"encoding/binary"
)

// A Buf reads numbers from bytes, one after the other. A read that needs more than is left returns 0 and sets Bad, and
// so does every read after it: a decoder can read a whole header and check once. Off stays where the first failed.
type Buf struct {
	Data  []byte
	Off   int
	Order binary.ByteOrder
	Bad   bool
}

// BufAt returns a Buf that reads data from off on.
func BufAt(data []byte, off uint64, order binary.ByteOrder) Buf {
	if off > uint64(len(data)) {
		return Buf{Off: int(min(off, 1<<62)), Order: order, Bad: true}
	}
	return Buf{Data: data, Off: int(off), Order: order}
}

// More reports whether bytes are left.
func (b *Buf) More() bool { return !b.Bad && b.Off < len(b.Data) }

// Rest returns what is left, lent.
func (b Buf) Rest() []byte { return b.Data[min(b.Off, len(b.Data)):] }

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

// Part returns a Buf that reads the next n bytes. Its offsets continue the offsets of b.
func (b *Buf) Part(n uint64) Buf {
	p := Buf{Off: b.Off, Order: b.Order}
	if b.Bytes(n); b.Bad {
		p.Bad = true
		return p
	}
	p.Data = b.Data[:b.Off]
	return p
}

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

// U64 reads a number of eight bytes.
func (b *Buf) U64() uint64 { return b.Uint(8) }

// ULEB reads an unsigned LEB128 number of any padding; see ULEB128. Most have one byte.
func (b *Buf) ULEB() uint64 {
	if b.More() && b.Data[b.Off] < 0x80 {
		b.Off++
		return uint64(b.Data[b.Off-1])
	}
	v, n := ULEB128(b.lent(), maxLEB)
	b.pass(n)
	return v
}

// SLEB reads a signed LEB128 number.
func (b *Buf) SLEB() int64 {
	v, n := SLEB128(b.lent(), maxLEB)
	b.pass(n)
	return v
}

// lent returns what is left; nil after an error.
func (b *Buf) lent() []byte {
	if b.Bad {
		return nil
	}
	return b.Data[b.Off:]
}

// pass goes past a number, which is bad if it has no bytes.
func (b *Buf) pass(n int) {
	b.Off += n
	b.Bad = b.Bad || n == 0
}

// Fail returns an error of a section at Off. Data is the section, or begins with its first byte.
func (b *Buf) Fail(section string, err error) error {
	return &SectionError{Section: section, Off: uint64(b.Off), Err: err}
}

// Offset reads an offset of DWARF, which has 8 bytes in its 64-bit form, else 4.
func (b *Buf) Offset(dwarf64 bool) uint64 {
	if dwarf64 {
		return b.Uint(8)
	}
	return b.Uint(4)
}

// CString returns the bytes up to the next zero, lent.
func (b *Buf) CString() []byte {
	n := bytes.IndexByte(b.lent(), 0)
	if n < 0 {
		b.Bad = true
		return nil
	}
	s := b.Data[b.Off : b.Off+n]
	b.Off += n + 1
	return s
}
