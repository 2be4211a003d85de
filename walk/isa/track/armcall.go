package track

import (
	"math/bits"

	"coredbg/core"
	"coredbg/walk/isa"
)

// callARM knows BL, BLX of an address and BLX of a register, in Arm and in Thumb
// state (Arm ARM A8.8.25, A8.8.26). Which of them a return address belongs to is not
// kept: where the bytes are a call in both, or the call changes the state, it is not
// told where it leads.
func callARM(code []byte) (to int64, direct, ok bool) {
	n := len(code)
	if n >= 4 {
		w := core.ARM.Order.Uint32(code[n-4:])
		arm := w>>24&0xf == 0xb && w>>28 != 0xf // bl
		first, second := w&0xffff, w>>16
		thumb := first>>11 == 0x1e && second>>14 == 3
		switch {
		case arm && !thumb:
			return int64(int32(w<<8)>>6) + 4, true, true
		case thumb && !arm && second>>12&1 != 0: // bl
			return thumbOffset(first, second), true, true
		case arm, thumb, w>>25 == 0x7d, w&0x0ffffff0 == 0x012fff30: // blx
			return 0, false, true
		}
	}
	return 0, false, n >= 2 && core.ARM.Order.Uint16(code[n-2:])&0xff87 == 0x4780
}

// thumbOffset is how far BL in Thumb state goes from the end of the instruction (encoding T1).
func thumbOffset(first, second uint32) int64 {
	s, j1, j2 := first>>10&1, second>>13&1, second>>11&1
	imm := s<<24 | (1^j1^s)<<23 | (1^j2^s)<<22 | first&0x3ff<<12 | second&0x7ff<<1
	return int64(int32(imm<<7) >> 7)
}

// returnsARM knows BX LR, MOV PC,LR, and POP and LDR of the program counter, in
// Arm and in Thumb state (Arm ARM A8.8). Which state the processor was in is not
// looked up: a word that both could have is not taken.
func returnsARM(arch *core.Arch, code []byte) (isa.Shape, bool) {
	if len(code) < 2 {
		return isa.Shape{}, false
	}
	first, second := arch.Order.Uint16(code), uint16(0)
	if len(code) >= 4 {
		second = arch.Order.Uint16(code[2:])
	}
	const pc = 1 << 15
	switch w := uint32(second)<<16 | uint32(first); {
	case w == 0xe12fff1e, w == 0xe1a0f00e:
		return isa.Shape{Sure: true}, true
	case w&0xffff8000 == 0xe8bd8000: // ldm sp!,{…,pc}
		return poppedARM(w & 0xffff), true
	case w&0xfffff000 == 0xe49df000: // ldr pc,[sp],#n
		s := poppedARM(pc)
		s.CFAOff, s.Saved[core.ARM.LR] = int64(w&0xfff), int32(w&0xfff)
		return s, s.CFAOff >= 4
	case first == 0xe8bd && second&pc != 0: // pop.w
		return poppedARM(uint32(second)), true
	case first == 0xf85d && second == 0xfb04: // ldr.w pc,[sp],#4
		return poppedARM(pc), true
	case second>>12 == 0xe:
	case first == 0x4770, first == 0x46f7:
		return isa.Shape{Sure: true}, true
	case first>>8 == 0xbd:
		return poppedARM(pc | uint32(first&0xff)), true
	}
	return isa.Shape{}, false
}

// poppedARM is the frame that a pop of a list of registers leaves, the last of
// which is the program counter.
func poppedARM(list uint32) isa.Shape {
	s := isa.Shape{Sure: true, CFAOff: 4 * int64(bits.OnesCount32(list))}
	below := int32(s.CFAOff)
	for reg := range 15 {
		if list>>reg&1 != 0 {
			if core.ARM.CalleeSaved>>reg&1 != 0 {
				s.Saved[reg] = below
			}
			below -= 4
		}
	}
	s.Saved[core.ARM.LR] = below
	return s
}
