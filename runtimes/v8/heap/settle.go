package heap

import (
	"slices"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/page"
)

// dropFalseGaps removes three kinds of false gaps. A gap may end in a reference, because two addresses and a
// reference in a row look like an allocation area, but no object begins after the first word of another.
// Objects may go on through a gap's end. A gap may be on a read-only page, where nothing is allocated any more.
func (b *builder) dropFalseGaps() {
	w := page.NewWalker(b.v.Reader, b.Maps, b.Gaps)
	isMap := func(a core.Addr) bool {
		x, ok := b.v.TaggedAt(a)
		return ok && w.MapAt(x) != nil
	}
	for top, limit := range b.Gaps {
		p, ok := PageIndex(b.Pages).At(top)
		if !ok || limit == p.AreaEnd && p.Space != "read_only_space" {
			continue
		}
		_, another := b.Gaps[limit]
		reference := !another && !isMap(limit) && isMap(limit-core.Addr(b.v.SlotSize()))
		if p.Space == "read_only_space" || reference || w.GoesOn(p, top, limit) {
			delete(b.Gaps, top)
		}
	}
}

// settleDead counts skipped memory as free if the map of a dead object is gone: the collector has freed the map
// and put others in its place, but has not swept the object's page yet. A live object has a map, so a first
// word that refers to something else on the heap decides.
func (b *builder) settleDead() {
	for i := range b.found {
		s := &b.found[i].stats
		s.Losses = slices.DeleteFunc(s.Losses, func(l page.Loss) bool {
			if l.Type != "" || !b.deadAt(&b.Pages[i], l.Addr) {
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
func (b *builder) settleFresh() {
	for i := range b.found {
		p, s := &b.Pages[i], &b.found[i].stats
		size := uint64(p.AreaEnd - p.AreaStart)
		if p.Large || s.Skipped != size || size > page.LargestPage {
			continue
		}
		data, err := b.v.Space.Slice(p.AreaStart, int(size))
		if err != nil || slices.ContainsFunc(data, func(x byte) bool { return x != 0 }) {
			continue
		}
		s.Unused += s.Skipped
		s.Skipped, s.Resyncs, s.BadMaps, s.Losses = 0, 0, 0, nil
	}
}

// deadAt reports whether the object at a page's address a names something else
// than a map on a page of the same heap.
func (b *builder) deadAt(p *page.Page, a core.Addr) bool {
	x, ok := b.v.TaggedAt(a)
	if !ok || !b.v.IsReference(x) || b.v.IsMap(x) {
		return false
	}
	q, ok := PageIndex(b.Pages).At(x.Addr())
	return ok && q.Heap == p.Heap && !q.FromSpace && q.Flags&layout.PageTo == 0
}

// settleLarge corrects what was taken for the page of one large object by its size
// alone, for want of a symbol that names its space: a page of many objects may be
// smaller than others too. After the first of those begins another.
func (b *builder) settleLarge() {
	w := page.NewWalker(b.v.Reader, b.Maps, b.Gaps)
	for i := range b.Pages {
		p := &b.Pages[i]
		if !p.Large || p.Owner != 0 || p.End-p.Start > layout.ChunkSize {
			continue
		}
		data, err := b.v.Space.Slice(p.AreaStart, int(p.AreaEnd-p.AreaStart))
		if err == nil && len(data) > layout.PageSize && w.Follow(p.AreaStart, data[:len(data)&^(b.v.SlotSize()-1)],
			0) && !w.Fills(p, data) {
			p.Large = false
			p.Space = page.SpaceByFlags(p)
		}
	}
}

// setBoilerplatesApart gives the objects that V8 copies for literals an id different from their map's: the
// program did not make them (AllocationSite::boilerplate, objects/allocation-site.h).
func (b *builder) setBoilerplatesApart() {
	var boilerplates []core.Addr
	for i := range b.found {
		boilerplates = append(boilerplates, b.found[i].boilerplates...)
	}
	slices.Sort(boilerplates)
	boilerplates = slices.Compact(boilerplates)
	ids := map[int32]int32{}
	for i := range b.found {
		f := &b.found[i]
		if len(f.addrs) == 0 {
			continue
		}
		first, _ := slices.BinarySearch(boilerplates, f.addrs[0])
		for _, a := range boilerplates[first:] {
			if a > f.addrs[len(f.addrs)-1] {
				break
			}
			k, ok := slices.BinarySearch(f.addrs, a)
			if !ok {
				continue
			}
			id, ok := ids[f.maps[k]]
			if !ok {
				m := *b.Maps.List[f.maps[k]]
				id = int32(len(b.Maps.List))
				m.ID, m.Boilerplate, ids[f.maps[k]] = id, true, id
				b.Maps.List = append(b.Maps.List, &m)
			}
			f.maps[k] = id
		}
	}
}
