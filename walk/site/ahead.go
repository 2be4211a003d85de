package site

import (
	"coredbg/core"
	"coredbg/walk/isa"
)

// maxAhead bounds the instructions that are followed from a place to the returns
// of its function.
const maxAhead = 1 << 11

// An aheadFlow follows the ways from a place to the returns of its function, over the calls on them.
// The ways with the fewest calls count: a call need not return, and the code after it then belongs to
// another function.
type aheadFlow struct {
	t       *Text
	seen    map[core.Addr]bool
	pending []isa.Point
	next    []isa.Point // the points after calls
	shape   *isa.Shape  // what the returns so far leave
	differ  bool        // two of them leave the return address at different places
}

// aheadOf returns the frame at s as the function takes it down until it returns, if all ways that were
// followed agree. Unlike wayOut it passes calls, and so it is not sure: the code after a call may
// belong to another function.
func (t *Text) aheadOf(s *Site) *isa.Shape {
	arch := t.Process.Arch
	if !s.Exec || t.Set.Apply == nil {
		return nil
	}
	w := &aheadFlow{t: t, seen: map[core.Addr]bool{}}
	w.passCall(s.PC, isa.NewWay(arch), s.exact)
	for w.shape == nil && len(w.next) > 0 && len(w.seen) < maxAhead {
		w.pending, w.next = w.next, nil
		for len(w.pending) > 0 {
			p := w.pending[len(w.pending)-1]
			w.pending = w.pending[:len(w.pending)-1]
			w.follow(p)
		}
	}
	word := int64(arch.RegSize())
	if w.shape == nil || w.differ {
		return nil
	}
	if !s.exact && word == 8 && arch.LR < 0 && !w.shape.FromFP && w.shape.CFAOff < 2*word {
		// Where calls are made the stack is aligned by the ABI, so that there are words between it and
		// the return address: these are the first instructions of another function, and the call does
		// not return.
		return nil
	}
	w.shape.Ahead = true
	return w.shape
}

// passCall adds the point that a call returns to, unless another function begins
// there; with exact it is one that was interrupted.
func (w *aheadFlow) passCall(at core.Addr, way isa.Way, exact bool) {
	if !exact {
		code, _ := w.t.Process.Space.Slice(at, isa.LongestInsn)
		if w.t.Set.Begins(code) {
			return
		}
		if start, known := w.t.FuncStart(at); known && start == at {
			return
		}
		if lr := w.t.Process.Arch.LR; lr >= 0 {
			way.Regs[lr] = isa.Held{Kind: isa.Other}
		}
	}
	w.next = append(w.next, isa.Point{At: at, Way: way})
}

// follow runs along the instructions from a point to a return, a call, or where
// control or the stack are lost.
func (w *aheadFlow) follow(p isa.Point) {
	for at, o := p.At, p.Way; !w.seen[at] && len(w.seen) < maxAhead; {
		w.seen[at] = true
		code, _ := w.t.Process.Space.Slice(at, isa.LongestInsn)
		c, left := w.t.Set.Step(&o, code)
		if left {
			w.returned(&o)
			return
		}
		switch c.Kind {
		case isa.Calls:
			w.passCall(at+core.Addr(c.Size), o, false)
			return
		case isa.Branches:
			w.pending = append(w.pending, isa.Point{At: at.Add(c.Target), Way: o.Clone()})
			at += core.Addr(c.Size)
		case isa.Jumps:
			at = at.Add(c.Target)
		case isa.Passes:
			at += core.Addr(c.Size)
		default:
			return
		}
	}
}

// returned notes a return. Bytes that it takes off the stack in addition to the return address count as
// the caller's: they were there at the call.
func (w *aheadFlow) returned(o *isa.Way) {
	pop := int64(0)
	if w.t.Process.Arch.LR < 0 {
		pop = int64(w.t.Process.Arch.RegSize())
	}
	s, ok := o.Shape(pop)
	switch {
	case !ok:
	case w.shape == nil:
		w.shape = &s
	case s.FromFP != w.shape.FromFP || s.CFAOff != w.shape.CFAOff:
		w.differ = true
	default:
		for slot, at := range s.Saved {
			if at != w.shape.Saved[slot] {
				w.shape.Lost |= 1 << uint(slot)
			}
		}
		w.shape.Lost |= s.Lost
	}
}
