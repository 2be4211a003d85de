package leak

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"coredbg/core"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// All closures that one call of a function makes share its context: as long as one of the closures lives, each
// variable that any of them uses lives too. A variable that is unused by every function that can still run is
// kept for nothing.

// Bounds of the search below one context.
const (
	maxSharers = 1 << 16 // contexts and closures
	maxClimb   = 1 << 12 // dominators
)

// unusedVariables finds variables of contexts that no living function refers to, and that retain much. In doubt
// a variable counts as used.
func (v *Finder) unusedVariables(ctx context.Context, g *graph.Graph) ([]graph.Evidence, error) {
	u := &contextUses{v: v, g: g, free: map[layout.Tagged]freeNames{}, scopes: map[layout.Tagged]scopeVariables{},
		isContext: map[int32]bool{}}
	heavy, err := u.heavy(ctx)
	if err != nil {
		return nil, err
	}
	found := map[variableOf]*graph.Evidence{}
	var order []variableOf
	for _, s := range heavy {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for _, x := range u.unused(s.context, s.values) {
			e := found[x.of]
			if e == nil {
				e = u.evidence(&x)
				found[x.of] = e
				order = append(order, x.of)
			}
			e.Objects = append(e.Objects, x.object.Addr())
		}
	}
	var out []graph.Evidence
	for _, of := range order {
		out = append(out, *found[of])
	}
	return out, nil
}

// evidence reports, for the first variable of its kind, the closure that keeps it.
func (u *contextUses) evidence(x *unusedVariable) *graph.Evidence {
	e := &graph.Evidence{}
	name := "a closure"
	if f, err := u.v.objects.Function(x.by); err == nil {
		name = strings.TrimSpace("the closure " + f.Name)
		if f.File != "" && f.Line > 0 {
			at := u.v.objects.OriginalOf(f)
			e.Place = graph.Place{File: at.File, Line: at.Line}
			name += " (" + e.Place.String() + ")"
		}
	}
	e.Why = fmt.Sprintf("no living function uses the variable %s, which %s keeps with the rest of its context", x.name,
		name)
	return e
}

// contextUses knows which variables of contexts are used.
type contextUses struct {
	v         *Finder
	g         *graph.Graph
	free      map[layout.Tagged]freeNames      // by SharedFunctionInfo
	scopes    map[layout.Tagged]scopeVariables // by ScopeInfo
	isContext map[int32]bool                   // by type number
}

// freeNames are the free names of a function; they are unknown unless ok is set.
type freeNames struct {
	names []string
	ok    bool
}

// scopeVariables are the variables of all contexts of a scope.
type scopeVariables struct {
	locals   []object.Variable // without values
	declares bool
	ok       bool
}

// A variableOf is a variable of a scope.
type variableOf struct {
	scope layout.Tagged
	index int // of the slot
}

// A heldValue is what a variable of a context holds, and only that context keeps.
type heldValue struct {
	of   variableOf
	name string
	id   graph.ID
	// object is the value. id may be the cell that holds it.
	object layout.Tagged
}

// An unusedVariable is one that no living function refers to, kept by a closure.
type unusedVariable struct {
	heldValue
	by layout.Tagged
}

// scopeOf returns the variables of a context's scope.
func (u *contextUses) scopeOf(c layout.Tagged) (scope layout.Tagged, s scopeVariables) {
	scope, _ = u.v.Field(c, u.v.Layout.Context.Data)
	s, ok := u.scopes[scope]
	if !ok {
		if x, err := u.v.objects.Context(c); err == nil {
			s.ok, s.declares = !x.Native, x.Declares
			for _, l := range x.Locals {
				s.locals = append(s.locals, object.Variable{Name: l.Name, Index: l.Index})
			}
		}
		u.scopes[scope] = s
	}
	return scope, s
}

func (u *contextUses) context(id graph.ID) bool {
	t := u.g.TypeNumber(id)
	is, ok := u.isContext[t]
	if !ok {
		is = u.v.objects.IsContext(layout.Tag(u.g.Addr(id)))
		u.isContext[t] = is
	}
	return is
}

// slot returns the word in a slot of a context.
func (u *contextUses) slot(c layout.Tagged, index int) layout.Tagged {
	w, _ := u.v.Field(c, u.v.Layout.Context.Data+u.v.Slots(index))
	return w
}

// A heavyContext has variables that retain memory, in a scope whose variables retain much together.
type heavyContext struct {
	context graph.ID
	values  []heldValue
}

// heavy returns the contexts that are worth a look.
func (u *contextUses) heavy(ctx context.Context) ([]heavyContext, error) {
	byScope := map[layout.Tagged]uint64{}
	each := func(visit func(id graph.ID, c layout.Tagged)) {
		u.g.Each(func(id graph.ID, at core.Addr) bool {
			if u.g.Reachable(id, graph.Stacked) && u.context(id) {
				visit(id, layout.Tag(at))
			}
			return ctx.Err() == nil
		})
	}
	each(func(id graph.ID, c layout.Tagged) {
		scope, _ := u.v.Field(c, u.v.Layout.Context.Data)
		byScope[scope] += u.g.Tree().Retained(id)
	})
	var list []heavyContext
	sums := map[variableOf]uint64{}
	each(func(id graph.ID, c layout.Tagged) {
		if scope, _ := u.v.Field(c, u.v.Layout.Context.Data); byScope[scope] < graph.RuleBytes {
			return
		}
		if values := u.values(id, c); len(values) > 0 {
			for _, x := range values {
				sums[x.of] += u.g.Tree().Retained(x.id)
			}
			list = append(list, heavyContext{id, values})
		}
	})
	for i := range list {
		list[i].values = slices.DeleteFunc(list[i].values,
			func(x heldValue) bool { return sums[x.of] < graph.RuleBytes })
	}
	list = slices.DeleteFunc(list, func(c heavyContext) bool { return len(c.values) == 0 })
	return list, ctx.Err()
}

// values returns the variables of a context whose values nothing else keeps. The compiler's own slots are not
// variables.
func (u *contextUses) values(id graph.ID, c layout.Tagged) (list []heldValue) {
	scope, s := u.scopeOf(c)
	for _, l := range s.locals {
		if l.Name == "" || strings.ContainsAny(l.Name[:1], ".#") || l.Name == "this" || l.Name == "new.target" ||
			l.Name == "arguments" {
			continue
		}
		w := u.slot(c, l.Index)
		if !w.IsHeap() {
			continue
		}
		t, ok := u.g.ID(w.Addr())
		if !ok || !u.onlyFrom(id, t) {
			continue
		}
		x := heldValue{of: variableOf{scope, l.Index}, name: l.Name, id: t, object: w}
		if v, err := u.v.objects.ContextSlot(c, l.Index); err == nil && !v.Raw && v.Word.IsHeap() {
			x.object = v.Word
		}
		list = append(list, x)
	}
	return list
}

// onlyFrom reports whether all ways to an object end with a word of one other.
func (u *contextUses) onlyFrom(from, id graph.ID) bool {
	if d, ok := u.g.Tree().Dominator(id); !ok || d != from {
		return false
	}
	for _, p := range u.g.In(id) {
		if p != from && u.g.Reachable(p, graph.Stacked) && !u.below(id, p) {
			return false
		}
	}
	return true
}

// below reports whether all ways to an object lead through top.
func (u *contextUses) below(top, id graph.ID) bool {
	for range maxClimb {
		if id == top {
			return true
		}
		d, ok := u.g.Tree().Dominator(id)
		if !ok || d == graph.None {
			return false
		}
		id = d
	}
	return false
}
