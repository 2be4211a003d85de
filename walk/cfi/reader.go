package cfi

import (
	"encoding/binary"

	"coredbg/core"
)

// A reader decodes a byte string and remembers whether it ran over its end.
type reader struct {
	data  []byte
	off   int
	order binary.ByteOrder
	bad   bool // once set, every read gives zero
}

// take returns the next n bytes, or nil at the end.
func (r *reader) take(n uint64) []byte {
	if r.bad || n > uint64(len(r.data)-r.off) {
		r.bad = true
		return nil
	}
	b := r.data[r.off : r.off+int(n)]
	r.off += int(n)
	return b
}

func (r *reader) more() bool { return !r.bad && r.off < len(r.data) }

func (r *reader) u8() uint8 {
	if r.bad || r.off >= len(r.data) {
		r.bad = true
		return 0
	}
	r.off++
	return r.data[r.off-1]
}

func (r *reader) u16() uint16 {
	if b := r.take(2); b != nil {
		return r.order.Uint16(b)
	}
	return 0
}

func (r *reader) u32() uint32 {
	if b := r.take(4); b != nil {
		return r.order.Uint32(b)
	}
	return 0
}

func (r *reader) u64() uint64 {
	if b := r.take(8); b != nil {
		return r.order.Uint64(b)
	}
	return 0
}

// word reads a word of 2, 4 or 8 bytes.
func (r *reader) word(size int) uint64 {
	switch size {
	case 2:
		return uint64(r.u16())
	case 4:
		return uint64(r.u32())
	case 8:
		return r.u64()
	}
	r.bad = true
	return 0
}

// maxLEB is the most bytes of a LEB128 number that any padding explains.
const maxLEB = 16

// uleb reads an unsigned LEB128 number; see core.ULEB128. Most have one byte.
func (r *reader) uleb() uint64 {
	if r.more() && r.data[r.off] < 0x80 {
		r.off++
		return uint64(r.data[r.off-1])
	}
	v, n := core.ULEB128(r.rest(), maxLEB)
	r.skip(n)
	return v
}

// sleb reads a signed LEB128 number.
func (r *reader) sleb() int64 {
	v, n := core.SLEB128(r.rest(), maxLEB)
	r.skip(n)
	return v
}

// rest returns what was not read yet.
func (r *reader) rest() []byte {
	if !r.more() {
		return nil
	}
	return r.data[r.off:]
}

// skip passes over a number, which is bad if it has no bytes.
func (r *reader) skip(n int) {
	r.off += n
	r.bad = r.bad || n == 0
}

// block reads a length and that many bytes.
func (r *reader) block() []byte { return r.take(r.uleb()) }

// cstring reads up to a NUL.
func (r *reader) cstring() string {
	start := r.off
	for r.more() {
		if r.u8() == 0 {
			return string(r.data[start : r.off-1])
		}
	}
	r.bad = true
	return ""
}

// The pointer encodings of the LSB 5.0, section 10.5.1: a format in the low four bits, the base that it
// is relative to in the next three.
const (
	encAbsPtr  = 0x00
	encULEB    = 0x01
	encUData2  = 0x02
	encUData4  = 0x03
	encUData8  = 0x04
	encSigned  = 0x08
	encSLEB    = 0x09
	encSData2  = 0x0a
	encSData4  = 0x0b
	encSData8  = 0x0c
	encPCRel   = 0x10
	encTextRel = 0x20
	encDataRel = 0x30
	encFuncRel = 0x40
	encAligned = 0x50

	encIndirect = 0x80
	encOmit     = 0xff
)

// bases are what encoded pointers can be relative to.
type bases struct {
	section uint64 // address of the reader's first byte
	text    uint64
	data    uint64
	fn      uint64
	ptr     int // size of a pointer in bytes
}

// pointer reads an encoded pointer. A pointer that the image alone does not give (an indirect one) is
// an error.
func (r *reader) pointer(enc uint8, b *bases) uint64 {
	if enc == encAligned {
		for (b.section+uint64(r.off))%uint64(b.ptr) != 0 && r.more() {
			r.u8()
		}
		return r.word(b.ptr)
	}
	at := b.section + uint64(r.off)
	v := r.value(enc, b.ptr)
	switch enc & 0x70 {
	case 0:
	case encPCRel:
		v += at
	case encTextRel:
		v += b.text
	case encDataRel:
		v += b.data
	case encFuncRel:
		v += b.fn
	default:
		r.bad = true
	}
	if enc&encIndirect != 0 {
		r.bad = true
	}
	if b.ptr == 4 {
		v = uint64(uint32(v))
	}
	return v
}

// value reads the number of an encoded pointer, without its base.
func (r *reader) value(enc uint8, ptr int) uint64 {
	switch enc & 0x0f {
	case encAbsPtr, encSigned:
		return r.word(ptr)
	case encULEB:
		return r.uleb()
	case encUData2:
		return uint64(r.u16())
	case encUData4:
		return uint64(r.u32())
	case encUData8, encSData8:
		return r.u64()
	case encSLEB:
		return uint64(r.sleb())
	case encSData2:
		return uint64(int64(int16(r.u16())))
	case encSData4:
		return uint64(int64(int32(r.u32())))
	}
	r.bad = true
	return 0
}
