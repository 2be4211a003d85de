package mimalloc

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// Lists of free chunks, by number.
const (
	inPage = 1 + iota
	inLocal
	inOther
	inDelayed
)

var lists = []string{"", "page's list", "list of its thread", "list of other threads", "heap's delayed list"}

const (
	fewBreaks = 8
	flagBits  = 3    // of the list of other threads
	heapSize  = 8192 // of a mi_heap_t, at most
	maxHeaps  = 1 << 14
)

// free marks the blocks that lists have.
func (h *Malloc) free(ctx context.Context, pages []page) {
	c := h.p.Cursor()
	byHeap := map[core.Addr]core.Addr{} // the thread of a heap, of the segment that has its pages
	for i := range pages {
		if i&255 == 0 && ctx.Err() != nil {
			return
		}
		x := &pages[i]
		alive := c.U32(x.at + x.shape.alive)
		if x.shape.wide {
			alive &= 1<<16 - 1
		}
		h.lists(c, x, [3]core.Addr{freeAt, x.shape.local, x.shape.other}, alive)
		if s := h.segment(x.start); s != nil && x.heap != 0 && s.thread != 0 {
			byHeap[x.heap] = s.thread
		}
	}
	h.delayed(ctx, c, byHeap)
	if n := len(h.heap.Breaks); n > fewBreaks && n > len(pages)/4 {
		h.heap.Notes = append(h.heap.Notes, fmt.Sprintf("%d of %d pages contradict themselves: it may be a release that is not known, and then the figures are wrong", n, len(pages)))
	}
}

// lists marks what the lists of a page have: the page's, its thread's, and other threads'. The page counts
// alive blocks that are in neither of the first two.
func (h *Malloc) lists(c *core.Cursor, x *page, at [3]core.Addr, alive uint32) {
	if c.Reset() != nil {
		return
	}
	free, whole := h.list(c, x, x.at+at[0], inPage)
	local, wholeLocal := h.list(c, x, x.at+at[1], inLocal)
	free += local
	h.list(c, x, x.at+at[2], inOther)
	if whole && wholeLocal && int(alive)+free != int(x.capacity) {
		h.breaks(x.at, fmt.Sprintf("it counts %d blocks in use of %d, and lists %d free ones", alive,
			uint64(x.capacity), free))
	}
}

// list marks the blocks of a page's list, and returns how many there are. Whole is false if a link leads astray.
func (h *Malloc) list(c *core.Cursor, x *page, link core.Addr, list int) (n int, whole bool) {
	defer c.Reset()
	at := c.Pointer(link) &^ flagBits
	for at != 0 && c.Reset() == nil {
		i := (at - x.start) / core.Addr(x.size)
		if at < x.start || i >= x.capacity || x.start+i*core.Addr(x.size) != at {
			h.heap.Stray(block.Stray{At: link, Value: at, List: lists[list], Size: x.size})
			return n, false
		}
		p := h.heap.Packed(block.Ref{Region: x.first.Region, Index: x.first.Index + int(i)})
		if p.State() == block.Free {
			h.heap.Stray(block.Stray{At: link, Value: at, List: lists[list], Size: x.size, Twice: true})
			return n, false
		}
		p.Set(block.Free, list)
		n++
		link = at
		at = c.Pointer(link)
	}
	return n, true
}

// delayed marks the blocks in the heaps' lists. A heap has its thread's number behind its list; where these
// are in the record differs between releases, and is the same for all heaps.
func (h *Malloc) delayed(ctx context.Context, c *core.Cursor, heaps map[core.Addr]core.Addr) {
	votes, w := map[core.Addr]int{}, core.Addr(c.PtrSize())
	all := slices.Sorted(maps.Keys(heaps))
	all = all[:min(len(all), maxHeaps)]
	for _, heap := range all {
		if ctx.Err() != nil {
			return
		}
		for off := w; off < heapSize; off += w {
			if c.Pointer(heap+off) == heaps[heap] && c.Reset() == nil {
				votes[off]++
			}
			c.Reset()
		}
	}
	at, most := core.Addr(0), 0
	for off, n := range votes {
		if n > most || n == most && off < at {
			at, most = off, n
		}
	}
	if len(heaps) > 0 && most == 0 {
		h.heap.Notes = append(h.heap.Notes, "the records of heaps were not found: blocks that other threads gave back to full pages may count as used")
		return
	}
	for _, heap := range all {
		link := heap + at - w
		for b := c.Pointer(link); b != 0 && c.Reset() == nil && ctx.Err() == nil; b = c.Pointer(link) {
			r, ok := h.heap.Around(b)
			if !ok || h.heap.Packed(r).At != b || h.heap.Packed(r).State() != block.Used {
				twice := ok && h.heap.Packed(r).At == b && h.heap.Packed(r).State() == block.Free
				h.heap.Stray(block.Stray{At: link, Value: b, List: lists[inDelayed], Twice: twice})
				break
			}
			h.heap.Packed(r).Set(block.Free, inDelayed)
			link = b
		}
		c.Reset()
	}
}
