package heap

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/malloc/managed"
)

var rootCommands = []commands.Command{{
	Name: "gcroot", Module: module, Addr: commands.AddrRequired,
	Options: []commands.Option{{Letter: 'n', Arg: "paths", Help: "show at most this many ways (default 3)"}},
	Summary: "show what keeps an object alive",
	Detail: `Shows ways from roots to the object. Two ways have no object in common except the
last. Ways from the strongest roots come first, and among these the shortest. To free the
object each way has to be cut. Each line is an object with how the one before
refers to it. Traced handles of V8, which objects of C++ refer by that may be dead, and
words of stacks that may be left over come last and say so. The engine's own tables, code
and feedback are named only where nothing else keeps the object. A block of the heap of C is an object, too, where no
managed heap has the address; roots are variables, named by debugging information and symbols, and managed objects that have the
block, such as an ArrayBuffer: the way to that object comes next.

In JSON a way is {"type":"gcroot","addr":"0x...","root":{"kind":K,"strength":S,
"addr":"0x..."},"path":[{"addr":"0x...","class":C,"reference":R}]}; garbage has
neither root nor path.`,
	Example: "::findjsobjects -c Widget | ::gcroot -n 1",
	SeeAlso: []string{"refby", "retained", "roots"},
	Run:     runGCRoot,
}, {
	Name: "roots", Module: module, Addr: commands.AddrNone,
	Options: []commands.Option{
		{Letter: 'l', Help: "list the roots instead of counting them by kind"},
		{Letter: 'k', Arg: "kind", Help: "only roots of this kind"},
		{Letter: 'n', Arg: "count", Help: "list at most this many (default 1000; 0 for all)"},
	},
	Summary: "show what refers to objects of a managed heap from outside",
	Detail: `Roots that are certain are the runtime's own. Words of stacks that nothing says what
they are, and of other memory, may be left over from earlier, and traced handles of V8
keep an object only as long as an object of C++ lives: they count for those objects only
that no certain root leads to, and of words of memory only such are shown. So do the words
on the stacks of V8's helper threads, which compile or collect. With -l they are listed,
the most retaining first.`,
	Example:   "::roots -l -n 20",
	SeeAlso:   []string{"gcroot", "jniref"},
	EmptyText: "no root is known",
	Run:       runRoots,
}}

// gcrootRecord is a way from a root to an object.
type gcrootRecord struct {
	_    out.Record `record:"gcroot"`
	At   core.Addr  `json:"addr" dot:"always"`
	Root *root      `json:"root,omitempty"` // none for garbage
	Path []step     `json:"path,omitempty"` // the object itself last

	name string
}

// step is an object on a way.
type step struct {
	At        core.Addr `json:"addr"`
	Class     string    `json:"class"`
	Reference string    `json:"reference,omitempty"` // how the one before refers to it
	Retained  uint64    `json:"retained"`
}

func runGCRoot(ctx context.Context, c *commands.Call) error {
	most, err := c.Int('n', 3)
	if err != nil {
		return err
	}
	g, id, err := objectOf(ctx, c)
	if err != nil {
		return err
	}
	ways, err := g.Paths(ctx, id, most)
	if err != nil {
		return err
	}
	shown := g.Source().Shown(g.Addr(id))
	if len(ways) == 0 {
		return c.Emit(&gcrootRecord{At: shown, name: nameOf(g, id)})
	}
	for i := range ways {
		r := wayOf(g, &ways[i])
		r.Root = rootOf(ctx, c, &ways[i].Root).owned(ctx, c)
		beyond := r.Root.managed(ctx, c)
		if err := c.Emit(r); err != nil {
			return err
		}
		if beyond != nil {
			if err := c.Emit(beyond); err != nil {
				return err
			}
		}
	}
	return nil
}

// wayOf returns a way without its root.
func wayOf(g *graph.Graph, way *graph.Path) *gcrootRecord {
	id := way.Objects[len(way.Objects)-1]
	r := &gcrootRecord{At: g.Source().Shown(g.Addr(id)), name: nameOf(g, id)}
	path := make([]core.Addr, len(way.Objects))
	for k, o := range way.Objects {
		path[k] = g.Addr(o)
	}
	for k, s := range g.Source().Steps(path) {
		r.Path = append(r.Path, step{At: g.Source().Shown(path[k]), Class: s.Class, Reference: s.Reference.String(),
			Retained: g.Tree().Retained(way.Objects[k])})
	}
	return r
}

// managed adds the class and the holder of the managed object that is the root of a block of the heap of C,
// and returns a way to that object. It returns nil if the root is no such object, or no way is known.
func (x *root) managed(ctx context.Context, c *commands.Call) *gcrootRecord {
	g, id, ok := managed.RootOf(ctx, c.Session.Found(), x.of)
	if !ok {
		return nil
	}
	x.Class, x.HeldBy = g.ClassOf(id), managed.HeldBy(ctx, g, id)
	ways, err := g.Paths(ctx, id, 1)
	if err != nil || len(ways) == 0 {
		return nil
	}
	way := wayOf(g, &ways[0])
	way.Root = rootOf(ctx, c, &ways[0].Root).owned(ctx, c)
	return way
}

// Text writes the root, and a line for each object.
func (r *gcrootRecord) Text(w *out.Writer) {
	if r.Root == nil {
		w.Printf("%x: %s: nothing keeps it alive\n", uint64(r.At), r.name)
		return
	}
	w.Printf("%x: %s: held by %s\n", uint64(r.At), r.name, r.Root.text())
	w.Ends(len(r.Path), func(i int) {
		s := &r.Path[i]
		w.Printf("    ")
		w.Paint(out.Addr, "%x", uint64(s.At))
		w.Printf(" %12d %s", s.Retained, out.Clean(s.Class, false))
		if s.Reference != "" {
			w.Printf(": %s", out.Clean(s.Reference, false))
		}
		w.Printf("\n")
	})
}

// rootRecord is a root.
type rootRecord struct {
	_ out.Record `record:"heaproot" text:"{text}"`
	root
	Target   core.Addr `json:"target" dot:"always"`
	Class    string    `json:"class,omitempty"` // of the target
	Retained uint64    `json:"retained,omitempty"`

	text string
}

// rootsRecord is the roots of one kind.
type rootsRecord struct {
	_        out.Record `record:"heaproots" cols:"Count Objects Strength Kind"`
	Kind     string     `json:"kind" col:"KIND"`
	Strength string     `json:"strength" col:"STRENGTH,-10"`
	Count    int        `json:"count" col:"ROOTS,9,right"`
	Objects  int        `json:"objects" col:"OBJECTS,9,right"` // that they refer to
}

func runRoots(ctx context.Context, c *commands.Call) error {
	most, err := c.Int('n', 1000)
	if err != nil {
		return err
	}
	g, err := graphOf(ctx, c)
	if err != nil {
		return err
	}
	roots := g.AllRoots()
	if c.Flag('k') {
		roots = slices.DeleteFunc(slices.Clone(roots), func(r graph.Root) bool { return r.Kind != c.Str('k') })
	}
	if !c.Flag('l') {
		return sumRoots(c, roots)
	}
	roots = slices.Clone(roots)
	retained := func(r *graph.Root) uint64 {
		id, _ := g.ID(r.Target)
		return g.Tree().Retained(id)
	}
	slices.SortStableFunc(roots, func(a, b graph.Root) int { return -cmp.Compare(retained(&a), retained(&b)) })
	if most > 0 {
		roots = roots[:min(most, len(roots))]
	}
	var slots []core.Addr
	for i := range roots {
		if roots[i].Kind == ownedKind {
			slots = append(slots, roots[i].Place)
		}
	}
	held := c.Session.HoldersOf(ctx, slots)
	for i := range roots {
		id, _ := g.ID(roots[i].Target)
		x := rootOf(ctx, c, &roots[i])
		if h, ok := held[x.At]; ok && x.Kind == ownedKind {
			x.Owner = h.String()
		}
		r := &rootRecord{root: *x, Target: g.Source().Shown(g.Addr(id)),
			Class: g.Type(id).Class, Retained: g.Tree().Retained(id)}
		r.text = fmt.Sprintf("%16x %12d %s, by %s", uint64(r.Target), r.Retained, nameOf(g, id), x.text())
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	return nil
}

// sumRoots counts the roots of each kind.
func sumRoots(c *commands.Call, roots []graph.Root) error {
	var rows []*rootsRecord
	last := map[*rootsRecord]core.Addr{}
	for i := range roots {
		r := &roots[i]
		k := slices.IndexFunc(rows, func(x *rootsRecord) bool {
			return x.Kind == r.Kind &&
				x.Strength == r.Strength.String()
		})
		if k < 0 {
			k = len(rows)
			rows = append(rows, &rootsRecord{Kind: r.Kind, Strength: r.Strength.String()})
		}
		rows[k].Count++
		if last[rows[k]] != r.Target { // they are in order of it
			rows[k].Objects++
			last[rows[k]] = r.Target
		}
	}
	slices.SortFunc(rows, func(a, b *rootsRecord) int {
		return cmp.Or(cmp.Compare(a.Strength, b.Strength), -cmp.Compare(a.Objects, b.Objects),
			cmp.Compare(a.Kind, b.Kind))
	})
	return commands.EmitAll(c, rows)
}
