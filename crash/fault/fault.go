package fault

import (
	"context"
	"fmt"

	"coredbg/core"
	"coredbg/core/insn"
	"coredbg/crash/bugs"
	"coredbg/crash/where"
)

// A Fault is what the signal means in a process, as far as the processor's part of it
// goes.
type Fault struct {
	// Cause is what kind of bug it looks like, None if that cannot be told; Sure how
	// safe that is.
	Cause bugs.Cause
	Sure  bugs.Confidence
	// Title says what it was more exactly than the cause does; "" if there is no more to say.
	Title string
	// Words say it in clauses of growing detail.
	Words []string
	// Signal is the first signal: the innermost handler's, if the process has raised its signal in a
	// handler. Its number is 0 if only its address is known.
	Signal *core.Signal
	PC     core.Addr // where the thread was when it came
	// NotCode says what is at PC if that may be executed although it is no code; "" else.
	NotCode string

	// Thread is the one that it came to: not the one that crashed if the handler of one
	// thread has raised a signal that the process then got in another.
	Thread *core.Thread
	Regs   insn.Registers // of the thread when it came
}

// Explain returns the meaning of the signal in this process.
func Explain(ctx context.Context, s *Subject) Fault {
	p := s.Process
	t := s.Thread
	if p.Signal == nil || t == nil || p.Arch == nil {
		return Fault{Signal: p.Signal, Thread: t}
	}
	regs := t.Regs
	if s.Walk != nil {
		regs = s.Walk.Entered(regs)
	}
	e := newExplainer(s, p.Signal, t, regs)
	e.first, e.at, e.then = e.g, e.pc, e.regs
	e.segments(t)
	var raised *core.Signal
	if !p.Signal.HasCode { // the core has no siginfo, which would say so
		raised = left(p, t)
	}
	switch {
	case p.Signal.HasSender:
		e.sent(ctx)
	case raised != nil:
		e.before(raised, t.Regs)
	default:
		e.refusal()
	}
	return Fault{Cause: e.cause, Sure: e.sure, Title: e.title, Words: e.out, Signal: e.first, PC: e.at,
		NotCode: e.strayed, Thread: e.t, Regs: e.then}
}

// refusal explains a signal that the processor caused.
func (e *explainer) refusal() {
	e.exception()
	if e.g.Unix() != "SIGTRAP" { // a trap is before the pc
		e.strayed = e.notCode()
	}
	if e.strayed != "" {
		e.stray()
		return
	}
	switch e.g.Unix() {
	case "SIGSEGV", "SIGBUS":
		e.fault()
	case "SIGILL", "SIGTRAP", "SIGFPE", "SIGSYS":
		e.instruction()
	}
}

// sent explains a signal that a process sent: no access caused it. A handler may
// have raised it again for one that did; the kernel has put that one on the stack.
func (e *explainer) sent(ctx context.Context) {
	switch {
	case e.g.PID == 0:
		e.say("sent from outside of the process' pid namespace: no instruction of this process caused it")
		return
	case e.g.PID != e.p.PID && e.p.Thread(e.g.PID) == nil:
		e.say("sent by another process: no instruction of this one caused it")
		return
	}
	first, regs, ok := handled(ctx, e.s, e.t)
	if !ok {
		if first = leftElsewhere(ctx, e.p, e.t); first != nil {
			regs, ok = e.t.Regs, true
		} else {
			first, regs, ok = e.elsewhere(ctx)
		}
	}
	switch {
	case !ok && e.g.Unix() == "SIGABRT":
		return
	case !ok:
		e.again()
		return
	}
	e.before(first, regs)
}

// before explains a signal that a handler was called for, which has raised its own then.
func (e *explainer) before(first *core.Signal, regs core.Regs) {
	raised := "raised"
	switch {
	case e.inferred:
		raised = fmt.Sprintf("it came while thread %d was", e.t.TID)
	case e.t != e.s.Thread:
		raised = fmt.Sprintf("raised by thread %d", e.t.TID)
	}
	switch {
	case first.Number == 0:
		e.say("%s in a handler of a fault at %v", raised, first.Addr)
		first.Name = "SIGSEGV" // or SIGBUS: explained alike
	case e.g.Unix() == "SIGABRT" && first.Number == e.g.Number && ownSignal(e.p, first) && !e.inferred &&
		e.t == e.s.Thread:
		// A runtime that has a handler for it, as Go's has, and an abort: that was no cause.
	default:
		e.say("%s in a handler of %s", raised, SignalWords(first))
	}
	was := newExplainer(e.s, first, e.t, regs)
	was.regs.FSBase, was.regs.GSBase = e.regs.FSBase, e.regs.GSBase
	if !first.HasSender {
		was.segments(e.t)
		was.refusal()
	}
	e.out = append(e.out, was.out...)
	if e.inferred {
		was.sure = min(was.sure, bugs.Likely)
	}
	e.is(was.cause, was.sure)
	e.title, e.strayed = was.title, was.strayed
	e.first, e.at, e.then = first, was.pc, was.regs
}

// fault explains an access that the processor refused.
func (e *explainer) fault() {
	switch a := e.p.StripCode(e.g.Addr); {
	case e.g.CodeName == "SEGV_MTESERR":
		e.tagFault()
	case e.g.CodeName == "SEGV_MTEAERR":
		e.lateTagFault()
	case e.g.CodeName == "BUS_ADRALN":
		e.misaligned(a)
	case !e.g.HasAddr || e.g.CodeName == "SI_KERNEL":
		e.refused()
	case a == e.pc && !e.p.Executable(a):
		if a >= zerosBefore && e.p.NotCode(a-zerosBefore) == "zeros" {
			e.ranOut(a)
			return
		}
		e.jump(a)
	default:
		e.say("%s", e.whatLies(a))
		if text := where.Text(e.p, uint64(e.g.Addr)); text != "" {
			e.say("the address reads as text: %s", text)
		}
		if code := e.code(); code != "" {
			e.say("by %s", code)
		}
	}
}

// misaligned explains an access that the processor wanted aligned; x86 checks that only
// where a program asks for it (Intel SDM, volume 3, "Alignment Check Exception"), and gives
// no address.
func (e *explainer) misaligned(a core.Addr) {
	e.is(bugs.Misaligned, bugs.Certain)
	if a != 0 {
		e.say("an access to %v, which is not aligned as the processor wants it", a)
	} else {
		e.say("an access that is not aligned, while alignment is checked (the AC flag)")
	}
	if code := e.code(); code != "" {
		e.say("by %s", code)
	}
}

// instruction explains a trap.
func (e *explainer) instruction() {
	trap, trapped := e.trapOf()
	switch {
	case e.g.CodeName == "FPE_INTDIV":
		e.is(bugs.DivideByZero, bugs.Certain)
		if d, ok := e.divisor(); ok && d != 0 {
			e.titled(bugs.DivideByZero, "quotient too large")
			e.say("the divisor is %d, not zero: the quotient is too large for its register", d)
		}
	case e.g.Unix() == "SIGFPE" && !e.g.HasCode:
		e.division()
	case e.g.CodeName == "FPE_FLTDIV":
		e.is(bugs.DivideByZero, bugs.Certain)
	case e.g.Unix() == "SIGSYS":
		e.is(bugs.BadSystemCall, bugs.Certain)
		e.forbidden()
	case trapped:
		e.trapped(trap)
	case e.g.Unix() == "SIGILL":
		e.is(bugs.IllegalInstruction, bugs.Likely)
		e.outside()
	}
	if code := e.code(); code != "" {
		e.say("at %s", code)
	}
}
