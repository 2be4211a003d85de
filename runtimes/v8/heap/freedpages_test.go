package heap

import (
	"testing"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/page"
	"coredbg/runtimes/v8/v8test"
)

// TestSettleFreed: pages that are in no list are freed, a page that may be the only one in its list is not. By V8's
// sources List::Remove clears both links, and a page in the queue of the Unmapper may have no owner.
func TestSettleFreed(t *testing.T) {
	const heap, young, old, large = 0x1000, 0x2000, 0x3000, 0x4000
	const next, size = 0xc0, 0x200 // of the links in a header
	m := v8test.NewHeap(t, layout.V(11, 3))
	var pages []page.Page
	add := func(space string, owner, heap core.Addr) core.Addr {
		at := m.Alloc(size)
		pages = append(pages, page.Page{Head: at, Space: space, Owner: owner, Heap: heap})
		return at
	}
	link := func(a, b core.Addr) {
		m.Put(a+next, uint64(b))
		m.Put(b+next+8, uint64(a))
	}
	link(add("new_space", young, heap), add("new_space", young, heap))
	link(add("old_space", old, heap), add("old_space", old, heap))
	want := map[core.Addr]bool{
		add("old_space", old, heap):            true,
		add("large_object_space", 0, heap):     true,
		add("large_object_space", large, heap): false, // its space is not in the core
		add("read_only_space", 0, 0):           false,
		add("old_space", 0, 0x5000):            false, // no page of that heap has an owner
	}
	h := &Snapshot{v: heapsOf(m.Memory()).Heaps, Pages: pages}
	(&builder{h, nil}).settleFreed()
	for _, p := range h.Pages {
		if freed := p.Space == FreedPages; freed != want[p.Head] {
			t.Errorf("page %v of %s: freed %v", p.Head, p.Space, freed)
		}
	}
}
