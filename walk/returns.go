package walk

import (
	"math/bits"

	"coredbg/core"
)

// returns reports whether the instruction at pc is a return, and how much of the
// frame is left there.
func (t *Target) returns(pc core.Addr) (frameShape, bool) {
	if t.abi.returns == nil {
		return frameShape{}, false
	}
	code, _ := t.p.Space.Slice(pc, longestInsn)
	return t.abi.returns(t.p.Arch, code)
}

// returnsX86 knows the near returns, whatever their prefixes (Intel SDM volume 2,
// RET).
func returnsX86(arch *core.Arch, code []byte) (frameShape, bool) {
	in, ok := decodeX86(code, arch.PtrSize == 8)
	if !ok {
		return frameShape{}, false
	}
	pop, ok := in.returns(arch)
	if !ok {
		return frameShape{}, false
	}
	o := newWayOut(arch)
	return o.shape(pop)
}

// returns reports whether the instruction is a return, and how many bytes it
// takes off the stack.
func (in *x86Insn) returns(arch *core.Arch) (pop int64, ok bool) {
	switch in.op {
	case 0xc3:
		return int64(arch.PtrSize), true
	case 0xc2:
		return int64(arch.PtrSize) + in.imm&0xffff, true
	}
	return 0, false
}

// returnsARM64 knows ret, retaa and retab by x30 (Arm ARM C6.2).
func returnsARM64(arch *core.Arch, code []byte) (frameShape, bool) {
	return frameShape{sure: true}, len(code) >= 4 && returnARM64(arch.Order.Uint32(code))
}

// returnARM64 reports whether an instruction is such a return. One by another
// register leads elsewhere.
func returnARM64(w uint32) bool { return w == 0xd65f03c0 || w == 0xd65f0bff || w == 0xd65f0fff }

// returnsARM knows BX LR, MOV PC,LR, and POP and LDR of the program counter, in
// Arm and in Thumb state (Arm ARM A8.8). Which state the processor was in is not
// looked up: a word that both could have is not taken.
func returnsARM(arch *core.Arch, code []byte) (frameShape, bool) {
	if len(code) < 2 {
		return frameShape{}, false
	}
	first, second := arch.Order.Uint16(code), uint16(0)
	if len(code) >= 4 {
		second = arch.Order.Uint16(code[2:])
	}
	const pc = 1 << 15
	switch w := uint32(second)<<16 | uint32(first); {
	case w == 0xe12fff1e, w == 0xe1a0f00e:
		return frameShape{sure: true}, true
	case w&0xffff8000 == 0xe8bd8000: // ldm sp!,{…,pc}
		return poppedARM(w & 0xffff), true
	case w&0xfffff000 == 0xe49df000: // ldr pc,[sp],#n
		s := poppedARM(pc)
		s.cfaOff, s.saved[core.ARM.LR] = int64(w&0xfff), int32(w&0xfff)
		return s, s.cfaOff >= 4
	case first == 0xe8bd && second&pc != 0: // pop.w
		return poppedARM(uint32(second)), true
	case first == 0xf85d && second == 0xfb04: // ldr.w pc,[sp],#4
		return poppedARM(pc), true
	case second>>12 == 0xe:
	case first == 0x4770, first == 0x46f7:
		return frameShape{sure: true}, true
	case first>>8 == 0xbd:
		return poppedARM(pc | uint32(first&0xff)), true
	}
	return frameShape{}, false
}

// poppedARM is the frame that a pop of a list of registers leaves, the last of
// which is the program counter.
func poppedARM(list uint32) frameShape {
	s := frameShape{sure: true, cfaOff: 4 * int64(bits.OnesCount32(list))}
	below := int32(s.cfaOff)
	for reg := range 15 {
		if list>>reg&1 != 0 {
			if core.ARM.CalleeSaved>>reg&1 != 0 {
				s.saved[reg] = below
			}
			below -= 4
		}
	}
	s.saved[core.ARM.LR] = below
	return s
}

// returnsWord makes an abi.returns of architectures whose only return is one
// instruction by the link register, in one encoding or another.
func returnsWord(words ...uint32) func(*core.Arch, []byte) (frameShape, bool) {
	return func(arch *core.Arch, code []byte) (frameShape, bool) {
		for _, w := range words {
			switch {
			case w>>16 != 0 && len(code) >= 4 && arch.Order.Uint32(code) == w,
				w>>16 == 0 && len(code) >= 2 && uint32(arch.Order.Uint16(code)) == w:
				return frameShape{sure: true}, true
			}
		}
		return frameShape{}, false
	}
}
