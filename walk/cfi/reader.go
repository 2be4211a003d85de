package cfi

import "coredbg/core"

// A reader reads numbers and encoded pointers.
type reader struct{ core.Buf }

// word reads a word of 2, 4 or 8 bytes.
func (r *reader) word(size int) uint64 {
	switch size {
	case 2:
		return uint64(r.U16())
	case 4:
		return uint64(r.U32())
	case 8:
		return r.U64()
	}
	r.Bad = true
	return 0
}

// block reads a length and that many bytes.
func (r *reader) block() []byte { return r.Bytes(r.ULEB()) }

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
		for (b.section+uint64(r.Off))%uint64(b.ptr) != 0 && r.More() {
			r.U8()
		}
		return r.word(b.ptr)
	}
	at := b.section + uint64(r.Off)
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
		r.Bad = true
	}
	if enc&encIndirect != 0 {
		r.Bad = true
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
		return r.ULEB()
	case encUData2:
		return uint64(r.U16())
	case encUData4:
		return uint64(r.U32())
	case encUData8, encSData8:
		return r.U64()
	case encSLEB:
		return uint64(r.SLEB())
	case encSData2:
		return uint64(int64(int16(r.U16())))
	case encSData4:
		return uint64(int64(int32(r.U32())))
	}
	r.Bad = true
	return 0
}
