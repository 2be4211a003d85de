package page

import (
	"slices"

	"coredbg/core"
)

// semiSpaceWords is in how many words of a SemiSpace its pages are looked for.
const semiSpaceWords = 64

// reservationWords is the size of SemiSpaceNewSpace::reservation_, a VirtualMemory:
// its vtable, if any, the allocator, begin and size.
const reservationWords = 4

// SemiSpaceHeads returns the pages that the young generation is allocated from
// by their headers.
func SemiSpaceHeads(pages []Page) map[core.Addr]*Page {
	heads := map[core.Addr]*Page{}
	for i := range pages {
		if p := &pages[i]; p.Space == "new_space" && !p.FromSpace {
			heads[p.Head] = p
		}
	}
	return heads
}

// currentPages returns the page that each semi-space is filling, as far as it
// says so: it names three pages of its own, the first and the last of its list,
// then SemiSpace::current_page_ (heap/spaces.h @ 7.8, heap/new-spaces.h @ 9.4 to 13.6).
// Heaps that are busy fill several.
func (hs *Reader) currentPages(pages []Page, busy map[core.Addr]bool) map[core.Addr]*Page {
	heads := SemiSpaceHeads(pages)
	current, seen := map[core.Addr]*Page{}, map[core.Addr]bool{}
	for _, p := range heads {
		if p.Owner == 0 || seen[p.Owner] || busy[p.Heap] {
			continue
		}
		seen[p.Owner] = true
		own := 0
		for i := range semiSpaceWords {
			w, ok := hs.Word(p.Owner + core.Addr(8*i))
			if !ok {
				break
			}
			q := heads[core.Addr(w)]
			if q == nil || q.Owner != p.Owner {
				continue
			}
			if own++; own == 3 {
				current[p.Owner] = q
				break
			}
		}
	}
	return current
}

// nearSpace is how far before its semi-spaces NewSpace has its area, at most.
const nearSpace = 0x200

// currentAreas returns where the areas on the current pages are kept, the word in
// front of a pair, by the semi-space: NewSpace::allocation_info_ is the first of
// its members that looks like one, before the area's original_top_ and
// original_limit_ and of the semi-spaces (heap/spaces.h @ 7.8, heap/new-spaces.h
// @ 9.4), or leads to one in the Heap (heap/spaces.h @ 10.2). Later versions have
// it in IsolateData (execution/isolate-data.h @ 10.8 to 14.6).
func (f *gapFinder) currentAreas() map[core.Addr]core.Addr {
	at := map[core.Addr]core.Addr{}
	for owner, p := range f.current {
		if isolate := f.isolates[p.Heap]; isolate != 0 && !f.pairs {
			for a := isolate; a < isolate+certainGap && at[owner] == 0; a += 8 {
				if f.isArea(p, a) {
					at[owner] = a
				}
			}
		}
		if at[owner] != 0 {
			continue
		}
		for a := owner - min(owner, nearSpace); a+16 <= owner; a += 8 {
			w, _ := f.v.Word(a)
			if f.isArea(p, a) {
				at[owner] = a
			} else if to := core.Addr(w); !f.pairs && to != 0 && to&7 == 0 && f.isArea(p, to) {
				at[owner] = to
			} else {
				continue
			}
			break
		}
		if a := at[owner]; f.pairs && a != 0 && !f.bounds(p, a, 3) {
			at[owner] -= 8 // V8 8.6 has start in front of the pair already
		}
	}
	return at
}

// isArea reports whether the words at a are the bounds of an area on the page p,
// which may be used up.
func (f *gapFinder) isArea(p *Page, a core.Addr) bool {
	if f.pairs {
		return f.bounds(p, a, 2)
	}
	return f.bounds(p, a, 3)
}

// bounds reports whether n words at a are in the area of the page p and in order.
func (f *gapFinder) bounds(p *Page, a core.Addr, n int) bool {
	last := p.AreaStart
	for i := range n {
		w, ok := f.v.Word(a + core.Addr(8*i))
		if !ok || core.Addr(w) < last || core.Addr(w) > p.AreaEnd {
			return false
		}
		last = core.Addr(w)
	}
	return true
}

// freedAreas adds the rest of the current pages without an area: V8 gives an
// area back before it collects, iterates the heap or looks for another page, and
// keeps only how far it had allocated.
func (f *gapFinder) freedAreas() {
	for owner, p := range f.current {
		if slices.Contains(f.inUse, p) {
			continue
		}
		at, ok := f.v.AllocationTop(owner, p)
		if top, _ := f.v.Word(at); ok && core.Addr(top) < p.AreaEnd {
			f.gaps[core.Addr(top)] = p.AreaEnd
		}
	}
}

// AllocationTop returns where SemiSpaceNewSpace::allocation_top_ is, which says how far
// the page p, which the space at owner is filling, was handed out. The space is the
// member to_space_; from_space_, of the same class, and the few words of reservation_
// are between them (heap/new-spaces.h @ 12.4 to 14.6; before there was none).
func (hs *Reader) AllocationTop(owner core.Addr, p *Page) (at core.Addr, ok bool) {
	if hs.Layout.Heap.AllocationTop == 0 {
		return 0, false
	}
	class, ok := hs.Word(owner)
	if !ok {
		return 0, false
	}
	from := owner + 8
	for w, ok := hs.Word(from); !ok || w != class; w, ok = hs.Word(from) {
		if from += 8; from >= owner+8*semiSpaceWords {
			return 0, false
		}
	}
	for at = from + (from - owner); at <= from+(from-owner)+8*reservationWords; at += 8 {
		w, ok := hs.Word(at)
		if a := core.Addr(w); ok && a&7 == 0 && a >= p.AreaStart && a <= p.AreaEnd {
			return at, true
		}
	}
	return 0, false
}

// lastInUse returns, for each semi-space, the last page in use: the page that it is filling, or the pages with
// an area. A used-up area does not count.
func (f *gapFinder) lastInUse() []*Page {
	var list []*Page
	for _, p := range f.current {
		list = append(list, p)
	}
	for _, p := range f.inUse {
		if f.current[p.Owner] == nil {
			list = append(list, p)
		}
	}
	return list
}

// unusedPages adds the pages of semi-spaces that come after the ones in use:
// V8 allocates from them in the order of their list. The list's link is the word
// that leads from page to page of one space.
func (f *gapFinder) unusedPages() {
	heads := SemiSpaceHeads(f.pages)
	next := f.v.NextLink(heads)
	if next < 0 {
		return
	}
	for _, p := range f.lastInUse() {
		for _, q := range f.after(p, heads, core.Addr(next)) {
			f.gaps[q.AreaStart] = q.AreaEnd
		}
	}
}

// after returns the pages that come after p in its space: none if one of a heap
// that is being collected is in use too, for all up to that one are.
func (f *gapFinder) after(p *Page, heads map[core.Addr]*Page, next core.Addr) []*Page {
	var list []*Page
	for range len(heads) {
		w, ok := f.v.Word(p.Head + next)
		q := heads[core.Addr(w)]
		if !ok || q == nil || q.Owner != p.Owner || q == p {
			break
		}
		if f.busy[q.Heap] && slices.Contains(f.inUse, q) {
			return nil
		}
		list = append(list, q)
		p = q
	}
	return list
}

// NextLink returns the offset of the pointer to the next page in the headers
// of pages: the first offset where each header has 0 or another page of its space,
// and no two the same. It is -1 if there is no such offset.
func (hs *Reader) NextLink(heads map[core.Addr]*Page) int {
	for off := 24; off < 512; off += 8 {
		to := map[core.Addr]bool{}
		good := len(heads) > 1
		for _, p := range heads {
			w, ok := hs.Word(p.Head + core.Addr(off))
			q := heads[core.Addr(w)]
			switch {
			case !ok, w != 0 && (q == nil || q == p || q.Owner != p.Owner || to[core.Addr(w)]):
				good = false
			case w != 0:
				to[core.Addr(w)] = true
			}
			if !good {
				break
			}
		}
		if good && len(to) > 0 {
			return off
		}
	}
	return -1
}
