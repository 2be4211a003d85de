package v8

import "coredbg/core"

// FreedPages is the name of the space that pages are put in that their own has
// given back: the collector has moved or freed all that was on them, and a thread was
// about to give them to the system (MemoryAllocator::Unmapper, heap/memory-allocator.h
// @ 12.4). What lies there is dead, or a copy.
const FreedPages = "freed_pages"

// spaceWords is in how many words of a space its list of pages is looked for.
const spaceWords = 64

// settleFreed tells pages that are not in the list of their space any more. A list
// is threaded through the headers of its pages, with the same link in all spaces,
// and the space names the first and the last (heap/list.h); List::Remove clears the
// links. In heaps that are being collected pages are between lists.
func (h *Heap) settleFreed() {
	next := h.v.nextLink(semiSpaceHeads(h.Pages))
	if next < 0 {
		return
	}
	busy := h.busy()
	heads := map[core.Addr]*Page{}
	owners := map[core.Addr]bool{}
	for i := range h.Pages {
		p := &h.Pages[i]
		if p.Owner != 0 && p.Heap != 0 && p.Space != "new_space" && !busy[p.Heap] {
			heads[p.head], owners[p.Owner] = p, true
		}
	}
	listed := map[*Page]bool{}
	note := func(from core.Addr, owner core.Addr) {
		w, _ := h.v.Word(from)
		if p := heads[core.Addr(w)]; p != nil && p.Owner == owner {
			listed[p] = true
		}
	}
	for owner := range owners {
		for i := range spaceWords {
			note(owner+core.Addr(8*i), owner)
		}
	}
	named := map[core.Addr]bool{} // spaces whose own words lead to their list
	for p := range listed {
		named[p.Owner] = true
	}
	for head, p := range heads {
		note(head+core.Addr(next), p.Owner)
	}
	for head, p := range heads {
		w, ok := h.v.Word(head + core.Addr(next))
		if ok && w == 0 && named[p.Owner] && !listed[p] {
			p.Space, p.Owner, p.FromSpace = FreedPages, 0, true
		}
	}
}
