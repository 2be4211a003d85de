package page

import (
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/v8test"
)

// TestOwned: a Heap leads to its spaces and LocalHeaps, these to allocators, and nothing else
// that it leads to is its own.
func TestOwned(t *testing.T) {
	m := v8test.NewHeap(t, layout.V(11, 8))
	heap, space, local, area, alien := m.Alloc(0x200), m.Alloc(0x200), m.Alloc(0x200), m.Alloc(0x200), m.Alloc(0x200)
	m.Put(heap+0x10, uint64(heap))
	m.Put(heap+0x18, uint64(local))
	m.Put(heap+0x40, uint64(space))
	m.Put(heap+0x48, uint64(space)) // twice
	m.Put(heap+0x50, uint64(alien))
	m.Put(heap+0x58, uint64(local+1))
	m.Put(heap+0x60, 0x7fff00000000) // no memory
	m.Put(space+8, uint64(heap))
	m.Put(local, uint64(heap))
	m.Put(local+0x50, uint64(area))
	m.Put(area, uint64(local))
	m.Put(area+0x10, uint64(heap))
	m.Put(alien+8*backWords, uint64(heap))
	f := gapFinder{v: readerOf(m.Memory()).Reader, isolates: map[core.Addr]core.Addr{heap: 0}}
	got := f.owned()
	slices.Sort(got)
	if want := []core.Addr{space, local, area}; !slices.Equal(got, want) {
		t.Errorf("owned: %x, want %x", got, want)
	}
}

// TestOwnedBounds: blocks that lead to ever more are not followed without end.
func TestOwnedBounds(t *testing.T) {
	m := v8test.NewHeap(t, layout.V(11, 8))
	heap := m.Alloc(8 * heapWords)
	for i := range heapWords {
		block := m.Alloc(16)
		m.Put(heap+core.Addr(8*i), uint64(block))
		m.Put(block, uint64(heap))
	}
	f := gapFinder{v: readerOf(m.Memory()).Reader, isolates: map[core.Addr]core.Addr{heap: 0}}
	if got := len(f.owned()); got == 0 || got > maxOwned {
		t.Errorf("%d blocks", got)
	}
}
