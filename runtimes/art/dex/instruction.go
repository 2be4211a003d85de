package dex

import "fmt"

// A Ref says what an instruction's index refers to.
type Ref uint8

// The kinds of references. FieldOffset and VtableIndex occur in quickened instructions and name nothing in the
// file.
const (
	NoRef Ref = iota
	StringRef
	TypeRef
	FieldRef
	MethodRef
	ProtoRef
	MethodProtoRef // a method, and the prototype that it is called with
	CallSiteRef
	MethodHandleRef
	FieldOffset
	VtableIndex
)

// A format is the form of an instruction (dex format, "Dalvik executable
// instruction formats"): the first digit is its size in code units, the second
// the number of its registers ("r": a range), the letter what else it has.
type format uint8

// The formats in use.
const (
	fNone format = iota
	f10x
	f12x
	f11n
	f11x
	f10t
	f20t
	f22x
	f21t
	f21s
	f21h
	f21c
	f23x
	f22b
	f22t
	f22s
	f22c
	f32x
	f30t
	f31t
	f31i
	f31c
	f35c
	f3rc
	f45cc
	f4rcc
	f51l
)

// size returns the size of a format in code units.
func (f format) size() int {
	switch {
	case f <= f10t:
		return 1
	case f <= f22c:
		return 2
	case f <= f3rc:
		return 3
	case f <= f4rcc:
		return 4
	}
	return 5
}

// An Instruction is one instruction, or the data of a switch or of an array,
// which lies among the instructions too.
type Instruction struct {
	PC   uint32 // in code units
	Size int    // in code units
	Op   byte
	Name string // "invoke-static"; "packed-switch-payload"

	// Registers are the operands in order. For a range, which Range marks, they are the first and the last.
	Registers []uint16
	Range     bool

	Literal    int64 // of constants and arithmetic
	HasLiteral bool
	Target     uint32 // dex pc of a branch, or of the payload of a switch or an array
	HasTarget  bool

	Ref    Ref
	Index  uint32
	Index2 uint32 // MethodProtoRef: the prototype

	Payload *Payload
}

// Decode decodes the instruction at pc of a method's code units. Bytes that
// are not an instruction become an "unused" one of a single unit, with an error;
// so does an instruction that the code ends within.
func Decode(units []uint16, pc uint32) (Instruction, error) {
	if uint64(pc) >= uint64(len(units)) {
		return Instruction{}, fmt.Errorf("dex: dex pc %#x is outside the method, which has %#x units", pc, len(units))
	}
	in := Instruction{PC: pc, Size: 1, Op: byte(units[pc])}
	rest := units[pc:]
	if in.Op == 0 && rest[0]>>8 != 0 {
		return in.payload(rest)
	}
	op := &opcodes[in.Op]
	if op.format == fNone {
		in.Name = fmt.Sprintf("unused-%02x", in.Op)
		return in, fmt.Errorf("dex: dex pc %#x: opcode %#02x is not used", pc, in.Op)
	}
	in.Name, in.Ref = op.name, op.ref
	if n := op.format.size(); n <= len(rest) {
		in.Size = n
		in.operands(op.format, rest[:n])
		return in, nil
	}
	in.Ref = NoRef
	return in, fmt.Errorf("dex: dex pc %#x: the code ends within %s", pc, op.name)
}

// operands takes the units of an instruction apart.
func (in *Instruction) operands(f format, u []uint16) {
	a, b := u[0]>>8&15, u[0]>>12
	aa := u[0] >> 8
	switch f {
	case f10x:
	case f12x:
		in.regs(a, b)
	case f11n:
		in.regs(a)
		in.literal(int64(int16(u[0]) >> 12))
	case f11x:
		in.regs(aa)
	case f10t:
		in.branch(int32(int8(aa)))
	case f20t:
		in.branch(int32(int16(u[1])))
	case f22x:
		in.regs(aa, u[1])
	case f21t:
		in.regs(aa)
		in.branch(int32(int16(u[1])))
	case f21s:
		in.regs(aa)
		in.literal(int64(int16(u[1])))
	case f21h:
		in.regs(aa)
		in.high16(u[1])
	case f21c:
		in.regs(aa)
		in.Index = uint32(u[1])
	case f23x:
		in.regs(aa, u[1]&0xff, u[1]>>8)
	case f22b:
		in.regs(aa, u[1]&0xff)
		in.literal(int64(int8(u[1] >> 8)))
	case f22t:
		in.regs(a, b)
		in.branch(int32(int16(u[1])))
	case f22s:
		in.regs(a, b)
		in.literal(int64(int16(u[1])))
	case f22c:
		in.regs(a, b)
		in.Index = uint32(u[1])
	default:
		in.longOperands(f, u)
	}
}

// longOperands takes the formats of three and more units apart.
func (in *Instruction) longOperands(f format, u []uint16) {
	aa := u[0] >> 8
	word := uint32(u[1]) | uint32(u[2])<<16
	switch f {
	case f32x:
		in.regs(u[1], u[2])
	case f30t:
		in.branch(int32(word))
	case f31t:
		in.regs(aa)
		in.branch(int32(word))
	case f31i:
		in.regs(aa)
		in.literal(int64(int32(word)))
	case f31c:
		in.regs(aa)
		in.Index = word
	case f35c, f45cc:
		in.arguments(u)
	case f3rc, f4rcc:
		in.Index = uint32(u[1])
		in.Range = aa != 0
		if in.Range {
			in.regs(u[2], u[2]+aa-1)
		}
	case f51l:
		in.regs(aa)
		in.literal(int64(uint64(word) | uint64(u[3])<<32 | uint64(u[4])<<48))
	}
	if f == f45cc || f == f4rcc {
		in.Index2 = uint32(u[3])
	}
}

// arguments takes up to five registers of four bits: first from the third unit, the lowest first, then the low
// half of the first unit's high byte.
func (in *Instruction) arguments(u []uint16) {
	in.Index = uint32(u[1])
	n := min(int(u[0]>>12), 5)
	for i := range min(n, 4) {
		in.regs(u[2] >> (4 * i) & 15)
	}
	if n == 5 {
		in.regs(u[0] >> 8 & 15)
	}
}

func (in *Instruction) regs(r ...uint16) { in.Registers = append(in.Registers, r...) }

func (in *Instruction) literal(v int64) { in.Literal, in.HasLiteral = v, true }

// branch sets the target, which is relative to the instruction. It may lie
// outside of the method in a file that was tampered with.
func (in *Instruction) branch(off int32) { in.Target, in.HasTarget = in.PC+uint32(off), true }

// high16 sets a literal from its upper 16 bits; for const-wide/high16, from the upper 16 of 64 bits.
func (in *Instruction) high16(v uint16) {
	if in.Op == 0x19 {
		in.literal(int64(uint64(v) << 48))
		return
	}
	in.literal(int64(int32(uint32(v) << 16)))
}
