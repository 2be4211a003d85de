package glibc

import (
	"coredbg/core"
	"coredbg/core/tls"
)

const (
	// bytes from libc's thread-local block on, or on both sides of a thread pointer, that are looked at
	tlsReach  = 16 << 10
	maxCaches = 1 << 16
)

// caches finds the caches of threads by the pointers to them among thread-local variables. It reports whether
// each thread has one.
func (h *Malloc) caches() ([]foundCache, bool) {
	if h.threads.read {
		return h.threads.list, h.threads.all
	}
	h.threads.read, h.threads.all = true, len(h.p.Threads) > 0
	seen := map[core.Addr]bool{}
	for _, t := range h.p.Threads {
		// The variables of libc are known to be all in its block; without that, they are near the thread pointer.
		var block core.Addr
		err := ErrNone
		if h.of != nil {
			block, err = tls.Address(h.p, t, h.of, 0)
		}
		switch {
		case err == nil:
			h.cachesNear(block, 0, tlsReach, seen)
		case t.TLS > tlsReach && h.cachesNear(t.TLS, tlsReach, tlsReach, seen):
		default:
			h.threads.all = false
		}
	}
	return h.threads.list, h.threads.all
}

// cachesNear adds the caches that words around an address refer to, and reports whether there is one.
func (h *Malloc) cachesNear(at, before, after core.Addr, seen map[core.Addr]bool) bool {
	m, ok := h.p.Mapping(at)
	if !ok {
		return false
	}
	from, to := max(m.Start, at-before), min(m.End, at+after)
	data, _ := core.ReadBytes(h.p.Space, from, uint64(to-from))
	w, has := int(h.l.w), false
	for i := int(from.Align(uint64(w)) - from); i+w <= len(data); i += w {
		at := h.l.word(data, i) &^ h.l.ignore
		if at%h.l.align != 0 || !h.Has(at) || len(h.threads.list) >= maxCaches {
			continue
		}
		if seen[at] {
			has = true
			continue
		}
		if s := h.shapeOf(at); s != nil {
			seen[at], has = true, true
			h.threads.list = append(h.threads.list, foundCache{at, s})
		}
	}
	return has
}

// shapeOf returns the shape of the tcache_perthread_struct at an address; nil if that is none.
func (h *Malloc) shapeOf(at core.Addr) *cacheShape {
	c, l := h.p.Cursor(), &h.l
	size := c.Pointer(at-l.w) &^ sizeBits
	for i := range cacheShapes {
		s := &cacheShapes[i]
		if c.Reset() != nil || size < l.minChunk() || !s.fits(l, size-l.w) {
			continue
		}
		x := cache{h: h, c: c, at: at, s: s}
		x.countRoom()
		ok := true
		for bin := range s.bins {
			n, _, head := x.head(bin)
			ok = ok && c.Err() == nil && n <= maxList && (n == 0) == (head == 0) && head%l.align == 0
		}
		if ok {
			return s
		}
	}
	return nil
}

// inTcaches reports whether a cache lists the chunk that malloc returned as at. It is not sure if a thread's
// cache may be missing.
func (h *Malloc) inTcaches(at, size core.Addr) (in, sure bool) {
	l := &h.l
	list, all := h.caches()
	for i := range list {
		x := cache{h: h, c: h.p.Cursor(), at: list[i].at, s: list[i].shape}
		x.countRoom()
		from, to := (size-l.minChunk())/l.align, (size-l.minChunk())/l.align+1
		if from >= smallBins {
			from, to = smallBins, x.s.bins
		}
		for bin := from; bin < to && bin < x.s.bins; bin++ {
			n, _, p := x.head(bin)
			for ; n > 0 && p != 0 && x.c.Err() == nil; n-- {
				if p == at {
					return true, true
				}
				p = h.follow(x.c, p)
			}
			x.c.Reset()
		}
	}
	return false, all
}
