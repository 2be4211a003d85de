package walk

import (
	"errors"

	"coredbg/core"
)

// A verdict says what a call has to do with a function that may have been called
// by it.
type verdict uint8

const (
	refuted   verdict = iota // it calls another function, which does not lead there
	possible                 // nothing speaks against it: the call is indirect, or code is missing
	confirmed                // it calls the function, or one that jumps to it
)

// The limits of following tail jumps: how many of one function are kept, and how
// many in a row are followed.
const (
	maxJumps    = 32
	maxTailCall = 4
)

// calledBy says whether the call before the return address pc can be the one that
// f is in.
func (w *walker) calledBy(f *Frame, pc core.Addr) verdict {
	callee, ok, sure := w.called(pc)
	switch {
	case !ok:
		return refuted
	case !sure || callee == 0:
		return possible
	case callee == pc:
		// The last instruction of one function calls the next: on the stack is
		// the address of that, not a place to return to.
		return refuted
	}
	return w.t.leads(callee, f.LookupPC(), maxTailCall)
}

// leads says whether the function at from is the one that holds pc, or jumps to
// it through up to so many others.
func (t *Target) leads(from, pc core.Addr, depth int) verdict {
	if start, known := t.funcStart(pc); known && start == from {
		return confirmed
	}
	r := t.reachedFrom(from)
	if r == nil {
		// Where instructions are not understood, names must do.
		if at, known := t.funcStart(from); known && at == from {
			if _, known := t.funcStart(pc); known {
				return refuted
			}
		}
		return possible
	}
	if from <= pc && r.has(pc-from) {
		return confirmed
	}
	best := refuted
	if r.open {
		best = possible
	}
	jumps := r.jumps
	if r.slot != 0 {
		c := t.p.Cursor()
		to := c.Pointer(r.slot)
		if c.Reset() != nil {
			return possible
		}
		jumps, best = []core.Addr{to}, refuted
	}
	if depth == 0 {
		return possible
	}
	for _, to := range jumps {
		if v := t.leads(to, pc, depth-1); v > best {
			best = v
		}
		if best == confirmed {
			break
		}
	}
	return best
}

// reachedFrom follows the code from an address on; nil if the architecture's is
// not understood or too many were followed before.
func (t *Target) reachedFrom(a core.Addr) *reached {
	if t.abi.control == nil {
		return nil
	}
	t.mu.RLock()
	r, ok := t.reach[a]
	full := len(t.reach) >= maxCallSites
	t.mu.RUnlock()
	if ok || full {
		return r
	}
	// What is cut short is followed as far as it goes.
	if code, _ := t.p.Space.Slice(a, maxProofCode); len(code) > 0 {
		r = t.follow(a, code)
	}
	t.mu.Lock()
	t.reach[a] = r
	t.mu.Unlock()
	return r
}

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

// borneOut reports whether a frame that a scan has found is one, as far as what lies
// beyond it shows: steps other than scanning lead from it to the thread's start, by
// calls none of which is one of another function. What an earlier call has left lies
// below frames that are real, and shows where those make another call by now: the
// first step must lead to a call of just this function.
//
// A thread's first function is borne out if it is of the same image as
// the function that the scan was for.
func (w *walker) borneOut(f *Frame) bool {
	if w.probe == nil {
		w.probe = newWalker(w.ctx, w.t, nil)
		w.probe.chain = w.probe.chain[:len(w.probe.chain)-1] // no scan
	}
	probe, at := w.probe, *f
	for n := range maxProbes {
		if w.probeSteps++; w.probeSteps > maxProbeSteps {
			return false
		}
		probe.here = probe.t.site(at.PC, at.at())
		if s := probe.here.shape(); s != nil && s.entry {
			return n >= minProbes || n == 0 && probe.here.image == w.here.image && w.here.image != nil
		}
		caller, err := probe.next(&at)
		if errors.Is(err, ErrRoot) {
			return n >= minProbes
		}
		if err != nil || caller.Exact() {
			return false
		}
		if v := probe.calledBy(&at, caller.PC); v == refuted || n == 0 && v != confirmed {
			return false
		}
		at = caller
	}
	return true
}
