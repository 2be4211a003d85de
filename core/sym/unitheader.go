package sym

import "encoding/binary"

// unitHeader is what is needed of a unit's header (DWARF 5, section 7.5.1).
type unitHeader struct {
	first uint64 // offset of the unit's first entry from its header
	size  uint64 // offset of the next unit's header, in bytes
	code  bool   // not a type unit
}

func parseUnitHeader(b []byte, order binary.ByteOrder) (h unitHeader, ok bool) {
	if len(b) < 12 {
		return h, false
	}
	size, lenSize, word := uint64(order.Uint32(b)), uint64(4), uint64(4)
	if size == 0xffffffff {
		size, lenSize, word = order.Uint64(b[4:]), 12, 8
	}
	if size < 8 || size > uint64(len(b))-lenSize || uint64(len(b)) < lenSize+4 {
		return h, false
	}
	h.size = lenSize + size
	h.first = lenSize + 2 + word + 1
	h.code = true
	if order.Uint16(b[lenSize:]) >= 5 {
		h.first++
		switch b[lenSize+2] {
		case 0x01, 0x03: // DW_UT_compile, DW_UT_partial
		case 0x04, 0x05: // DW_UT_skeleton, DW_UT_split_compile: a dwo_id follows
			h.first += 8
		default:
			h.code = false
		}
	}
	return h, h.first <= h.size
}
