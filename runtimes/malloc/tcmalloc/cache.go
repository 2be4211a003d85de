package tcmalloc

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// Bounds of a search for the caches of threads.
const (
	maxFront  = 256 // where the lists begin
	maxBehind = 512 // bytes behind the lists that have the links to other caches
	maxCaches = 1 << 16
)

// A list of a thread's cache (ThreadCache::FreeList) has its first object, its length, three numbers, and the
// size of its objects. The length and the numbers have half of a word.
func (m machine) listObject() core.Addr { return 3 * m.pointer() }

func (m machine) listSize() core.Addr { return (m.listObject() + 4).Align(uint64(m.pointer())) }

// chain marks at most limit free objects of a list (-1 for all), and returns how many it has. The list ends
// with last. The objects of a span are in that span. Whole is false if a link leads astray.
func (h *Malloc) chain(link, at, last core.Addr, size uint64, list, limit int, s *span) (n int, whole bool) {
	c := h.m.c
	for ; at != 0 && n != limit; n++ {
		r, ok := h.heap.Around(at)
		twice := false
		if ok {
			p := h.heap.Packed(r)
			ok = p.At == at && p.Size() == size && (s == nil || at >= s.start && at < s.end())
			twice = ok && p.State() == block.Free
			if ok = ok && p.State() == block.Used; ok {
				p.Set(block.Free, list)
			}
		}
		if !ok {
			h.heap.Stray(block.Stray{At: link, Value: at, List: lists[list], Size: size, Twice: twice})
			return n, false
		}
		if at == last {
			return n + 1, true
		}
		link = at
		if at = c.Pointer(link); c.Reset() != nil {
			break
		}
	}
	return n, true
}

// transfers marks the objects in transfer caches. Slots that are not used have addresses that are left from before.
func (h *Malloc) transfers(ctx context.Context) {
	x, c := h.central, h.m.c
	if x == nil {
		h.heap.Notes = append(h.heap.Notes, "the transfer caches were not found: free objects in them count as used")
		return
	}
	h.heap.Own = append(h.heap.Own, block.Span{Start: x.at, End: x.at + x.stride*core.Addr(len(h.sizes))})
	for class := 1; class < len(h.sizes) && ctx.Err() == nil; class++ {
		at := x.at + core.Addr(class)*x.stride
		used := min(c.U32(at+x.used), slots)
		w := h.m.pointer()
		for i := range core.Addr(used) {
			slot := at + x.slots + 2*w*i
			head, tail := c.Pointer(slot), c.Pointer(slot+w)
			if c.Reset() == nil {
				h.chain(slot, head, tail, h.sizes[class], inTransfer, -1, nil)
			}
		}
		c.Reset()
	}
}

// threads marks the objects in caches of threads. They are linked with each other, and the data of the
// library leads to one.
func (h *Malloc) threads(ctx context.Context) {
	var work []core.Addr
	seen := map[core.Addr]bool{}
	front, found, w := core.Addr(0), false, h.m.pointer()
	add := func(v core.Addr) {
		if !found {
			for off := core.Addr(0); off <= maxFront && !found; off += w {
				if h.isCache(v + off) {
					front, found = off, true
				}
			}
		}
		if found && !seen[v] && len(seen) < maxCaches && h.isCache(v+front) {
			seen[v] = true
			work = append(work, v)
		}
	}
	block.Words(h.m.p, h.data.Start, min(h.data.End, h.data.Start+maxData), func(_, v core.Addr) bool {
		if v%w == 0 && v > 1<<16 && v>>h.m.address == 0 && (v < h.m.root || v >= h.m.root+w<<h.m.top) {
			add(v)
		}
		return !found && ctx.Err() == nil
	})
	if !found {
		h.heap.Notes = append(h.heap.Notes, "caches of threads were not found: free objects in them count as used")
		return
	}
	for len(work) > 0 && ctx.Err() == nil {
		v := work[0]
		work = work[1:]
		h.cache(v + front)
		end := v + front + h.m.listSize()*maxClasses
		block.Words(h.m.p, end-maxBehind, end+maxBehind, func(_, next core.Addr) bool {
			if next%w == 0 && !seen[next] {
				add(next)
			}
			return true
		})
	}
}

// isCache reports whether the lists of a thread's cache are at an address: each has the size of its class.
func (h *Malloc) isCache(at core.Addr) bool {
	c := h.m.c
	for class := 1; class < len(h.sizes); class++ {
		if uint64(c.U32(at+core.Addr(class)*h.m.listSize()+h.m.listObject())) != h.sizes[class] || c.Err() != nil {
			c.Reset()
			return false
		}
	}
	return true
}

// cache marks the objects in the lists of a thread's cache.
func (h *Malloc) cache(at core.Addr) {
	c := h.m.c
	for class := 1; class < len(h.sizes); class++ {
		link := at + core.Addr(class)*h.m.listSize()
		head, n := c.Pointer(link), int(c.U16(link+h.m.pointer()))
		if h.m.machine == wide {
			n = int(c.U32(link + h.m.pointer()))
		}
		if c.Reset() == nil {
			h.chain(link, head, 0, h.sizes[class], inThread, n, nil)
		}
	}
}
