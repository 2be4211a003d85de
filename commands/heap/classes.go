package heap

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	graph "coredbg/runtimes/heap"
)

var classCommands = []commands.Command{{
	Name: "heapstat", Module: module, Addr: commands.AddrNone,
	Options: []commands.Option{
		{Letter: 'r', Help: "show what each class retains, and sort by it"},
		{Letter: 'n', Arg: "count", Help: "show this many classes (default 30; 0 for all)"},
		{Letter: 'a', Help: "count what is not reachable, too"},
		{Letter: 'f', Help: "fold the objects of the engine's own into one row"},
	},
	Summary: "count the objects of a managed heap by class",
	Detail: `Reachable objects are counted by class, a JavaScript class with the
place of its constructor. SHALLOW is their bytes in the heap, EXTERNAL what they own
outside of it, such as the bytes of buffers. With -r RETAINED is what would go with all
objects of a class together: their own bytes and the bytes of all objects that nothing else keeps,
external ones included. It is the class as a set, so that nothing counts twice, and
exact; rows of different classes overlap. SHARE is the share of all reachable bytes.

Classes in parentheses are the engine's own. The prototype of a class counts as one of
its objects, as in V8's own snapshots. An object that is only referred to by words of memory that may
be left over from earlier does not count as reachable. If a tenth of the heap or more, and a
megabyte, is not reachable, the last line says so, with its largest classes.

In a process without a managed heap, or with -C, the objects are the blocks of the heap of C by class, as
::cxxobjects -a has them. Any word that looks like a pointer counts as one there: what is retained is approximate. If several allocators or
runtimes have such blocks, as Go with C has, HEAP is the one of a row's blocks, and the last lines have the sums of each heap.`,
	Example:   "::heapstat -r -n 10",
	SeeAlso:   []string{"gcroot", "dominators", "findjsobjects", "javaheap"},
	EmptyText: "no object is reachable",
	Run:       runHeapstat,
}}

// classRecord is a row of ::heapstat.
type classRecord struct {
	_     out.Record `record:"heapclass" cols:"First Objects Shallow External Retained share Heap name"`
	Class string     `json:"class"`
	// of several that the process has
	Heap string `json:"heap,omitempty" col:"HEAP,10,if=several"`
	// file and line that define it
	Place string `json:"place,omitempty"`
	// one of the objects
	First    core.Addr `json:"addr,omitzero" col:"FIRST,16/12,right,%x,zero=-" ink:"addr" dot:"nonzero"`
	Objects  int       `json:"objects" col:"OBJECTS,10/8,right"`
	Shallow  uint64    `json:"shallow" col:"SHALLOW,12/10,right"`
	External uint64    `json:"external,omitempty" col:"EXTERNAL,11/9,right"`
	Retained uint64    `json:"retained,omitempty" col:"RETAINED,12/10,right,if=all,zero=-"` // of the class as a set
	// Retained of all reachable bytes
	Share    float64 `json:"share,omitempty"`
	Internal bool    `json:"internal,omitempty"` // of the engine's own

	all     bool
	several bool
	share   float64 `col:"SHARE,6,right,%.1f%%,if=all,zero=-"`
	name    string  `col:"CLASS" ink:"symbol"`
}

func runHeapstat(ctx context.Context, c *commands.Call) error {
	most, err := c.Int('n', 30)
	if err != nil {
		return err
	}
	g, err := graphOf(ctx, c)
	if err != nil {
		return err
	}
	keep := func(id graph.ID) bool { return c.Flag('a') || g.Reachable(id, graph.Stacked) }
	rows, err := sums(ctx, c, g, most, keep)
	if err != nil {
		return err
	}
	for i := range rows {
		if err := c.Emit(newClass(g, &rows[i], c.Flag('r'))); err != nil {
			return err
		}
	}
	if len(rows) > 0 && rows[0].Heap != "" {
		if err := emitHeaps(ctx, c, g, keep); err != nil {
			return err
		}
	}
	if c.Flag('a') {
		return nil
	}
	return emitUnreachable(ctx, c, g)
}

// A heapSum is the objects of one of several heaps.
type heapSum struct {
	_       out.Record `record:"heapsum"`
	Heap    string     `json:"heap"`
	Objects int        `json:"objects"`
	Shallow uint64     `json:"shallow"`
}

// String is the line for people.
func (r *heapSum) String() string {
	return fmt.Sprintf("%s: %d objects of %d bytes", r.Heap, r.Objects, r.Shallow)
}

// emitHeaps emits the sums of each heap, if there are several.
func emitHeaps(ctx context.Context, c *commands.Call, g *graph.Graph, keep func(graph.ID) bool) error {
	all, err := g.Counts(ctx, keep)
	if err != nil {
		return err
	}
	sums := map[string]*heapSum{}
	for i := range all {
		x := &all[i]
		if x.Heap == "" {
			continue
		}
		if sums[x.Heap] == nil {
			sums[x.Heap] = &heapSum{Heap: x.Heap}
		}
		sums[x.Heap].Objects += x.Objects
		sums[x.Heap].Shallow += x.Shallow
	}
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		if err := c.Emit(sums[name]); err != nil {
			return err
		}
	}
	return nil
}

// sums returns the classes that a call asks for, in order.
func sums(ctx context.Context, c *commands.Call, g *graph.Graph, most int,
	keep func(graph.ID) bool) (rows []graph.Class, err error) {
	wanted := keep
	if c.Flag('f') {
		wanted = func(id graph.ID) bool { return !g.Type(id).Internal && keep(id) }
	}
	if c.Flag('r') {
		rows, err = g.Classes(ctx, most, wanted)
	} else {
		rows, err = g.Counts(ctx, wanted)
	}
	if c.Flag('f') && err == nil {
		rows, err = addEngine(ctx, g, rows, keep, c.Flag('r'))
	}
	if most > 0 {
		rows = rows[:min(most, len(rows))]
	}
	return rows, err
}

// addEngine adds up the engine's own classes in one row. The row comes after the classes that have more bytes
// themselves, or first, because its retained size is unknown.
func addEngine(ctx context.Context, g *graph.Graph, rows []graph.Class, keep func(graph.ID) bool,
	first bool) ([]graph.Class, error) {
	all, err := g.Counts(ctx, func(id graph.ID) bool { return g.Type(id).Internal && keep(id) })
	if err != nil || len(all) == 0 {
		return rows, err
	}
	sum := graph.Class{Type: graph.Type{Class: "(engine's own)", Internal: true}, First: all[0].First}
	for _, r := range all {
		sum.Objects, sum.Shallow, sum.External = sum.Objects+r.Objects, sum.Shallow+r.Shallow, sum.External+r.External
	}
	at := 0
	for !first && at < len(rows) && rows[at].Shallow >= sum.Shallow {
		at++
	}
	return slices.Insert(rows, at, sum), nil
}

func newClass(g *graph.Graph, x *graph.Class, retained bool) *classRecord {
	r := &classRecord{Class: x.Class, Heap: x.Heap, several: x.Heap != "", Place: x.Place.String(),
		First: g.Source().Shown(x.First), Objects: x.Objects, Shallow: x.Shallow, External: x.External,
		Internal: x.Internal, all: retained, name: out.Clean(x.Class, false)}
	if x.Place.Known() {
		r.name += " (" + out.Clean(x.Place.String(), false) + ")"
	}
	if retained {
		r.Retained, r.Share = x.Retained, share(g, x.Retained)
		r.share = 100 * r.Share
	}
	return r
}
