package glibc

import (
	"context"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

const (
	maxAll = 256 << 20 // chunks of all spans

	manyChunks = 1 << 14
	maxGrow    = 16 << 20 // chunks that room is made for at once
)

// A walker reads the chunks of a span.
type walker struct {
	h      *Malloc
	s      *span
	r      block.Region
	c      *core.Cursor
	broken int
	at     core.Addr
	fenced bool
}

// walk reads the chunks of a span until it ends.
func (h *Malloc) walk(ctx context.Context, s *span, total *int) {
	x := &walker{h: h, s: s, c: h.p.Cursor()}
	x.at = h.l.chunkAt(s.start)
	for _, a := range s.starts {
		if at := h.l.chunkAt(a); h.holds(s, at, probeChunks) {
			x.at = at
			break
		}
	}
	x.r = block.Region{Start: x.at, End: s.end, Arena: s.arena}
	for *total < maxAll && (len(x.r.Chunks)&1023 != 0 || ctx.Err() == nil) && x.step() {
		*total++
	}
	if x.at < s.end && ctx.Err() != nil {
		x.r.Lost += uint64(s.end - x.at)
	}
	h.heap.Regions = append(h.heap.Regions, x.r)
}

// step reads the chunk at x.at, and reports whether another follows.
func (x *walker) step() bool {
	l := &x.h.l
	v := x.c.Pointer(x.at + l.w)
	if x.c.Reset() != nil {
		return x.missing()
	}
	size := v &^ sizeBits
	x.previous(v)
	switch {
	case x.at == x.s.top:
		if x.at+size > x.s.end || size < l.minChunk() || (x.at+size)%pageSize != 0 {
			x.breaks(v, "it is not the size of the rest of the heap, which begins there")
			size = x.s.end - x.at
		}
		x.add(size, block.Top)
		x.at = x.s.end
		return false
	case size == l.header() && x.at+8*l.w >= x.s.end:
		x.at = x.s.end
		return false // a fence post at the end of a heap
	case size == l.header() && v&prevInUse != 0 && x.s.main:
		x.fenced = true
		x.at += size
		return true // one before memory of others who call brk
	case !x.fits(v, x.at):
		return x.resume(v)
	}
	x.fenced = false
	x.add(size, block.Used)
	x.at += size
	return x.at+l.header() <= x.s.end
}

// previous sets what the chunk before is: the header says it.
func (x *walker) previous(v core.Addr) {
	n := len(x.r.Chunks)
	if n == 0 || v&prevInUse != 0 || x.fenced {
		return
	}
	last := &x.r.Chunks[n-1]
	if last.State() != block.Used {
		return
	}
	if begin := last.At - x.h.l.header(); x.c.Pointer(x.at) == x.at-begin {
		last.Set(block.Free, inBin)
	} else if x.fits(v, x.at) {
		x.breaks(v, "it says that the chunk before is free, and gives that another size")
	}
	x.c.Reset()
}

// fits reports whether a word can be the header of a chunk at an address.
func (x *walker) fits(v, at core.Addr) bool { return x.h.l.fits(x.s, v, at) }

func (l *layout) fits(s *span, v, at core.Addr) bool {
	size := v &^ sizeBits
	return size >= l.minChunk() && size%l.align == 0 && at+size <= s.end && at+size > at && v&isMmapped == 0 &&
		(!s.main || v&nonMain == 0)
}

// add adds a chunk.
func (x *walker) add(size core.Addr, s block.State) {
	p := block.Pack(x.at+x.h.l.header(), uint64(size-x.h.l.w))
	p.Set(s, 0)
	if n := len(x.r.Chunks); n == cap(x.r.Chunks) && n >= manyChunks {
		x.grow(n)
	}
	x.r.Chunks = append(x.r.Chunks, p)
}

// grow makes room for as many chunks as the rest of the span has if they are like those before, and a few more.
func (x *walker) grow(n int) {
	more := float64(x.s.end-x.at) / float64(x.at-x.r.Start+1) * float64(n)
	x.r.Chunks = slices.Grow(x.r.Chunks, int(min(more*1.05+1, maxGrow)))
}

// breaks notes a header that was overwritten. Without a chunk before it the span may have another
// beginning than it seemed.
func (x *walker) breaks(v core.Addr, why string) {
	n := len(x.r.Chunks)
	if n == 0 {
		return
	}
	c := x.r.Chunks[n-1]
	if x.h.heap.Break(block.Break{At: x.at + x.h.l.w, Value: uint64(v), Why: why, Top: x.at == x.s.top,
		Before: block.Chunk{Addr: c.At, Size: c.Size()}, Again: x.broken > 0}) {
		x.broken++
	}
}
