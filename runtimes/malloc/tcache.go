package malloc

import (
	"context"

	"coredbg/core"
)

// A shape of tcache_perthread_struct: the size of its chunk, and how its counts are kept.
// A chunk is one if all that it says is so.
var tcaches = []struct {
	chunk uint64 // bytes, with its header
	count uint64 // bytes of a count
}{
	{0x290, 2}, // from glibc 2.30 on
	{0x250, 1}, // 2.26 to 2.29
}

const (
	tcacheBins = 64
	maxList    = 1 << 16 // chunks of a list
	maxFast    = 1 << 20
	maxLinks   = 1 << 22 // of all lists together
	fastbins   = 10
)

// small collects the free chunks that look used: what the chunks of a region list if
// they are tcaches, and the fastbins of its arena.
func (h *Heap) small(ctx context.Context, r *region) {
	for i := range r.chunks {
		if ctx.Err() != nil {
			return
		}
		for _, t := range tcaches {
			if r.chunks[i].size == t.chunk {
				h.tcache(r.chunks[i].at+headerSize, t.count)
			}
		}
	}
	c := h.p.Cursor()
	for bin := range core.Addr(fastbins) {
		link := r.arena - 8*fastbins + 8*bin
		at := c.Pointer(link)
		for n := 0; at != 0 && n < maxFast && c.Reset() == nil; n++ {
			if h.lists[at+headerSize] != "" {
				break
			}
			if at%16 != 0 || !h.Has(at) {
				h.strayed(Stray{At: link, Value: at, List: "fastbin", Size: minChunk + 16*uint64(bin)})
				break
			}
			h.lists[at+headerSize] = "fastbin"
			link = at + headerSize
			at = h.follow(c, link)
		}
		if c.Reset() != nil {
			return
		}
	}
}

// follow returns what the link at an address refers to. From glibc 2.32 on it is mixed
// with where it lies (PROTECT_PTR).
func (h *Heap) follow(c *core.Cursor, at core.Addr) core.Addr {
	if h.links++; h.links > maxLinks {
		return 0
	}
	v := c.Pointer(at)
	if mixed := v ^ at>>12; v != 0 && (mixed == 0 || mixed%16 == 0 && h.Has(mixed)) {
		return mixed
	}
	return v
}

// tcache adds what a chunk lists if it is a tcache_perthread_struct.
func (h *Heap) tcache(at core.Addr, countSize uint64) {
	c := h.p.Cursor()
	heads := at + core.Addr(tcacheBins*countSize)
	var found []core.Addr
	var strays []Stray
	for bin := range core.Addr(tcacheBins) {
		n := int(c.U16(at + bin*2))
		if countSize == 1 {
			n = int(c.U8(at + bin))
		}
		link := heads + bin*8
		head := c.Pointer(link)
		if c.Err() != nil || n > maxList || (n == 0) != (head == 0) {
			return
		}
		for ; n > 0 && head != 0; n-- {
			// A list that was overwritten ends where it does not fit any more.
			size := minChunk + uint64(bin)*16
			if head%16 != 0 || !h.Has(head) || c.U64(head-8)&^sizeBits != size {
				strays = append(strays, Stray{At: link, Value: head, List: "tcache", Size: size})
				break
			}
			found = append(found, head)
			link = head
			head = h.follow(c, head)
		}
		if c.Reset() != nil {
			return
		}
	}
	for _, a := range found {
		h.lists[a] = "tcache"
	}
	for _, s := range strays {
		h.strayed(s)
	}
}
