package gtcmalloc

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// Bounds of a search for the caches of threads.
const (
	maxBehind = 512 // bytes behind the lists that have the links to other caches
	maxCaches = 1 << 16
	maxLength = 1 << 14 // that a list may grow to
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
		used, room := c.U32(at-h.m.l.used), c.U32(at-h.m.l.used+4)
		slots := c.Pointer(at - slotsBefore)
		if c.Reset() != nil || used > room || room > maxUsed {
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
	seen, found := map[core.Addr]bool{}, false
	add := func(v core.Addr) {
		if !seen[v] && len(seen) < maxCaches && h.isCache(v) {
			seen[v], found = true, true
			work = append(work, v)
		}
	}
	for _, d := range h.data {
		block.Words(h.m.p, d.Start, min(d.End, d.Start+maxData), func(at, v core.Addr) bool {
			if g, ok := h.m.p.Mapping(v); ok && v%8 == 0 && g.Prot&core.Write != 0 &&
				(at < h.m.root || at >= h.m.root+rootSize) && !h.Has(v) &&
				block.ModuleOf(h.m.p, v) == nil {
				add(v)
			}
			return !found && ctx.Err() == nil
		})
	}
	for len(work) > 0 && ctx.Err() == nil {
		v := work[0]
		work = work[1:]
		end := h.cache(v)
		h.heap.Own = append(h.heap.Own, block.Span{Start: v, End: end})
		block.Words(h.m.p, end, end+maxBehind, func(_, next core.Addr) bool {
			if next%8 == 0 && !seen[next] {
				add(next)
			}
			return true
		})
	}
	return found
}

// isCache reports whether the lists of a thread's cache are at an address. A list has its first object, its
// length, and how long it may get.
func (h *Malloc) isCache(at core.Addr) bool {
	c := h.m.c
	for class := 1; class < h.base; class++ {
		link := at + core.Addr(class)*h.m.l.lists
		head, length, most := c.Pointer(link), c.U32(link+8), c.U32(link+16)
		if c.Reset() != nil || (head == 0) != (length == 0) || length > maxUsed || most == 0 || most > maxLength {
			return false
		}
		if head == 0 {
			continue
		}
		r, ok := h.heap.Around(head)
		if !ok || h.heap.Packed(r).At != head || h.heap.Packed(r).Size() != h.size(class) {
			return false
		}
	}
	return true
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
