package code

import (
	"encoding/binary"

	"coredbg/core"
)

// refersReach is how much of a function before a call is looked at, in bytes.
const refersReach = 1 << 10

// Refers reports whether instructions before pc make the address of the C string text: on x86-64 of
// four bytes that are the address, or count from their end, on aarch64 by adrp and add.
func (r *Reader) Refers(pc core.Addr, text string) bool {
	if pc < refersReach {
		return false
	}
	code, err := r.Space.Slice(pc-refersReach, refersReach)
	if err != nil {
		return false
	}
	for _, a := range addressesOf(r.Process.Arch, pc-refersReach, code) {
		if r.hasText(a, text) {
			return true
		}
	}
	return false
}

// hasText reports whether there is a C string text at a.
func (r *Reader) hasText(a core.Addr, text string) bool {
	b := make([]byte, len(text)+1)
	n, _ := r.Space.ReadAt(b, a)
	return n == len(b) && string(b) == text+"\x00"
}

// addressesOf returns the addresses that the code at a place may make.
func addressesOf(arch *core.Arch, at core.Addr, code []byte) []core.Addr {
	var out []core.Addr
	switch arch {
	case core.AMD64:
		const disp = 4
		for i := 0; i+disp <= len(code); i++ {
			n := binary.LittleEndian.Uint32(code[i:])
			out = append(out, at.Add(int64(i+disp)+int64(int32(n))), core.Addr(n))
		}
	case core.ARM64:
		var pages [32]core.Addr // by register
		for i := 0; i+4 <= len(code); i += 4 {
			w := binary.LittleEndian.Uint32(code[i:])
			switch {
			case w&0x9f000000 == 0x90000000: // adrp
				n := int64(int32(w<<8)>>13<<2 | int32(w>>29&3))
				pages[w&31] = (at + core.Addr(i)).Add(n<<12) &^ 0xfff
			case w&0xffc00000 == 0x91000000: // add, immediate
				if page := pages[w>>5&31]; page != 0 {
					out = append(out, page+core.Addr(w>>10&0xfff))
				}
			}
		}
	}
	return out
}
