package heap

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"coredbg/core"
	"coredbg/runtimes/art/frame"
	"coredbg/runtimes/art/layout"
	"coredbg/runtimes/art/object"
)

// A Walker goes through the Java heap. It is safe for concurrent use.
type Walker struct {
	*frame.Decoder
	heap      func() (*Heap, error)
	classesMu sync.Mutex
	classes   []*object.Class // see Classes; nil before
}

// NewWalker returns the walker of a process' heap.
func NewWalker(d *frame.Decoder) *Walker {
	w := &Walker{Decoder: d}
	w.heap = sync.OnceValues(w.readHeap)
	return w
}

// A Heap is the gc::Heap of the runtime.
//
// Each kind of space has its own rule for finding objects, as in Heap::VisitObjects
// (runtime/gc/heap-visit-objects-inl.h): regions and blocks of bump-pointer spaces are walked from object to
// object and end at their top or where no class is, the rest of a thread's allocation buffer; a region that was
// collected in place goes by the live bitmap; malloc spaces go by their live bitmap and by the stacks of
// objects that were allocated since; large objects are listed by their space. Objects that a collection under
// way has moved are left out: their copies stand for them.
type Heap struct {
	Addr   core.Addr
	Spaces []*Space

	w       *Walker
	stacks  []core.Addr
	stackBy error
}

// Heap returns the runtime's heap. Problems of single spaces are theirs.
func (w *Walker) Heap() (*Heap, error) { return w.heap() }

func (w *Walker) readHeap() (*Heap, error) {
	if w.Runtime == 0 {
		return nil, layout.ErrNoRuntime
	}
	at, ok := w.Pointer(w.Runtime.Add(int64(w.Layout.Runtime.Heap)))
	if !ok || at == 0 {
		return nil, fmt.Errorf("art: Runtime %v: heap_ cannot be read", w.Runtime)
	}
	spaces, err := w.readSpaces(at)
	if len(spaces) == 0 && err != nil {
		return nil, err
	}
	h := &Heap{Addr: at, Spaces: spaces, w: w}
	h.stacks, h.stackBy = w.allocationStacks(at)
	return h, nil
}

// Space returns the space that holds an address; nil if no space does.
func (h *Heap) Space(at core.Addr) *Space {
	for _, s := range h.Spaces {
		if s.Contains(at) {
			return s
		}
	}
	return nil
}

// A Visit is called for each object, with its size in bytes. It returns false to stop the walk.
type Visit func(o object.Object, size uint64) bool

// A BadObject is a place where an object should be and is not.
type BadObject struct {
	Addr core.Addr
	// Prev is the object before it; 0 if it is the first.
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

// Walk visits all objects of the given spaces, or of all spaces by default, in the order of the spaces and of
// addresses.
func (h *Heap) Walk(ctx context.Context, visit Visit, spaces ...*Space) (*Walked, error) {
	if len(spaces) == 0 {
		spaces = h.Spaces
	}
	w := h.newWalk(ctx, visit)
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
func (h *Heap) Find(at core.Addr) (object.Object, bool) {
	s := h.Space(at)
	if s == nil {
		return object.Object{}, false
	}
	var found object.Object
	w := h.newWalk(context.Background(), func(o object.Object, size uint64) bool {
		if o.Addr <= at && uint64(at-o.Addr) < size {
			found = o
		}
		return o.Addr <= at && found.Addr == 0
	})
	w.around(s, at)
	return found, found.Addr != 0
}

// stackIn returns the entries of the allocation stacks from lo up to hi.
func (h *Heap) stackIn(lo, hi core.Addr) []core.Addr {
	i, _ := slices.BinarySearch(h.stacks, lo)
	j, _ := slices.BinarySearch(h.stacks, hi)
	return h.stacks[i:j]
}

// A Count is one line of a histogram of the heap.
type Count struct {
	Class   *object.Class
	Objects int
	Bytes   uint64
	// First is the object of the lowest address in the first space with one.
	First core.Addr
}

// Histogram counts objects by class, sorted by bytes, the most first.
func (h *Heap) Histogram(ctx context.Context, spaces ...*Space) ([]Count, *Walked, error) {
	rows := map[core.Addr]*Count{}
	var last *Count
	w, err := h.Walk(ctx, func(o object.Object, size uint64) bool {
		if last == nil || last.Class != o.Class {
			if last = rows[o.Class.Addr]; last == nil {
				last = &Count{Class: o.Class, First: o.Addr}
				rows[o.Class.Addr] = last
			}
		}
		last.Objects++
		last.Bytes += size
		return true
	}, spaces...)
	out := make([]Count, 0, len(rows))
	for _, r := range rows {
		out = append(out, *r)
	}
	slices.SortFunc(out, func(x, y Count) int {
		return cmp.Or(-cmp.Compare(x.Bytes, y.Bytes), cmp.Compare(x.Class.Name, y.Class.Name),
			cmp.Compare(x.Class.Addr, y.Class.Addr))
	})
	return out, w, err
}
