package heap

import (
	"context"
	"errors"
	"math/bits"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// What the collector would keep is found as it does: from roots along references.
// Roots are global handles (handles/global-handles.cc), the roots that the isolate has
// itself, handle scopes (handles/handles.h), and the words of stacks and registers. A
// word that is left over on a stack keeps alive what has died: stacks come last, so
// that what is held otherwise too is said to be so.
//
// Last come all other words of writable memory outside the heaps, where C++ may keep
// handles that no rule names. Most are left over, or belong to the table of strings,
// which keeps none of them alive: what only they lead to is told apart.

// A RootKind says what kind of place keeps an object alive.
type RootKind string

// The kinds of roots, in the order in which they are looked at.
const (
	RootHandle  RootKind = "global handle"
	RootIsolate RootKind = "isolate" // its table of roots, or another member
	RootScope   RootKind = "handle scope"
	RootStack   RootKind = "stack"
	RootMemory  RootKind = "memory" // of C++, which may be left over
)

// A Root is a place outside the heaps that refers to an object.
type Root struct {
	Kind   RootKind
	Place  core.Addr
	Thread *core.Thread // whose stack it is
	Target layout.Tagged
}

// A Reach says which objects are reachable, and how. It does not change once it is
// made.
type Reach struct {
	h     *Heap
	pages []reachPage
	chunk map[core.Addr]int32 // page index by address / ChunkSize
	roots []Root
	// parent holds for each object, by its ordinal, what it was reached from: an
	// ordinal, or from the end of the numbers the index of a root; none if it was not.
	parent []uint32
	loose  []uint64 // a bit for each object, set if only RootMemory leads to it
	total  int      // of reachable objects, those left out
}

// A reachPage is a page with a bit for each word, set where an object begins.
type reachPage struct {
	start  core.Addr
	data   []byte // from start on; of large pages the one object
	starts []uint64
	before []uint32 // how many objects begin before each word of starts
	first  int      // ordinal of the first object
	large  bool
}

const (
	unreached = ^uint32(0)
	firstRoot = 0xe0000000 // parents from here on are roots, counted from here
	maxRoots  = 0x10000000
)

// errTooMany is returned where a heap has more objects than can be counted.
var errTooMany = errors.New("v8: too many objects to follow references")

// Reach follows all references from the roots, once; later calls return the same.
// The error is that of ctx.
func (h *Heap) Reach(ctx context.Context) (*Reach, error) {
	h.reachMu.Lock()
	defer h.reachMu.Unlock()
	if h.reach != nil {
		return h.reach, nil
	}
	r := &Reach{h: h, chunk: map[core.Addr]int32{}}
	if err := r.index(ctx); err != nil {
		return nil, err
	}
	if err := r.mark(ctx); err != nil {
		return nil, err
	}
	h.reach = r
	return r, nil
}

// index notes where objects begin.
func (r *Reach) index(ctx context.Context) error {
	h := r.h
	r.pages = make([]reachPage, len(h.Pages))
	begin := func() *pageWalker { return NewPageWalker(h.v.Reader, h.Maps, h.Gaps) }
	err := eachPage(ctx, len(h.Pages), begin, func(w *pageWalker, i int) {
		p, q := &h.Pages[i], &r.pages[i]
		if p.FromSpace {
			return
		}
		q.start, q.large = p.AreaStart, p.Large
		n := int(p.AreaEnd - p.AreaStart)
		q.data, _ = h.v.Space.Slice(p.AreaStart, n)
		if p.Large {
			n = 8
		}
		q.starts = make([]uint64, (n/8+63)/64)
		w.Stopped = false
		w.visit = func(a core.Addr, _ *MapInfo, _ int, _ []byte) {
			k := int(a-q.start) / 8
			q.starts[k/64] |= 1 << (k % 64)
		}
		w.Walk(p)
	})
	if err != nil {
		return err
	}
	n := 0
	for i := range r.pages {
		q := &r.pages[i]
		q.first, q.before = n, make([]uint32, len(q.starts))
		for k, w := range q.starts {
			q.before[k] = uint32(n - q.first)
			n += bits.OnesCount64(w)
		}
		if q.starts != nil {
			r.chunk[q.start/layout.ChunkSize] = int32(i)
		}
	}
	if n >= firstRoot {
		return errTooMany
	}
	r.parent, r.loose = slices.Repeat([]uint32{unreached}, n), make([]uint64, n/64+1)
	return nil
}

// ordinal returns the number of the object at a, and its page.
func (r *Reach) ordinal(a core.Addr) (int, *reachPage, bool) {
	i, ok := r.chunk[a/layout.ChunkSize]
	if !ok {
		return 0, nil, false
	}
	q := &r.pages[i]
	k := int(a-q.start) / 8
	if a < q.start || a&7 != 0 || k/64 >= len(q.starts) || q.starts[k/64]>>(k%64)&1 == 0 {
		return 0, nil, false
	}
	below := q.starts[k/64] & (1<<(k%64) - 1)
	return q.first + int(q.before[k/64]) + bits.OnesCount64(below), q, true
}

// address is the reverse of ordinal.
func (r *Reach) address(n int) core.Addr {
	i, found := slices.BinarySearchFunc(r.pages, n, func(q reachPage, n int) int { return q.first - n })
	if !found {
		i--
	}
	// Pages without objects begin with the ordinal of the next.
	for i+1 < len(r.pages) && r.pages[i+1].first == n {
		i++
	}
	q := &r.pages[i]
	left := n - q.first
	k, found := slices.BinarySearch(q.before, uint32(left))
	if !found {
		k--
	}
	for k+1 < len(q.before) && int(q.before[k+1]) <= left {
		k++
	}
	w := q.starts[k]
	for range left - int(q.before[k]) {
		w &= w - 1
	}
	return q.start + core.Addr(8*(64*k+bits.TrailingZeros64(w)))
}

// Has reports whether o is reachable, otherwise than from RootMemory alone.
func (r *Reach) Has(o layout.Tagged) bool {
	n, _, ok := r.ordinal(o.Addr())
	return ok && r.parent[n] != unreached && r.loose[n/64]>>(n%64)&1 == 0
}

// Total returns how many objects of all kinds are reachable, otherwise than from
// RootMemory alone.
func (r *Reach) Total() int { return r.total }

// Path returns a way from a root to o, o last: a shortest one from a root of the first
// kind that leads to it, without feedback and code in between if there is one. It fails
// if there is none.
func (r *Reach) Path(o layout.Tagged) (Root, []layout.Tagged, bool) {
	n, _, ok := r.ordinal(o.Addr())
	if !ok || r.parent[n] == unreached {
		return Root{}, nil, false
	}
	path := []layout.Tagged{o &^ 2}
	for len(path) <= len(r.parent) {
		p := r.parent[n]
		if p >= firstRoot {
			slices.Reverse(path)
			return r.roots[p-firstRoot], path, true
		}
		n = int(p)
		path = append(path, layout.Tag(r.address(n)))
	}
	return Root{}, nil, false
}
