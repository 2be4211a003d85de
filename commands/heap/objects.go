package heap

import (
	"context"
	"fmt"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	graph "coredbg/runtimes/heap"
)

var objectCommands = []commands.Command{{
	Name: "retained", Module: module, Addr: commands.AddrRequired,
	Summary: "show how much would go with an object",
	Detail: `RETAINED is the bytes of the object and of all objects that only it keeps alive, those
outside the heap included: what would be freed if nothing referred to it any more. The
address may be one inside the object.`,
	Example: "::findjsobjects -c Widget | ::retained",
	SeeAlso: []string{"dominators", "gcroot", "heapstat"},
	Run:     runRetained,
}, {
	Name: "dominators", Module: module, Addr: commands.AddrOptional,
	Options: []commands.Option{
		{Letter: 'd', Arg: "depth", Help: "show this many levels (default 3)"},
		{Letter: 'n', Arg: "count", Help: "show at most this many objects of each (default 10)"},
		{Letter: 'm', Arg: "percent", Help: "leave out objects that retain a smaller share of all (default 1)"},
	},
	Summary: "show which objects hold the memory, as a tree",
	Detail: `Below each object are the objects that only it keeps alive, the most retaining first: its
retained bytes are its own and the bytes of all below it. Without an address the tree begins
with the objects that only roots dominate. SHARE is the share of all reachable bytes.`,
	Example:   "::dominators -d 2",
	SeeAlso:   []string{"retained", "heapstat", "gcroot"},
	EmptyText: "no object retains that much",
	Run:       runDominators,
}, {
	Name: "refs", Module: module, Addr: commands.AddrRequired,
	Options: []commands.Option{{Letter: 'n', Arg: "count", Help: "show at most this many (default 1000; 0 for all)"}},
	Summary: "show what an object refers to",
	Detail: `Each reference is shown with its name, weak ones too. The engine's own objects between
one of a program and another, such as the store of its properties, are objects as well.`,
	Example:   "::findjsobjects -c Widget | ::refs",
	SeeAlso:   []string{"refby", "gcroot", "jsfindrefs", "javasearch"},
	EmptyText: "it refers to nothing",
	Run:       runRefs,
}, {
	Name: "refby", Module: module, Addr: commands.AddrRequired,
	Options: []commands.Option{{Letter: 'n', Arg: "count", Help: "show at most this many (default 1000; 0 for all)"}},
	Summary: "show what refers to an object",
	Detail: `Objects that keep it alive, the most retaining first, each with how it does, and the
roots. References that a collector does not follow are not among them: ::jsfindrefs has
those of JavaScript.`,
	Example:   "::findjsobjects -c Widget | ::refby",
	SeeAlso:   []string{"refs", "gcroot", "jsfindrefs", "javasearch"},
	EmptyText: "nothing refers to it",
	Run:       runRefBy,
}}

// objectRecord is an object of a heap.
type objectRecord struct {
	_         out.Record `record:"heapobject" cols:"At Shallow External Retained share name"`
	At        core.Addr  `json:"addr" col:"OBJECT,16/12,right,%x" ink:"addr" dot:"always"`
	Class     string     `json:"class"`
	Place     string     `json:"place,omitempty"` // where the class is defined
	Is        string     `json:"is,omitempty"`    // what it is, in a few words
	Shallow   uint64     `json:"shallow" col:"SHALLOW,10/9,right"`
	External  uint64     `json:"external,omitempty" col:"EXTERNAL,11/9,right"`
	Retained  uint64     `json:"retained" col:"RETAINED,12/10,right"`
	Share     float64    `json:"share"`              // of all reachable bytes
	Depth     int        `json:"depth,omitempty"`    // in a tree
	Dominator core.Addr  `json:"dominator,omitzero"` // 0 for the roots together
	// of the roots that lead to it: certain | traced | stack word | loose; absent for garbage
	Strength string  `json:"strength,omitempty"`
	share    float64 `col:"SHARE,6,right,%.1f%%"`
	name     string  `col:"IS" ink:"symbol"`
}

func newObject(g *graph.Graph, id graph.ID, depth int) *objectRecord {
	at, t, src := g.Addr(id), g.Type(id), g.Source()
	n := g.Tree().Retained(id)
	r := &objectRecord{At: src.Shown(at), Class: t.Class, Place: t.Place.String(), Is: src.Describe(at),
		Shallow:  g.Size(id),
		External: g.External(id),
		Retained: n, Share: share(g, n), Depth: depth}
	r.share = 100 * r.Share
	if d, ok := g.Tree().Dominator(id); ok && d != graph.None {
		r.Dominator = src.Shown(g.Addr(d))
	}
	if s, ok := g.Strength(id); ok {
		r.Strength = s.String()
	}
	if r.Is == r.Class {
		r.Is = ""
	}
	r.name = strings.Repeat("  ", depth) + nameOf(g, id)
	switch r.Strength {
	case "":
		r.name += " [garbage]"
	case graph.Loose.String():
		r.name += " [only a loose word of memory leads to it]"
	}
	return r
}

// nameOf is what a line of text calls an object.
func nameOf(g *graph.Graph, id graph.ID) string {
	t := g.Type(id)
	name := g.Source().Describe(g.Addr(id))
	if name == "" {
		name = t.Class
	}
	// as "int[7]"
	if class := t.Class; !strings.Contains(name, class) &&
		!(strings.HasSuffix(class, "[]") && strings.Contains(name, class[:len(class)-1])) {
		name = t.Class + " " + name
	}
	if t.Place.Known() && !strings.Contains(name, " (") {
		name += " (" + t.Place.String() + ")"
	}
	return out.Clean(name, false)
}

func runRetained(ctx context.Context, c *commands.Call) error {
	g, id, err := objectOf(ctx, c)
	if err != nil {
		return err
	}
	return c.Emit(newObject(g, id, 0))
}

func runDominators(ctx context.Context, c *commands.Call) error {
	depth, err := c.Int('d', 3)
	if err != nil {
		return err
	}
	most, err := c.Int('n', 10)
	if err != nil {
		return err
	}
	percent, err := c.Int('m', 1)
	if err != nil {
		return err
	}
	g, err := graphOf(ctx, c)
	if err != nil {
		return err
	}
	t := treePrinter{c: c, g: g, most: most, least: g.Tree().Total() / 100 * uint64(min(percent, 100))}
	if !c.HasAddr {
		return t.below(ctx, graph.None, 0, depth)
	}
	id, err := objectAt(c, g)
	if err != nil {
		return err
	}
	if err := c.Emit(newObject(g, id, 0)); err != nil {
		return err
	}
	return t.below(ctx, id, 1, depth+1)
}

// A treePrinter emits a dominator tree.
type treePrinter struct {
	c     *commands.Call
	g     *graph.Graph
	most  int
	least uint64 // retained bytes of the smallest shown object
}

func (t *treePrinter) below(ctx context.Context, id graph.ID, depth, end int) error {
	if depth >= end || depth > maxDepth {
		return nil
	}
	for _, k := range t.g.Tree().Children(id, t.most) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if t.g.Tree().Retained(k) < t.least {
			return nil
		}
		if err := t.c.Emit(newObject(t.g, k, depth)); err != nil {
			return err
		}
		if err := t.below(ctx, k, depth+1, end); err != nil {
			return err
		}
	}
	return nil
}

// maxDepth bounds the levels of a tree that are shown.
const maxDepth = 64

// refRecord is a reference from one object to another.
type refRecord struct {
	_        out.Record `record:"heapref" cols:"At Retained how name"`
	At       core.Addr  `json:"addr" col:"OBJECT,16/12,right,%x" ink:"addr" dot:"always"` // the other object
	Name     string     `json:"name,omitempty"`                                           // of the reference
	Weak     bool       `json:"weak,omitempty"`
	Class    string     `json:"class"`
	Is       string     `json:"is,omitempty"`
	Retained uint64     `json:"retained" col:"RETAINED,12/10,right"`
	how      string     `col:"REFERENCE,-28/-20"`
	name     string     `col:"IS" ink:"symbol"`
}

func newRef(g *graph.Graph, id graph.ID, by graph.Reference, weak bool) *refRecord {
	at, src, name := g.Addr(id), g.Source(), by.String()
	r := &refRecord{At: src.Shown(at), Name: name, Weak: weak, Class: g.Type(id).Class, Is: src.Describe(at),
		Retained: g.Tree().Retained(id),
		how:      out.Clean(name, false), name: nameOf(g, id)}
	if weak {
		r.how += " (weak)"
	}
	if r.Is == r.Class {
		r.Is = ""
	}
	return r
}

func runRefs(ctx context.Context, c *commands.Call) error {
	g, id, most, err := refsOf(ctx, c)
	if err != nil {
		return err
	}
	var list []*refRecord
	g.Source().References(g.Addr(id), g.Size(id), func(r graph.Edge) {
		if to, ok := g.ID(r.To); ok && (most == 0 || len(list) < most) {
			list = append(list, newRef(g, to, r.Reference, r.Weak))
		}
	})
	return commands.EmitAll(c, list)
}

// refsOf returns the graph, the object, and how many references are wanted.
func refsOf(ctx context.Context, c *commands.Call) (*graph.Graph, graph.ID, int, error) {
	most, err := c.Int('n', 1000)
	if err != nil {
		return nil, 0, 0, err
	}
	g, id, err := objectOf(ctx, c)
	return g, id, most, err
}

func runRefBy(ctx context.Context, c *commands.Call) error {
	g, id, most, err := refsOf(ctx, c)
	if err != nil {
		return err
	}
	holders := g.Holders(id, most)
	src := g.Source()
	for i, h := range holders {
		if i%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		steps := src.Steps([]core.Addr{g.Addr(h), g.Addr(id)})
		if err := c.Emit(newRef(g, h, steps[1].Reference, false)); err != nil {
			return err
		}
	}
	for _, r := range g.Roots(id) {
		x := rootOf(ctx, c, &r)
		if err := c.Emit(&rootRecord{root: *x,
			Target: src.Shown(g.Addr(id)), text: fmt.Sprintf("%16s %12s %s", "-", "-", x.text())}); err != nil {
			return err
		}
	}
	return nil
}
