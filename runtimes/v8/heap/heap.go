package heap

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"coredbg/core"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/walk"
)

// Heaps finds and walks the heaps of one process.
type Heaps struct {
	*Reader
	heap   heapOnce
	frames Frames // nil without the decoder of frames
}

// Frames decodes the frames of generated code.
type Frames interface {
	// Begin returns an unwinder for one walk over t's stack.
	Begin(t *core.Thread) walk.Unwinder
	// Roots visits the references in the frames on t's stack.
	Roots(t *core.Thread, visit func(Root))
}

// New returns the heaps of the process whose objects r reads. frames may be nil: then frames hold no objects.
func New(r *object.Reader, frames Frames) *Heaps {
	return &Heaps{Reader: &Reader{Memory: r.Memory, objects: r}, frames: frames}
}

// Forget drops what was derived from the layout.
func (hs *Heaps) Forget() {
	hs.heap.mu.Lock()
	hs.heap.heap = nil
	hs.heap.mu.Unlock()
}

// A Heap is what walking all heaps of a process found: every page, and every
// object of JavaScript by its map. It does not change once it is made.
type Heap struct {
	v     *Heaps
	Pages []Page
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
	Stats WalkStats

	Maps *mapTable
	Gaps map[core.Addr]core.Addr
	// objects are the addresses of all objects of JavaScript, grouped by map, and in order of address within a
	// group. The group of the map with id i begins at first[i].
	objects []core.Addr
	first   []int
	groups  func() []Group
	// dispatch returns the table of the code of functions.
	dispatch func() *dispatchTable

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

// A Space is a space of one heap.
type Space struct {
	Isolate   core.Addr // 0 if no thread has entered it, or for shared spaces
	Heap      core.Addr // 0 for the shared read-only space
	Name      string    // as V8 names it: "old_space"
	Pages     int
	Committed uint64 // bytes of pages
	FromSpace uint64 // the evacuated part of Committed: see Page.FromSpace
	Walk      WalkStats
}

// Used returns the bytes of objects.
func (s *Space) Used() uint64 { return s.Walk.Bytes }

// Available returns the bytes that could be allocated without a new page.
func (s *Space) Available() uint64 { return s.Walk.Free + s.Walk.Unused }

// heapOnce keeps the Heap of a process.
type heapOnce struct {
	mu   sync.Mutex
	heap *Heap
}

// errNoPages says that what is in heaps cannot be known: every V8 has some.
var errNoPages = errors.New("v8: the core has no page of a heap, or none that is known for one")

// Heap walks the heaps of the process, on all processors; later calls return the same Heap. The error is ctx's,
// or says that the core has no page of a heap.
func (hs *Heaps) Heap(ctx context.Context) (*Heap, error) {
	hs.heap.mu.Lock()
	defer hs.heap.mu.Unlock()
	if hs.heap.heap != nil {
		return hs.heap.heap, nil
	}
	h, err := hs.walkHeap(ctx)
	if err != nil {
		return nil, err
	}
	if len(h.Pages) == 0 {
		return nil, core.Unknown(errNoPages)
	}
	hs.heap.heap = h
	return h, nil
}

// A pageObjects are the objects of JavaScript on one page, by address.
type pageObjects struct {
	addrs []core.Addr
	maps  []int32
	// boilerplates are the boilerplates of the AllocationSites on the page, and the abandoned ones.
	boilerplates []core.Addr
	stats        WalkStats
	// varied are the types of the page that have no fixed size, including the types of skipped objects.
	varied typeSet
}

func (hs *Heaps) walkHeap(ctx context.Context) (*Heap, error) {
	pages, err := hs.findPages(ctx)
	if err != nil {
		return nil, err
	}
	h := &Heap{v: hs, Pages: pages, Maps: newMapTable(hs.Reader)}
	h.Collections = hs.collections(ctx, pages)
	h.settleFreed()
	hs.learnRules(h.Maps, pages, nil)
	h.Gaps = hs.findGaps(h.Maps, pages, h.Busy())
	h.dropFalseGaps()
	h.settleLarge()
	h.markEvacuating()
	found := make([]pageObjects, len(pages))
	all := make([]int, len(pages))
	for i := range all {
		all[i] = i
	}
	for round := range learnRounds {
		if err := h.walkPages(ctx, all, found); err != nil {
			return nil, err
		}
		// A page with types missing from the sample may have gone wrong: learn from that.
		var lost []Page
		for i := range found {
			if found[i].stats.Resyncs > 0 {
				lost = append(lost, pages[i])
			}
		}
		// After the last walk nothing may change, or Locate would see other objects.
		if len(lost) == 0 || round == learnRounds-1 {
			break
		}
		changed := hs.learnRules(h.Maps, lost, h.Gaps)
		all = all[:0]
		for i := range found {
			if changed.meets(&found[i].varied) {
				all = append(all, i)
			}
		}
		if len(all) == 0 {
			break
		}
	}
	if err := h.walkPages(ctx, h.settleCopies(), found); err != nil {
		return nil, err
	}
	h.settleEvacuating(found)
	h.settleDead(found)
	h.settleFresh(found)
	h.settleMaking(found)
	h.settleReturned(found)
	h.setBoilerplatesApart(found)
	h.index(found)
	h.sum(found)
	h.groups = sync.OnceValue(h.makeGroups)
	h.dispatch = sync.OnceValue(func() *dispatchTable { return newDispatchTable(h) })
	return h, nil
}

// learnRounds bounds how often pages are walked again with better rules.
const learnRounds = 5

// walkPages walks the pages with the given indices.
func (h *Heap) walkPages(ctx context.Context, list []int, found []pageObjects) error {
	begin := func() *pageWalker { return NewPageWalker(h.v.Reader, h.Maps, h.Gaps) }
	site := h.v.TypeNumber("ALLOCATION_SITE_TYPE")
	constants := readOnlyArea(h.Pages)
	return eachPage(ctx, len(list), begin, func(w *pageWalker, k int) {
		p, o := &h.Pages[list[k]], &found[list[k]]
		*o = pageObjects{}
		if p.FromSpace {
			return
		}
		w.visit = func(a core.Addr, m *MapInfo, _ int, data []byte) {
			switch {
			case m.Receiver:
				o.addrs, o.maps = append(o.addrs, a), append(o.maps, m.ID)
				if w.uninitialized(m, data, constants) {
					o.boilerplates = append(o.boilerplates, a)
				}
			case m.Typ == site && len(data) >= h.v.Slots(2):
				if b := h.v.Tagged(data[h.v.Slots(1):], a); b.IsHeap() {
					o.boilerplates = append(o.boilerplates, b.Addr())
				}
			}
		}
		w.stats, w.varied = WalkStats{}, &o.varied
		w.Walk(p)
		o.stats = w.stats
	})
}

// readOnlyArea spans the pages of constants.
func readOnlyArea(pages []Page) layout.Area {
	var r layout.Area
	for _, p := range pages {
		if p.Space != "read_only_space" {
			continue
		}
		if r.End == 0 {
			r = layout.Area{Start: p.AreaStart, End: p.AreaEnd}
		}
		r.Start, r.End = min(r.Start, p.AreaStart), max(r.End, p.AreaEnd)
	}
	return r
}

// uninitialized reports whether the first property of a plain object holds the
// uninitialized value, which no program can store: it is a boilerplate
// (Runtime_CreateObjectLiteral, runtime/runtime-literals.cc), even if the
// AllocationSite that it was made for is gone.
func (w *pageWalker) uninitialized(m *MapInfo, data []byte, constants layout.Area) bool {
	if m.Typ != w.v.Types.JSObject || m.inObject == 0 || m.inObject+w.v.SlotSize() > len(data) {
		return false
	}
	value := w.v.Tagged(data[m.inObject:], m.word.Addr())
	if !value.IsHeap() || value.Addr() < constants.Start || value.Addr() >= constants.End {
		return false
	}
	hole, ok := w.holes[value]
	if !ok && len(w.holes) < maxKnownConstants {
		hole = w.v.objects.OddballKind(value) == object.KindHole
		w.holes[value] = hole
	}
	return hole
}

// maxKnownConstants bounds the constants that a walker remembers.
const maxKnownConstants = 1 << 16

// index sorts objects by map: a counting sort.
func (h *Heap) index(found []pageObjects) {
	h.first = make([]int, len(h.Maps.List)+1)
	total := 0
	for i := range found {
		for _, id := range found[i].maps {
			h.first[id+1]++
		}
		total += len(found[i].maps)
	}
	for i := 1; i < len(h.first); i++ {
		h.first[i] += h.first[i-1]
	}
	h.objects = make([]core.Addr, total)
	at := slices.Clone(h.first)
	for i := range found {
		f := &found[i]
		for k, id := range f.maps {
			h.objects[at[id]] = f.addrs[k]
			at[id]++
		}
		f.addrs, f.maps = nil, nil
	}
}

// sum adds up the statistics of pages by space.
func (h *Heap) sum(found []pageObjects) {
	type key struct {
		heap core.Addr
		name string
	}
	isolates := map[core.Addr]core.Addr{}
	spaces := map[key]*Space{}
	for i := range h.Pages {
		p := &h.Pages[i]
		k := key{p.Heap, p.Space}
		s := spaces[k]
		if s == nil {
			if _, ok := isolates[p.Heap]; !ok && p.Heap != 0 {
				isolates[p.Heap] = h.v.isolateOf(p.Heap)
			}
			s = &Space{Heap: p.Heap, Isolate: isolates[p.Heap], Name: p.Space}
			spaces[k] = s
		}
		s.Pages++
		s.Committed += uint64(p.End - p.Start)
		if p.FromSpace {
			s.FromSpace += uint64(p.End - p.Start)
		}
		s.Walk.add(&found[i].stats)
		h.Stats.add(&found[i].stats)
	}
	for _, s := range spaces {
		h.Spaces = append(h.Spaces, *s)
	}
	slices.SortFunc(h.Spaces, func(a, b Space) int {
		return cmp.Or(cmp.Compare(a.Heap, b.Heap), strings.Compare(a.Name, b.Name))
	})
}

// ArrayBuffers returns how many buffers there are with bytes outside the heap,
// each counted once, and how many bytes those are.
func (h *Heap) ArrayBuffers() (count int, bytes uint64) {
	h.EachBuffer(func(_, _ core.Addr, n uint64) { count, bytes = count+1, bytes+n })
	return count, bytes
}

// EachBuffer visits the ArrayBuffers with bytes outside the heap, one for each backing
// store.
func (h *Heap) EachBuffer(visit func(a, store core.Addr, bytes uint64)) {
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
