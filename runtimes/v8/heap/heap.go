package heap

import (
	"slices"
	"sync"

	"coredbg/core"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/page"
	"coredbg/runtimes/v8/reference"
	"coredbg/walk"
)

// Walker finds and walks the heaps of one process.
type Walker struct {
	*page.Reader
	objects *object.Reader
	heap    heapOnce
	frames  Frames // nil without the decoder of frames
}

// Frames decodes the frames of generated code.
type Frames interface {
	// Begin returns an unwinder for one walk over t's stack.
	Begin(t *core.Thread) walk.Unwinder
	// Roots visits the references in the frames on t's stack.
	Roots(t *core.Thread, visit func(Root))
}

// New returns the heaps of the process whose objects r reads. frames may be nil: then frames hold no objects.
func New(r *object.Reader, frames Frames) *Walker {
	return &Walker{Reader: page.NewReader(r), objects: r, frames: frames}
}

// Forget drops what was derived from the layout.
func (hs *Walker) Forget() {
	hs.heap.mu.Lock()
	hs.heap.heap = nil
	hs.heap.mu.Unlock()
}

// A Snapshot is what walking all heaps of a process found: every page, and every
// object of JavaScript by its map. It does not change once it is made.
type Snapshot struct {
	v     *Walker
	Pages []page.Page
	// Spaces sums up the spaces of each heap, in order of heap and name.
	Spaces []Space
	// Collections are the collections that were under way.
	Collections []Collection
	// Copies are objects that a thread of a collection had copied to the end of its allocation area and not
	// published yet: they do not count. In a semi-space that is being filled no unpublished object counts, and
	// Copies lists no such object.
	Copies []layout.Area
	// Doubtful is how many objects may count twice, as a collection may just have been
	// copying them.
	Doubtful int
	// Stats is the sum over all spaces.
	Stats page.Stats

	Maps *page.MapTable
	Gaps map[core.Addr]core.Addr
	// objects are the addresses of all objects of JavaScript, grouped by map, and in order of address within a
	// group. The group of the map with id i begins at first[i].
	objects []core.Addr
	first   []int
	groups  func() []Group
	// dispatch returns the table of the code of functions.
	dispatch func() *dispatchTable

	names *reference.Namer
	graph graph.Cache
	// scopes are found when they are asked for, in order of context.
	scopes struct {
		once      sync.Once
		byContext []scopeUse
	}
	// isolates are found when they are asked for.
	isolates struct {
		once sync.Once
		list []Isolate
	}
	// boilerplates are found when they are asked for.
	boilerplates struct {
		once sync.Once
		all  map[core.Addr]bool
		maps map[layout.Tagged]bool
	}
}

// A PageIndex finds the page of an address.
type PageIndex = page.Index

// A Space is a space of one heap.
type Space struct {
	Isolate   core.Addr // 0 if no thread has entered it, or for shared spaces
	Heap      core.Addr // 0 for the shared read-only space
	Name      string    // as V8 names it: "old_space"
	Pages     int
	Committed uint64 // bytes of pages
	FromSpace uint64 // the evacuated part of Committed: see Page.FromSpace
	Walk      page.Stats
}

// Used returns the bytes of objects.
func (s *Space) Used() uint64 { return s.Walk.Bytes }

// Available returns the bytes that could be allocated without a new page.
func (s *Space) Available() uint64 { return s.Walk.Free + s.Walk.Unused }

// heapOnce keeps the Snapshot of a process.
type heapOnce struct {
	mu   sync.Mutex
	heap *Snapshot
}

// ArrayBuffers returns how many buffers there are with bytes outside the heap,
// each counted once, and how many bytes those are.
func (h *Snapshot) ArrayBuffers() (count int, bytes uint64) {
	h.EachBuffer(func(_, _ core.Addr, n uint64) { count, bytes = count+1, bytes+n })
	return count, bytes
}

// EachBuffer visits the ArrayBuffers with bytes outside the heap, one for each backing
// store.
func (h *Snapshot) EachBuffer(visit func(a, store core.Addr, bytes uint64)) {
	typ := h.v.TypeNumber("JS_ARRAY_BUFFER_TYPE")
	seen := map[core.Addr]bool{}
	for _, m := range h.Maps.List {
		if m.Typ != typ {
			continue
		}
		for _, a := range h.Of(m.ID) {
			store, ok1 := h.v.SandboxedField(layout.Tag(a), h.v.Layout.JSArrayBuffer.BackingStore)
			n, ok2 := h.v.SizeField(layout.Tag(a), h.v.Layout.JSArrayBuffer.ByteLength)
			if ok1 && ok2 && store != 0 && n < 1<<47 && !seen[store] {
				seen[store] = true
				visit(a, store, n)
			}
		}
	}
}

// Of returns the objects with the map of number id.
func (h *Snapshot) Of(id int32) []core.Addr {
	if int(id)+1 >= len(h.first) {
		return nil
	}
	return h.objects[h.first[id]:h.first[id+1]]
}

// All returns the tagged addresses of all objects of JavaScript in order of
// address.
func (h *Snapshot) All() []core.Addr {
	out := make([]core.Addr, len(h.objects))
	for i, a := range h.objects {
		out[i] = layout.Tag(a).TaggedAddr()
	}
	slices.Sort(out)
	return out
}

// A Collection is a collection of garbage that was under way.
type Collection struct {
	Thread *core.Thread
	// Kind is "scavenge", of the young generation, or "mark-compact".
	Kind string
	Heap core.Addr // 0 if it is not known whose
}

// An Isolate is an instance of V8, with a heap of its own.
type Isolate struct {
	Addr core.Addr // 0 if it is unknown
	Heap core.Addr // 0 if its pages were not found
	// Thread is the one that has entered it, or whose stack refers to its
	// objects; nil if there is none. Entered says which.
	Thread  *core.Thread
	Entered bool
}

// A scopeUse is a function with the context that it closes over.
type scopeUse struct{ context, function layout.Tagged }
