package page

import (
	"cmp"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// Where to look for allocation areas: around the Heap, the spaces and in the
// Isolate, in bytes.
const (
	GapsBelow = 0x40000
	gapsAbove = 0x200000
	// certainGap is where IsolateData keeps the areas that JavaScript
	// allocates from, in bytes from the isolate.
	certainGap = 0x400
	// gapsOnStack bounds what is looked through of each stack: a thread that
	// compiles in the background has its LocalHeap there.
	gapsOnStack = 1 << 20
	// LargestPage is the size of pages of many objects in V8 7.4, in bytes.
	LargestPage = 512 << 10
)

// FindGaps returns the allocation areas in pages that are not used yet, by start: they hold remains of earlier
// objects. V8 keeps each as LinearAllocationArea {start, top, limit} (heap/linear-allocation-area.h), in
// IsolateData, in the spaces, in allocators on the C++ heap and in the LocalHeaps on the stacks of threads that
// compile in the background. Exactly three words in a row that point into the area of one page count as an area
// if no objects follow one another from top to limit. On the page that a semi-space is filling they always
// count: whole objects may be left over from before the page was emptied.
//
// The threads of a collection have areas of their own, each a part of a page, so
// that several pages of a new space are in use at once: those heaps are busy.
func (hs *Reader) FindGaps(maps *MapTable, pages []Page, busy map[core.Addr]bool) map[core.Addr]core.Addr {
	f := gapFinder{v: hs, pages: pages, busy: busy, isolates: map[core.Addr]core.Addr{},
		gaps:  map[core.Addr]core.Addr{},
		pairs: hs.Layout.Heap.AreaPairs == 1, current: hs.currentPages(pages, busy)}
	f.walker = NewWalker(hs, maps, f.gaps)
	for _, p := range pages {
		if _, ok := f.isolates[p.Heap]; !ok && p.Heap != 0 {
			f.isolates[p.Heap] = hs.IsolateOf(p.Heap)
		}
	}
	f.certain = f.currentAreas()
	for _, r := range f.regions() {
		f.scan(r, false)
	}
	for _, r := range f.stacks() {
		f.scan(r, true)
	}
	f.freedAreas()
	f.walker.dropStale(f.gaps)
	f.unusedPages()
	return f.gaps
}

// A gapFinder looks for allocation areas.
type gapFinder struct {
	v        *Reader
	pages    Index
	busy     map[core.Addr]bool      // heaps that are being collected
	isolates map[core.Addr]core.Addr // of heaps
	// pairs is set before V8 9, where start was apart until 8.6.
	pairs  bool
	walker *Walker
	gaps   map[core.Addr]core.Addr // top to limit
	inUse  []*Page                 // of the new space, with an area
	// current are the pages that semi-spaces say they are filling, by the space,
	// certain where their areas are kept.
	current map[core.Addr]*Page
	certain map[core.Addr]core.Addr
}

// scan takes what looks like an area in r.
func (f *gapFinder) scan(r layout.Area, stack bool) {
	order := f.v.Order
	for at := r.Start; at < r.End; {
		data, err := f.v.Space.Slice(at, int(min(r.End-at, 1<<20)))
		for i := 0; i+24 <= len(data); i += 8 {
			start, top, limit := core.Addr(order.Uint64(data[i:])), core.Addr(order.Uint64(data[i+8:])),
				core.Addr(order.Uint64(data[i+16:]))
			if f.pairs {
				start = top
			}
			if top|limit|start == 0 || start > top || top > limit || (start|top)&core.Addr(f.v.SlotSize()-1) != 0 ||
				limit-start > LargestPage {
				continue
			}
			if top < limit || f.isCertain(at+core.Addr(i)) {
				f.take(at+core.Addr(i), start, top, limit, stack)
			}
		}
		if err != nil || len(data) < 32 {
			return
		}
		at += core.Addr(len(data) - 16)
	}
}

// isCertain reports whether the area of a current page is kept at a. Its limit may be as
// low as its top: an observer of allocation wants to be called then, and there is more of
// the page.
func (f *gapFinder) isCertain(a core.Addr) bool {
	for _, at := range f.certain {
		if at == a {
			return true
		}
	}
	return false
}

// take adds the area that the words at a are, if they are one.
func (f *gapFinder) take(a, start, top, limit core.Addr, stack bool) {
	p, ok := f.pages.At(start)
	if !ok || p.Large || p.FromSpace || start < p.AreaStart || limit > p.AreaEnd {
		return
	}
	if known := f.certain[p.Owner]; known != 0 && a != known {
		return // a semi-space has one
	}
	isolate := f.isolates[p.Heap]
	certain := isolate != 0 && a >= isolate && a-isolate < certainGap
	certain = certain || a == f.certain[p.Owner]
	if f.pairs && top == p.AreaStart || !certain && (f.inList(p, a, start, limit) || f.walker.clean(top, limit)) {
		return
	}
	if stack {
		// Addresses of objects are common there.
		if first, ok := f.v.TaggedAt(top); !ok || f.walker.MapAt(first) != nil {
			return
		}
	}
	// Observers of allocation lower the limit, to any address; not within a
	// collection (PauseAllocationObserversScope), whose areas are parts of a page.
	limit = min(limit.Align(uint64(f.v.SlotSize())), p.AreaEnd)
	if p.Space == "new_space" && p.Flags&layout.PageTo != 0 && !f.busy[p.Heap] {
		limit = p.AreaEnd
	}
	if top == limit {
		return // used up
	}
	f.gaps[top] = max(limit, f.gaps[top])
	if p.Space == "new_space" {
		f.inUse = append(f.inUse, p)
	}
}

// inList reports whether the words at a, start to limit, go on as a list of places on
// the page p, each after the one before it, which an allocation area does not: a page
// of code has the starts of all code on it, dead or not, in order
// (CodeObjectRegistry, heap/code-object-registry.h @ 11.3).
func (f *gapFinder) inList(p *Page, a, start, limit core.Addr) bool {
	n := core.Addr(24)
	if f.pairs {
		n = 16
	}
	before, _ := f.v.Word(a - 8)
	after, _ := f.v.Word(a + n)
	return core.Addr(before) >= p.AreaStart && core.Addr(before) < start ||
		core.Addr(after) > limit && core.Addr(after) < p.AreaEnd
}

// dropStale removes areas that are copies from before more was allocated in
// them: they end where another one does, and objects lead up to that one.
func (w *Walker) dropStale(gaps map[core.Addr]core.Addr) {
	tops := map[core.Addr][]core.Addr{}
	for top, limit := range gaps {
		tops[limit] = append(tops[limit], top)
	}
	for _, list := range tops {
		slices.Sort(list)
		for i := range len(list) - 1 {
			if w.clean(list[i], list[i+1]) {
				delete(gaps, list[i])
			}
		}
	}
}

// stacks returns the parts of the threads' stacks that are in use. Before V8 9
// nothing was allocated in the background.
func (f *gapFinder) stacks() []layout.Area {
	if f.pairs {
		return nil
	}
	return f.v.StacksInUse()
}

// StacksInUse returns the parts of the threads' stacks that are in use, each at most as far as areas for allocation
// are looked for there.
func (hs *Reader) StacksInUse() []layout.Area {
	var list []layout.Area
	for _, t := range hs.Process.Threads {
		for _, s := range layout.Stacks(hs.Process, t) {
			list = append(list, layout.Area{Start: s.Start, End: min(s.Start+gapsOnStack, s.End)})
		}
	}
	return list
}

// regions returns the memory around heaps and spaces, without overlap.
func (f *gapFinder) regions() []layout.Area {
	seen := map[core.Addr]bool{}
	var list []layout.Area
	add := func(a core.Addr, below, above core.Addr) {
		if a == 0 || seen[a] {
			return
		}
		seen[a] = true
		if s, ok := f.v.Space.Find(a); ok && s.Kind == core.SegCore {
			list = append(list, layout.Area{Start: max(a-min(below, a), s.Start), End: min(a+above, s.End)})
		}
	}
	for _, p := range f.pages {
		add(p.Heap, GapsBelow, gapsAbove)
		// An isolate that was mapped for itself has its LocalHeap, and the
		// allocators in it, where its spaces are.
		add(p.Owner, GapsBelow, GapsBelow)
		add(f.isolates[p.Heap], 0, certainGap)
	}
	for _, a := range f.owned() {
		add(a, 0, ownedBytes)
	}
	slices.SortFunc(list, func(a, b layout.Area) int { return cmp.Compare(a.Start, b.Start) })
	var out []layout.Area
	for _, r := range list {
		r.Start &^= 7
		if n := len(out); n > 0 && r.Start <= out[n-1].End {
			out[n-1].End = max(out[n-1].End, r.End)
			continue
		}
		out = append(out, r)
	}
	return out
}

// clean reports whether objects follow one another from start to end.
func (w *Walker) clean(start, end core.Addr) bool {
	data, err := w.v.Space.Slice(start, int(end-start))
	if err != nil || len(data)&(w.v.SlotSize()-1) != 0 {
		return false
	}
	for off := 0; off < len(data); {
		m := w.MapAt(w.v.Tagged(data[off:], start))
		if m == nil {
			return false
		}
		n := w.SizeOf(m, data[off:])
		if n == 0 || off+n > len(data) {
			return false
		}
		off += n
	}
	return true
}
