package insn

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/arch/x86/x86asm"

	"coredbg/core"
)

// An Access is a place in memory that an instruction refers to, with the address
// that it has when the registers are as they are.
type Access struct {
	Operand string // as Intel syntax has it: "rax+0x8"
	Addr    core.Addr
	Write   bool
	Align   uint64 // bytes that the address must be a multiple of; 0 if any will do
}

// An Effect is what an instruction does that a processor may refuse.
type Effect struct {
	Accesses []Access
	// Target is where a jump, a call or a return goes, valid if HasTarget; Operand says
	// what it is taken of.
	Target    core.Addr
	HasTarget bool
	Operand   string
	Returns   bool // it is a return
	// Privileged says in words why programs may not execute it.
	Privileged string
	Known      bool // the instruction was decoded
}

// Registers are the inputs for computing operands.
type Registers struct {
	core.Regs
	FSBase, GSBase uint64
	Memory         *core.Cursor // nil, or the process's

	arch *core.Arch
}

// EffectOf returns the effect of the instruction at the start of code, whose address is
// pc, on x86-64, i386 and arm64. Operands whose registers are not known are left out.
func EffectOf(arch *core.Arch, code []byte, pc core.Addr, regs *Registers) Effect {
	switch {
	case arch == core.AMD64 && len(code) > 0, arch == core.I386 && len(code) > 0:
		r := *regs
		r.arch = arch
		return effectX86(code[:min(len(code), MaxLen)], pc, &r)
	case arch == core.ARM64 && len(code) >= 4:
		return effectARM64(core.ARM64.Order.Uint32(code), pc, regs)
	}
	return Effect{}
}

// effectX86 follows the Intel SDM, volume 2.
func effectX86(code []byte, pc core.Addr, regs *Registers) Effect {
	inst, err := decodeX86(code, 8*regs.arch.PtrSize)
	if err != nil {
		return Effect{}
	}
	e := Effect{Known: true, Privileged: privilegedX86(&inst)}
	if inst.Op == x86asm.LEA || inst.Op == x86asm.NOP {
		return e
	}
	for i, arg := range inst.Args {
		m, ok := arg.(x86asm.Mem)
		if !ok {
			continue
		}
		a, ok := regs.addressX86(m, inst.AddrSize, pc+core.Addr(inst.Len))
		if !ok {
			continue
		}
		e.Accesses = append(e.Accesses, Access{Operand: x86Operand(m), Addr: a,
			Write: i == 0 && !slices.Contains(readersX86, inst.Op), Align: alignmentX86(&inst)})
	}
	e.stackX86(&inst, regs)
	e.branchX86(&inst, regs)
	return e
}

// readersX86 only read their first operand.
var readersX86 = []x86asm.Op{x86asm.CMP, x86asm.TEST, x86asm.CALL, x86asm.JMP, x86asm.PUSH, x86asm.BT,
	x86asm.MUL, x86asm.IMUL, x86asm.DIV, x86asm.IDIV, x86asm.PREFETCHT0, x86asm.PREFETCHT1, x86asm.PREFETCHT2,
	x86asm.PREFETCHNTA, x86asm.FLD}

// unalignedX86 take operands of 16 bytes at any address, unlike other
// instructions of SSE.
var unalignedX86 = []x86asm.Op{x86asm.MOVUPS, x86asm.MOVUPD, x86asm.MOVDQU, x86asm.LDDQU}

// alignedX86 are the moves that need an aligned operand of any size.
var alignedX86 = []x86asm.Op{x86asm.MOVAPS, x86asm.MOVAPD, x86asm.MOVDQA, x86asm.MOVNTPS, x86asm.MOVNTPD,
	x86asm.MOVNTDQ, x86asm.MOVNTDQA, x86asm.VMOVAPS, x86asm.VMOVAPD, x86asm.VMOVDQA, x86asm.VMOVDQA32, x86asm.VMOVDQA64,
	x86asm.VMOVNTPS, x86asm.VMOVNTPD, x86asm.VMOVNTDQ, x86asm.VMOVNTDQA}

// alignmentX86 returns what the address of an instruction's operand must be a
// multiple of, in bytes. Among instructions with a VEX or an EVEX prefix only moves that
// say so care (Intel SDM volume 1, "VEX-encoded instructions: memory alignment").
func alignmentX86(inst *instX86) uint64 {
	switch {
	case slices.Contains(alignedX86, inst.Op):
		return uint64(max(inst.MemBytes, 16))
	case inst.MemBytes == 16 && !inst.vex && !slices.Contains(unalignedX86, inst.Op):
		return 16
	}
	return 0
}

// addressX86 computes the address of an operand; next is the address of the instruction
// that follows, size the number of bits in addresses.
func (r *Registers) addressX86(m x86asm.Mem, size int, next core.Addr) (core.Addr, bool) {
	base, ok1 := uint64(next), m.Base == x86asm.RIP
	if !ok1 {
		base, ok1 = r.x86Value(m.Base)
	}
	index, ok2 := r.x86Value(m.Index)
	segment, ok3 := uint64(0), true
	switch m.Segment {
	case x86asm.FS:
		segment, ok3 = r.FSBase, r.FSBase != 0
	case x86asm.GS:
		segment, ok3 = r.GSBase, r.GSBase != 0
	}
	a := base + index*uint64(m.Scale) + uint64(m.Disp)
	if size < 64 {
		a &= 1<<size - 1
	}
	return core.Addr(segment+a) & r.arch.AddrMask(), ok1 && ok2 && ok3
}

// stackX86 adds what an instruction reads or writes on the stack.
func (e *Effect) stackX86(inst *instX86, regs *Registers) {
	arch := regs.arch
	sp, ok := regs.Get(arch.SP)
	if !ok {
		return
	}
	name, word := arch.RegNames[arch.SP], arch.PtrSize
	switch inst.Op {
	case x86asm.PUSH, x86asm.CALL, x86asm.PUSHFQ, x86asm.PUSHFD:
		e.Accesses = append(e.Accesses, Access{Operand: fmt.Sprintf("%s-%#x", name, word),
			Addr: core.Addr(sp-uint64(word)) & arch.AddrMask(), Write: true})
	case x86asm.POP, x86asm.RET, x86asm.POPFQ, x86asm.POPFD:
		e.Accesses = append(e.Accesses, Access{Operand: name, Addr: core.Addr(sp)})
	case x86asm.LEAVE:
		if fp, ok := regs.Get(arch.FP); ok {
			e.Accesses = append(e.Accesses, Access{Operand: arch.RegNames[arch.FP], Addr: core.Addr(fp)})
		}
	}
}

// branchX86 sets the target of an indirect jump, a call or a return.
func (e *Effect) branchX86(inst *instX86, regs *Registers) {
	load := func(a core.Addr) {
		if regs.Memory == nil {
			return
		}
		to := regs.Memory.Pointer(a)
		e.Target, e.HasTarget = to, regs.Memory.Reset() == nil
	}
	switch {
	case inst.Op == x86asm.RET && len(e.Accesses) > 0:
		e.Returns, e.Operand = true, "the return address"
		load(e.Accesses[0].Addr)
	case inst.Op != x86asm.CALL && inst.Op != x86asm.JMP:
	case len(e.Accesses) > 0 && isMemoryX86(inst.Args[0]):
		e.Operand = "the pointer at " + e.Accesses[0].Operand
		load(e.Accesses[0].Addr)
	default:
		if r, ok := inst.Args[0].(x86asm.Reg); ok {
			v, known := regs.x86Value(r)
			e.Target, e.HasTarget, e.Operand = core.Addr(v), known, strings.ToLower(r.String())
		}
	}
}

func isMemoryX86(a x86asm.Arg) bool { _, ok := a.(x86asm.Mem); return ok }

// privilegedX86 says why a program may not execute an instruction; "" if it may.
func privilegedX86(inst *instX86) string {
	switch inst.Op {
	case x86asm.HLT, x86asm.CLI, x86asm.STI, x86asm.IN, x86asm.OUT, x86asm.INSB, x86asm.INSW, x86asm.INSD,
		x86asm.OUTSB, x86asm.OUTSW, x86asm.OUTSD, x86asm.LGDT, x86asm.LIDT, x86asm.LLDT, x86asm.LTR, x86asm.LMSW,
		x86asm.CLTS, x86asm.INVD, x86asm.WBINVD, x86asm.INVLPG,
		x86asm.RDMSR, x86asm.WRMSR, x86asm.RDPMC, x86asm.SWAPGS, x86asm.SYSRET, x86asm.SYSEXIT, x86asm.XSETBV:
		return "a privileged instruction"
	case x86asm.INT:
		return "an interrupt that programs may not raise"
	case x86asm.MOV:
		for _, a := range inst.Args {
			if r, ok := a.(x86asm.Reg); ok &&
				(r >= x86asm.CR0 && r <= x86asm.CR15 || r >= x86asm.DR0 && r <= x86asm.DR15) {
				return "a privileged instruction"
			}
		}
	}
	return ""
}

// x86Value returns the value of a general register of 64 or 32 bits; 0 if r is none.
func (regs *Registers) x86Value(r x86asm.Reg) (uint64, bool) {
	mask := ^uint64(0)
	switch {
	case r == 0:
		return 0, true
	case r >= x86asm.EAX && r <= x86asm.R15L:
		mask = 1<<32 - 1
		if regs.arch == core.AMD64 {
			r += x86asm.RAX - x86asm.EAX
		}
	case r < x86asm.RAX || r > x86asm.R15:
		return 0, false
	}
	slot := regs.arch.SlotOf(strings.ToLower(r.String()))
	if slot < 0 {
		return 0, false
	}
	v, ok := regs.Get(slot)
	return v & mask, ok
}

func x86Operand(m x86asm.Mem) string {
	var parts []string
	if m.Base != 0 {
		parts = append(parts, strings.ToLower(m.Base.String()))
	}
	if m.Index != 0 {
		parts = append(parts, fmt.Sprintf("%s*%d", strings.ToLower(m.Index.String()), m.Scale))
	}
	s := strings.Join(parts, "+")
	switch disp := m.Disp; {
	case disp > 0 && s == "", disp > 0:
		s += fmt.Sprintf("+%#x", disp)
	case disp < 0:
		s += fmt.Sprintf("-%#x", -disp)
	}
	if m.Segment == x86asm.FS || m.Segment == x86asm.GS {
		s = strings.ToLower(m.Segment.String()) + ":" + s
	}
	return s
}
