package gtcmalloc

import (
	"context"
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// Bounds of a search for the caches of threads.
const (
	maxBehind = 512 // bytes behind the lists that have the links to other caches
	maxCaches = 1 << 16
	maxLength = 1 << 14 // that a list may grow to
	maxLists  = 1 << 20 // that are looked at where no cache is
)

// transfers marks the objects in transfer caches.
func (h *Malloc) transfers(ctx context.Context) {
	x, c := h.central, h.m.c
	if x == nil {
		h.heap.Notes = append(h.heap.Notes, "the transfer caches were not found: free objects in them count as used")
		return
	}
	for class := 1; class < maxClasses && ctx.Err() == nil; class++ {
		at := x.at + core.Addr(class)*x.stride
		if size := h.size(class); c.U64(at) != uint64(class) || c.U64(at+8) != size || c.Reset() != nil {
			c.Reset()
			h.heap.Own = append(h.heap.Own, block.Span{Start: x.at, End: at})
			return
		}
		counts := c.U64(at - h.m.l.used)
		used, room := uint32(counts), uint32(counts>>32)
		slots := c.Pointer(at - slotsBefore)
		if c.Reset() != nil {
			continue
		}
		if used > room || room > maxUsed {
			h.heap.Contradiction(at-h.m.l.used, counts, fmt.Sprintf("the transfer cache of size class %d", class),
				fmt.Sprintf("it counts %d objects in %d slots", used, room))
			continue
		}
		for i := range core.Addr(used) {
			slot := slots + 8*i
			if v := c.Pointer(slot); c.Reset() != nil || !h.free(slot, v, h.size(class), inTransfer) {
				break
			}
		}
	}
}

// threads marks the objects in caches of threads, and reports whether there are any. They are linked with
// each other, and the program's data lead to one.
func (h *Malloc) threads(ctx context.Context) bool {
	var work []core.Addr
	seen, caches, vain := map[core.Addr]bool{}, 0, 0
	add := func(v core.Addr) {
		if seen[v] || caches >= maxCaches || vain >= maxLists {
			return
		}
		seen[v] = true
		if n, ok := h.isCache(v); !ok {
			vain += n
			return
		}
		caches++
		work = append(work, v)
	}
	for _, d := range h.data {
		block.Words(h.m.p, d.Start, min(d.End, d.Start+maxData), func(at, v core.Addr) bool {
			if g, ok := h.m.p.Mapping(v); ok && v%8 == 0 && g.Prot&core.Write != 0 &&
				!h.m.inRoot(at) && !h.Has(v) &&
				block.ModuleOf(h.m.p, v) == nil {
				add(v)
			}
			return caches == 0 && ctx.Err() == nil
		})
		if caches > 0 {
			break
		}
	}
	for len(work) > 0 && ctx.Err() == nil {
		v := work[0]
		work = work[1:]
		end := h.cache(v)
		h.heap.Own = append(h.heap.Own, block.Span{Start: v, End: end})
		block.Words(h.m.p, end, end+maxBehind, func(_, next core.Addr) bool {
			if next%8 == 0 {
				add(next)
			}
			return true
		})
	}
	return caches > 0
}

// isCache reports whether the lists of a thread's cache are at an address, and how many it has looked at. A list
// has its first object, its length, and how long it may get.
func (h *Malloc) isCache(at core.Addr) (looked int, ok bool) {
	c := h.m.c
	for class := 1; class < h.base; class++ {
		link := at + core.Addr(class)*h.m.l.lists
		head, length, most := c.Pointer(link), c.U32(link+8), c.U32(link+16)
		if c.Reset() != nil || (head == 0) != (length == 0) || length > maxUsed || most == 0 || most > maxLength {
			return class, false
		}
		if head == 0 {
			continue
		}
		r, ok := h.heap.Around(head)
		if !ok || h.heap.Packed(r).At != head || h.heap.Packed(r).Size() != h.size(class) {
			return class, false
		}
	}
	return h.base, true
}

// cache marks the objects in the lists of a thread's cache, and returns where the lists end.
func (h *Malloc) cache(at core.Addr) core.Addr {
	c := h.m.c
	for class := range maxClasses {
		link := at + core.Addr(class)*h.m.l.lists
		head, length := c.Pointer(link), int(c.U32(link+8))
		if c.Reset() != nil || (head == 0) != (length == 0) || class >= h.base && head != 0 && !h.Has(head) {
			return link
		}
		for ; head != 0 && length > 0; length-- {
			if !h.free(link, head, h.size(class), inThread) {
				break
			}
			link = head
			if head = c.Pointer(head); c.Reset() != nil {
				break
			}
		}
	}
	return at + maxClasses*h.m.l.lists
}
