package fault

import (
	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/crash/bugs"
	"coredbg/crash/where"
)

// jump explains a pc without readable code.
func (e *explainer) jump(a core.Addr) {
	if u, ok := e.p.UnloadedAt(a); ok {
		e.is(bugs.WildPointer, bugs.Certain)
		e.titled(bugs.WildPointer, "call, jump or return into "+sym.Clean(core.BaseName(u.Path))+", which was unloaded")
	}
	if a >= where.NullPage && e.returned(a) {
		e.is(bugs.StackSmash, bugs.Likely)
	}
	switch _, mapped := e.p.Mapping(a); {
	case a < where.NullPage:
		e.is(bugs.NullCall, bugs.Certain)
		e.say("call or jump to %v: a null function pointer", a)
	case mapped:
		e.is(bugs.WildPointer, bugs.Likely)
		e.say("jump to memory that is not executable: %s", e.whatLies(a))
	default:
		e.is(bugs.WildPointer, bugs.Likely)
		e.say("jump to an address that is %s", e.whatLies(a))
	}
	if text := where.Text(e.p, uint64(a)); text != "" {
		e.say("the address reads as text: %s: an overwritten return address or function pointer", text)
	}
}

// zerosBefore is how many zero bytes before the end of executable memory were executed up to there.
const zerosBefore = 16

// ranOut explains a pc that has left executable memory at its end, through zeros.
func (e *explainer) ranOut(a core.Addr) {
	e.strayed = "zeros"
	e.is(bugs.WildPointer, bugs.Likely)
	e.titled(bugs.WildPointer, "jump to what is not code")
	m, _ := e.p.Mapping(a - 1)
	e.say("what was executed is not code: zeros in %s, up to its end at %v", where.MappingName(m), a)
}

// notCode is Process.NotCode for the pc. Zeros that cannot have raised the signal were not there when it was
// raised: the core has lost what was executed.
func (e *explainer) notCode() string {
	at := e.p.NotCode(e.pc)
	if at == "zeros" && !e.zerosRaise() {
		return ""
	}
	return at
}

// zerosRaise reports whether zeros that are executed can raise the signal. On x86 they are add %al,(%rax), which is
// refused where rax leads nowhere; on most other processors they are an undefined instruction.
func (e *explainer) zerosRaise() bool {
	switch e.p.Arch {
	case core.AMD64, core.X32, core.I386:
	default:
		return e.g.Unix() == "SIGILL"
	}
	if e.g.Unix() != "SIGSEGV" && e.g.Unix() != "SIGBUS" {
		return false
	}
	name := "rax"
	if e.p.Arch == core.I386 {
		name = "eax"
	}
	rax, ok := e.regs.Get(e.p.Arch.SlotOf(name))
	return !ok || !e.g.HasAddr || e.g.CodeName == "SI_KERNEL" || core.Addr(rax) == e.g.Addr
}

// stray explains an instruction where there is no code.
func (e *explainer) stray() {
	if e.returned(e.pc) {
		e.is(bugs.StackSmash, bugs.Likely)
	}
	e.is(bugs.WildPointer, bugs.Likely)
	e.titled(bugs.WildPointer, "jump to what is not code")
	at := e.strayed
	if m, ok := e.p.Mapping(e.pc); ok && at == "zeros" {
		at += " in " + where.MappingName(m)
	}
	e.say("what was executed at %v is not code: %s", e.pc, at)
}

// returned reports whether a return, not a call or a jump, led to a: then the address is
// what was just taken from the stack, or is in the link register.
func (e *explainer) returned(a core.Addr) bool {
	if e.p.Arch.LR >= 0 {
		lr, ok := e.regs.Get(e.p.Arch.LR)
		return ok && where.Untagged(e.p.Arch, e.p.StripCode(core.Addr(lr))) == where.Untagged(e.p.Arch, a)
	}
	sp, ok := e.regs.Get(e.p.Arch.SP)
	c := e.p.Cursor()
	return ok && c.Pointer(core.Addr(sp)-core.Addr(e.p.Arch.PtrSize)) == a && c.Err() == nil
}
