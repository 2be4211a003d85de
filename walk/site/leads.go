package site

import (
	"coredbg/core"
	"coredbg/walk/frame"
	"coredbg/walk/isa"
)

// A Verdict says what a call has to do with a function that may have been called
// by it.
type Verdict uint8

// How a call can be related to the function.
const (
	Refuted   Verdict = iota // it calls another function, which does not lead there
	Possible                 // nothing speaks against it: the call is indirect, or code is missing
	Confirmed                // it calls the function, or one that jumps to it
)

// The limits of following tail jumps: how many of one function are kept, and how
// many in a row are followed.
const (
	maxJumps    = 32
	maxTailCall = 4
)

// CalledBy says whether the call before the return address pc can be the one that
// f is in.
func (t *Text) CalledBy(f *frame.Frame, pc core.Addr) Verdict {
	callee, ok, sure := t.Called(pc)
	switch {
	case !ok:
		return Refuted
	case !sure || callee == 0:
		return Possible
	case callee == pc && !t.inEntry(pc-1):
		// The last instruction of one function calls the next: the word on the stack is the address of
		// that, not a place to return to. At the program's entry point musl does so, and only the end
		// of the stack is further out (arch/x86_64/crt_arch.h).
		return Refuted
	}
	return t.leads(callee, f.LookupPC(), maxTailCall)
}

// leads says whether the function at from is the one that holds pc, or jumps to it through up to depth
// others.
func (t *Text) leads(from, pc core.Addr, depth int) Verdict {
	if start, known := t.FuncStart(pc); known && start == from {
		return Confirmed
	}
	r := t.reachedFrom(from)
	if r == nil {
		// Where instructions are not understood, names must do.
		if at, known := t.FuncStart(from); known && at == from {
			if _, known := t.FuncStart(pc); known {
				return Refuted
			}
		}
		return Possible
	}
	if from <= pc && r.has(pc-from) {
		return Confirmed
	}
	best := Refuted
	if r.open {
		best = Possible
	}
	jumps := r.jumps
	if r.slot != 0 {
		c := t.Process.Cursor()
		to := c.Pointer(r.slot)
		if c.Reset() != nil {
			return Possible
		}
		jumps, best = []core.Addr{to}, Refuted
	}
	if depth == 0 {
		return Possible
	}
	for _, to := range jumps {
		if v := t.leads(to, pc, depth-1); v > best {
			best = v
		}
		if best == Confirmed {
			break
		}
	}
	if r.byRegister && t.jumpsTo(r.taken, pc) {
		best = Confirmed
	}
	return best
}

// jumpsTo reports whether a function that jumps by a register makes the address of the function that
// holds pc.
func (t *Text) jumpsTo(taken []core.Addr, pc core.Addr) bool {
	for _, to := range taken {
		if to > pc || pc-to >= MaxProofCode || !t.Executable(to) {
			continue
		}
		if r := t.reachedFrom(to); r != nil && r.has(pc-to) {
			return true
		}
	}
	return false
}

// maxFlow bounds the instructions that flows follows.
const maxFlow = 1 << 12

// Flows reports whether control gets from one instruction to another without a call and
// while the link register stays what it is. Sure is false if the instructions do not
// tell: some cannot be read, or jump where a register says.
func (t *Text) Flows(from, to core.Addr) (flows, sure bool) {
	seen := map[core.Addr]bool{}
	sure = true
	for pending := []core.Addr{from}; len(pending) > 0; {
		at := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		for goes := true; goes && !seen[at]; {
			if at == to {
				return true, true
			}
			code, _ := t.Process.Space.Slice(at, isa.LongestInsn)
			c := t.Set.Control(t.Process.Arch, code)
			if c.Kind == isa.Unknown || len(seen) >= maxFlow {
				sure = false
				break
			}
			seen[at] = true
			switch {
			case c.Kind == isa.Indirect && !c.Tail:
				sure, goes = false, false
			case c.Kind == isa.Jumps:
				at = at.Add(c.Target)
				continue
			case c.Kind == isa.Branches:
				pending = append(pending, at.Add(c.Target))
			case c.Kind != isa.Passes, t.Set.SetsLink(code):
				goes = false
			}
			at += core.Addr(c.Size)
		}
	}
	return false, sure
}
