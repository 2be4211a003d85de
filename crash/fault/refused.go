package fault

import (
	"fmt"

	"coredbg/core"
	"coredbg/core/insn"
	"coredbg/crash/bugs"
	"coredbg/crash/where"
)

// refused explains a fault whose address is not recorded: x86 gives no address for accesses outside of
// the canonical range, misaligned moves of vectors and forbidden instructions; and some cores lack
// NT_SIGINFO. The address is computed from the registers and the instruction.
func (e *explainer) refused() {
	if e.nowhere() {
		e.jump(e.pc)
		return
	}
	switch unexplained, t := e.wrong(), e.noRoom(); {
	case unexplained == "":
	case t != nil:
		e.is(bugs.StackOverflow, bugs.Likely)
		e.say("the stack pointer is in the guard below the stack of thread %d: stack overflow, and no room for the frame of a signal's handler", t.TID)
	default:
		e.say("%s", unexplained)
	}
	if code := e.code(); code != "" {
		e.say("by %s", code)
	}
}

// noRoom returns the thread whose stack pointer is below its stack. If such a thread has a handler of SIGSEGV
// and no alternate stack, the kernel cannot put the handler's frame on the stack, and sends SIGSEGV without
// an address instead (Linux, kernel/signal.c, signal_setup_done).
func (e *explainer) noRoom() *core.Thread {
	sp, ok := e.regs.Get(e.p.Arch.SP)
	word := uint64(e.p.Arch.PtrSize)
	if !ok || sp < word || e.g.Unix() != "SIGSEGV" {
		return nil
	}
	return e.guard(core.Addr(sp - word))
}

// nowhere reports whether nothing can be fetched from the program counter.
func (e *explainer) nowhere() bool { return !e.p.Executable(e.pc) }

// wrong says what is wrong with the operands of the instruction at the program
// counter. If it finds nothing, it returns why that is.
func (e *explainer) wrong() (unexplained string) {
	had := len(e.out)
	code, err := e.p.Space.Slice(e.pc, insn.MaxLen)
	does := insn.EffectOf(e.p.Arch, code, e.pc, &e.regs)
	if does.Privileged != "" {
		e.is(bugs.IllegalInstruction, bugs.Likely)
		e.say("%s", does.Privileged)
	}
	for _, x := range does.Accesses {
		if problem := e.problem(x); problem != "" {
			e.say("access to %v (%s), which is %s", x.Addr, x.Operand, problem)
			e.textOf(x.Addr, "the address")
		}
	}
	if problem := where.NotAnAddress(e.p.Arch, does.Target); does.HasTarget && problem != "" {
		if does.Returns {
			e.is(bugs.StackSmash, bugs.Likely)
			e.say("return to %v, which is %s: the return address on the stack was overwritten", does.Target, problem)
		} else {
			e.is(bugs.WildPointer, bugs.Certain)
			e.say("jump or call to %v (%s), which is %s: no pointer", does.Target, does.Operand, problem)
		}
		e.textOf(does.Target, "it")
	}
	if len(e.out) > had {
		return ""
	}
	return e.unexplained(err, does.Known)
}

// problem says why the processor may have refused an access; "" if nothing about
// it is wrong.
func (e *explainer) problem(x insn.Access) string {
	if problem := where.NotAnAddress(e.p.Arch, x.Addr); problem != "" {
		if where.Poisoned(uint64(x.Addr)) != "" {
			e.is(bugs.UseAfterFree, bugs.Possible)
		}
		e.is(bugs.WildPointer, bugs.Certain)
		return problem + ": no pointer"
	}
	a := where.Untagged(e.p.Arch, x.Addr)
	m, mapped := e.p.Mapping(a)
	switch {
	case !e.g.HasCode && !mapped, !e.g.HasCode && m.Prot&(core.Read|core.Write|core.Exec) == 0, !e.g.HasCode &&
		x.Write && m.Prot&core.Write == 0:
		return e.whatLies(a)
	case x.Align > 1 && uint64(x.Addr)%x.Align != 0:
		e.is(bugs.Misaligned, bugs.Certain)
		return fmt.Sprintf("misaligned: the instruction needs a multiple of %d", x.Align)
	}
	return ""
}

// textOf says that an address reads as text, if it does.
func (e *explainer) textOf(a core.Addr, what string) {
	if text := where.Text(e.p, uint64(a)); text != "" {
		e.say("%s reads as text: %s", what, text)
	}
}

// unexplained says what is missing to know the address.
func (e *explainer) unexplained(unreadable error, decoded bool) string {
	s := "the kernel gives no address with it"
	if !e.g.HasCode {
		s = "the core does not record the address"
	}
	switch {
	case unreadable != nil:
		return fmt.Sprintf("%s, and the instruction cannot be read: %v", s, unreadable)
	case !decoded && effectless(e.p.Arch):
		return fmt.Sprintf("%s, and operands of %s are not decoded", s, e.p.Arch.Name)
	case !decoded:
		return s + ", and the instruction is not known"
	}
	return s + ", and the instruction's operands show nothing wrong"
}

// effectless reports whether effectOf knows nothing of an architecture.
func effectless(arch *core.Arch) bool {
	return arch != core.AMD64 && arch != core.I386 && arch != core.ARM64
}
