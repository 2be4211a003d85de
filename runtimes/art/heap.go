package art

import (
	"context"
	"fmt"
	"slices"

	"coredbg/core"
)

// A Heap is the gc::Heap of the runtime.
//
// What is an object depends on the space, as Heap::VisitObjects has it
// (runtime/gc/heap-visit-objects-inl.h): regions and blocks of bump-pointer
// spaces are walked from object to object and end at their top or where no
// class is, the rest of a thread's allocation buffer; a region that was
// collected in place goes by the live bitmap; malloc spaces go by their live
// bitmap and by the stacks of objects that were allocated since; large objects
// are listed by their space. Objects that a collection under way has moved are
// left out: their copies stand for them.
type Heap struct {
	Addr   core.Addr
	Spaces []*Space

	art     *ART
	stacks  []core.Addr
	stackBy error
}

// Heap returns the runtime's heap. Problems of single spaces are theirs.
func (a *ART) Heap() (*Heap, error) {
	m := a.mirror
	m.heapOnce.Do(func() { m.heap, m.heapErr = a.readHeap() })
	return m.heap, m.heapErr
}

func (a *ART) readHeap() (*Heap, error) {
	if a.fit.runtime == 0 {
		return nil, errNoRuntime
	}
	at, ok := a.pointer(a.fit.runtime.Add(int64(a.layout.Runtime.Heap)))
	if !ok || at == 0 {
		return nil, fmt.Errorf("art: Runtime %v: heap_ cannot be read", a.fit.runtime)
	}
	spaces, err := a.readSpaces(at)
	if len(spaces) == 0 && err != nil {
		return nil, err
	}
	h := &Heap{Addr: at, Spaces: spaces, art: a}
	h.stacks, h.stackBy = a.allocationStacks(at)
	return h, nil
}

// Space returns the space that holds an address; nil if none does.
func (h *Heap) Space(at core.Addr) *Space {
	for _, s := range h.Spaces {
		if s.Contains(at) {
			return s
		}
	}
	return nil
}

// A Visit is called for each object, with its size in bytes. What it returns says
// whether to go on.
type Visit func(o Object, size uint64) bool

// A BadObject is a place where an object should be and is none.
type BadObject struct {
	Addr core.Addr
	// Prev is the object in front of it; 0 if it is the first.
	Prev   core.Addr
	Reason string
}

// A Walked is what a walk met besides objects.
type Walked struct {
	Bad []BadObject
	// Moved counts objects that a collection under way had moved already.
	Moved int
	// Problems says what could not be walked, and why.
	Problems []string
}

// maxBad is how many bad objects a walk keeps.
const maxBad = 1000

// Walk visits all objects of the spaces given, or of all if none is, in the
// order of the spaces and of addresses.
func (h *Heap) Walk(ctx context.Context, visit Visit, spaces ...*Space) (*Walked, error) {
	if len(spaces) == 0 {
		spaces = h.Spaces
	}
	w := &heapWalk{h: h, a: h.art, ctx: ctx, visit: visit, classes: map[uint32]*Class{}}
	for _, s := range spaces {
		w.space(s)
		if w.done || ctx.Err() != nil {
			break
		}
	}
	return &w.Walked, ctx.Err()
}

// Find returns the object that holds an address: the one that begins at it or
// the one that it lies inside.
func (h *Heap) Find(at core.Addr) (Object, bool) {
	s := h.Space(at)
	if s == nil {
		return Object{}, false
	}
	var found Object
	w := &heapWalk{h: h, a: h.art, ctx: context.Background(), classes: map[uint32]*Class{}}
	w.visit = func(o Object, size uint64) bool {
		if o.Addr <= at && uint64(at-o.Addr) < size {
			found = o
		}
		return o.Addr <= at && found.Addr == 0
	}
	w.around(s, at)
	return found, found.Addr != 0
}

// stackIn returns the entries of the allocation stacks from lo up to hi.
func (h *Heap) stackIn(lo, hi core.Addr) []core.Addr {
	i, _ := slices.BinarySearch(h.stacks, lo)
	j, _ := slices.BinarySearch(h.stacks, hi)
	return h.stacks[i:j]
}
