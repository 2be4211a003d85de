package glibc

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

const (
	syncChunks = 64      // chunks in a row that make a chain credible
	ahead      = 1 << 20 // bytes after an address that the chain must cover
	maxWindow  = 1 << 26
)

// behind are how many bytes before an address a chain is looked for. Two of them must lead to the same chunk.
var behind = []core.Addr{64 << 10, 1 << 20, 16 << 20}

// Locate implements block.Locator. Chunks are told by the chain that goes by the address: it is sure if two
// chains that were found apart meet before it, or if one goes on from the beginning of the memory.
func (h *Malloc) Locate(ctx context.Context, a core.Addr) (x block.Near, found, sure bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.read {
		r, ok := h.heap.Around(a)
		if ok {
			x = h.heap.Near(r)
		}
		return x, ok, true
	}
	h.walks = 0
	s := h.spanOf(a)
	if s == nil {
		return h.locateMapped(ctx, a)
	}
	at, size, ok := h.chunkAround(ctx, s, a)
	if !ok {
		return x, false, false
	}
	l := &h.l
	x = block.Near{Chunk: block.Chunk{Addr: at + l.header(), Size: uint64(size - l.w)}, Arena: h.arenas[s.arena]}
	if !x.Contains(a) {
		return block.Near{}, false, true
	}
	x.State, x.List, sure = h.stateOf(s, at, size)
	return x, true, sure
}

func (h *Malloc) spanOf(a core.Addr) *span {
	for i := range h.spans {
		if s := &h.spans[i]; a >= s.start && a < s.end {
			return s
		}
	}
	return nil
}

// chunkAround returns the chunk around an address.
func (h *Malloc) chunkAround(ctx context.Context, s *span, a core.Addr) (at, size core.Addr, ok bool) {
	var before core.Addr
	for _, n := range behind {
		if n > a-s.start {
			first := s.first(h)
			if first == 0 {
				return 0, 0, false
			}
			return h.follows(ctx, s, first, a)
		}
		from, ok := h.joins(ctx, s, a-n, a)
		if !ok {
			continue
		}
		c, z, ok := h.follows(ctx, s, from, a)
		switch {
		case ok && before != 0 && c == before:
			return c, z, true
		case ok:
			before = c
		}
	}
	return 0, 0, false
}

// first returns where the first chunk begins; 0 if that is not known.
func (s *span) first(h *Malloc) core.Addr {
	for _, a := range s.starts {
		if at := h.l.chunkAt(a); h.holds(s, at, probeChunks) {
			return at
		}
	}
	return 0
}

// joins returns the first place in a range that starts a chain of syncChunks chunks.
func (h *Malloc) joins(ctx context.Context, s *span, from, to core.Addr) (core.Addr, bool) {
	x := &walker{h: h, s: s, c: h.p.Cursor()}
	for at := h.l.chunkAt(from); at < to && h.walks < maxWalks && ctx.Err() == nil; {
		ok, err := x.candidate(at)
		switch {
		case err != nil:
			at = x.beyond(at)
		case ok && h.holds(s, at, syncChunks):
			return at, true
		default:
			at += h.l.align
		}
	}
	return 0, false
}

// follows goes from chunk to chunk, and returns the one that holds an address, if the chain holds before it
// and for a while after it.
func (h *Malloc) follows(ctx context.Context, s *span, at, a core.Addr) (found, size core.Addr, ok bool) {
	c, l := h.p.Cursor(), &h.l
	if at > a || a-at > maxWindow {
		return 0, 0, false
	}
	before := core.Addr(0)
	for at < s.end && ctx.Err() == nil {
		v := c.Pointer(at + l.w)
		n := v &^ sizeBits
		if c.Err() != nil || before != 0 && v&prevInUse == 0 && c.Pointer(at) != before {
			return 0, 0, false
		}
		switch {
		case at == s.top:
			if ok = at+n <= s.end && n >= l.minChunk() && (at+n)%pageSize == 0; found == 0 {
				found, size = at, n
			}
			return found, size, ok
		case found != 0 && (n == l.header() || at > a+ahead):
			return found, size, true
		case !l.fits(s, v, at):
			return 0, 0, false
		}
		if at+l.w <= a && a < at+n+l.w {
			found, size = at, n
		}
		at, before = at+n, n
	}
	return found, size, found != 0 && at == s.end
}

// stateOf returns what became of a chunk. If sure is false, not all lists of free chunks are known.
func (h *Malloc) stateOf(s *span, at, size core.Addr) (state block.State, list string, sure bool) {
	c, l := h.p.Cursor(), &h.l
	if at == s.top {
		return block.Top, "", true
	}
	next := c.Pointer(at + size + l.w)
	if c.Err() != nil {
		return 0, "", false
	}
	if next&prevInUse == 0 {
		return block.Free, "bin", c.Pointer(at+size) == size
	}
	in, sure := h.inTcaches(at+l.header(), size)
	if in {
		return block.Free, "tcache", true
	}
	if h.inFastbin(h.arenas[s.arena], at, size) {
		return block.Free, "fastbin", true
	}
	return block.Used, "", sure
}

// inFastbin reports whether the fastbin of a size has a chunk.
func (h *Malloc) inFastbin(arena, chunk, size core.Addr) bool {
	l, c := &h.l, h.p.Cursor()
	bin := size/(2*l.w) - 2
	if bin >= core.Addr(l.fast) {
		return false
	}
	at := c.Pointer(arena+l.top-l.w*core.Addr(l.fast)+l.w*bin) &^ l.ignore
	for n := 0; at != 0 && n < maxFast && c.Reset() == nil; n++ {
		if at == chunk {
			return true
		}
		at = h.follow(c, at+l.header())
	}
	return false
}

// locateMapped returns the chunk around an address that was mapped for itself.
func (h *Malloc) locateMapped(ctx context.Context, a core.Addr) (block.Near, bool, bool) {
	m, ok := h.p.Mapping(a)
	if !ok || h.params.known && h.params.mmaps == 0 || m.Path != "" || m.Prot&core.Write == 0 {
		return block.Near{}, false, true
	}
	x := mapper{h: h, c: h.p.Cursor(), most: maxMapped}
	end := x.chain(m.Start, m.End)
	for at := a &^ (pageSize - 1); a >= end && at >= end && at >= m.Start && x.found < maxMapped &&
		ctx.Err() == nil; at -= pageSize {
		if total, head, ok := x.chunk(at, m.End); ok {
			x.add(at, total, head)
			break
		}
		if at == 0 || a-at > maxPages*pageSize/64 {
			return block.Near{}, false, false
		}
	}
	for i := range x.regions {
		r := &x.regions[i]
		if c := (block.Chunk{Addr: r.Chunks[0].At, Size: r.Chunks[0].Size()}); c.Contains(a) {
			return block.Near{Chunk: c, Mapped: true}, true, true
		}
	}
	return block.Near{}, false, true
}
