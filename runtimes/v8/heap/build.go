package heap

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/page"
	"coredbg/runtimes/v8/reference"
)

// errNoPages says that what is in heaps cannot be known: every V8 has some.
var errNoPages = errors.New("v8: the core has no page of a heap, or none that is known for one")

// Snapshot walks the heaps of the process, on all processors; later calls return the same Snapshot. The error is ctx's,
// or says that the core has no page of a heap.
func (hs *Walker) Snapshot(ctx context.Context) (*Snapshot, error) {
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

// walkHeap walks the heaps of the process.
func (hs *Walker) walkHeap(ctx context.Context) (*Snapshot, error) {
	pages, err := hs.FindPages(ctx)
	if err != nil {
		return nil, err
	}
	h := &Snapshot{v: hs, Pages: pages, Maps: page.NewMapTable(hs.Reader)}
	h.Collections = hs.collections(ctx, pages)
	b := &builder{h, make([]pageObjects, len(pages))}
	b.prepare()
	if err := b.walk(ctx); err != nil {
		return nil, err
	}
	b.settle()
	b.index()
	b.sum()
	h.names = reference.New(hs.objects, h)
	h.groups = sync.OnceValue(h.makeGroups)
	h.dispatch = sync.OnceValue(func() *dispatchTable { return newDispatchTable(h) })
	return h, nil
}

// prepare learns what a walk has to know: the sizes of objects, and the gaps between them.
func (b *builder) prepare() {
	b.settleFreed()
	b.v.LearnRules(b.Maps, b.Pages, nil)
	b.Gaps = b.v.FindGaps(b.Maps, b.Pages, b.Busy())
	b.dropFalseGaps()
	b.settleLarge()
	b.markEvacuating()
}

// walk walks all pages, and those again whose objects have other sizes than was thought, or that have copies which do
// not count.
func (b *builder) walk(ctx context.Context) error {
	list := make([]int, len(b.Pages))
	for i := range list {
		list[i] = i
	}
	for round := 0; len(list) > 0; round++ {
		if err := b.walkPages(ctx, list); err != nil {
			return err
		}
		// After the last walk nothing may change, or Locate would see other objects.
		if round == learnRounds-1 {
			break
		}
		list = b.relearn()
	}
	return b.walkPages(ctx, b.settleCopies())
}

// relearn learns from pages where a walk has gone wrong: they have types that the sample lacks. It returns the indices
// of the pages with a type whose size has changed.
func (b *builder) relearn() (again []int) {
	var lost []page.Page
	for i := range b.found {
		if b.found[i].stats.Resyncs > 0 {
			lost = append(lost, b.Pages[i])
		}
	}
	if len(lost) == 0 {
		return nil
	}
	changed := b.v.LearnRules(b.Maps, lost, b.Gaps)
	for i := range b.found {
		if changed.Meets(&b.found[i].varied) {
			again = append(again, i)
		}
	}
	return again
}

// settle decides what the memory is that walks have passed over.
func (b *builder) settle() {
	b.settleEvacuating()
	b.settleDead()
	b.settleFresh()
	b.settleMaking()
	b.settleReturned()
	b.setBoilerplatesApart()
}

// learnRounds bounds how often pages are walked again with better rules.
const learnRounds = 5

// walkPages walks the pages with the given indices.
func (b *builder) walkPages(ctx context.Context, list []int) error {
	begin := func() *page.Walker { return page.NewWalker(b.v.Reader, b.Maps, b.Gaps) }
	site := b.v.TypeNumber("ALLOCATION_SITE_TYPE")
	constants := readOnlyArea(b.Pages)
	return page.EachPage(ctx, len(list), begin, func(w *page.Walker, k int) {
		p, o := &b.Pages[list[k]], &b.found[list[k]]
		*o = pageObjects{}
		if p.FromSpace {
			return
		}
		w.Stats, w.Varied = page.Stats{}, &o.varied
		w.Objects(p, func(a core.Addr, m *page.MapInfo, _ int, data []byte) {
			switch {
			case m.Receiver:
				o.addrs, o.maps = append(o.addrs, a), append(o.maps, m.ID)
				if w.Uninitialized(m, data, constants) {
					o.boilerplates = append(o.boilerplates, a)
				}
			case m.Typ == site && len(data) >= b.v.Slots(2):
				if x := b.v.Tagged(data[b.v.Slots(1):], a); x.IsHeap() {
					o.boilerplates = append(o.boilerplates, x.Addr())
				}
			}
		})
		o.stats = w.Stats
	})
}

// readOnlyArea spans the pages of constants.
func readOnlyArea(pages []page.Page) layout.Area {
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

// index sorts objects by map: a counting sort.
func (b *builder) index() {
	b.first = make([]int, len(b.Maps.List)+1)
	total := 0
	for i := range b.found {
		for _, id := range b.found[i].maps {
			b.first[id+1]++
		}
		total += len(b.found[i].maps)
	}
	for i := 1; i < len(b.first); i++ {
		b.first[i] += b.first[i-1]
	}
	b.objects = make([]core.Addr, total)
	at := slices.Clone(b.first)
	for i := range b.found {
		f := &b.found[i]
		for k, id := range f.maps {
			b.objects[at[id]] = f.addrs[k]
			at[id]++
		}
		f.addrs, f.maps = nil, nil
	}
}

// sum adds up the statistics of pages by space.
func (b *builder) sum() {
	type key struct {
		heap core.Addr
		name string
	}
	isolates := map[core.Addr]core.Addr{}
	spaces := map[key]*Space{}
	for i := range b.Pages {
		p := &b.Pages[i]
		k := key{p.Heap, p.Space}
		s := spaces[k]
		if s == nil {
			if _, ok := isolates[p.Heap]; !ok && p.Heap != 0 {
				isolates[p.Heap] = b.v.IsolateOf(p.Heap)
			}
			s = &Space{Heap: p.Heap, Isolate: isolates[p.Heap], Name: p.Space}
			spaces[k] = s
		}
		s.Pages++
		s.Committed += uint64(p.End - p.Start)
		if p.FromSpace {
			s.FromSpace += uint64(p.End - p.Start)
		}
		s.Walk.Add(&b.found[i].stats)
		b.Stats.Add(&b.found[i].stats)
	}
	for _, s := range spaces {
		b.Spaces = append(b.Spaces, *s)
	}
	slices.SortFunc(b.Spaces, func(a, b Space) int {
		return cmp.Or(cmp.Compare(a.Heap, b.Heap), strings.Compare(a.Name, b.Name))
	})
}
