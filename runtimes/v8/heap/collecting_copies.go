package heap

import (
	"bytes"
	"cmp"
	"maps"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/page"
)

// A thread of a collection copies an object to the end of its allocation area and
// then publishes the copy: it overwrites the first word of the original with the new
// address (Scavenger::MigrateObject, heap/scavenger-inl.h @ 7.8 to 14.6;
// EvacuateVisitorBase::RawMigrateObject, heap/mark-compact.cc). A thread that was stopped between the two has
// left the object in two places, and the original counts. If it was stopped earlier, nothing has been copied
// yet:
// the memory there is left over from earlier.

// A Move is where an object was that a collection has moved.
type Move struct {
	From core.Addr
	size int // bytes
}

// An inFlight is the copy that ends an allocation area, the end of that area, and the
// index of its page.
type inFlight struct {
	layout.Area
	limit core.Addr
	page  int
}

// settleCopies takes what is not published for memory that is not used yet: it adds
// to the gaps. It returns the indices of the pages that this changes.
func (b *builder) settleCopies() []int {
	busy := b.Busy()
	if len(busy) == 0 {
		return nil
	}
	w := page.NewWalker(b.v.Reader, b.Maps, b.Gaps)
	moves := b.Moves(w, busy)
	pages := b.settleFilled(moves)
	copies, unreferred := map[layout.Tagged]inFlight{}, map[layout.Tagged]bool{}
	for top, limit := range maps.Clone(b.Gaps) {
		// The area is on the page of the object before it.
		i, ok := PageIndex(b.Pages).IndexOf(top - 1)
		if !ok {
			continue
		}
		p := &b.Pages[i]
		if !busy[p.Heap] || p.Evacuating || p.FromSpace || p.Large || top == p.AreaStart || b.Filled(p) {
			continue
		}
		last := w.ObjectBefore(p, top)
		if _, ok := moves[last.Start]; ok || last.Start == 0 {
			continue
		}
		unreferred[layout.Tag(last.Start)] = true
		if b.HasOriginal(w, last, moves) {
			copies[layout.Tag(last.Start)] = inFlight{last, limit, i}
		}
	}
	b.dropReferred(unreferred, busy)
	pages = append(pages, b.settleInFlight(copies, unreferred)...)
	slices.Sort(pages)
	return slices.Compact(pages)
}

// settleInFlight treats an object as a copy if it has an original and nothing refers to it. If only one of the
// two holds, the case is doubtful: the original may have changed since, an object may equal another, or a word
// that refers to the copy may be left over. settleInFlight returns the indices of the pages that change.
func (b *builder) settleInFlight(copies map[layout.Tagged]inFlight, unreferred map[layout.Tagged]bool) (pages []int) {
	for x := range unreferred {
		if _, ok := copies[x]; !ok {
			b.Doubtful++
		}
	}
	for x, c := range copies {
		if !unreferred[x] {
			b.Doubtful++
			continue
		}
		delete(b.Gaps, c.End)
		b.Gaps[c.Start] = c.limit
		b.Copies = append(b.Copies, c.Area)
		pages = append(pages, c.page)
	}
	slices.SortFunc(b.Copies, func(a, b layout.Area) int { return cmp.Compare(a.Start, b.Start) })
	return pages
}

// Filled reports whether a page belongs to the semi-space that a scavenge moves objects to.
func (h *Snapshot) Filled(p *page.Page) bool {
	return p.Space == "new_space" && !p.Evacuating && !p.FromSpace && !p.Large && h.scavenged(p)
}

// scavenged reports whether a page belongs to a heap that is being scavenged.
func (h *Snapshot) scavenged(p *page.Page) bool {
	return slices.ContainsFunc(h.Collections, func(c Collection) bool {
		return c.Heap == p.Heap &&
			c.Kind == "scavenge"
	})
}

// Moves returns what the heaps that are being collected have moved, by where it is now.
func (h *Snapshot) Moves(w *page.Walker, busy map[core.Addr]bool) map[core.Addr]Move {
	moves := map[core.Addr]Move{}
	for i := range h.Pages {
		if p := &h.Pages[i]; busy[p.Heap] && !p.FromSpace {
			w.Moves(p, func(from, to core.Addr, size int) { moves[to] = Move{from, size} })
		}
	}
	return moves
}

// settleFilled makes gaps of all that was not moved to the semi-spaces that are being
// filled: they were empty when the collection began. It returns the indices of their
// pages.
func (b *builder) settleFilled(moves map[core.Addr]Move) []int {
	used := map[int][]core.Addr{}
	for to := range moves {
		if i, ok := PageIndex(b.Pages).IndexOf(to); ok && b.Filled(&b.Pages[i]) {
			used[i] = append(used[i], to)
		}
	}
	var pages []int
	for i := range b.Pages {
		p := &b.Pages[i]
		if !b.Filled(p) {
			continue
		}
		maps.DeleteFunc(b.Gaps, func(top, _ core.Addr) bool { return top >= p.AreaStart && top < p.AreaEnd })
		end := p.AreaStart
		slices.Sort(used[i])
		for _, a := range append(used[i], p.AreaEnd) {
			if a > end {
				b.Gaps[end] = a
			}
			end = max(end, a+core.Addr(moves[a].size))
		}
		pages = append(pages, i)
	}
	return pages
}

// HasOriginal reports whether the object x is a copy of another. The first word is not compared if another
// thread has moved the original meanwhile. A scavenge copies only from the pages that it empties: an equal
// object elsewhere is not an original.
func (h *Snapshot) HasOriginal(w *page.Walker, x layout.Area, moves map[core.Addr]Move) bool {
	size := int(x.End - x.Start)
	data, err := h.v.Space.Slice(x.Start, size)
	home, ok := PageIndex(h.Pages).At(x.Start)
	if err != nil || !ok {
		return false
	}
	same := func(a core.Addr, from int) bool {
		other, err := h.v.Space.Slice(a, size)
		return err == nil && a != x.Start && bytes.Equal(other[from:], data[from:])
	}
	word := h.v.Tagged(data, x.Start)
	for to, m := range moves {
		if m.size != size || !same(m.From, h.v.SlotSize()) {
			continue
		}
		if moved, ok := h.v.TaggedAt(to); ok && moved == word {
			return true
		}
	}
	first := w.MapAt(word)
	hit, scavenged := false, h.scavenged(home)
	for i := range h.Pages {
		if p := &h.Pages[i]; p.Heap == home.Heap && !p.FromSpace && (p.Evacuating || !scavenged) && !hit {
			w.Blocks(p, func(a core.Addr, m *page.MapInfo, n int) bool {
				hit = m == first && n == size && same(a, 0)
				return !hit
			})
		}
	}
	return hit
}

// dropReferred removes the objects that a word in the heaps refers to: nothing refers
// to a copy before it is published but its original.
func (b *builder) dropReferred(objects map[layout.Tagged]bool, busy map[core.Addr]bool) {
	for i := range b.Pages {
		p := &b.Pages[i]
		if !busy[p.Heap] || p.FromSpace || len(objects) == 0 {
			continue
		}
		data, _ := b.v.Space.Slice(p.AreaStart, int(p.AreaEnd-p.AreaStart))
		for step := b.v.SlotSize(); len(data) >= step; data = data[step:] {
			if x := b.v.Tagged(data, p.AreaStart); x&1 == 1 && objects[x&^2] {
				delete(objects, x&^2)
			}
		}
	}
}
