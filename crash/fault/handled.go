package fault

import (
	"context"
	"iter"

	"coredbg/core"
	"coredbg/core/insn"
	"coredbg/crash/kernel"
	"coredbg/crash/where"
	"coredbg/walk"
)

// A handlerFrame is where the kernel puts what a signal handler is called for, in
// bytes from the stack pointer of the trampoline: the siginfo, which only handlers
// with SA_SIGINFO get, the address of the last fault, and the registers that the thread is
// given when the handler returns (Linux: arch/x86/include/asm/sigframe.h and
// uapi/asm/sigcontext.h, cr2; arch/arm64/kernel/signal.c and uapi/asm/sigcontext.h,
// fault_address).
type handlerFrame struct {
	siginfo, fault, sp, pc core.Addr
}

// handlerFrames are the frames of handlers on the known architectures.
var handlerFrames = map[*core.Arch]*handlerFrame{
	core.AMD64: {304, 40 + 176, 40 + 8*15, 40 + 8*16},
	core.ARM64: {0, 128 + 176, 128 + 176 + 8 + 31*8, 128 + 176 + 8 + 32*8},
	core.I386:  {12, 160 + 4*21, 160 + 4*7, 160 + 4*14},
	core.ARM:   {0, 148 + 4*20, 148 + 4*16, 148 + 4*18},
}

const (
	siginfoBytes = 128
	handlerReach = 48 // frames from the top of the stack to a handler's
)

// handled returns the signal of the innermost handler on a thread's stack, or of one that has just
// returned, and the registers that it interrupted. If that handler had only raised its own signal
// again, as handlers that pass a signal on do, it returns the signal of the handler before it. A fault
// without siginfo is known by its address if the interrupted instruction refers to that; it has no
// number then.
func handled(ctx context.Context, s *Subject, t *core.Thread) (g *core.Signal, regs core.Regs, ok bool) {
	p := s.Process
	if g := left(p, t); g != nil {
		return g, t.Regs, true
	}
	h := handlerFrames[p.Arch]
	if h == nil || s.Walk == nil || p.Siginfo == nil {
		return nil, core.Regs{}, false
	}
	for sp, f := range interrupted(ctx, s.Walk, t) {
		next := h.signal(p, sp, f)
		if next == nil {
			break
		}
		g, regs, ok = next, f.Regs, true
		if !ownSignal(p, g) {
			break
		}
	}
	return g, regs, ok
}

// maxThreads bounds how many threads are looked at for a handler.
const maxThreads = 512

// elsewhere returns what handled does of another thread, and goes on with that one: a handler
// that sends its signal to the whole process, by kill, has it come to any thread that does not
// block it. By raise and abort it comes to their own. One that sends another signal, as Go's
// runtime does for faults in libraries, is still about its own; where no thread is sending one any
// more, it is likely to be the only one whose handler is for a fault.
func (e *explainer) elsewhere(ctx context.Context) (g *core.Signal, regs core.Regs, ok bool) {
	if e.g.CodeName == "SI_TKILL" {
		return nil, core.Regs{}, false
	}
	var of *core.Thread
	faults := 0
	for i, t := range e.p.Threads {
		if t == e.s.Thread || i == maxThreads || ctx.Err() != nil {
			continue
		}
		first, at, handles := handled(ctx, e.s, t)
		switch {
		case !handles || ownSignal(e.p, first):
		case first.Number == e.g.Number || killing(e.p, t, e.g):
			e.t = t
			return first, at, true
		case first.Number != 0 && !first.HasSender:
			of, g, regs = t, first, at
			faults++
		}
	}
	if faults != 1 {
		return nil, core.Regs{}, false
	}
	e.t, e.inferred = of, true
	return g, regs, true
}

// signal returns a handler's signal, given the stack pointer of its trampoline and the interrupted
// frame; nil if that does not show.
func (h *handlerFrame) signal(p *core.Process, sp core.Addr, f *walk.Frame) *core.Signal {
	d, err := core.ReadBytes(p.Space, sp+h.siginfo, siginfoBytes)
	if g := p.Siginfo(d); err == nil && g != nil && g.Number > 0 && g.Number <= 64 && g.CodeName != "" {
		return g
	}
	c := p.Cursor()
	a := c.Pointer(sp + h.fault)
	if c.Err() == nil && refersTo(p, f, a) {
		return &core.Signal{HasAddr: true, Addr: a}
	}
	return nil
}

// ownSignal reports whether the process has sent itself a signal.
func ownSignal(p *core.Process, g *core.Signal) bool {
	return g.HasSender && g.PID != 0 && (g.PID == p.PID || p.Thread(g.PID) != nil)
}

// interrupted yields the stack pointers of the signal trampolines on a thread's stack, each
// with the frame that its signal interrupted, the innermost first.
func interrupted(ctx context.Context, w *walk.Target, t *core.Thread) iter.Seq2[core.Addr, *walk.Frame] {
	return func(yield func(core.Addr, *walk.Frame) bool) {
		n, sp, handler := 0, core.Addr(0), false
		for f, err := range w.Walk(ctx, t) {
			if n++; err != nil || n > handlerReach || handler && !yield(sp, &f) {
				return
			}
			sp, handler = f.SP, f.Trampoline
		}
	}
}

// refersTo reports whether the instruction that was interrupted in f refers to a, or is at a.
func refersTo(p *core.Process, f *walk.Frame, a core.Addr) bool {
	if f.PC == a {
		return !p.Executable(a)
	}
	code, _ := p.Space.Slice(f.PC, insn.MaxLen)
	for _, x := range insn.EffectOf(p.Arch, code, f.PC, &insn.Registers{Regs: f.Regs, Memory: p.Cursor()}).Accesses {
		if where.Untagged(p.Arch, x.Addr) == where.Untagged(p.Arch, a) {
			return true
		}
	}
	return false
}

// again explains a signal that the process sent to itself. Where the thread does
// not be after a system call, a handler has raised the signal while it was
// blocked, and it came when the handler returned: to the instruction at fault.
func (e *explainer) again() {
	const (
		byCall  = "the process sent it to itself, or a handler raised again what it was sent: no instruction caused it"
		handler = "the process sent it to itself: it seems that a handler did, and returned to the instruction at fault"
	)
	if kernel.AfterCall(e.p, e.pc) {
		e.say(byCall)
		return
	}
	was := newExplainer(e.s, &core.Signal{Name: e.g.Unix()}, e.t, e.regs.Regs)
	was.segments(e.t)
	if e.g.Unix() == "SIGSEGV" || e.g.Unix() == "SIGBUS" {
		if was.nowhere() {
			was.jump(was.pc)
		} else {
			was.wrong()
		}
	}
	if len(was.out) == 0 {
		e.say("the process sent it to itself")
		return
	}
	e.say(handler)
	e.out = append(e.out, was.out...)
	e.is(was.cause, was.sure)
	if code := e.code(); code != "" && !e.nowhere() {
		e.say("by %s", code)
	}
}
