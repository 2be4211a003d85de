package page

import "coredbg/core"

// Spaces and threads' LocalHeaps have allocation areas of their own, and an embedder's allocator
// puts them anywhere: Blink's takes memory of its own for each size. The Heap leads to all of them
// and each leads back: Heap::space_ and main_thread_local_heap_ to objects that have their Heap
// among the first members (heap/base-space.h, heap/local-heap.h @ 11.9), a LocalHeap further to
// its ConcurrentAllocators, with {space, heap, start, top, limit} (heap/concurrent-allocator.h,
// heap/local-allocator.h @ 10.7 to 11.9).
const (
	heapWords  = 0x2000 / 8 // a Heap has such pointers in its first words
	ownedBytes = 0x200      // searched at the target of each pointer in a Heap
	backWords  = 4          // searched for a pointer back to the Heap
	maxOwned   = 256        // blocks of one heap
)

// owned returns the addresses of spaces, LocalHeaps and their allocators.
func (f *gapFinder) owned() []core.Addr {
	var list []core.Addr
	for heap := range f.isolates {
		seen := map[core.Addr]bool{heap: true}
		first := f.ledTo(heap, heap, heapWords, seen)
		list = append(list, first...)
		for _, a := range first {
			list = append(list, f.ledTo(heap, a, ownedBytes/8, seen)...)
		}
	}
	return list
}

// ledTo returns the targets of the words at a that lead back to the heap, without the targets already seen.
func (f *gapFinder) ledTo(heap, a core.Addr, words int, seen map[core.Addr]bool) (list []core.Addr) {
	for i := range words {
		if len(seen) > maxOwned {
			break
		}
		w, ok := f.v.Word(a + core.Addr(8*i))
		if !ok {
			break
		}
		to := core.Addr(w)
		if to == 0 || to&7 != 0 || seen[to] || !f.leadsBack(to, heap) {
			continue
		}
		seen[to] = true
		list = append(list, to)
	}
	return list
}

func (f *gapFinder) leadsBack(a, heap core.Addr) bool {
	for i := range backWords {
		w, ok := f.v.Word(a + core.Addr(8*i))
		if !ok {
			return false
		}
		if core.Addr(w) == heap {
			return true
		}
	}
	return false
}
