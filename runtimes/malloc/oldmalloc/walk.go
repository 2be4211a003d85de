package oldmalloc

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// A walker reads the chunks of a piece.
type walker struct {
	h      *Malloc
	c      *core.Cursor
	r      block.Region
	at     core.Addr // of a chunk's header
	within core.Mapping
	given  bool // it is part of a module's data
	broken int
}

// walk reads the chunks of a piece, and returns where it ends.
func (h *Malloc) walk(ctx context.Context, within core.Mapping, start, first core.Addr, given bool) core.Addr {
	x := &walker{h: h, c: h.p.Cursor(), at: first, within: within, given: given}
	x.r = block.Region{Start: start}
	for h.total < maxAll && (len(x.r.Chunks)&1023 != 0 || ctx.Err() == nil) && x.step() {
		h.total++
	}
	x.r.End = min(x.at, within.End)
	h.heap.Regions = append(h.heap.Regions, x.r)
	return x.r.End
}

// fits reports whether a word can be the size of a chunk at an address.
func (l *layout) fits(at, v, limit core.Addr) bool {
	size := v &^ inUse
	return size >= l.align() && size%l.align() == 0 && size < limit-at && at+size+l.header() <= limit
}

// ends reports whether the header at an address is the one behind the last chunk of a piece, as the end of a page is.
func (l *layout) ends(at, v core.Addr) bool { return v == inUse && (at+l.header())%pageSize == 0 }

// step reads the chunk at x.at, and reports whether another follows.
func (x *walker) step() bool {
	l, c := &x.h.l, x.c
	v := c.Pointer(x.at + l.w)
	if c.Reset() != nil {
		return x.missing()
	}
	if len(x.r.Chunks) > 0 && (l.ends(x.at, v) || v == inUse && x.intact()) {
		x.at += l.header()
		return false
	}
	if !l.fits(x.at, v, x.within.End) {
		return x.resume(v)
	}
	next := x.at + v&^inUse
	before, follows := c.Pointer(next), c.Pointer(next+l.w)
	if c.Reset() == nil && before != v {
		switch {
		case l.ends(next, follows) || x.h.chunks(c, next, x.within.End, 2) > 0:
			x.add(v)
			if !x.moving(next, before) {
				x.breaks(block.Break{At: next, Value: uint64(before), Past: true,
					Why: "its size behind it was overwritten"})
			}
			x.at = next
			return true
		case l.fits(next, follows, x.within.End):
			return x.resume(v) // the next one does not hold together either
		}
	}
	x.add(v)
	x.at = next
	return x.at+l.header() <= x.within.End
}

// moving reports whether the size before a header is the one of another chunk that ends there: a thread is
// about to split or to merge them.
func (x *walker) moving(next, before core.Addr) bool {
	size := before &^ inUse
	if size == 0 || size%x.h.l.align() != 0 || size >= next-x.r.Start {
		return false
	}
	v := x.c.Pointer(next - size + x.h.l.w)
	return x.c.Reset() == nil && v&^inUse == size
}

// intact reports whether the word at x.at is the size of the chunk before.
func (x *walker) intact() bool {
	n := len(x.r.Chunks)
	if n == 0 || x.r.Chunks[n-1].State() == block.Lost {
		return false
	}
	last := &x.r.Chunks[n-1]
	size := last.Size() + uint64(x.h.l.header())
	if last.State() == block.Used {
		size |= inUse
	}
	v := x.c.Pointer(x.at)
	return x.c.Reset() == nil && uint64(v) == size
}

// add adds the chunk at x.at.
func (x *walker) add(v core.Addr) {
	l := &x.h.l
	p := block.Pack(x.at+l.header(), uint64(v&^inUse-l.header()))
	if v&inUse == 0 {
		p.Set(block.Free, inBin)
	}
	x.r.Chunks = append(x.r.Chunks, p)
}

// breaks notes a header that was overwritten. Without a chunk before it, no block was overrun.
func (x *walker) breaks(b block.Break) {
	n := len(x.r.Chunks)
	if n == 0 {
		return
	}
	last := &x.r.Chunks[n-1]
	b.Before, b.Again = block.Chunk{Addr: last.At, Size: last.Size()}, x.broken > 0
	if x.h.heap.Break(b) {
		x.broken++
	}
}
