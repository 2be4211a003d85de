package walk

import (
	"context"
	"errors"
	"iter"

	"coredbg/core"
	"coredbg/walk/chain"
	"coredbg/walk/frame"
	"coredbg/walk/function"
	"coredbg/walk/kernel"
	"coredbg/walk/scan"
	"coredbg/walk/signal"
	"coredbg/walk/step"
)

// Walk yields the frames of a thread from the innermost out. The last pair is
// the zero Frame and a *StopError, also where the thread's start was reached.
// Runtime unwinders are asked in order, after the one for signal frames and
// before call frame information; they belong to this walk.
func (t *Target) Walk(ctx context.Context, th *core.Thread, runtime ...Unwinder) iter.Seq2[Frame, error] {
	number := 0
	if th.Crashed {
		number = th.Signal // the others only carry its number
	}
	if th.Task != nil {
		if list := recorded(runtime); list != nil {
			return recordsOf(ctx, list)
		}
		return t.walk(ctx, th.Regs, runtime, func(w *walker, top *Frame) {
			w.suspended(top)
			w.end, top.Trust = th.Task.High, Runtime
		})
	}
	if kernel.Cloned(t.p, th) {
		return func(yield func(Frame, error) bool) {
			top := frame.FromRegs(t.p.Arch, th.Regs)
			if yield(top, nil) {
				yield(Frame{}, &StopError{Kind: StopRoot, At: top.PC})
			}
		}
	}
	return t.walk(ctx, th.Regs, runtime, func(w *walker, top *Frame) {
		*top = frame.FromRegs(t.p.Arch, t.Entered(th.Regs))
		signal.MarkTrap(&w.Walk, top, number)
	})
}

// recorded returns the frames of a task that left its stack, from the runtime that has them; nil for another thread.
func recorded(runtime []Unwinder) []Frame {
	for _, u := range runtime {
		if r, ok := u.(frame.Recorder); ok {
			if list := r.Records(); list != nil {
				return list
			}
		}
	}
	return nil
}

// recordsOf yields frames, as Walk does.
func recordsOf(ctx context.Context, list []Frame) iter.Seq2[Frame, error] {
	return func(yield func(Frame, error) bool) {
		for _, f := range list {
			if ctx.Err() != nil {
				yield(Frame{}, &StopError{Kind: StopLimit, Err: errCancel})
				return
			}
			if !yield(f, nil) {
				return
			}
		}
		yield(Frame{}, &StopError{Kind: StopRoot})
	}
}

// WalkFrom is Walk for registers that were found elsewhere: in a coroutine, a signal context, a thread
// under repair.
func (t *Target) WalkFrom(ctx context.Context, regs core.Regs, runtime ...Unwinder) iter.Seq2[Frame, error] {
	return t.walk(ctx, regs, runtime, (*walker).suspended)
}

// walk walks from registers on, once point has said what their program counter is.
func (t *Target) walk(ctx context.Context, regs core.Regs, runtime []Unwinder,
	point func(*walker, *Frame)) iter.Seq2[Frame, error] {
	return func(yield func(Frame, error) bool) {
		w := newWalker(ctx, t, runtime)
		defer w.release()
		top := frame.FromRegs(t.p.Arch, regs)
		if !regs.Has(t.p.Arch.PC) {
			yield(Frame{}, &StopError{Kind: StopUnreadable, Err: errNoPC})
			return
		}
		point(w, &top)
		w.run(top, yield)
	}
}

// WalkFP is Walk from a frame pointer: the first frame is the one that the
// frame record at fp returns to.
func (t *Target) WalkFP(ctx context.Context, fp core.Addr, runtime ...Unwinder) iter.Seq2[Frame, error] {
	return func(yield func(Frame, error) bool) {
		w := newWalker(ctx, t, runtime)
		defer w.release()
		if !step.LinksOf(t.p.Arch).Record {
			yield(Frame{}, &StopError{Kind: StopUnreadable, At: fp, Err: errNoRecord})
			return
		}
		top, err := w.Record(fp)
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
	errBeyond   = errors.New("what would be its caller is not on its stack")
)

// A walker is the state of one walk: what its steps share, and the chain of unwinders
// that make them.
type walker struct {
	step.Walk
	ctx   context.Context
	t     *Target
	chain []frame.Stepper
	// runtimes are the runtimes' unwinders in the chain, for their records.
	runtimes []Unwinder
	// Those of the chain that are more than a pointer lie here.
	sigtramp signal.MacOS
	scan     scan.Unwinder

	passed map[core.Addr]bool // stack pointers of the trampolines passed
	level  int                // frames passed without moving outwards
	left   stretches          // of stacks that were passed
	end    core.Addr          // of the stack, beyond which no frame is; 0 if that is not known
	known  any                // the record of the current frame from a runtime's unwinder
	// at is the current frame, now the step, and nearest the nearest record. They are fields because
	// unwinders are lent them: otherwise each would be allocated.
	at, nearest Frame
	now         turn
	// probe makes the steps out of a frame that may be one, which are counted.
	probe      *walker
	probeSteps int
}

// newWalker returns a walker, which release gives back.
func newWalker(ctx context.Context, t *Target, runtime []Unwinder) *walker {
	w, ok := t.idle.Get().(*walker)
	if !ok {
		w = &walker{chain: make([]frame.Stepper, 0, len(runtime)+12)}
	}
	*w = walker{Walk: step.New(t.text), ctx: ctx, t: t, runtimes: runtime, chain: w.chain}
	w.Prober = w
	for _, u := range runtime {
		if b, ok := u.(frame.Bounder); ok {
			w.Bounders = append(w.Bounders, b)
		}
	}
	s := &w.Walk
	w.sigtramp = signal.NewMacOS(s)
	w.scan = scan.Unwinder{Walk: s, Guess: t.opts.Guess && len(runtime) == 0}
	w.chain = append(w.chain, signal.Unwinder{Walk: s}, &w.sigtramp)
	for _, u := range runtime {
		w.chain = append(w.chain, runtimeUnwinder{w, u})
	}
	w.chain = append(w.chain, function.Wild{Walk: s}, function.Window{Walk: s})
	if !t.opts.RecordsOnly {
		w.chain = append(w.chain, function.Body{Walk: s}, function.CFI{Walk: s})
	}
	w.chain = append(w.chain, function.Link{Walk: s}, function.Ahead{Walk: s})
	if !t.opts.RecordsOnly {
		w.chain = append(w.chain, function.Prologue{Walk: s})
	}
	w.chain = append(w.chain, chain.FP{Walk: s}, chain.Back{Walk: s}, &w.scan)
	return w
}

// release lets another walk use w, which holds nothing of this one's any more.
func (w *walker) release() {
	clear(w.chain)
	t := w.t
	*w = walker{chain: w.chain[:0]}
	t.idle.Put(w)
}

// run yields frames from top on.
func (w *walker) run(top Frame, yield func(Frame, error) bool) {
	w.at = top
	f, began := &w.at, top.SP
	for n := 0; ; n++ {
		w.Here = w.Text.At(f.PC, f.AtPC())
		if w.Here.Trampoline != nil || w.Here.Row != nil && w.Here.Row.Signal {
			f.Trampoline = f.Trust != Runtime
			if w.Here.Trampoline == nil && !f.Exact() {
				w.Here = w.Text.At(f.PC, true)
			}
		}
		w.sigtramp.Look(f)
		if n >= w.t.opts.MaxFrames {
			yield(Frame{}, &StopError{Kind: StopLimit, At: f.PC})
			return
		}
		turn := &w.now
		w.turn(f, turn)
		if !turn.yield(f, yield) {
			return
		}
		if n&255 == 255 && w.ctx.Err() != nil {
			yield(Frame{}, &StopError{Kind: StopLimit, At: f.PC, Err: errCancel})
			return
		}
		if turn.err != nil {
			yield(Frame{}, w.stop(f, turn.err))
			return
		}
		if turn.switches(f) {
			w.left.add(stretch{began, f.SP})
			began = turn.caller.SP
		}
		*f = turn.caller
	}
}

// next puts the caller of f, as the first unwinder of the chain finds it
// that knows frames like f, to where it is told.
func (w *walker) next(f, caller *Frame) error {
	w.known = nil
	*caller = Frame{}
	var firstErr error
	for _, u := range w.chain {
		c, err := u.Step(f)
		if err == nil {
			*caller = c
			return w.check(f, caller)
		}
		if err == ErrDecline { // the usual case, without a look at what it wraps
			continue
		}
		if stop := (*StopError)(nil); errors.Is(err, ErrRoot) || errors.As(err, &stop) {
			return err
		}
		if !errors.Is(err, ErrDecline) && firstErr == nil {
			firstErr = err
		}
	}
	if firstErr == nil {
		firstErr = w.lost(f)
	}
	return firstErr
}

// maxLevel bounds the frames that a runtime may report at one stack address: inlined frames, or frames
// that it keeps elsewhere.
const maxLevel = 1024

// further checks that a caller is further out than f. It reports whether the two are on different stacks, where nothing
// else can be checked.
func (w *walker) further(f, caller *Frame) (other bool, err error) {
	switch {
	case w.end != 0 && caller.SP > w.end && !caller.OtherStack:
		return false, &StopError{Kind: StopNoProgress, At: f.PC, Err: errBeyond}
	case f.Trampoline && caller.Exact(), caller.OtherStack:
		// The handler, or code that a runtime has called, may have had its own stack, once.
		if w.passed[f.SP] {
			return false, &StopError{Kind: StopNoProgress, At: f.PC}
		}
		if w.passed == nil {
			w.passed = map[core.Addr]bool{}
		}
		w.passed[f.SP] = true
		w.level = 0
		if caller.OtherStack {
			w.end = 0 // the other stack's
		}
		return true, nil
	case caller.SP > f.SP:
		w.level = 0
		return false, nil
	case caller.SP == f.SP && (f.Exact() && w.Text.Process.Arch.LR >= 0 ||
		caller.Trust == Runtime && caller.PC != f.PC):
		if w.level++; w.level <= maxLevel && f.PC != caller.PC {
			return false, nil
		}
	}
	return false, &StopError{Kind: StopNoProgress, At: f.PC}
}

// check checks the requirements for a caller: it is further out than f, and returns to code.
func (w *walker) check(f, caller *Frame) error {
	if other, err := w.further(f, caller); other || err != nil {
		return err
	}
	if caller.Trust == Runtime {
		return nil
	}
	if caller.PC == 0 {
		return w.Null(f, caller)
	}
	s := w.Text.At(caller.PC, caller.Exact())
	if !caller.Exact() {
		if called, sure := w.Text.ReturnAddress(caller.PC); sure && !called {
			// A call may be the last instruction of its mapping, but what
			// none precedes must be code itself.
			caller.Point = NoCall
			s = w.Text.At(caller.PC, true)
		}
	}
	if !s.Exec && w.Text.InEntry(f) {
		return ErrRoot // the word there is argc
	}
	if !s.Exec {
		return &StopError{Kind: StopNotExecutable, At: caller.PC}
	}
	if caller.SP < w.Sure && !f.Exact() {
		caller.Trust = frame.Scanned
	}
	for _, u := range w.runtimes {
		if a, ok := u.(frame.Amender); ok {
			a.Amend(f, caller)
		}
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
