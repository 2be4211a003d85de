package heap

import (
	"coredbg/core"
	"coredbg/runtimes/v8/page"
)

// FreedPages is the name of the space for pages that their own space has given up: the collector has moved or
// freed everything on them, and a thread was about to return them to the system (MemoryAllocator::Unmapper,
// heap/memory-allocator.h @ 12.4). Objects there are dead, or copies.
const FreedPages = "freed_pages"

// spaceWords is in how many words of a space its list of pages is looked for.
const spaceWords = 64

// settleFreed finds pages that are not in the list of their space any more. A list is
// threaded through the headers of its pages, the link to the page before after that to
// the next, and the space names the first and the last (heap/list.h); List::Remove
// clears both links. A page that the space has given up may have no owner any more, where
// others of its heap have one. In heaps that are being collected pages are between lists.
func (b *builder) settleFreed() {
	next := b.v.NextLink(page.SemiSpaceHeads(b.Pages))
	if next < 0 {
		return
	}
	busy := b.Busy()
	heads, ownerless := map[core.Addr]*page.Page{}, map[core.Addr]*page.Page{}
	linked := map[core.Addr]bool{} // spaces with a list of more than one page
	owned := map[core.Addr]bool{}  // heaps with pages that have an owner
	for i := range b.Pages {
		p := &b.Pages[i]
		if p.Heap == 0 || busy[p.Heap] {
			continue
		}
		if p.Owner == 0 {
			ownerless[p.Head] = p
			continue
		}
		heads[p.Head], owned[p.Heap] = p, true
		if !b.unlinked(p, next) {
			linked[p.Owner] = true
		}
	}
	var freed []*page.Page
	for _, p := range heads {
		if b.unlinked(p, next) && (linked[p.Owner] || b.namesOther(p, heads)) {
			freed = append(freed, p)
		}
	}
	for _, p := range ownerless {
		if owned[p.Heap] && b.unlinked(p, next) {
			freed = append(freed, p)
		}
	}
	for _, p := range freed {
		p.Space, p.Owner, p.FromSpace = FreedPages, 0, true
	}
}

// unlinked reports whether both links in a page's header are 0. The first one is at next.
func (b *builder) unlinked(p *page.Page, next int) bool {
	after, ok1 := b.v.Word(p.Head + core.Addr(next))
	prev, ok2 := b.v.Word(p.Head + core.Addr(next) + 8)
	return ok1 && ok2 && after == 0 && prev == 0
}

// namesOther reports whether the space of p names another page as the first of its
// list, and not p.
func (b *builder) namesOther(p *page.Page, heads map[core.Addr]*page.Page) bool {
	other := false
	for i := range spaceWords {
		w, _ := b.v.Word(p.Owner + core.Addr(8*i))
		q := heads[core.Addr(w)]
		if q == p {
			return false
		}
		other = other || q != nil && q.Owner == p.Owner
	}
	return other
}
