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
	aliveAt    = 24 // used
	sizeAt     = 28 // xblock_size
	localAt    = 32
	otherAt    = 40 // xthread_free
	heapAt     = 48 // xheap
)

const (
	smallBlock = 1024 // pages of blocks up to this do not begin with their slice
	hugeBlock  = 2 << 30
	inside     = 1 // xblock_size of slices within a page
	maxChunks  = 256 << 20
	maxBreaks  = 256
)

// offsets are how far from their slice the pages of small blocks may begin: 3*MI_MAX_ALIGN_GUARANTEE, once that, or not at all.
var offsets = []core.Addr{384, 128, 0}

// A page is memory for blocks of one size.
type page struct {
	at       core.Addr // of the record
	start    core.Addr // of the blocks
	end      core.Addr
	size     uint64 // of a block
	capacity core.Addr
	heap     core.Addr
	first    block.Ref // of its chunks
}

// pages calls visit for the pages of a segment, and for its free spans, whose size is 0.
func (s *segment) pages(c *core.Cursor, visit func(at, start, end core.Addr, size uint64)) {
	for i := core.Addr(0); i < s.entries; {
		at := s.slices + i*entrySize
		count := core.Addr(c.U32(at))
		size := uint64(c.U32(at + sizeAt))
		if c.Reset() != nil || count == 0 {
			return
		}
		start := s.at + i*sliceSize
		end := min(start+count*sliceSize, s.end())
		if size >= hugeBlock {
			size = uint64(end - start)
		}
		if i > 0 {
			visit(at, start, end, size)
		}
		i += count
	}
}

// shift finds out where pages of small blocks begin: the blocks of their free lists say it.
func (h *Malloc) shift() core.Addr {
	c := h.p.Cursor()
	votes := map[core.Addr]int{}
	for i := range h.segments {
		h.segments[i].pages(c, func(at, start, end core.Addr, size uint64) {
			if size <= inside || size > smallBlock {
				return
			}
			for _, link := range []core.Addr{freeAt, localAt} {
				v := c.Pointer(at + link)
				for _, off := range offsets {
					if c.Reset() == nil && v >= start+off && v < end && uint64(v-start-off)%size == 0 {
						votes[off]++
					}
				}
			}
		})
	}
	best := offsets[0]
	for _, off := range offsets {
		if votes[off] > votes[best] {
			best = off
		}
	}
	return best
}

// load makes regions of segments and chunks of blocks.
func (h *Malloc) load(ctx context.Context) {
	c := h.p.Cursor()
	off := h.shift()
	arenas := map[core.Addr]int{}
	var pages []page
	for i := range h.segments {
		if ctx.Err() != nil || h.total > maxChunks {
			break
		}
		s := &h.segments[i]
		n, ok := arenas[s.thread]
		if !ok {
			n = len(h.heap.Arenas)
			arenas[s.thread] = n
			h.heap.Arenas = append(h.heap.Arenas, h.arena(s.thread))
		}
		r := block.Region{Start: s.at, End: s.end(), Arena: n}
		s.pages(c, func(at, start, end core.Addr, size uint64) {
			h.page(&r, c, &pages, at, start, end, size, off)
		})
		h.heap.Regions = append(h.heap.Regions, r)
	}
	h.heap.Done()
	h.free(ctx, pages)
}

// arena names an owner of segments by its thread pointer, which mimalloc knows threads by.
func (h *Malloc) arena(thread core.Addr) block.Arena {
	if thread == 0 {
		return block.Arena{Name: "abandoned"}
	}
	for i, t := range h.p.Threads {
		if t.TLS == thread && t.TID != 0 {
			return block.Arena{Addr: thread, Name: fmt.Sprintf("thread %d", t.TID), Main: i >= 0 && t.TID == h.p.PID}
		}
	}
	return block.Arena{Addr: thread}
}

// page adds the blocks of a page, which are in use until the free lists say otherwise.
func (h *Malloc) page(r *block.Region, c *core.Cursor, pages *[]page, at, start, end core.Addr, size uint64, off core.Addr) {
	if size <= inside {
		r.Chunks = append(r.Chunks, rest(start, end))
		return
	}
	if size <= smallBlock {
		start += off
	}
	x := page{at: at, start: start, end: end, size: size, capacity: core.Addr(c.U16(at + capacityAt)), heap: c.Pointer(at + heapAt)}
	reserved := core.Addr(c.U16(at + reservedAt))
	x.first = block.Ref{Region: len(h.heap.Regions), Index: len(r.Chunks)}
	if c.Reset() != nil || size%8 != 0 || x.capacity > reserved || reserved*core.Addr(size) > end-start {
		h.breaks(at, fmt.Sprintf("it counts %d blocks of %d bytes in a page of %d", x.capacity, size, uint64(end-start)))
		p := block.Pack(start, uint64(end-start))
		p.Set(block.Lost, 0)
		r.Chunks = append(r.Chunks, p)
		r.Lost += uint64(end - start)
		return
	}
	r.Chunks = slices.Grow(r.Chunks, int(x.capacity)+1)
	for i := range x.capacity {
		r.Chunks = append(r.Chunks, block.Pack(start+i*core.Addr(size), size))
	}
	h.total += int(x.capacity)
	if last := start + x.capacity*core.Addr(size); uint64(end-last) >= size {
		r.Chunks = append(r.Chunks, rest(last, end))
	}
	*pages = append(*pages, x)
}

// rest is memory that was not given out.
func rest(start, end core.Addr) block.Packed {
	p := block.Pack(start, uint64(end-start))
	p.Set(block.Top, 0)
	return p
}

func (h *Malloc) breaks(at core.Addr, why string) {
	if len(h.heap.Breaks) < maxBreaks {
		v := h.p.Cursor().U64(at)
		h.heap.Breaks = append(h.heap.Breaks, block.Break{At: at, Value: v, Apart: true, Why: "the record of a page does not hold together: " + why})
	}
}
