package heap

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/runtimes"
	graph "coredbg/runtimes/heap"
)

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

	of *graph.Root
}

func rootOf(ctx context.Context, c *commands.Call, r *graph.Root) *root {
	x := &root{Kind: r.Kind, Strength: r.Strength.String(), Name: r.Name, At: r.Place, of: r}
	if r.Heap != "" && r.Name == "" {
		for _, of := range c.Session.Found() {
			if id, ok := of.(runtimes.Identifier); ok && of.Name() == r.Heap {
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
	if x.of.Object != "" && x.Class != "" {
		s = x.Class + " of " + x.of.Object
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
