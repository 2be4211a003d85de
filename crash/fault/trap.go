package fault

import (
	"strings"

	"coredbg/core"
	"coredbg/core/insn"
	"coredbg/crash/bugs"
	"coredbg/crash/kernel"
	"coredbg/crash/where"
)

// divisor returns what an integer division of x86 divides by (Intel SDM, volume 2, DIV and
// IDIV: F6 and F7 with 6 or 7 in the middle of ModRM).
func (e *explainer) divisor() (int64, bool) {
	code, _ := e.p.Space.Slice(e.pc, insn.MaxLen)
	amd64 := e.p.Arch == core.AMD64
	if !amd64 && e.p.Arch != core.I386 {
		return 0, false
	}
	var rex byte
	i, wide := 0, 4
	for ; i < len(code) && (amd64 && code[i]&0xf0 == 0x40 || code[i] == 0x66); i++ {
		if code[i] == 0x66 {
			wide = 2
		} else if rex = code[i]; rex&8 != 0 {
			wide = 8
		}
	}
	if i+1 >= len(code) || code[i]|1 != 0xf7 || code[i+1]>>3&6 != 6 {
		return 0, false
	}
	if code[i] == 0xf6 {
		wide = 1
	}
	v, ok := e.operand(code, i, wide, rex)
	switch {
	case !ok:
		return 0, false
	case wide == 1:
		return int64(int8(v)), true
	case wide == 2:
		return int64(int16(v)), true
	case wide == 4:
		return int64(int32(v)), true
	}
	return int64(v), true
}

// operand returns the operand of the instruction with its opcode at code[i] that ModRM names: wide bytes of a
// register or of memory.
func (e *explainer) operand(code []byte, i, wide int, rex byte) (uint64, bool) {
	if mod := code[i+1]; mod>>6 == 3 {
		// DWARF's numbers differ from the instructions' in the first eight.
		n := int(mod&7) | int(rex&1)<<3
		if e.p.Arch == core.AMD64 && n < 8 {
			n = []int{0, 2, 1, 3, 7, 6, 4, 5}[n]
		}
		reg, ok := e.regs.Get(n)
		return reg, ok && wide > 1 // AH and its like are not looked at
	}
	does := insn.EffectOf(e.p.Arch, code, e.pc, &e.regs)
	if len(does.Accesses) == 0 {
		return 0, false
	}
	c := e.p.Cursor()
	v, at := uint64(0), does.Accesses[0].Addr
	switch wide {
	case 1:
		v = uint64(c.U8(at))
	case 2:
		v = uint64(c.U16(at))
	case 4:
		v = uint64(c.U32(at))
	default:
		v = c.U64(at)
	}
	return v, c.Err() == nil
}

// division explains a SIGFPE that came without a code, by the instruction: no other one of
// the integer unit raises it.
func (e *explainer) division() {
	switch d, ok := e.divisor(); {
	case !ok:
	case d == 0:
		e.is(bugs.DivideByZero, bugs.Certain)
		e.say("the divisor is zero")
	default:
		e.is(bugs.DivideByZero, bugs.Certain)
		e.titled(bugs.DivideByZero, "quotient too large")
		e.say("the divisor is %d, not zero: the quotient is too large for its register", d)
	}
}

// forbidden says which system call a filter has refused. In the registers its number is put
// back to where the program had it (Linux, kernel/seccomp.c, syscall_rollback).
func (e *explainer) forbidden() {
	seccomp := e.g.CodeName == "SYS_SECCOMP"
	if !seccomp {
		e.titled(bugs.BadSystemCall, "unknown system call")
	}
	arch, n, ok := e.refusedCall()
	switch {
	case !ok && e.g.HasSyscall:
		e.say("a filter of the process or of its container (seccomp) does not allow system call %d of an architecture that is not known (AUDIT_ARCH %#x)", n, e.g.ABI)
	case !ok:
	case seccomp:
		if name := kernel.CallName(arch, n); name != "" {
			e.titled(bugs.BadSystemCall, "forbidden system call "+name)
		}
		e.say("a filter of the process or of its container (seccomp) does not allow %s", kernel.CallWords(arch, n))
		if arch != e.p.Arch {
			e.say("the program is of %s: it has called the kernel as one of %s does", e.p.Arch.Name, arch.Name)
		}
	default:
		e.say("there is no system call %d", n)
	}
}

// outside says that an illegal instruction is in no file: the processor was led astray, or the
// generated code is wrong.
func (e *explainer) outside() {
	if m, ok := e.p.Mapping(e.pc); ok && e.p.Module(e.pc) == nil && m.Path != "[vdso]" {
		e.titled(bugs.IllegalInstruction, "illegal instruction outside of all files")
		e.say("the instruction is not of a file, but in %s: a jump into data, or code that was generated wrongly",
			where.MappingName(m))
	}
}

// trapped says which instruction was put there to end the process.
func (e *explainer) trapped(t trap) {
	e.is(t.cause, bugs.Likely)
	if t.title == "" {
		t.title = "trap: " + t.words
	}
	e.titled(t.cause, t.title)
	e.say("%s", t.words)
	if i, ok := refusedIn[e.p.Arch]; ok && strings.HasPrefix(t.title, hwasanTitle) {
		if pointer, ok := e.regs.Get(i); ok {
			e.say("the pointer is %#x, in %s", pointer, e.p.Arch.RegNames[i])
		}
	}
}

// abis are the conventions for calling the kernel, by their numbers in include/uapi/linux/audit.h
// (AUDIT_ARCH_*). x32 is x86-64 with a bit in the number.
var abis = map[uint32]*core.Arch{0xc000003e: core.AMD64, 0x40000003: core.I386, 0xc00000b7: core.ARM64,
	0x40000028: core.ARM}

// refusedCall returns the number and the architecture of the system call that was refused: as the
// kernel gives them with the signal, or from the registers if the core has no such record.
func (e *explainer) refusedCall() (arch *core.Arch, number uint64, ok bool) {
	if e.g.HasSyscall {
		arch = abis[e.g.ABI]
		return arch, uint64(uint32(e.g.Syscall)), arch != nil
	}
	slots := map[*core.Arch]int{core.AMD64: 0, core.ARM64: 8}
	slot, known := slots[e.p.Arch]
	number, ok = e.regs.Get(slot)
	return e.p.Arch, number, known && ok && number <= 1<<20
}
