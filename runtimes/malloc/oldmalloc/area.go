package oldmalloc

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

const (
	inUse    = 1       // C_INUSE: a bit of both sizes; a size of this alone ends a piece
	maxPages = 1 << 22 // that are looked at for headers
	maxAll   = 256 << 20
	maxGiven = 1 << 16 // places in data that look like the beginning of a piece
)

// pieces reads the memory that brk and mmap have given: pieces of many chunks, and blocks with a mapping of
// their own. Both begin with pages.
func (h *Malloc) pieces(ctx context.Context, m core.Mapping) {
	c := h.p.Cursor()
	for at, n := m.Start.Align(pageSize), 0; at < m.End && n < maxPages; n++ {
		if n&1023 == 0 && ctx.Err() != nil {
			return
		}
		switch total, head, ok := h.mapped(c, at, m.End); {
		case ok:
			h.heap.Regions = append(h.heap.Regions, block.Region{Start: at, End: at + total, Arena: -1, Mapped: true,
				Chunks: []block.Packed{block.Pack(at+head+h.l.header(), uint64(total-head-h.l.header()))}})
			at += total
		case h.begins(c, m, at+h.l.header()):
			at = h.walk(ctx, m, at, at+h.l.header(), false).Align(pageSize)
		default:
			at = block.DataFrom(h.p, at+pageSize, m.End) &^ (pageSize - 1)
		}
	}
}

// given reads the pieces that the dynamic linker has found in the data of modules.
func (h *Malloc) given(ctx context.Context, m core.Mapping) {
	c := h.p.Cursor()
	var starts []core.Addr
	block.Words(h.p, m.Start, min(m.End, m.Start+maxData), func(at, v core.Addr) bool {
		if v == inUse && (at+h.l.header())%h.l.align() == 0 {
			starts = append(starts, at)
		}
		return len(starts) < maxGiven && ctx.Err() == nil
	})
	end := core.Addr(0)
	for _, at := range starts {
		if at < end || at >= h.at && at < h.at+h.l.size() || h.chunks(c, at, m.End, probeChunks) < 1 {
			continue
		}
		end = h.walk(ctx, m, at, at, true)
	}
}

// begins reports whether the first chunk of a piece is at an address. If the next one was overwritten, it
// shows where a mapping begins by chunks that follow further on.
func (h *Malloc) begins(c *core.Cursor, m core.Mapping, at core.Addr) bool {
	before, v := c.Pointer(at), c.Pointer(at+h.l.w)
	if c.Reset() != nil || before != inUse || !h.l.fits(at, v, m.End) {
		return false
	}
	if h.chunks(c, at, m.End, 1) > 0 {
		return true
	}
	if at != m.Start+h.l.header() {
		return false
	}
	x := walker{h: h, c: c, r: block.Region{Start: m.Start}, within: m}
	_, ok := x.search(at + h.l.align())
	return ok
}
