package walk

import "coredbg/core"

// maxAhead bounds the instructions that are followed from a place to the returns
// of its function.
const maxAhead = 1 << 11

// An aheadFlow follows the ways from a place to the returns of its function, over
// the calls that are made on them. Those with the fewest calls count: a call need
// not return, and what is after it then is not of the function.
type aheadFlow struct {
	t       *Target
	seen    map[core.Addr]bool
	pending []aheadPoint
	next    []aheadPoint // the points after calls
	shape   *frameShape  // what the returns so far leave
	differ  bool         // two of them leave the return address at different places
}

// An aheadPoint is an instruction with what has happened on the way to it.
type aheadPoint struct {
	at  core.Addr
	way wayOut
}

// aheadOf returns the frame at s as the function takes it down until it returns, if
// all ways that were followed agree. Unlike wayOut it passes calls, and so it is not
// sure: what comes after a call need not be of the same function.
func (t *Target) aheadOf(s *site) *frameShape {
	arch := t.p.Arch
	if !s.exec || t.abi.apply == nil {
		return nil
	}
	w := &aheadFlow{t: t, seen: map[core.Addr]bool{}}
	w.passCall(s.pc, newWayOut(arch), s.exact)
	for w.shape == nil && len(w.next) > 0 && len(w.seen) < maxAhead {
		w.pending, w.next = w.next, nil
		for len(w.pending) > 0 {
			p := w.pending[len(w.pending)-1]
			w.pending = w.pending[:len(w.pending)-1]
			w.follow(p)
		}
	}
	word := int64(arch.PtrSize)
	if w.shape == nil || w.differ {
		return nil
	}
	if !s.exact && word == 8 && arch.LR < 0 && !w.shape.fromFP && w.shape.cfaOff < 2*word {
		// Where calls are made the stack is aligned by the ABI, so that
		// something lies between it and the return address: these are the first
		// instructions of another function, and the call does not return.
		return nil
	}
	w.shape.ahead = true
	return w.shape
}

// passCall adds the point that a call returns to, unless another function begins
// there; with exact it is one that was interrupted.
func (w *aheadFlow) passCall(at core.Addr, way wayOut, exact bool) {
	if !exact {
		code, _ := w.t.p.Space.Slice(at, longestInsn)
		if w.t.abi.begins(code) {
			return
		}
		if start, known := w.t.funcStart(at); known && start == at {
			return
		}
		if lr := w.t.p.Arch.LR; lr >= 0 {
			way.regs[lr] = wayValue{kind: wayOther}
		}
	}
	w.next = append(w.next, aheadPoint{at, way})
}

// follow runs along the instructions from a point to a return, a call, or where
// control or the stack are lost.
func (w *aheadFlow) follow(p aheadPoint) {
	for at, o := p.at, p.way; !w.seen[at] && len(w.seen) < maxAhead; {
		w.seen[at] = true
		code, _ := w.t.p.Space.Slice(at, longestInsn)
		c, left := w.t.abi.step(&o, code)
		if left {
			w.returned(&o)
			return
		}
		switch c.kind {
		case calls:
			w.passCall(at+core.Addr(c.size), o, false)
			return
		case branches:
			w.pending = append(w.pending, aheadPoint{at.Add(c.target), o.clone()})
			at += core.Addr(c.size)
		case jumps:
			at = at.Add(c.target)
		case passes:
			at += core.Addr(c.size)
		default:
			return
		}
	}
}

// returned notes a return. What it takes off the stack besides the return address
// counts as the caller's: it was there when that called.
func (w *aheadFlow) returned(o *wayOut) {
	pop := int64(0)
	if w.t.p.Arch.LR < 0 {
		pop = int64(w.t.p.Arch.PtrSize)
	}
	s, ok := o.shape(pop)
	switch {
	case !ok:
	case w.shape == nil:
		w.shape = &s
	case s.fromFP != w.shape.fromFP || s.cfaOff != w.shape.cfaOff:
		w.differ = true
	default:
		for slot, at := range s.saved {
			if at != w.shape.saved[slot] {
				w.shape.lost |= 1 << uint(slot)
			}
		}
		w.shape.lost |= s.lost
	}
}

// aheadUnwinder steps by what the rest of the function will do to the stack until
// it returns: the return address is where the processor will find it. For that it
// need not be known where the function begins.
type aheadUnwinder struct{ w *walker }

// Step declines where the instructions from the function's start on are enough, or
// those ahead do not show it, or lead to a call of another function.
func (u aheadUnwinder) Step(f *Frame) (Frame, error) {
	w := u.w
	s := w.here.shape()
	if f.Trampoline || s != nil && (s.sure || s.entry) || w.here.way() != nil {
		return Frame{}, ErrDecline
	}
	ahead := w.here.ahead()
	if ahead == nil {
		return Frame{}, ErrDecline
	}
	caller, err := prologueUnwinder(u).step(f, ahead)
	if err != nil {
		return Frame{}, err
	}
	if called, _ := w.returnAddress(caller.PC); called && w.calledBy(f, caller.PC) == refuted {
		return Frame{}, ErrDecline
	}
	return caller, nil
}
