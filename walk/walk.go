package walk

import (
	"bytes"
	"context"
	"errors"
	"iter"

	"coredbg/core"
)

// Walk yields the frames of a thread from the innermost out. The last pair is
// the zero Frame and a *StopError, also where the thread's start was reached.
// Runtime unwinders are asked in order, after the one for signal frames and
// before call frame information; they belong to this walk.
func (t *Target) Walk(ctx context.Context, th *core.Thread, runtime ...Unwinder) iter.Seq2[Frame, error] {
	signal := 0
	if th.Crashed {
		signal = th.Signal // the others only carry its number
	}
	if t.cloned(th) {
		return func(yield func(Frame, error) bool) {
			top := newWalker(ctx, t, nil).frame(th.Regs)
			if yield(top, nil) {
				yield(Frame{}, &StopError{Kind: StopRoot, At: top.PC})
			}
		}
	}
	return t.walk(ctx, th.Regs, runtime, func(w *walker, top *Frame) {
		*top = w.frame(t.Entered(th.Regs))
		w.markTrap(top, signal)
	})
}

// WalkFrom is Walk for registers that were found elsewhere: those of a
// coroutine, of a signal context, of a thread under repair.
func (t *Target) WalkFrom(ctx context.Context, regs core.Regs, runtime ...Unwinder) iter.Seq2[Frame, error] {
	return t.walk(ctx, regs, runtime, (*walker).suspended)
}

// walk walks from registers on, once point has said what their program counter is.
func (t *Target) walk(ctx context.Context, regs core.Regs, runtime []Unwinder, point func(*walker, *Frame)) iter.Seq2[Frame, error] {
	return func(yield func(Frame, error) bool) {
		w := newWalker(ctx, t, runtime)
		top := w.frame(regs)
		if !regs.Has(t.p.Arch.PC) {
			yield(Frame{}, &StopError{Kind: StopUnreadable, Err: errNoPC})
			return
		}
		point(w, &top)
		w.run(top, yield)
	}
}

// markTrap makes an interrupted frame a trapped one if a signal has left the
// program counter after the instruction that raised it.
func (w *walker) markTrap(f *Frame, signal int) {
	for _, trap := range w.t.abi.traps {
		if trap.signal != signal {
			continue
		}
		code, err := w.t.p.Space.Slice(f.PC-core.Addr(len(trap.code)), len(trap.code))
		if err == nil && bytes.Equal(code, trap.code) {
			f.Point = Trapped
		}
	}
}

// WalkFP is Walk from a frame pointer: the first frame is the one that the
// frame record at fp returns to.
func (t *Target) WalkFP(ctx context.Context, fp core.Addr, runtime ...Unwinder) iter.Seq2[Frame, error] {
	return func(yield func(Frame, error) bool) {
		w := newWalker(ctx, t, runtime)
		if !t.abi.record {
			yield(Frame{}, &StopError{Kind: StopUnreadable, At: fp, Err: errNoRecord})
			return
		}
		top, err := w.record(fp)
		if err != nil {
			yield(Frame{}, w.stop(&Frame{PC: fp}, err))
			return
		}
		w.run(top, yield)
	}
}

var (
	errNoPC     = errors.New("the program counter is unknown")
	errNoRecord = errors.New("the architecture has no frame records")
	errCancel   = errors.New("interrupted")
	errLost     = errors.New("no call frame information, frame pointer or return address found")
)

// A stepper steps out of frames of one kind.
type stepper interface {
	// Step returns the caller of f, ErrDecline if f is not of its kind, ErrRoot if
	// f has no caller, or why the caller cannot be found.
	Step(f *Frame) (Frame, error)
}

// A walker is the state of one walk.
type walker struct {
	ctx   context.Context
	t     *Target
	chain []stepper
	// runtimes are those of the chain that belong to runtimes, for their records.
	runtimes []Unwinder
	// The stack and the code are read through cursors of their own, so that
	// each keeps its window.
	stack core.Cursor
	code  core.Cursor

	here   *site              // of the frame that is stepped out of
	lo, hi core.Addr          // the stack that was looked at last; see inStack
	passed map[core.Addr]bool // stack pointers of the trampolines passed
	level  int                // frames passed without moving outwards
	// mcontext is where the kernel of macOS saved the registers that here, a
	// trampoline, leads back to; else 0.
	mcontext core.Addr
	scanned  int // words of the stack looked at by scans
	known    any // what a runtime's unwinder knows of the frame that is stepped out of
	// probe makes the steps out of a frame that may be one, which are counted.
	probe      *walker
	probeSteps int
	// The records from chainNext up to chainEnd were found to bear each other
	// out; records is how many were looked at for that. See chained.
	chainNext, chainEnd core.Addr
	records             int
}

func newWalker(ctx context.Context, t *Target, runtime []Unwinder) *walker {
	w := &walker{ctx: ctx, t: t, stack: *t.p.Cursor(), code: *t.p.Cursor()}
	w.runtimes = runtime
	w.chain = make([]stepper, 0, len(runtime)+12)
	w.chain = append(w.chain, signalUnwinder{w}, sigtrampUnwinder{w})
	for _, u := range runtime {
		w.chain = append(w.chain, runtimeUnwinder{w, u})
	}
	w.chain = append(w.chain, wildUnwinder{w}, windowUnwinder{w}, bodyUnwinder{w}, cfiUnwinder{w}, linkUnwinder{w}, aheadUnwinder{w},
		prologueUnwinder{w}, fpUnwinder{w}, chainUnwinder{w}, scanUnwinder{w})
	return w
}

// frame makes a frame of the registers of an interrupted thread.
func (w *walker) frame(regs core.Regs) Frame {
	arch := w.t.p.Arch
	f := Frame{Regs: regs, Trust: Registers, Point: Interrupted}
	if pc, ok := regs.Get(arch.PC); ok {
		f.PC = core.Addr(pc)
	}
	if sp, ok := regs.Get(arch.SP); ok {
		f.SP = core.Addr(sp)
	}
	if fp, ok := regs.Get(arch.FP); ok {
		f.FP = core.Addr(fp)
	}
	return f
}

// strip removes from a code address what is not part of it: the mode bit, and a
// pointer authentication code. Without the kernel's word for the mask, the bits
// above the address size are it, where the pointer is known to be signed or leads
// nowhere as it is.
func (w *walker) strip(a core.Addr, signed bool) core.Addr {
	p := w.t.p
	a &^= w.t.abi.mode
	if p.CodeMask != 0 {
		return p.StripCode(a)
	}
	bits := p.Arch.AddrBits
	if p.Arch.LR < 0 || bits >= 64 || a>>bits == 0 || a>>55&1 != 0 {
		return a
	}
	if signed || !w.t.executable(a) {
		return a & (1<<bits - 1)
	}
	return a
}

// run yields frames from top on.
func (w *walker) run(top Frame, yield func(Frame, error) bool) {
	f := top
	for n := 0; ; n++ {
		w.here = w.t.site(f.PC, f.at())
		if w.here.tramp != nil || w.here.row != nil && w.here.row.Signal {
			f.Trampoline = f.Trust != Runtime
			if w.here.tramp == nil && !f.Exact() {
				w.here = w.t.site(f.PC, true)
			}
		}
		if w.mcontext = 0; w.t.sigtramp != nil && f.Trust != Runtime {
			if at, ok := w.t.sigtramp.find(w, &f); ok {
				f.Trampoline, w.mcontext = true, at
			}
		}
		if n >= w.t.opts.MaxFrames {
			yield(Frame{}, &StopError{Kind: StopLimit, At: f.PC})
			return
		}
		turn := w.turn(&f)
		if !turn.yield(&f, yield) {
			return
		}
		if n&255 == 255 && w.ctx.Err() != nil {
			yield(Frame{}, &StopError{Kind: StopLimit, At: f.PC, Err: errCancel})
			return
		}
		if turn.err != nil {
			yield(Frame{}, w.stop(&f, turn.err))
			return
		}
		f = turn.caller
	}
}

// next returns the caller of f, as the first unwinder of the chain finds it
// that knows frames like f.
func (w *walker) next(f *Frame) (Frame, error) {
	w.known = nil
	var firstErr error
	for _, u := range w.chain {
		caller, err := u.Step(f)
		if err == nil {
			return caller, w.check(f, &caller)
		}
		if err == ErrDecline { // the usual case, without a look at what it wraps
			continue
		}
		if stop := (*StopError)(nil); errors.Is(err, ErrRoot) || errors.As(err, &stop) {
			return Frame{}, err
		}
		if !errors.Is(err, ErrDecline) && firstErr == nil {
			firstErr = err
		}
	}
	if firstErr == nil {
		firstErr = w.lost(f)
	}
	return Frame{}, firstErr
}

// maxLevel bounds the frames that a runtime may report at one stack address:
// those it has inlined, or keeps elsewhere.
const maxLevel = 1024

// check compares a caller with what must be true of it: it lies further out
// than f, and returns to code.
func (w *walker) check(f, caller *Frame) error {
	switch {
	case f.Trampoline && caller.Exact(), caller.OtherStack:
		// The handler, or what a runtime has called, may have had a stack of its own, once.
		if w.passed[f.SP] {
			return &StopError{Kind: StopNoProgress, At: f.PC}
		}
		if w.passed == nil {
			w.passed = map[core.Addr]bool{}
		}
		w.passed[f.SP] = true
		w.level = 0
		return nil
	case caller.SP > f.SP:
		w.level = 0
	case caller.SP < f.SP:
		return &StopError{Kind: StopNoProgress, At: f.PC}
	case f.Exact() && w.t.p.Arch.LR >= 0 || caller.Trust == Runtime && caller.PC != f.PC:
		if w.level++; w.level > maxLevel || f.PC == caller.PC {
			return &StopError{Kind: StopNoProgress, At: f.PC}
		}
	default:
		return &StopError{Kind: StopNoProgress, At: f.PC}
	}
	if caller.Trust == Runtime {
		return nil
	}
	if caller.PC == 0 {
		return w.null(f, caller)
	}
	s := w.t.site(caller.PC, caller.Exact())
	if !caller.Exact() {
		if called, sure := w.returnAddress(caller.PC); sure && !called {
			// A call may be the last instruction of its mapping, but what
			// none precedes must be code itself.
			caller.Point = NoCall
			s = w.t.site(caller.PC, true)
		}
	}
	if !s.exec {
		return &StopError{Kind: StopNotExecutable, At: caller.PC}
	}
	return nil
}

// stop makes the reason of an error.
func (w *walker) stop(f *Frame, err error) *StopError {
	var stop *StopError
	if errors.As(err, &stop) {
		return stop
	}
	if errors.Is(err, ErrRoot) {
		return &StopError{Kind: StopRoot, At: f.PC}
	}
	if fault := core.Fault(err); fault != nil {
		return &StopError{Kind: StopUnreadable, At: fault.Addr, Err: fault}
	}
	return &StopError{Kind: StopNoProgress, At: f.PC, Err: err}
}

// returnAddress reports whether a is after a call instruction in executable
// memory, or is a signal trampoline, which nothing calls. Code that cannot be
// read gives sure == false.
func (w *walker) returnAddress(a core.Addr) (ok, sure bool) {
	_, ok, sure = w.called(a)
	return ok, sure
}

// called is returnAddress that also returns what was called, if the call is a
// direct one, else 0.
func (w *walker) called(a core.Addr) (callee core.Addr, ok, sure bool) {
	s := w.t.site(a, false)
	return s.callee, s.called, s.sure
}
