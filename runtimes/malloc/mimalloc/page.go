package mimalloc

import (
	"context"
	"fmt"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// Offsets in a mi_page_t.
const (
	capacityAt = 10
	reservedAt = 12
	freeAt     = 16
	wideAt     = 48 // page_start
)

const (
	smallBlock = 1024 // pages of blocks up to this do not begin with their slice
	hugeBlock  = 2 << 30
	inside     = 1 // xblock_size of slices within a page
	maxChunks  = 256 << 20
)

// starts are how far from their slice the blocks of a page may begin, by their size: in 2.0.9, before, and in 2.1.
var starts = []func(size uint64) core.Addr{
	func(size uint64) core.Addr { return small(size, 3*128) },
	func(size uint64) core.Addr { return small(size, 128) },
	func(size uint64) core.Addr {
		switch {
		case size <= 64:
			return core.Addr(3 * size)
		case size <= 512:
			return core.Addr(size)
		}
		return 0
	},
	func(uint64) core.Addr { return 0 },
}

// small returns n for small blocks, whose pages do not begin with their slice.
func small(size uint64, n core.Addr) core.Addr {
	if size <= smallBlock {
		return n
	}
	return 0
}

// A page is memory for blocks of one size.
type page struct {
	at       core.Addr // of the record
	start    core.Addr // of the blocks
	end      core.Addr
	size     uint64 // of a block
	capacity core.Addr
	heap     core.Addr // mi_heap_t; 0 in version 3
	thread   core.Addr // its owner, in version 3; 0 if that has ended
	first    block.Ref // of its chunks
	shape    *shape
}

// pages calls visit for the pages of a segment, and for its free spans, whose size is 0.
func (s *segment) pages(c *core.Cursor, visit func(at, start, end core.Addr, size uint64)) {
	for i := core.Addr(0); i < s.entries; {
		at := s.slices + i*s.shape.entry
		count := core.Addr(c.U32(at))
		size := uint64(c.U32(at + s.shape.size))
		if s.shape.wide {
			size = c.U64(at + s.shape.size)
		}
		if c.Reset() != nil || count == 0 {
			return
		}
		start := s.at + i*s.shape.slice
		end := min(start+count*s.shape.slice, s.end())
		if size >= hugeBlock && !s.shape.wide {
			size = uint64(end - start)
		}
		if i > 0 {
			visit(at, start, end, size)
		}
		i += count
	}
}

// shift finds out where pages of small blocks begin: the blocks of their free lists say it.
func (h *Malloc) shift() func(size uint64) core.Addr {
	c := h.p.Cursor()
	votes := make([]int, len(starts))
	for i := range h.segments {
		h.segments[i].pages(c, func(at, start, end core.Addr, size uint64) {
			if size <= inside || size > smallBlock {
				return
			}
			for _, link := range []core.Addr{freeAt, h.segments[i].shape.local} {
				v := c.Pointer(at + link)
				for k, f := range starts {
					if off := f(size); c.Reset() == nil && v >= start+off && v < end && uint64(v-start-off)%size == 0 {
						votes[k]++
					}
				}
			}
		})
	}
	best := 0
	for k := range starts {
		if votes[k] > votes[best] {
			best = k
		}
	}
	return starts[best]
}

// load makes regions of segments and chunks of blocks.
func (h *Malloc) load(ctx context.Context) {
	if h.pages != nil {
		h.loadMap(ctx)
		return
	}
	c := h.p.Cursor()
	off := h.shift()
	var pages []page
	for i := range h.segments {
		if ctx.Err() != nil || h.total > maxChunks {
			break
		}
		s := &h.segments[i]
		r := block.Region{Start: s.at, End: s.end(), Arena: h.arenaOf(s.thread)}
		s.pages(c, func(at, start, end core.Addr, size uint64) {
			if size > inside && !s.shape.wide {
				start += off(size)
			} else if size > inside {
				if v := c.Pointer(at + wideAt); v >= start && v < end {
					start = v
				}
			}
			h.page(&r, c, &pages, page{at: at, start: start, end: end, size: size, shape: s.shape})
		})
		h.heap.Regions = append(h.heap.Regions, r)
	}
	h.heap.Done()
	h.free(ctx, pages)
}

// arenaOf returns the number in Heap.Arenas of an owner of segments or pages.
func (h *Malloc) arenaOf(thread core.Addr) int {
	n, ok := h.arenas[thread]
	if !ok {
		n = len(h.heap.Arenas)
		h.arenas[thread] = n
		h.heap.Arenas = append(h.heap.Arenas, h.arena(thread))
	}
	return n
}

// arena names an owner of segments by its thread pointer, which mimalloc knows threads by.
func (h *Malloc) arena(thread core.Addr) block.Arena {
	if thread == 0 {
		return block.Arena{Name: "abandoned"}
	}
	for _, t := range h.p.Threads {
		if t.TLS == thread && t.TID != 0 {
			return block.Arena{Addr: thread, Name: fmt.Sprintf("thread %d", t.TID), Main: t.TID == h.p.PID}
		}
	}
	return block.Arena{Addr: thread}
}

// page adds the blocks of a page, which are in use until the free lists say otherwise.
func (h *Malloc) page(r *block.Region, c *core.Cursor, pages *[]page, x page) {
	at, start, end, size := x.at, x.start, x.end, x.size
	if size <= inside {
		r.Chunks = append(r.Chunks, rest(start, end))
		return
	}
	x.capacity, x.heap = core.Addr(c.U16(at+capacityAt)), c.Pointer(at+x.shape.heap)
	reserved := core.Addr(c.U16(at + reservedAt))
	x.first = block.Ref{Region: len(h.heap.Regions), Index: len(r.Chunks)}
	if c.Reset() != nil || size%uint64(x.shape.word) != 0 || size > uint64(end-start) || x.capacity > reserved ||
		reserved*core.Addr(size) > end-start {
		h.breaks(at, fmt.Sprintf("it counts %d blocks of %d bytes in a page of %d", x.capacity, size,
			uint64(end-start)))
		r.Chunks = append(r.Chunks, block.PackAs(start, uint64(end-start), block.Lost, 0))
		r.Lost += uint64(end - start)
		return
	}
	h.blocks(r, &x)
	*pages = append(*pages, x)
}

// blocks adds the blocks of a page, and the rest that was not given out.
func (h *Malloc) blocks(r *block.Region, x *page) {
	r.Chunks = slices.Grow(r.Chunks, int(x.capacity)+1)
	for i := range x.capacity {
		r.Chunks = append(r.Chunks, block.Pack(x.start+i*core.Addr(x.size), x.size))
	}
	h.total += int(x.capacity)
	if last := x.start + x.capacity*core.Addr(x.size); uint64(x.end-last) >= x.size {
		r.Chunks = append(r.Chunks, rest(last, x.end))
	}
}

// rest is memory that was not given out.
func rest(start, end core.Addr) block.Packed {
	return block.PackAs(start, uint64(end-start), block.Top, 0)
}

func (h *Malloc) breaks(at core.Addr, why string) {
	h.heap.Contradiction(at, h.p.Cursor().U64(at), "a page", why)
}
