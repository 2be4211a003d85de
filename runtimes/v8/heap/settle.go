package heap

import (
	"slices"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// dropFalseGaps removes three kinds of false gaps. A gap may end in a reference, because two addresses and a
// reference in a row look like an allocation area, but no object begins after the first word of another.
// Objects may go on through a gap's end. A gap may be on a read-only page, where nothing is allocated any more.
func (h *Heap) dropFalseGaps() {
	w := NewPageWalker(h.v.Reader, h.Maps, h.Gaps)
	isMap := func(a core.Addr) bool {
		x, ok := h.v.TaggedAt(a)
		return ok && w.mapAt(x) != nil
	}
	for top, limit := range h.Gaps {
		p, ok := PageIndex(h.Pages).At(top)
		if !ok || limit == p.AreaEnd && p.Space != "read_only_space" {
			continue
		}
		_, another := h.Gaps[limit]
		reference := !another && !isMap(limit) && isMap(limit-core.Addr(h.v.SlotSize()))
		if p.Space == "read_only_space" || reference || w.goesOn(p, top, limit) {
			delete(h.Gaps, top)
		}
	}
}

// goesOn reports whether objects follow one another from start past end, with one
// across it and some after.
func (w *pageWalker) goesOn(p *Page, start, end core.Addr) bool {
	data, err := w.v.Space.Slice(start, int(p.AreaEnd-start))
	if err != nil {
		return false
	}
	off := 0
	for limit := int(end - start); off < limit; {
		m := w.mapAt(w.v.Tagged(data[off:], start))
		if m == nil {
			return false
		}
		n := w.sizeOf(m, data[off:])
		if n == 0 || n > len(data)-off || off+n == limit {
			return false
		}
		off += n
	}
	return w.follow(start, data, off)
}

// settleDead counts skipped memory as free if the map of a dead object is gone: the collector has freed the map
// and put others in its place, but has not swept the object's page yet. A live object has a map, so a first
// word that refers to something else on the heap decides.
func (h *Heap) settleDead(found []pageObjects) {
	for i := range found {
		s := &found[i].stats
		s.Losses = slices.DeleteFunc(s.Losses, func(l Loss) bool {
			if l.Type != "" || !h.deadAt(&h.Pages[i], l.Addr) {
				return false
			}
			s.Resyncs--
			s.BadMaps--
			s.Skipped -= l.Bytes
			s.Free += l.Bytes
			return true
		})
	}
}

// settleFresh counts as not used the pages that are zero throughout: a thread was
// about to give them to its space (MemoryAllocator::AllocatePage), with no object on
// them and in no allocation area yet.
func (h *Heap) settleFresh(found []pageObjects) {
	for i := range found {
		p, s := &h.Pages[i], &found[i].stats
		size := uint64(p.AreaEnd - p.AreaStart)
		if p.Large || s.Skipped != size || size > largestPage {
			continue
		}
		data, err := h.v.Space.Slice(p.AreaStart, int(size))
		if err != nil || slices.ContainsFunc(data, func(b byte) bool { return b != 0 }) {
			continue
		}
		s.Unused += s.Skipped
		s.Skipped, s.Resyncs, s.BadMaps, s.Losses = 0, 0, 0, nil
	}
}

// deadAt reports whether the object at a page's address a names something else
// than a map on a page of the same heap.
func (h *Heap) deadAt(p *Page, a core.Addr) bool {
	x, ok := h.v.TaggedAt(a)
	if !ok || !h.v.IsReference(x) || h.v.IsMap(x) {
		return false
	}
	q, ok := PageIndex(h.Pages).At(x.Addr())
	return ok && q.Heap == p.Heap && !q.FromSpace && q.Flags&layout.PageTo == 0
}

// settleLarge corrects what was taken for the page of one large object by its size
// alone, for want of a symbol that names its space: a page of many objects may be
// smaller than others too. After the first of those begins another.
func (h *Heap) settleLarge() {
	w := NewPageWalker(h.v.Reader, h.Maps, h.Gaps)
	for i := range h.Pages {
		p := &h.Pages[i]
		if !p.Large || p.Owner != 0 || p.End-p.Start > layout.ChunkSize {
			continue
		}
		data, err := h.v.Space.Slice(p.AreaStart, int(p.AreaEnd-p.AreaStart))
		if err == nil && len(data) > layout.PageSize && w.follow(p.AreaStart, data[:len(data)&^(h.v.SlotSize()-1)], 0) && !w.fills(p, data) {
			p.Large = false
			p.Space = spaceByFlags(p)
		}
	}
}

// fills reports whether the first object of data leaves less than a page of memory.
func (w *pageWalker) fills(p *Page, data []byte) bool {
	m := w.mapAt(w.v.Tagged(data, p.AreaStart))
	return m == nil || w.sizeOf(m, data) > len(data)-layout.PageSize
}
