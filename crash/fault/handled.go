package fault

import (
	"context"
	"iter"

	"coredbg/core"
	"coredbg/crash/kernel"
	"coredbg/walk"
)

// handlerReach is the number of frames from the top of the stack to a handler's.
const handlerReach = 48

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
