package pymalloc

import (
	"context"
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// Lists of free chunks, by number.
const (
	inPool = 1 + iota
	inArena
)

var lists = []string{"", "pool", "free pool"}

// Offsets in a pool_header.
const (
	poolCount  = 0  // ref.count: blocks in use
	poolFree   = 8  // freeblock
	poolArena  = 32 // arenaindex
	poolClass  = 36 // szidx
	poolNext   = 40 // nextoffset: where the part begins that was not divided yet
	poolMost   = 44 // maxnextoffset: the last offset of a block
	poolHead   = 48
	maxClasses = 64
	maxChunks  = 256 << 20
)

// A pool is the header of one.
type pool struct {
	at    core.Addr
	count uint32
	free  core.Addr
	arena uint32
	size  core.Addr // bytes of a block
	next  core.Addr
	most  core.Addr
}

// end returns where the blocks end that were divided.
func (x *pool) end() core.Addr { return x.at + x.next }

// blocks returns how many blocks were divided.
func (x *pool) blocks() core.Addr { return (x.next - poolHead) / x.size }

// poolAt reads the header of a pool. The last offset of a block shows the alignment of sizes: 16 bytes, or 8
// before 3.7.4.
func poolAt(c *core.Cursor, a *arena, at core.Addr) (pool, bool) {
	x := pool{at: at, count: c.U32(at + poolCount), free: c.Pointer(at + poolFree), arena: c.U32(at + poolArena),
		next: core.Addr(c.U32(at + poolNext)), most: core.Addr(c.U32(at + poolMost))}
	class := core.Addr(c.U32(at + poolClass))
	if c.Reset() != nil || class >= maxClasses || x.most >= a.pool {
		return x, false
	}
	x.size = a.pool - x.most
	if x.size != 16*(class+1) && x.size != 8*(class+1) {
		return x, false
	}
	return x, x.next >= poolHead && x.next <= a.pool && (x.next-poolHead)%x.size == 0 &&
		core.Addr(x.count) <= x.blocks()
}

// load makes regions of arenas.
func (h *Malloc) load(ctx context.Context) {
	c := h.p.Cursor()
	for i := range h.arenas {
		if i&63 == 0 && ctx.Err() != nil || h.total > maxChunks {
			break
		}
		a := &h.arenas[i]
		r := block.Region{Start: a.start, End: a.end()}
		for at := a.first(); at < a.next && at+a.pool <= a.end(); at += a.pool {
			h.pool(c, &r, a, at)
		}
		if a.next < a.end() {
			r.Chunks = append(r.Chunks, block.PackAs(a.next, uint64(a.end()-a.next), block.Top, 0))
		}
		h.total += len(r.Chunks)
		h.heap.Regions = append(h.heap.Regions, r)
	}
	h.heap.Done()
}

// pool adds the blocks of a pool. A pool without blocks in use is free as a whole, and its header is from before.
func (h *Malloc) pool(c *core.Cursor, r *block.Region, a *arena, at core.Addr) {
	c.U64(at)
	if c.Reset() != nil {
		r.Missing += uint64(a.pool)
		return
	}
	x, ok := poolAt(c, a, at)
	if !ok || x.arena != a.index {
		h.heap.Contradiction(at, c.U64(at), "a pool",
			"its header has no sizes that fit, or the number of another arena")
		c.Reset()
		r.Lost += uint64(a.pool)
		r.Chunks = append(r.Chunks, block.PackAs(at, uint64(a.pool), block.Lost, 0))
		return
	}
	if x.count == 0 {
		r.Chunks = append(r.Chunks, block.PackAs(at, uint64(a.pool), block.Free, inArena))
		return
	}
	first := len(r.Chunks)
	for b := at + poolHead; b < x.end(); b += x.size {
		r.Chunks = append(r.Chunks, block.Pack(b, uint64(x.size)))
	}
	if rest := at + a.pool - x.end(); rest >= x.size {
		r.Chunks = append(r.Chunks, block.PackAs(x.end(), uint64(rest), block.Top, 0))
	}
	free, whole := h.free(c, r.Chunks[first:], &x)
	if whole && uint32(free)+x.count != uint32(x.blocks()) {
		h.heap.Contradiction(at, uint64(x.count), "a pool",
			fmt.Sprintf("it counts %d blocks in use of %d, and lists %d free ones", x.count, x.blocks(), free))
	}
}

// free marks the blocks in the list of a pool, and returns how many there are. Whole is false if a link leads astray.
func (h *Malloc) free(c *core.Cursor, chunks []block.Packed, x *pool) (n int, whole bool) {
	defer c.Reset()
	link, at := x.at+poolFree, x.free
	for at != 0 && c.Reset() == nil {
		off := at - x.at - poolHead
		i := off / x.size
		ok := at >= x.at+poolHead && at < x.end() && off%x.size == 0
		if !ok || chunks[i].State() == block.Free {
			h.heap.Stray(block.Stray{At: link, Value: at, List: lists[inPool], Size: uint64(x.size), Twice: ok})
			return n, false
		}
		chunks[i].Set(block.Free, inPool)
		n++
		link = at
		at = c.Pointer(link)
	}
	return n, true
}
