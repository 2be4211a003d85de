package walk

import (
	"errors"

	"coredbg/core"
	"coredbg/walk/site"
)

// minProbes is the minimum number of steps that corroborate a frame found by a scan. Fewer steps could
// all be in a thread's start code, which calls whatever function it is given: it says as little about a
// coroutine's first function as about the thread's.
const minProbes = 3

// maxProbes bounds the steps out of a frame that test whether it is real, maxProbeSteps the steps of a
// whole walk.
const (
	maxProbes     = 64
	maxProbeSteps = 1 << 14
)

// Corroborated implements step.Prober: it reports whether the frames beyond f show that f is
// real. Steps other than scanning must lead from f to the thread's start, and no step may lead
// to a call of a different function. The remains of an earlier call are below real frames,
// which make another call by now: the first step must lead to a call of f's own function.
//
// A thread's first function is corroborated if it is in the same image as the function that
// the scan was for.
func (w *walker) Corroborated(f *Frame) bool {
	probe, at := w.prober(), *f
	for n := range maxProbes {
		if w.probeSteps++; w.probeSteps > maxProbeSteps {
			return false
		}
		probe.Here = probe.Text.At(at.PC, at.AtPC())
		if s := probe.Here.Shape(); s != nil && s.Entry {
			return n >= minProbes || n == 0 && probe.Here.Module == w.Here.Module && w.Here.Module != nil
		}
		var caller Frame
		err := probe.next(&at, &caller)
		if errors.Is(err, ErrRoot) {
			return n >= minProbes
		}
		if err != nil || caller.Exact() {
			return false
		}
		if v := probe.Text.CalledBy(&at, caller.PC); v == site.Refuted || n == 0 && v != site.Confirmed {
			return false
		}
		at = caller
	}
	return true
}

// prober returns the walker that makes steps out of frames that may be none.
func (w *walker) prober() *walker {
	if w.probe == nil {
		w.probe = newWalker(w.ctx, w.t, nil)
		w.probe.Bounders, w.probe.Probing = w.Bounders, true
		w.probe.chain = w.probe.chain[:len(w.probe.chain)-1] // no scan
	}
	return w.probe
}

// Joins implements step.Prober. It rejects the remains of an earlier call: their callers lead to a word
// of the stack that was overwritten since, by a call of another function. A step by a frame pointer
// takes any function to the same caller: that must call the function for certain. If calls leave the
// return address in a register, records need not be at the end of frames: the frame join is known by
// the record that it leads to.
//
// A function that calls whatever function it is given, as a loop over events does, may have called f's
// caller earlier and the code that cannot be read now. Where it is in such a call, the frames on this
// side of it may be remains.
func (w *walker) Joins(f *Frame, into bool, join *Frame) (sure core.Addr, ok bool) {
	probe, at := w.prober(), *f
	var by indirect
	sure = f.SP
	for n := range maxProbes {
		if w.probeSteps++; w.probeSteps > maxProbeSteps {
			return 0, false
		}
		probe.Here = probe.Text.At(at.PC, at.AtPC())
		enough := join == nil && (n >= minProbes || n > 0 && into)
		if s := probe.Here.Shape(); s != nil && s.Entry {
			return by.passed(sure, n), enough
		}
		var caller Frame
		err := probe.next(&at, &caller)
		if errors.Is(err, ErrRoot) {
			return by.passed(sure, n), enough
		}
		if err != nil || caller.Exact() {
			return 0, false
		}
		by.look(probe, &caller, n)
		// Whatever was called earlier from where the join is has left a frame that ends there, too.
		bySP := join == nil && w.BySP(&at)
		known, calls := probe.calls(&caller, &at, n == 0 && (!into || at.FP != 0 && !bySP))
		switch {
		case !calls:
			return 0, false
		case !known:
			sure = max(sure, by.frame)
			by = indirect{frame: caller.SP, module: w.Text.Process.Module(caller.LookupPC()), n: n}
		}
		if join != nil && caller.SP >= join.SP {
			return max(sure, by.frame), caller.PC == join.PC &&
				(caller.SP == join.SP || w.Text.Process.Arch.LR >= 0 && caller.FP == join.FP)
		}
		at = caller
	}
	return 0, false
}

// An indirect is the last call met whose target is not known: the frame that is in it.
type indirect struct {
	frame  core.Addr // its stack pointer; 0 if there was no such call
	module *core.Module
	start  bool // its caller is in the same module, as in a thread's start code
	n      int
}

// maxStart is how many steps lead at most from the code that calls a thread's function to the thread's start.
const maxStart = 2

// look notes the caller of the frame.
func (i *indirect) look(w *walker, caller *Frame, n int) {
	if i.frame != 0 && n == i.n+1 {
		i.start = i.module != nil && i.module == w.Text.Process.Module(caller.LookupPC())
	}
}

// passed returns the stack pointer of the first frame that is sure after n steps. A thread's start code calls
// one function only.
func (i *indirect) passed(sure core.Addr, n int) core.Addr {
	if i.frame == 0 || i.start && n-i.n <= maxStart+1 {
		return sure
	}
	return i.frame
}

// calls reports whether the call that f is in can be one of the function of the frame at,
// or surely is; known is set if the target of the call is.
func (w *walker) calls(f, at *Frame, surely bool) (known, ok bool) {
	v := w.Text.CalledBy(at, f.PC)
	if v == site.Confirmed || v == site.Refuted || surely {
		return true, v == site.Confirmed
	}
	to, known := w.Text.Target(f.PC)
	return known, !known || w.Text.Process.Module(to) == w.Text.Process.Module(at.PC)
}
