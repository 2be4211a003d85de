package insn

import (
	"strings"

	"golang.org/x/arch/x86/x86asm"

	"coredbg/core"
)

// A Move is what an instruction does to the general registers, as far as a value can be
// followed back through it.
type Move struct {
	Kind MoveKind
	// Reg is the slot of the register that is set, or that is stored; -1 if there is none.
	Reg int
	// At is the operand in memory of Loads and Stores; for Computes, its sum is the value.
	At Place
	// Changes are the slots of the other registers that the instruction changes, in a way
	// that is not known.
	Changes []int
	// Sum is the slot of a register that the instruction also adds By to, or -1.
	Sum int
	By  int64
}

// A MoveKind says where a Move takes a value from, and where to.
type MoveKind uint8

// The kinds of moves.
const (
	Opaque   MoveKind = iota // the value is not followed
	Loads                    // from memory to Reg
	Stores                   // from Reg to memory
	Computes                 // from the sum At to Reg
)

// A Place is a sum: Base + Index*Scale + Disp. Base and Index are slots, or -1 for none.
type Place struct {
	Base, Index int
	Scale       uint64
	Disp        int64
}

// Sum returns the sum, if its registers are known.
func (p *Place) Sum(regs *core.Regs) (uint64, bool) {
	sum := uint64(p.Disp)
	for _, r := range []struct {
		slot  int
		scale uint64
	}{{p.Base, 1}, {p.Index, p.Scale}} {
		if r.slot < 0 {
			continue
		}
		v, ok := regs.Get(r.slot)
		if !ok {
			return 0, false
		}
		sum += v * r.scale
	}
	return sum, true
}

// MoveOf decodes the instruction at the start of code, whose address is pc. It returns false for an
// instruction that is not known, and on architectures other than x86-64, i386 and arm64.
func MoveOf(arch *core.Arch, code []byte, pc core.Addr) (Move, bool) {
	switch {
	case arch == core.AMD64 && len(code) > 0:
		return moveX86(code[:min(len(code), MaxLen)], pc, 64)
	case arch == core.I386 && len(code) > 0:
		m, ok := moveX86(code[:min(len(code), MaxLen)], pc, 32)
		m.narrow()
		return m, ok
	case arch == core.ARM64 && len(code) >= 4:
		return moveARM64(core.ARM64.Order.Uint32(code), pc), true
	}
	return Move{}, false
}

// PlacesOf returns the operands in memory of an instruction, also of indirect jumps and calls, and the
// register that an indirect jump or call goes to, or -1.
func PlacesOf(arch *core.Arch, code []byte, pc core.Addr) (places []Place, target int) {
	switch {
	case arch == core.AMD64 && len(code) > 0:
		return placesX86(code[:min(len(code), MaxLen)], pc, 64)
	case arch == core.I386 && len(code) > 0:
		places, target := placesX86(code[:min(len(code), MaxLen)], pc, 32)
		for i := range places {
			places[i].narrow()
		}
		return places, slotI386(target)
	case arch == core.ARM64 && len(code) >= 4:
		return placesARM64(core.ARM64.Order.Uint32(code))
	}
	return nil, -1
}

// placesX86 returns slots of x86-64, in 32 bits too.
func placesX86(code []byte, pc core.Addr, mode int) (places []Place, target int) {
	inst, err := decodeX86(code, mode)
	if err != nil || inst.Op == x86asm.LEA || inst.Op == x86asm.NOP {
		return nil, -1
	}
	inst.widen()
	target = -1
	next := pc + core.Addr(inst.Len)
	for _, a := range inst.Args {
		switch a := a.(type) {
		case x86asm.Mem:
			if p, ok := placeX86(a, next); ok {
				places = append(places, p)
			}
		case x86asm.Reg:
			if inst.Op == x86asm.CALL || inst.Op == x86asm.JMP {
				target = wideX86(a)
			}
		}
	}
	return places, target
}

// placeX86 returns an operand in memory as a sum. It returns false for one in a segment.
func placeX86(m x86asm.Mem, next core.Addr) (Place, bool) {
	p := Place{Base: -1, Index: -1, Scale: uint64(m.Scale), Disp: m.Disp}
	if m.Segment == x86asm.FS || m.Segment == x86asm.GS {
		return p, false
	}
	switch m.Base {
	case 0:
	case x86asm.RIP:
		p.Disp += int64(next)
	default:
		if p.Base = wideX86(m.Base); p.Base < 0 {
			return p, false
		}
	}
	if m.Index != 0 {
		p.Index = wideX86(m.Index)
		return p, p.Index >= 0
	}
	return p, true
}

// wideX86 returns the slot of a general register of 64 bits, or -1.
func wideX86(r x86asm.Reg) int {
	if r < x86asm.RAX || r > x86asm.R15 {
		return -1
	}
	return core.AMD64.SlotOf(strings.ToLower(r.String()))
}

// slotX86 returns the slot of a general register of any size, or -1.
func slotX86(r x86asm.Reg) int {
	switch {
	case r >= x86asm.AL && r <= x86asm.BL:
		r += x86asm.RAX - x86asm.AL
	case r >= x86asm.AH && r <= x86asm.BH:
		r += x86asm.RAX - x86asm.AH
	case r >= x86asm.SPB && r <= x86asm.R15B:
		r += x86asm.RSP - x86asm.SPB
	case r >= x86asm.AX && r <= x86asm.R15W:
		r += x86asm.RAX - x86asm.AX
	case r >= x86asm.EAX && r <= x86asm.R15L:
		r += x86asm.RAX - x86asm.EAX
	}
	return wideX86(r)
}

// implicitX86 are the registers that instructions change without naming them (Intel SDM,
// volume 2).
var implicitX86 = map[x86asm.Op][]string{
	x86asm.MUL: {"rax", "rdx"}, x86asm.DIV: {"rax", "rdx"}, x86asm.IDIV: {"rax", "rdx"}, x86asm.CQO: {"rdx"},
	x86asm.CDQ: {"rdx"},
	x86asm.CWD: {"rdx"}, x86asm.CDQE: {"rax"}, x86asm.CWDE: {"rax"}, x86asm.CBW: {"rax"}, x86asm.CMPXCHG: {"rax"},
	x86asm.CMPXCHG16B: {"rax", "rdx"}, x86asm.SYSCALL: {"rax", "rcx", "r11"},
	x86asm.CPUID: {"rax", "rbx", "rcx", "rdx"},
	x86asm.RDTSC: {"rax", "rdx"}, x86asm.RDTSCP: {"rax", "rdx", "rcx"}, x86asm.XGETBV: {"rax", "rdx"},
	x86asm.LEAVE: {"rsp", "rbp"},
	x86asm.MOVSB: {"rsi", "rdi", "rcx"}, x86asm.MOVSW: {"rsi", "rdi", "rcx"}, x86asm.MOVSQ: {"rsi", "rdi", "rcx"},
	x86asm.STOSB: {"rdi", "rcx"}, x86asm.STOSW: {"rdi", "rcx"}, x86asm.STOSD: {"rdi", "rcx"},
	x86asm.STOSQ: {"rdi", "rcx"},
	x86asm.CMPSB: {"rsi", "rdi", "rcx"}, x86asm.SCASB: {"rdi", "rcx"}, x86asm.LODSB: {"rax", "rsi", "rcx"},
}

// moveX86 follows the Intel SDM, volume 2. It returns slots of x86-64, in 32 bits too.
func moveX86(code []byte, pc core.Addr, mode int) (Move, bool) {
	m := Move{Reg: -1, Sum: -1, At: Place{Base: -1, Index: -1}}
	inst, err := decodeX86(code, mode)
	if err != nil {
		return m, false
	}
	inst.widen()
	word := int64(mode / 8)
	next := pc + core.Addr(inst.Len)
	for _, name := range implicitX86[inst.Op] {
		m.Changes = append(m.Changes, core.AMD64.SlotOf(name))
	}
	rsp := core.AMD64.SP
	first, isReg := inst.Args[0].(x86asm.Reg)
	switch inst.Op {
	case x86asm.PUSH:
		m.Sum, m.By = rsp, -word
		if isReg {
			m.Kind, m.Reg, m.At = Stores, wideX86(first), Place{Base: rsp, Index: -1, Disp: -word}
		}
		return m, true
	case x86asm.POP:
		m.Sum, m.By = rsp, word
		if isReg {
			m.Kind, m.Reg, m.At = Loads, wideX86(first), Place{Base: rsp, Index: -1}
		}
		return m, true
	case x86asm.MOV, x86asm.LEA, x86asm.ADD, x86asm.SUB, x86asm.XOR:
		if m.transferX86(&inst.Inst, next) {
			return m, true
		}
	case x86asm.CMP, x86asm.TEST, x86asm.BT, x86asm.CALL, x86asm.JMP, x86asm.NOP, x86asm.PREFETCHT0, x86asm.PREFETCHNTA:
		return m, true
	}
	for i, a := range inst.Args {
		if r, ok := a.(x86asm.Reg); ok && !inst.vex && (i == 0 || inst.Op == x86asm.XCHG || inst.Op == x86asm.XADD) {
			if s := slotX86(r); s >= 0 {
				m.Changes = append(m.Changes, s)
			}
		}
	}
	return m, true
}

// setsX86 reports whether a constant that is moved to a register sets all of it.
func setsX86(to x86asm.Reg) bool {
	return slotX86(to) >= 0 && (wideX86(to) >= 0 || to >= x86asm.EAX && to <= x86asm.R15L)
}

// transferX86 is a move of 64 bits, a sum of addresses, or a constant that is added.
func (m *Move) transferX86(inst *x86asm.Inst, next core.Addr) bool {
	to, toReg := inst.Args[0].(x86asm.Reg)
	mem, fromMem := inst.Args[1].(x86asm.Mem)
	imm, isImm := inst.Args[1].(x86asm.Imm)
	ok := false
	switch inst.Op {
	case x86asm.XOR:
		if !toReg || inst.Args[1] != inst.Args[0] || slotX86(to) < 0 || to < x86asm.EAX {
			return false
		}
		m.Kind, m.Reg, ok = Computes, slotX86(to), true // zero
	case x86asm.MOV:
		if toReg && isImm && setsX86(to) {
			m.Kind, m.Reg, m.At.Disp, ok = Computes, slotX86(to), int64(imm), true
			if wideX86(to) < 0 {
				m.At.Disp = int64(uint32(imm))
			}
			break
		}
		if toReg && wideX86(to) < 0 {
			return false
		}
		ok = m.moveX86(inst, next)
	default:
		if toReg && wideX86(to) < 0 {
			return false
		}
		switch {
		case inst.Op == x86asm.LEA && fromMem:
			m.At, ok = placeX86(mem, next)
			m.Kind, m.Reg = Computes, wideX86(to)
		case (inst.Op == x86asm.ADD || inst.Op == x86asm.SUB) && toReg && isImm:
			m.Sum, m.By, ok = wideX86(to), int64(imm), true
			if inst.Op == x86asm.SUB {
				m.By = -m.By
			}
		}
	}
	if !ok {
		m.Kind, m.Reg = Opaque, -1
	}
	return ok
}

// moveX86 is a MOV of 64 bits between registers, or of a register from or to memory.
func (m *Move) moveX86(inst *x86asm.Inst, next core.Addr) (ok bool) {
	to, toReg := inst.Args[0].(x86asm.Reg)
	from, fromReg := inst.Args[1].(x86asm.Reg)
	wide := fromReg && wideX86(from) >= 0
	if mem, is := inst.Args[1].(x86asm.Mem); is && toReg {
		m.At, ok = placeX86(mem, next)
		m.Kind, m.Reg = Loads, wideX86(to)
	} else if wide && toReg {
		m.Kind, m.Reg, m.At, ok = Computes, wideX86(to), Place{Base: wideX86(from), Index: -1}, true
	} else if dest, is := inst.Args[0].(x86asm.Mem); is && wide {
		m.At, ok = placeX86(dest, next)
		m.Kind, m.Reg = Stores, wideX86(from)
	}
	return ok
}
