package x86

import "encoding/binary"

// An insn is an instruction as far as its effect on the stack needs it.
type insn struct {
	size   int
	op     int // opcode; 0x0f00 is added to two-byte ones, -1 stands for the rest
	rex    byte
	modrm  byte
	sib    byte
	disp   int64
	imm    int64
	narrow bool // operand size 16
}

// reg and rm return the register fields with their REX extension.
func (in *insn) reg() int { return int(in.modrm>>3&7 | in.rex<<1&8) }

func (in *insn) rm() int { return int(in.modrm&7 | in.rex<<3&8) }

// direct reports whether the operand is a register.
func (in *insn) direct() bool { return in.modrm >= 0xc0 }

// decode decodes the length of the instruction at the start of b. If the instruction touches the stack,
// it decodes the rest that matters (Intel SDM volume 2, appendix A). It returns false if the
// instruction is unknown or cut short.
func decode(b []byte, long bool) (in insn, ok bool) {
	i := 0
	for ; i < len(b) && i < 14; i++ {
		switch b[i] {
		case 0x66:
			in.narrow = true
			continue
		case 0x67, 0xf0, 0xf2, 0xf3, 0x2e, 0x36, 0x3e, 0x26, 0x64, 0x65:
			continue
		}
		break
	}
	if long && i < len(b) && b[i]&0xf0 == 0x40 {
		in.rex = b[i]
		i++
	}
	if i >= len(b) {
		return in, false
	}
	in.op = int(b[i])
	i++
	if vex := vexLength(b[i-1:], long); vex > 0 {
		return in.vex(b, i-1, vex)
	}
	if in.op == 0x0f {
		if i >= len(b) {
			return in, false
		}
		in.op = 0x0f00 | int(b[i])
		i++
	}
	modrm, imm := operandsOf(in.op, long)
	if in.op == 0x0f38 || in.op == 0x0f3a { // three-byte opcodes
		in.op = -1
		i++
	}
	return in.operands(b, i, modrm, imm)
}

// vexLength returns the length of a VEX or EVEX prefix at b, or 0.
func vexLength(b []byte, long bool) int {
	if len(b) < 2 || !long && b[1] < 0xc0 {
		return 0
	}
	switch b[0] {
	case 0xc5:
		return 2
	case 0xc4:
		return 3
	case 0x62:
		return 4
	}
	return 0
}

// vex finishes an instruction whose VEX prefix of n bytes is at i.
func (in insn) vex(b []byte, i, n int) (insn, bool) {
	if i+n >= len(b) {
		return in, false
	}
	opcodes := 1
	if n > 2 {
		opcodes = int(b[i+1] & 7)
	}
	op := int(b[i+n])
	in.op = -1
	modrm, imm := true, immNone
	switch {
	case opcodes == 3:
		imm = imm8
	case opcodes == 1:
		if modrm, imm = operandsOf(0x0f00|op, true); imm != imm8 {
			imm = immNone
		}
	}
	return in.operands(b, i+n+1, modrm, imm)
}

// Kinds of immediate operands.
const (
	immNone = iota
	imm8
	imm16
	immZ     // 4 bytes, 2 with the operand size prefix
	immV     // immZ, 8 with REX.W
	imm32    // 4 bytes
	immAddr  // an address: moffs
	imm16_8  // ENTER
	immGroup // of f6 and f7: only TEST has one
)

// operands reads ModRM, SIB, displacement and immediate from b[i:].
func (in insn) operands(b []byte, i int, modrm bool, imm int) (insn, bool) {
	if modrm {
		if i >= len(b) {
			return in, false
		}
		in.modrm = b[i]
		n := modRMLength(b[i:])
		if n == 0 || i+n > len(b) {
			return in, false
		}
		end := i + n
		size := 1
		if in.modrm < 0xc0 && in.modrm&7 == 4 {
			in.sib = b[i+1]
			size++
		}
		in.disp = signedLE(b[i+size : end])
		i = end
	}
	n := 0
	switch imm {
	case imm8:
		n = 1
	case imm16:
		n = 2
	case imm16_8:
		n = 3
	case imm32:
		n = 4
	case immZ, immV:
		n = 4
		if imm == immV && in.rex&8 != 0 {
			n = 8
		} else if in.narrow {
			n = 2
		}
	case immAddr:
		n = 8
	case immGroup:
		if in.modrm>>3&7 < 2 {
			n = 1
			if in.op == 0xf7 {
				n = 4
				if in.narrow {
					n = 2
				}
			}
		}
	}
	if i+n > len(b) {
		return in, false
	}
	in.imm = signedLE(b[i : i+n])
	in.size = i + n
	return in, true
}

// modRMLength returns the length of an operand in 32- and 64-bit code: the
// ModRM byte, SIB and displacement; 0 if it is cut short.
func modRMLength(b []byte) int {
	if len(b) == 0 {
		return 0
	}
	mod, rm := b[0]>>6, b[0]&7
	if mod == 3 {
		return 1
	}
	n := 1
	if rm == 4 {
		if len(b) < 2 {
			return 0
		}
		if mod == 0 && b[1]&7 == 5 {
			n += 4
		}
		n++
	}
	switch {
	case mod == 1:
		n++
	case mod == 2, mod == 0 && rm == 5:
		n += 4
	}
	return n
}

func signedLE(b []byte) int64 {
	switch len(b) {
	case 1:
		return int64(int8(b[0]))
	case 2:
		return int64(int16(binary.LittleEndian.Uint16(b)))
	case 4:
		return int64(int32(binary.LittleEndian.Uint32(b)))
	case 8:
		return int64(binary.LittleEndian.Uint64(b))
	}
	return 0
}

// operandsOfArithmetic is operandsOf for add, or, adc, sbb, and, sub, xor and cmp.
func operandsOfArithmetic(op int) (modrm bool, imm int) {
	switch op & 7 {
	case 4:
		return false, imm8
	case 5:
		return false, immZ
	case 6, 7: // push, pop and the like of segments
		return false, immNone
	}
	return true, immNone
}

// operandsOf returns what follows an opcode.
func operandsOf(op int, long bool) (modrm bool, imm int) {
	switch {
	case op >= 0x0f00:
		return operandsOf0F(op & 0xff)
	case op < 0x40:
		return operandsOfArithmetic(op)
	case op >= 0x70 && op < 0x80, op >= 0xb0 && op < 0xb8:
		return false, imm8
	case op >= 0xb8 && op < 0xc0:
		return false, immV
	case op >= 0xa0 && op < 0xa4:
		if long {
			return false, immAddr
		}
		return false, imm32
	case op >= 0xd8 && op < 0xe0, op >= 0xd0 && op < 0xd4, op >= 0x84 && op < 0x90:
		return true, immNone
	}
	switch op {
	case 0x62, 0x63, 0xfe, 0xff:
		return true, immNone
	case 0x6b, 0x80, 0x82, 0x83, 0xc0, 0xc1, 0xc6:
		return true, imm8
	case 0x69, 0x81, 0xc7:
		return true, immZ
	case 0xf6, 0xf7:
		return true, immGroup
	case 0x68, 0xa9:
		return false, immZ
	case 0xe8, 0xe9:
		return false, imm32
	case 0x6a, 0xa8, 0xcd, 0xd4, 0xd5, 0xe0, 0xe1, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xeb:
		return false, imm8
	case 0xc2, 0xca:
		return false, imm16
	case 0xc8:
		return false, imm16_8
	}
	return false, immNone
}

// operandsOf0F is operandsOf for opcodes after 0f.
func operandsOf0F(op int) (modrm bool, imm int) {
	switch {
	case op >= 0x80 && op < 0x90:
		return false, imm32
	case op >= 0x30 && op < 0x38, op >= 0xc8 && op < 0xd0, op >= 0x05 && op < 0x0c, op >= 0xa0 && op < 0xa3,
		op >= 0xa8 && op < 0xab, op == 0x77:
		return false, immNone
	case op >= 0x70 && op < 0x74, op == 0xa4, op == 0xac, op == 0xba, op == 0xc2, op >= 0xc4 && op < 0xc7, op == 0x3a:
		return true, imm8
	}
	return true, immNone
}
