package heap

import (
	"encoding/binary"

	"coredbg/core"
	"coredbg/runtimes/v8/object"
)

// heapOffsetARM64 is findHeapOffset on aarch64: it follows x0, the isolate, through
// copies and additions of constants up to the first call with another address of the
// isolate (Arm Architecture Reference Manual, C6.2).
func (hs *Reader) heapOffsetARM64() core.Addr {
	s, ok := hs.Symbols.Find(hs.Image.Module.Path, symHeapStatistics)
	if !ok {
		return 0
	}
	const most = 64 // instructions
	code, _ := core.ReadBytes(hs.Space, s.Addr, 4*most)
	offset := map[uint32]uint64{0: 0} // by register that holds the isolate: the offset it has added
	number := map[uint32]uint64{}     // of registers that hold a constant
	for i := 0; i+4 <= len(code); i += 4 {
		w := binary.LittleEndian.Uint32(code[i:])
		rd, rn, rm := w&31, w>>5&31, w>>16&31
		from, known := offset[rn]
		switch {
		case w&0xfc000000 == 0x94000000: // BL
			if off, ok := offset[0]; ok && off != 0 && off < object.MaxIsolate {
				return core.Addr(off)
			}
			for r := range uint32(19) {
				delete(offset, r)
				delete(number, r)
			}
			continue
		case w&0xff800000 == 0x91000000: // ADD (immediate)
			from += uint64(w >> 10 & 0xfff << (w >> 22 & 1 * 12))
		case w&0xffe0ffe0 == 0xaa0003e0: // MOV (register)
			from, known = offset[rm]
		case w&0x7f800000 == 0x52800000: // MOVZ, of 32 bits too
			delete(offset, rd)
			number[rd] = uint64(w>>5&0xffff) << (w >> 21 & 3 * 16)
			continue
		case w&0xffe0fc00 == 0x8b000000: // ADD (shifted register), by nothing
			n, ok := number[rm]
			from, known = from+n, known && ok
		default:
			if w&0x1c000000 == 0x10000000 || w&0x0e000000 == 0x0a000000 { // data processing: rd is something else
				delete(offset, rd)
				delete(number, rd)
			}
			continue
		}
		delete(number, rd)
		if delete(offset, rd); known {
			offset[rd] = from
		}
	}
	return 0
}
