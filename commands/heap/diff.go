package heap

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
	graph "coredbg/runtimes/heap"
)

var diffCommands = []commands.Command{{
	Name: "heapdiff", Module: module, Addr: commands.AddrNone,
	Options: []commands.Option{
		{Letter: 'r', Help: "compare what each class retains, too"},
		{Letter: 'n', Arg: "count", Help: "show this many classes (default 30; 0 for all)"},
	},
	Args:    "old-core",
	Summary: "show which objects grew since an older core of the same program",
	Detail: `Opens another core, bundle, heap snapshot or hprof, and compares the reachable objects of
both by class and the place of its constructor: what grew most by its own bytes, those
outside the heap included, comes first, and unchanged classes are left out. A class that
::leaks names as a place where memory accumulates is marked, with its holder.
Compare two of a kind: a snapshot names V8's own objects otherwise than coredbg does in a core,
and counts differently, which a warning says.

The address belongs to an object in the newer core.`,
	Example:   "::heapdiff yesterday.core",
	SeeAlso:   []string{"heapstat", "leaks"},
	EmptyText: "no class differs",
	Run:       runHeapdiff,
}}

// diffRecord is how a class changed.
type diffRecord struct {
	_     out.Record `record:"heapdiff" cols:"First grown Grew Objects Shallow kept name"`
	Class string     `json:"class"`
	// file and line that define it
	Place string `json:"place,omitempty"`
	// one of the objects in the newer core
	First       core.Addr `json:"addr,omitzero" col:"FIRST,16/12,right,%x,zero=-" ink:"addr" dot:"nonzero"`
	Objects     int       `json:"objects" col:"OBJECTS,10/8,right"`
	ObjectsGrew int       `json:"objects_grew"`
	Shallow     uint64    `json:"shallow" col:"BYTES,12/10,right"` // with those outside the heap
	Grew        int64     `json:"grew" col:"GREW,12/11,right,%+d"` // in bytes
	Retained    uint64    `json:"retained,omitempty"`
	KeptMore    int64     `json:"retained_grew,omitempty"`
	Suspect     bool      `json:"suspect,omitempty"` // ::leaks names it in the newer core
	Owners      []owner   `json:"owners,omitempty"`  // what holds a suspect, as ::leaks says

	all   bool
	grown int    `col:"OBJECTS GREW,13,right,%+d"`
	kept  int64  `col:"RETAINED GREW,14,right,%+d,if=all"`
	name  string `col:"CLASS" ink:"symbol"`
}

func runHeapdiff(ctx context.Context, c *commands.Call) error {
	most, err := c.Int('n', 30)
	if err != nil {
		return err
	}
	if len(c.Args) != 1 {
		return c.Usage("one older core is compared with this one")
	}
	g, err := graphOf(ctx, c)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Session.Process.Path, err)
	}
	path := c.Text(c.Args[0])
	if c.Session.Other == nil {
		return errors.New("no other core can be opened here")
	}
	old, err := c.Session.Other(path)
	if err != nil {
		return err
	}
	defer old.Close()
	r, _, err := grapherOf(ctx, old, c.Flag('C'))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if was, is := kindOf(old), kindOf(c.Session); was != is {
		c.Warn("%s is %s, this is %s: these name and count V8's own objects differently; compare two of a kind", path,
			was, is)
	}
	before, err := r.Graph(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if d := before.Damage(); d != nil && d.Missing+d.Skipped > 0 {
		c.Session.Warn(core.Unknown(fmt.Errorf("%s is not whole: %d of %d bytes of its heap could not be read, and their objects seem to have grown", path, d.Missing+d.Skipped, d.Total)))
	}
	return emitDiff(ctx, c, before, g, most)
}

// kindOf says what the heap of a session is read from. A heap dump has the objects that a core
// has, by the same names.
func kindOf(s *commands.Session) string {
	r, _ := commands.RuntimeOf[runtimes.Grapher](s)
	if n, ok := r.(runtimes.Runtime); ok && n.Name() == "heapsnapshot" {
		return "a heap snapshot"
	}
	return "a core"
}

func emitDiff(ctx context.Context, c *commands.Call, before, after *graph.Graph, most int) error {
	sums := func(g *graph.Graph) ([]graph.Class, error) {
		keep := func(id graph.ID) bool { return g.Reachable(id, graph.Stacked) }
		if c.Flag('r') {
			return g.Classes(ctx, 0, keep)
		}
		return g.Counts(ctx, keep)
	}
	old, err := sums(before)
	if err != nil {
		return err
	}
	now, err := sums(after)
	if err != nil {
		return err
	}
	list, err := suspectsOf(ctx, c.Session, after)
	if list == nil && err != nil {
		return err
	}
	suspects := map[graph.Type]*graph.Suspect{}
	for i := range list {
		if s := &list[i]; suspects[s.Class] == nil { // the strongest comes first
			suspects[s.Class] = s
		}
	}
	budget := graph.NewBudget(ownerSearches)
	changes := graph.Diff(old, now)
	if most > 0 {
		changes = changes[:min(most, len(changes))]
	}
	for i := range changes {
		r := newDiff(after, &changes[i], c.Flag('r'))
		if s := suspects[changes[i].Type]; s != nil {
			r.Suspect, r.Owners = true, ownersOf(ctx, after, s, budget)
			r.name += " [suspect: ::leaks" + strings.Replace(ownersText(r.Owners), ",", ";", 1) + "]"
		}
		if err := c.Emit(r); err != nil {
			return err
		}
	}
	return nil
}

func newDiff(g *graph.Graph, x *graph.Change, retained bool) *diffRecord {
	r := &diffRecord{Class: x.Class, Place: x.Place.String(), Objects: x.New.Objects,
		ObjectsGrew: x.New.Objects - x.Old.Objects,
		Shallow:     x.New.Shallow + x.New.External, Grew: x.Grew(), all: retained, name: out.Clean(x.Class, false)}
	if x.New.Objects > 0 {
		r.First = g.Source().Shown(x.New.First)
	}
	if x.Place.Known() {
		r.name += " (" + out.Clean(x.Place.String(), false) + ")"
	}
	if retained {
		r.Retained, r.KeptMore = x.New.Retained, int64(x.New.Retained)-int64(x.Old.Retained)
	}
	r.grown, r.kept = r.ObjectsGrew, r.KeptMore
	return r
}
