package v8

import (
	"context"
	"fmt"

	"coredbg/core"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/v8/layout"
)

// LeakRules returns the ways in which programs of JavaScript leak that are known.
func (v *V8) LeakRules() []graph.Rule {
	return []graph.Rule{
		{ID: "promises", Find: v.waitingPromises},
		{ID: "contexts", Find: v.extraContexts},
		{ID: "unused-variables", Find: v.unusedVariables},
	}
}

// waitingPromises finds pending promises that one place of the program waits for, and
// that are many. What they keep alive is the functions that wait, with their variables.
func (v *V8) waitingPromises(ctx context.Context, _ *graph.Graph) ([]graph.Evidence, error) {
	groups, err := v.Frames.PromiseGroups(ctx, true)
	if err != nil {
		return nil, err
	}
	var out []graph.Evidence
	for i := range groups {
		g := &groups[i]
		if len(g.Promises) < graph.RuleObjects {
			break // the most numerous come first
		}
		if !g.Direct || !g.Awaited.OfProgram() {
			continue
		}
		e := graph.Evidence{Class: "Promise", Place: g.Awaited.FileLine(), More: "::promises -p",
			Why: fmt.Sprintf("%d promises that have not settled, for which %v waits", len(g.Promises), g.Awaited)}
		for _, p := range g.Promises {
			e.Objects = append(e.Objects, layout.Tagged(p).Addr())
		}
		out = append(out, e)
	}
	return out, nil
}

// leastContexts is how many contexts beside the main ones are many. A program that runs
// code in a few, or in one for each plugin, does as it is meant to.
const leastContexts = 10

// extraContexts finds native contexts that the embedder does not hold: Node and Chromium
// have a strong global handle to a context that lives, and a weak one, or none, to those
// that vm made or whose frame is gone. Only objects of the program keep these.
func (v *V8) extraContexts(ctx context.Context, g *graph.Graph) ([]graph.Evidence, error) {
	globals, err := v.Frames.Receivers(ctx, func(typ int) bool { return typ == v.Types.JSGlobalObject })
	if err != nil {
		return nil, err
	}
	var e graph.Evidence
	for _, o := range globals {
		if native, ok := v.contextOf(g, o); ok && !v.embedderHolds(g, native) {
			e.Objects = append(e.Objects, native.Addr())
		}
	}
	live := 0
	for _, a := range e.Objects {
		if id, ok := g.ID(a); ok && g.Reachable(id, graph.Stacked) {
			live++
		}
	}
	if live < leastContexts {
		return nil, nil
	}
	e.Class = "(native context)"
	e.Why = fmt.Sprintf("%d global contexts, such as vm makes, that nothing but objects of the program holds", live)
	return []graph.Evidence{e}, nil
}

// contextOf returns the native context that a global object is that of.
func (v *V8) contextOf(g *graph.Graph, global layout.Tagged) (layout.Tagged, bool) {
	id, ok := g.ID(global.Addr())
	if !ok {
		return 0, false
	}
	for _, h := range g.In(id) {
		n := layout.Tag(g.Addr(h))
		if x, err := v.Objects.GlobalObject(n); err == nil && x == global && v.Objects.IsContext(n) {
			return n, true
		}
	}
	return 0, false
}

// embedderHolds reports whether a global handle refers to a native context, its global
// object or the proxy of that.
func (v *V8) embedderHolds(g *graph.Graph, native layout.Tagged) bool {
	held := func(a core.Addr) bool {
		id, ok := g.ID(a)
		if !ok {
			return false
		}
		for _, r := range g.Roots(id) {
			if r.Strength == graph.Certain && r.Rank == graph.Lasting {
				return true
			}
		}
		return false
	}
	global, err := v.Objects.GlobalObject(native)
	return held(native.Addr()) || err == nil && held(global.Addr())
}
