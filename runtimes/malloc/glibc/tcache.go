package glibc

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

const (
	smallBins = 64
	maxList   = 1 << 16 // chunks of a list
	mostStray = 4       // lists of a cache without a chunk, where fewer lists have some
	maxLinks  = 1 << 22 // of all lists together
)

// tcaches finds the caches of threads, and marks what they list.
func (h *Malloc) tcaches(ctx context.Context) {
	var all []block.Ref
	h.heap.Each(func(r block.Ref, p *block.Packed) bool {
		for i := range cacheShapes {
			if p.State() == block.Used && cacheShapes[i].fits(&h.l, core.Addr(p.Size())) {
				all = append(all, r)
				break
			}
		}
		return true
	})
	for _, r := range all {
		for i := range cacheShapes {
			p, s := h.heap.Packed(r), &cacheShapes[i]
			if s.fits(&h.l, core.Addr(p.Size())) && ctx.Err() == nil && h.links < maxLinks && p.State() == block.Used {
				h.tcache(p.At, s)
			}
		}
	}
}

// A cache is one that is being read.
type cache struct {
	h     *Malloc
	c     *core.Cursor
	at    core.Addr
	s     *cacheShape
	most  int // what counts of room begin with
	found []cached
	stray []block.Stray
}

// A cached chunk is in a list, by the link at an address.
type cached struct {
	block.Ref
	link core.Addr
}

// tcache marks what a chunk lists if it is a tcache_perthread_struct.
func (h *Malloc) tcache(at core.Addr, s *cacheShape) {
	x := cache{h: h, c: h.p.Cursor(), at: at, s: s}
	x.countRoom()
	for bin := range s.bins {
		if !x.bin(bin) {
			return
		}
	}
	if len(x.stray) > mostStray && len(x.stray) > len(x.found) {
		return // a block of that size with other contents
	}
	for _, r := range x.found {
		p := h.heap.Packed(r.Ref)
		if p.State() == block.Free && p.List() == inTcache {
			h.heap.Stray(block.Stray{At: r.link, Value: p.At, List: "tcache",
				Size: p.Size() + uint64(h.l.w), Twice: true})
			break
		}
		p.Set(block.Free, inTcache)
	}
	for _, y := range x.stray {
		h.heap.Stray(y)
	}
}

// countRoom finds the largest count of room, which an empty list has.
func (x *cache) countRoom() {
	for bin := core.Addr(0); x.s.slots && bin < x.s.bins; bin++ {
		x.most = max(x.most, x.raw(bin))
	}
}

// head returns how many chunks a list has, where the link to the first is, and the first.
func (x *cache) head(bin core.Addr) (n int, link, first core.Addr) {
	n = x.raw(bin)
	if x.s.slots {
		n = x.most - n
	}
	link = x.at + (x.s.bins * x.s.count).Align(uint64(x.h.l.w)) + bin*x.h.l.w
	return n, link, x.c.Pointer(link) &^ x.h.l.ignore
}

func (x *cache) raw(bin core.Addr) int {
	if x.s.count == 1 {
		return int(x.c.U8(x.at + bin))
	}
	return int(x.c.U16(x.at + 2*bin))
}

// bin follows one list; false if this is no tcache.
func (x *cache) bin(bin core.Addr) bool {
	l := &x.h.l
	n, link, head := x.head(bin)
	if x.c.Err() != nil || n > maxList || (n == 0) != (head == 0) {
		return false
	}
	size := l.minChunk() + bin*l.align
	if l.w == 4 && l.align == 16 {
		size = l.minChunk() + bin*16
	}
	for ; n > 0 && head != 0; n-- {
		// A list that was overwritten ends where it does not fit any more.
		r, _ := x.h.begins(head)
		if !x.isOf(bin, head, size) {
			x.stray = append(x.stray, block.Stray{At: link, Value: head, List: "tcache", Size: uint64(size)})
			break
		}
		x.found = append(x.found, cached{r, link})
		link = head
		// The last one has no next, unless a thread was about to count it.
		if head = x.h.follow(x.c, head); n == 1 && head != 0 && x.c.Err() == nil && !x.isOf(bin, head, size) {
			x.stray = append(x.stray, block.Stray{At: link, Value: head, List: "tcache", Size: uint64(size)})
		}
	}
	return x.c.Reset() == nil
}

// isOf reports whether a chunk that a list can have begins at an address. Size is the size of the list's
// chunks, with their headers.
func (x *cache) isOf(bin, at, size core.Addr) bool {
	r, ok := x.h.begins(at)
	return ok && (bin >= smallBins || x.h.heap.Packed(r).Size() == uint64(size-x.h.l.w))
}
