package walk

import (
	"errors"

	"coredbg/walk/site"
)

// minProbes is how many steps at least must bear out a frame that a scan has found.
// With fewer it would be what starts a thread, which calls whatever function it is
// given: of the first one of a coroutine it says no more than of the thread's.
const minProbes = 3

// maxProbes bounds the steps out of a frame that are made to see whether it is one,
// maxProbeSteps those of a whole walk.
const (
	maxProbes     = 64
	maxProbeSteps = 1 << 14
)

// BorneOut implements step.Prober: it reports whether a frame that a scan has found is
// one, as far as what lies beyond it shows: steps other than scanning lead from it to the thread's start, by
// calls none of which is one of another function. What an earlier call has left lies
// below frames that are real, and shows where those make another call by now: the
// first step must lead to a call of just this function.
//
// A thread's first function is borne out if it is of the same image as
// the function that the scan was for.
func (w *walker) BorneOut(f *Frame) bool {
	if w.probe == nil {
		w.probe = newWalker(w.ctx, w.t, nil)
		w.probe.Bounders = w.Bounders
		w.probe.chain = w.probe.chain[:len(w.probe.chain)-1] // no scan
	}
	probe, at := w.probe, *f
	for n := range maxProbes {
		if w.probeSteps++; w.probeSteps > maxProbeSteps {
			return false
		}
		probe.Here = probe.Text.At(at.PC, at.AtPC())
		if s := probe.Here.Shape(); s != nil && s.Entry {
			return n >= minProbes || n == 0 && probe.Here.Module == w.Here.Module && w.Here.Module != nil
		}
		caller, err := probe.next(&at)
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
