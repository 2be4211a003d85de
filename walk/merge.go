package walk

import (
	"cmp"
	"errors"
	"slices"

	"coredbg/core"
)

// A runtimeUnwinder asks a runtime's unwinder.
type runtimeUnwinder struct {
	w *walker
	u Unwinder
}

// Step records the runtime's record of f.
func (r runtimeUnwinder) Step(f *Frame) (Frame, error) {
	caller, record, err := r.u.Step(f)
	if record != nil {
		r.w.known = record
	}
	return caller, err
}

// A turn is one step of a walk: the caller of a frame, and the runtimes' records around it.
type turn struct {
	// kept are the frames that the frame holds, the innermost first: they come before it. Beyond are
	// frames that are known only to be further out.
	kept, beyond []Frame
	caller       Frame
	err          error // why there is no caller
}

// turn makes t the step out of f, which gets its Record. Where f ends is where its caller
// begins, or a record of a runtime has a frame that is nearer.
func (w *walker) turn(f *Frame, t *turn) {
	t.kept, t.beyond = nil, nil
	t.err = w.next(f, &t.caller)
	if w.known != nil {
		f.Record = w.known
	}
	// No records are between a signal handler's stack and the one before it, or between another call's
	// stack and its caller's.
	if len(w.runtimes) == 0 || t.switches(f) {
		return
	}
	for from := f.SP; ; {
		r := &w.nearest
		ok := w.held(from, r)
		switch {
		case !ok, r.SP < from && from != f.SP, r.SP == ^core.Addr(0):
			return
		case t.err == nil && (r.SP < f.SP || !t.nearer(r)):
			return
		}
		from = r.SP + 1
		if t.resumes(f, r) {
			t.caller, t.err = *r, w.check(f, r)
			return
		}
		t.take(f, *r)
	}
}

// switches reports whether the caller of f may be on another stack.
func (t *turn) switches(f *Frame) bool {
	return t.err == nil && (f.Trampoline && t.caller.Exact() || t.caller.OtherStack)
}

// held puts the innermost frame that the runtimes' records have from a stack
// address on to where it is told.
func (w *walker) held(from core.Addr, nearest *Frame) (ok bool) {
	for _, u := range w.runtimes {
		r, has := u.Next(from)
		for has {
			end, passed := w.left.end(r.SP)
			if !passed {
				break
			}
			r, has = u.Next(end + 1)
		}
		if has && (!ok || r.SP < nearest.SP) {
			*nearest, ok = r, true
		}
	}
	return ok
}

// Stretches are the parts of stacks that a walk has passed before it went on with another stack, in
// order and disjoint. The walk has met the records there, although they are further out than a stack at
// a lower address.
type stretches []stretch

type stretch struct{ first, last core.Addr }

// add adds a stretch and merges it with the stretches that it overlaps.
func (l *stretches) add(s stretch) {
	i, _ := slices.BinarySearchFunc(*l, s.first, func(x stretch, a core.Addr) int { return cmp.Compare(x.last, a) })
	k := i
	for ; k < len(*l) && (*l)[k].first <= s.last; k++ {
		s = stretch{min(s.first, (*l)[k].first), max(s.last, (*l)[k].last)}
	}
	*l = slices.Replace(*l, i, k, s)
}

// end returns the last address of the stretch that has a.
func (l stretches) end(a core.Addr) (core.Addr, bool) {
	i, _ := slices.BinarySearchFunc(l, a, func(x stretch, a core.Addr) int { return cmp.Compare(x.last, a) })
	if i == len(l) || l[i].first > a {
		return 0, false
	}
	return l[i].last, true
}

// nearer reports whether the record of r is nearer than the caller. At the same place, a record
// outranks a scan.
func (t *turn) nearer(r *Frame) bool {
	return r.SP < t.caller.SP || r.SP == t.caller.SP && r.Point != Virtual && r.PC != 0 && t.caller.Trust == Scanned
}

// resumes reports whether the walk goes on with r: a frame of the machine further out than f, where f
// has no caller or one that is further out still. A caller that a runtime knows for its own frame is
// not passed over, nor is the root.
func (t *turn) resumes(f, r *Frame) bool {
	if r.Point == Virtual || r.PC == 0 || r.SP <= f.SP {
		return false
	}
	return t.err == nil && t.caller.Trust < Runtime || t.err != nil && !errors.Is(t.err, ErrRoot)
}

// take puts a record in its place: in f, or beyond f if the end of f is not known.
func (t *turn) take(f *Frame, r Frame) {
	found := t.err == nil && t.caller.Trust >= CFI
	switch {
	case r.Point == Virtual:
	case r.SP == f.SP && r.PC == f.PC, r.PC == 0 && found && f.Record == nil:
		// The record describes f itself, or f has made it.
		if f.Record == nil {
			f.Record = r.Record
		}
		return
	case r.PC != 0 && t.err == nil:
		return // of a frame that its runtime has found to be larger
	}
	r.Point = Virtual
	if t.err == nil && t.caller.Trust != Scanned {
		t.kept = append(t.kept, r)
	} else {
		t.beyond = append(t.beyond, r)
	}
}

// yield yields f with the records around it. It returns false if no more frames are wanted.
func (t *turn) yield(f *Frame, yield func(Frame, error) bool) bool {
	for _, k := range t.kept {
		if !yield(k, nil) {
			return false
		}
	}
	if !yield(*f, nil) {
		return false
	}
	for _, k := range t.beyond {
		if !yield(k, nil) {
			return false
		}
	}
	return true
}
