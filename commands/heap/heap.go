// Package heap has the commands over the heap of any runtime as a graph: who holds the memory, the paths that
// keep an object alive, and how much would be freed with it.
package heap

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
	graph "coredbg/runtimes/heap"
	native "coredbg/runtimes/malloc/graph"
	"coredbg/runtimes/malloc/managed"
)

const module = "heap"

// Commands returns the table of commands.
func Commands() []commands.Command {
	all := slices.Concat(classCommands, objectCommands, rootCommands, leakCommands, queryCommands, findCommands,
		diffCommands, exportCommands)
	for i := range all {
		if slices.Contains(ofNative, all[i].Name) {
			all[i].Options = append(slices.Clone(all[i].Options), nativeOption)
		}
	}
	return all
}

// ofNative are the commands that know the heap of C, too.
var ofNative = []string{"heapstat", "heapdiff", "heapprof", "heapmap", "leaks", "retained", "dominators", "refs",
	"refby", "gcroot", "roots"}

// errNoHeap says that nothing in the process has a heap that is known.
var errNoHeap = core.Unknown(errors.New("the process has no runtime whose heap is known"))

// nativeOption has a command look at the heap of C.
var nativeOption = commands.Option{Letter: 'C', Help: "of the heap of C, if the process has a managed heap, too"}

// approximate says how far the heap of C is to be trusted.
const approximate = "the heap of C is approximate: any word that looks like a pointer counts as one"

// grapherOf returns the heap of a session: a managed one, or the heap of C if there is none or native asks for it.
func grapherOf(ctx context.Context, s *commands.Session, native bool) (r runtimes.Grapher, managed bool, err error) {
	if r, ok := commands.RuntimeOf[runtimes.Grapher](s); ok && !native {
		return r, true, nil
	}
	if u, ok := commands.RuntimeOf[runtimes.Undecoded](s); ok && !native {
		return nil, false, core.Unknown(u)
	}
	r, err = s.Native().Heap(ctx)
	if err != nil && !native {
		err = errNoHeap
	}
	return r, false, err
}

// graphOf returns the graph of the process, and says once what it lacks.
func graphOf(ctx context.Context, c *commands.Call) (*graph.Graph, error) {
	r, managed, err := grapherOf(ctx, c.Session, c.Flag('C'))
	if err != nil {
		return nil, err
	}
	g, err := r.Graph(ctx)
	if err != nil {
		return nil, err
	}
	if !managed && c.First {
		c.Warn(approximate)
	}
	if d := g.Damage(); d != nil && c.First {
		warnDamage(c, d)
	}
	return g, nil
}

// lacking returns why the process has no runtime that does what is asked for: the one of
// that name, or any for "", is there and cannot be decoded, or else none.
func lacking(s *commands.Session, name string, none error) error {
	if u, ok := commands.RuntimeOf[runtimes.Undecoded](s); ok && (name == "" || u.Name() == name) {
		return core.Unknown(u)
	}
	return none
}

// maxNotes is how many notes about damage are shown.
const maxNotes = 4

// warnDamage warns about the unknown part of the heap: all figures may be wrong by its contents.
func warnDamage(c *commands.Call, d *graph.Damage) {
	for _, n := range d.Notes[:min(len(d.Notes), maxNotes)] {
		c.Warn("%s", n)
	}
	if more := len(d.Notes) - maxNotes; more > 0 {
		c.Warn("and %d more like these", more)
	}
	if d.Doubtful > 0 {
		c.Warn("%s may count twice, as copies that were just being made", out.Count(d.Doubtful, "object"))
	}
	if d.Cut != "" {
		c.Session.Warn(core.Unknown(fmt.Errorf("%s; what comes after that is not in these figures", d.Cut)))
		return
	}
	if lost := d.Missing + d.Skipped; lost > 0 && d.Total > 0 {
		c.Session.Warn(core.Unknown(fmt.Errorf("%d of %d bytes of the heap (%.2f%%) could not be read or told apart: these objects, and the objects they keep alive, are not in these figures",
			lost, d.Total, 100*float64(lost)/float64(d.Total))))
	}
}

// objectOf returns the graph of the process, and the object at the address of a call. A block of the heap of
// C that no managed heap has is one, too.
func objectOf(ctx context.Context, c *commands.Call) (*graph.Graph, graph.ID, error) {
	g, err := graphOf(ctx, c)
	if err != nil {
		return nil, graph.None, err
	}
	id, err := objectAt(c, g)
	if _, native := g.Source().(graph.Manual); err != nil && !native {
		r, _, failed := grapherOf(ctx, c.Session, true)
		h, opened := c.Session.Native().Malloc(ctx)
		if failed != nil || opened != nil {
			return g, id, err
		}
		if _, is := h.At(ctx, c.Dot); !is {
			return g, id, err
		}
		if g, failed = r.Graph(ctx); failed != nil {
			return nil, graph.None, failed
		}
		c.Warn(approximate)
		id, err = objectAt(c, g)
	}
	return g, id, err
}

// objectAt returns the object at the address of a call: the one that begins there, or the one that contains it.
func objectAt(c *commands.Call, g *graph.Graph) (graph.ID, error) {
	at := g.Source().Start(c.Dot)
	if id, ok := g.ID(at); ok {
		return id, nil
	}
	if id, ok := g.Enclosing(at); ok {
		return id, nil
	}
	return graph.None, fmt.Errorf("no object of a heap is at %v", c.Dot)
}

// share returns a part of all that is reachable.
func share(g *graph.Graph, bytes uint64) float64 {
	if t := g.Tree().Total(); t > 0 {
		return float64(bytes) / float64(t)
	}
	return 0
}

// A root is a place outside the heap, in records.
type root struct {
	Kind     string    `json:"kind"`
	Strength string    `json:"strength"` // certain | traced | stack word | loose
	Name     string    `json:"name,omitempty"`
	At       core.Addr `json:"addr,omitzero"` // 0 for a register
	TID      int       `json:"tid,omitempty"`
	Frame    string    `json:"frame,omitempty"` // the function whose frame the word is in
	Owner    string    `json:"owner,omitempty"` // the object of C++ that has the handle, or the class of several
	// handles that objects of that class have, and that hold objects of one class
	Handles int    `json:"handles,omitempty"`
	Class   string `json:"class,omitempty"`   // of the managed object that has the block
	HeldBy  string `json:"held_by,omitempty"` // what holds that object
}

func rootOf(ctx context.Context, c *commands.Call, r *graph.Root) *root {
	x := &root{Kind: r.Kind, Strength: r.Strength.String(), Name: r.Name, At: r.Place}
	if of, ok := strings.CutPrefix(r.Kind, native.WordKind); ok && r.Name == "" {
		for _, r := range c.Session.Found() {
			if id, ok := r.(runtimes.Identifier); ok && r.Name() == of {
				x.Name, _ = id.WhatIs(x.At)
			}
		}
	}
	if r.Thread != nil {
		if x.TID = r.Thread.TID; r.Thread.Task != nil {
			x.Owner = r.Thread.String()
		}
		if r.Name == "" {
			x.Frame = c.Session.FunctionAt(ctx, r.Thread, r.Place)
		}
	}
	return x
}

// ownedKind are the roots that objects of C++ have.
const ownedKind = "global handle"

// owned adds the object of C++ that has a global handle, which takes a look at all memory.
func (x *root) owned(ctx context.Context, c *commands.Call) *root {
	if x.Kind == ownedKind {
		if h, ok := c.Session.HoldersOf(ctx, []core.Addr{x.At})[x.At]; ok {
			x.Owner = h.String()
		}
	}
	return x
}

// ownedAll is owned for a root of one of several objects that are held by a handle each. class is the type of
// the objects. It counts the handles whose owners have the same class and module as the owner of x.
func (x *root) ownedAll(ctx context.Context, c *commands.Call, g *graph.Graph, class *graph.Type) *root {
	if x.Kind != ownedKind {
		return x
	}
	slots := []core.Addr{x.At}
	for _, r := range g.AllRoots() {
		if id, ok := g.ID(r.Target); ok && r.Kind == ownedKind && r.Place != x.At && g.Type(id) == class {
			slots = append(slots, r.Place)
		}
	}
	held := c.Session.HoldersOf(ctx, slots)
	own, ok := held[x.At]
	if !ok {
		return x
	}
	n := 0
	for _, h := range held {
		if h.Class == own.Class && h.File == own.File {
			n++
		}
	}
	if x.Owner = own.String(); n > 1 {
		x.Owner, x.Handles = fmt.Sprintf("%s × %d%s", own.Class, n, own.From()), n
	}
	return x
}

// onStack are the kinds of roots that are words of a stack or registers, by the names of
// all runtimes.
var onStack = []string{"stack", "stack word", "frame", "register"}

// text says what kind of root it is.
func (x *root) text() string {
	s := "a " + x.Kind
	if x.Kind != "" && strings.ContainsAny(x.Kind[:1], "aeiou") {
		s = "the " + x.Kind
	}
	if of, ok := strings.CutPrefix(x.Kind, managed.RootKind); ok && x.Class != "" {
		s = x.Class + " of " + of
	}
	switch {
	case x.Handles > 1:
		return out.Clean(x.Owner, false)
	case x.TID != 0 && x.Kind == "thread":
		s = fmt.Sprintf("thread %d", x.TID)
	case x.TID != 0 && !slices.Contains(onStack, x.Kind):
		s += fmt.Sprintf(" of thread %d", x.TID) // a table that the thread has
	case x.TID != 0 && x.At == 0 && x.Kind != "frame":
		s = fmt.Sprintf("a register of thread %d", x.TID)
	case x.TID != 0 && x.Name != "":
		return out.Clean(fmt.Sprintf("%s, on the stack of thread %d", x.Name, x.TID), false)
	case x.TID != 0:
		s = fmt.Sprintf("the stack of thread %d, at %x", x.TID, uint64(x.At))
	case x.At != 0:
		s += fmt.Sprintf(" at %x", uint64(x.At))
	}
	if x.Owner != "" {
		s += ", of " + x.Owner
	}
	if x.Name != "" {
		s += ", " + x.Name
	}
	if x.Frame != "" {
		s += ", in " + x.Frame
	}
	if x.HeldBy != "" {
		s += ", held by " + x.HeldBy
	}
	switch x.Strength {
	case graph.Certain.String():
	case graph.Traced.String():
		s += ", of an object outside the heap that may be dead"
	default:
		s += ", which may be left over"
	}
	return out.Clean(s, false)
}
