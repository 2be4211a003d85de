package dwarf

import (
	"bytes"
	"encoding/binary"

	"coredbg/core"
)

// An Offset is where an entry lies: in bytes from the start of .debug_info.
type Offset uint64

// A buf reads numbers from a section. A read past its end returns 0 and sets bad.
type buf struct {
	data  []byte
	off   int
	order binary.ByteOrder
	bad   bool
}

func bigEndian(o binary.ByteOrder) bool { return o != binary.LittleEndian }

// at returns a buf that reads data from off on.
func at(data []byte, off uint64, order binary.ByteOrder) buf {
	if off > uint64(len(data)) {
		return buf{order: order, bad: true}
	}
	return buf{data: data, off: int(off), order: order}
}

func (b *buf) more() bool { return !b.bad && b.off < len(b.data) }

// bytes returns the next n bytes, lent; nil past the end.
func (b *buf) bytes(n uint64) []byte {
	if b.bad || n > uint64(len(b.data)-b.off) {
		b.bad = true
		return nil
	}
	s := b.data[b.off : b.off+int(n)]
	b.off += int(n)
	return s
}

// rest returns what is left, lent.
func (b buf) rest() []byte { return b.data[min(b.off, len(b.data)):] }

// uint reads an unsigned number of n bytes, at most 8.
func (b *buf) uint(n int) uint64 {
	s := b.bytes(uint64(n))
	if s == nil {
		return 0
	}
	return fixed(s, b.order)
}

// fixed returns the unsigned number that s is, of at most 8 bytes.
func fixed(s []byte, order binary.ByteOrder) uint64 {
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

func (b *buf) u8() uint8 {
	if b.bad || b.off >= len(b.data) {
		b.bad = true
		return 0
	}
	c := b.data[b.off]
	b.off++
	return c
}

func (b *buf) u16() uint16 { return uint16(b.uint(2)) }
func (b *buf) u32() uint32 { return uint32(b.uint(4)) }

// maxLEB is the most bytes of a LEB128 number.
const maxLEB = 16

func (b *buf) uleb() uint64 {
	if b.bad {
		return 0
	}
	v, n := core.ULEB128(b.data[b.off:], maxLEB)
	b.off, b.bad = b.off+n, n == 0
	return v
}

func (b *buf) sleb() int64 {
	if b.bad {
		return 0
	}
	v, n := core.SLEB128(b.data[b.off:], maxLEB)
	b.off, b.bad = b.off+n, n == 0
	return v
}

// offset reads an offset of a section, which has 8 bytes in 64-bit DWARF, else 4.
func (b *buf) offset(dwarf64 bool) uint64 {
	if dwarf64 {
		return b.uint(8)
	}
	return b.uint(4)
}

// cstring returns the bytes up to the next zero, lent.
func (b *buf) cstring() []byte {
	if b.bad {
		return nil
	}
	n := bytes.IndexByte(b.data[b.off:], 0)
	if n < 0 {
		b.bad = true
		return nil
	}
	s := b.data[b.off : b.off+n]
	b.off += n + 1
	return s
}
