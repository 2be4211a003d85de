package leak

import (
	"context"
	"fmt"
	"slices"

	"coredbg/core"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/v8/frame"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// A Finder recognizes leaks of JavaScript programs.
type Finder struct {
	*layout.Memory
	objects *object.Reader
	heaps   *heap.Walker
	frames  *frame.Decoder
}

// New returns a finder of leaks in heaps.
func New(objects *object.Reader, heaps *heap.Walker, frames *frame.Decoder) *Finder {
	return &Finder{objects.Memory, objects, heaps, frames}
}

// Rules returns the known leak patterns of JavaScript programs.
func (v *Finder) Rules() []graph.Rule {
	return []graph.Rule{
		{ID: "promises", Find: v.waitingPromises},
		{ID: "contexts", Find: v.extraContexts},
		{ID: "unused-variables", Find: v.unusedVariables},
	}
}

// waitingPromises finds large groups of pending promises that one place in the program waits for. Such promises
// keep the waiting functions alive, with their variables.
func (v *Finder) waitingPromises(ctx context.Context, _ *graph.Graph) ([]graph.Evidence, error) {
	groups, err := v.frames.PromiseGroups(ctx, true)
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
		for _, list := range v.byThread(ctx, g.Promises) {
			if len(list) < graph.RuleObjects {
				continue
			}
			out = append(out, graph.Evidence{Class: "Promise", Place: g.Awaited.FileLine(),
				More: "::promises -p", Objects: list,
				Why: fmt.Sprintf("%d promises that %v waits for and that have not settled", len(list), g.Awaited)})
		}
	}
	return out, nil
}

// byThread divides objects, given by tagged addresses, by the thread whose heap they are on.
func (v *Finder) byThread(ctx context.Context, objects []core.Addr) [][]core.Addr {
	var parts [][]core.Addr
	h, err := v.heaps.Snapshot(ctx)
	if err != nil {
		return nil
	}
	of := map[*core.Thread]int{}
	for _, p := range objects {
		a := layout.Tagged(p).Addr()
		t := heap.ThreadOf(ctx, h, a)
		k, ok := of[t]
		if !ok {
			k = len(parts)
			of[t] = k
			parts = append(parts, nil)
		}
		parts[k] = append(parts[k], a)
	}
	return parts
}

// leastContexts is the smallest suspicious number of contexts, not counting the main ones. It is normal for a
// program to run code in a few contexts, or in one for each plugin.
const leastContexts = 10

// extraContexts finds native contexts that the embedder does not hold: Node and Chromium
// have a strong global handle to a context that lives, and a weak one, or none, to those
// that vm made or whose frame is gone. Only objects of the program keep these.
func (v *Finder) extraContexts(ctx context.Context, g *graph.Graph) ([]graph.Evidence, error) {
	globals, err := v.frames.Receivers(ctx, func(typ int) bool { return typ == v.Types.JSGlobalObject })
	if err != nil {
		return nil, err
	}
	var e graph.Evidence
	var natives []graph.ID
	for _, o := range globals {
		if native, ok := v.contextOf(g, o); ok && !v.embedderHolds(g, native) {
			e.Objects = append(e.Objects, native.Addr())
			if id, ok := g.ID(native.Addr()); ok {
				natives = append(natives, id)
			}
		}
	}
	e.With = v.partsOfContexts(g, natives)
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
	e.Why = fmt.Sprintf("%d global contexts, such as vm makes, that only objects of the program hold", live)
	return []graph.Evidence{e}, nil
}

// partsOfContexts returns the objects that are one with native contexts: their global objects and
// proxies, and the object that the embedder gave each. That of vm is the object that was made a
// context: the global object has its properties.
func (v *Finder) partsOfContexts(g *graph.Graph, natives []graph.ID) []core.Addr {
	of := map[graph.ID]graph.ID{} // the only context that has it, else None
	add := func(native, part graph.ID) {
		if was, ok := of[part]; ok && was != native {
			native = graph.None
		}
		of[part] = native
	}
	for _, native := range natives {
		g.Out(native, func(id graph.ID) {
			switch o := layout.Tag(g.Addr(id)); {
			case v.TypeNamed(o, "JS_GLOBAL_OBJECT"), v.TypeNamed(o, "JS_GLOBAL_PROXY"):
				add(native, id)
			case v.TypeNamed(o, "EMBEDDER_DATA_ARRAY"):
				g.Out(id, func(x graph.ID) {
					if v.IsReceiver(layout.Tag(g.Addr(x))) {
						add(native, x)
					}
				})
			}
		})
	}
	var out []core.Addr
	for part, native := range of {
		if native != graph.None {
			out = append(out, g.Addr(part))
		}
	}
	slices.Sort(out)
	return out
}

// contextOf returns the native context that a global object belongs to.
func (v *Finder) contextOf(g *graph.Graph, global layout.Tagged) (layout.Tagged, bool) {
	id, ok := g.ID(global.Addr())
	if !ok {
		return 0, false
	}
	for _, h := range g.In(id) {
		n := layout.Tag(g.Addr(h))
		if x, err := v.objects.GlobalObject(n); err == nil && x == global && v.objects.IsContext(n) {
			return n, true
		}
	}
	return 0, false
}

// embedderHolds reports whether a global handle refers to a native context, its global
// object or the proxy of that.
func (v *Finder) embedderHolds(g *graph.Graph, native layout.Tagged) bool {
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
	global, err := v.objects.GlobalObject(native)
	return held(native.Addr()) || err == nil && held(global.Addr())
}
