package leak

import (
	"slices"

	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/source"
)

// sharers are the functions that see a context, and whatever else holds on to it.
type sharers struct {
	u        *contextUses
	context  graph.ID
	closures []sharer
	parents  map[graph.ID]graph.ID // of contexts below it: the one before
	// running are contexts below it that something other than functions refers to: a frame, a
	// generator that waits.
	running []graph.ID
}

// A sharer is a function with the context that it closes over.
type sharer struct {
	function, context graph.ID
	shared            layout.Tagged
}

// unused returns the values of variables that no function refers to that lives: one that
// could be reached if those variables held nothing.
func (u *contextUses) unused(context graph.ID, values []heldValue) []unusedVariable {
	s := &sharers{u: u, context: context, parents: map[graph.ID]graph.ID{}}
	if !s.gather() {
		return nil
	}
	used, by, ok := s.used()
	if !ok {
		return nil
	}
	var out []unusedVariable
	for _, x := range values {
		if !used[x.name] {
			out = append(out, unusedVariable{x, layout.Tag(u.g.Addr(by))})
		}
	}
	return out
}

// gather finds what refers to the context and to those below it; false if something else
// than functions may use its variables.
func (s *sharers) gather() bool {
	u := s.u
	pending := []graph.ID{s.context}
	for steps := 0; len(pending) > 0; steps++ {
		k := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		c := layout.Tag(u.g.Addr(k))
		running := len(u.g.Roots(k)) > 0
		last := graph.None
		for _, p := range u.g.In(k) {
			if p == last || !u.g.Reachable(p, graph.Stacked) || u.g.Type(p).Program {
				continue
			}
			last = p
			if steps++; steps > maxSharers {
				return false
			}
			o := layout.Tag(u.g.Addr(p))
			switch {
			case u.v.IsFunction(o) && u.fieldIs(o, u.v.Layout.JSFunction.Context, c):
				shared, _ := u.v.objects.ClosureShared(o)
				s.closures = append(s.closures, sharer{p, k, shared})
			case u.context(p) && u.slot(o, 1) == c:
				if _, again := s.parents[p]; !again {
					s.parents[p] = k
					pending = append(pending, p)
				}
			default:
				running = true
			}
		}
		if running && k == s.context {
			return false
		} else if running {
			s.running = append(s.running, k)
		}
	}
	return true
}

func (u *contextUses) fieldIs(o layout.Tagged, offset int, want layout.Tagged) bool {
	w, ok := u.v.Field(o, offset)
	return ok && w == want
}

// used returns the names of the variables that living functions refer to, and one of these
// functions; false if that is not certain, or none lives.
func (s *sharers) used() (names map[string]bool, by graph.ID, ok bool) {
	names, by = map[string]bool{}, graph.None
	alive := make([]bool, len(s.closures))
	for changed := true; changed; {
		changed = false
		for i, f := range s.closures {
			if alive[i] || !s.alive(f.function, names) {
				continue
			}
			alive[i], changed = true, true
			if by == graph.None {
				by = f.function
			}
			if !s.refers(f, names) {
				return nil, by, false
			}
		}
	}
	for _, k := range s.running {
		if s.alive(k, names) && !s.known(k, alive) {
			return nil, by, false
		}
	}
	return names, by, by != graph.None
}

// alive reports whether an object could be reached if only the variables with these names
// held something.
func (s *sharers) alive(id graph.ID, names map[string]bool) bool {
	u := s.u
	top := id
	for steps := 0; ; steps++ {
		d, ok := u.g.Tree().Dominator(top)
		if !ok || d == graph.None || steps > maxClimb {
			return true
		}
		if d == s.context {
			break
		}
		top = d
	}
	if !u.onlyFrom(s.context, top) {
		return true
	}
	c, word := layout.Tag(u.g.Addr(s.context)), layout.Tag(u.g.Addr(top))
	_, scope := u.scopeOf(c)
	length, _ := u.v.objects.ContextLength(c)
	name := map[int]string{}
	for _, l := range scope.locals {
		name[l.Index] = l.Name
	}
	held := false
	for i := range length {
		if u.slot(c, i) != word {
			continue
		}
		if n, variable := name[i]; !variable || names[n] {
			return true
		}
		held = true
	}
	return !held
}

// refers adds the names of variables of the context that a function refers to; false if
// these are not known.
func (s *sharers) refers(f sharer, names map[string]bool) bool {
	free := s.u.freeNames(f.shared)
	if !free.ok {
		return false
	}
	left := slices.Clone(free.names)
	for k := f.context; ; k = s.parents[k] {
		_, scope := s.u.scopeOf(layout.Tag(s.u.g.Addr(k)))
		if !scope.ok {
			return false
		}
		for _, l := range scope.locals {
			at, found := slices.BinarySearch(left, l.Name)
			if !found {
				continue
			}
			left = slices.Delete(left, at, at+1)
			if k == s.context {
				names[l.Name] = true
			}
		}
		if k == s.context {
			return true
		}
	}
}

// known reports whether the function that made a running context is one of the living functions: its references
// then count as uses already.
func (s *sharers) known(k graph.ID, alive []bool) bool {
	u := s.u
	for {
		scope, x := u.scopeOf(layout.Tag(u.g.Addr(k)))
		if k == s.context || !x.ok {
			return false
		}
		parent := s.parents[k]
		if !x.declares { // a block of a function
			k = parent
			continue
		}
		for i, f := range s.closures {
			if alive[i] && f.context == parent && u.fieldIs(f.shared, u.v.Layout.SharedFunctionInfo.Name, scope) {
				return true
			}
		}
		return false
	}
}

func (u *contextUses) freeNames(shared layout.Tagged) freeNames {
	f, ok := u.free[shared]
	if !ok {
		names, err := source.FreeNames(u.v.objects, shared)
		f = freeNames{names, err == nil}
		u.free[shared] = f
	}
	return f
}
