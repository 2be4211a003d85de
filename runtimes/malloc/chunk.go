package malloc

import (
	"context"
	"sort"

	"coredbg/core"
)

// The bits of a chunk's size that are none of it.
const (
	prevInUse  = 1
	isMmapped  = 2
	sizeBits   = 7
	minChunk   = 32
	maxChunks  = 2 << 20  // of a region
	maxAll     = 16 << 20 // of all regions
	headerSize = 16
	pageSize   = 4096
	maxPages   = 1 << 18 // of a chunk that was mapped for itself
)

// A State says what became of a chunk.
type State uint8

// The states. Top is the rest of a heap, which was not given out.
const (
	Used State = iota
	Free
	Top
)

// A Chunk is a piece of memory that malloc gives out as a whole.
type Chunk struct {
	Addr  core.Addr // what malloc returned, or would
	Size  uint64    // usable bytes
	State State
	List  string // where a free one is kept: "tcache", "fastbin", "bin"
}

// A Break is where a header does not fit to the chunk before: it was overwritten, most
// likely from that one.
type Break struct {
	At     core.Addr // of the header's size
	Value  uint64    // what is there
	Before Chunk     // what was overrun, its state is not known
	Why    string
	Top    bool // it is the header of the rest of the heap
}

// A chunk is one as it was read: where its header begins, and its size.
type chunk struct {
	at   core.Addr
	size uint64
	free bool
}

// Chunk returns the chunk whose memory holds a.
func (h *Heap) Chunk(ctx context.Context, a core.Addr) (Chunk, bool) {
	r := h.region(a)
	if r == nil {
		return Chunk{}, false
	}
	h.load(ctx)
	i := sort.Search(len(r.chunks), func(i int) bool { return r.chunks[i].at+headerSize > a }) - 1
	// The memory of a chunk in use reaches over the next header's first word.
	if i < 0 || a >= r.chunks[i].at+headerSize+core.Addr(r.chunks[i].usable()) {
		return Chunk{}, false
	}
	return h.describe(r, i), true
}

// Mapped returns the chunk that holds a if it is a large one, which malloc has mapped for itself: its
// header is at the start of a page, and says so. Such a chunk is in use: free gives it back to the
// system.
func (h *Heap) Mapped(a core.Addr) (Chunk, bool) {
	m, ok := h.p.Mapping(a)
	if !ok || m.Path != "" {
		return Chunk{}, false
	}
	c := h.p.Cursor()
	at := a &^ (pageSize - 1)
	for range maxPages {
		word := c.U64(at + 8)
		if c.Err() != nil {
			return Chunk{}, false
		}
		size := word &^ sizeBits
		if word&sizeBits == isMmapped && size%pageSize == 0 && size > 0 && c.U64(at) == 0 && size <= uint64(m.End-at) {
			if a < at+headerSize || uint64(a-at) >= size {
				return Chunk{}, false
			}
			return Chunk{Addr: at + headerSize, Size: size - headerSize}, true
		}
		if at == m.Start {
			break
		}
		at -= pageSize
	}
	return Chunk{}, false
}

// Broken returns the first break of each region: what comes after it is not known.
func (h *Heap) Broken(ctx context.Context) []Break {
	h.load(ctx)
	var out []Break
	for _, r := range h.regions {
		if r.broken != nil {
			out = append(out, *r.broken)
		}
	}
	return out
}

// Has reports whether a lies in the memory of an arena.
func (h *Heap) Has(a core.Addr) bool { return h.region(a) != nil }

func (h *Heap) region(a core.Addr) *region {
	i := sort.Search(len(h.regions), func(i int) bool { return h.regions[i].start > a }) - 1
	if i < 0 || a >= h.regions[i].end {
		return nil
	}
	return h.regions[i]
}

func (c *chunk) usable() uint64 { return c.size - 8 }

func (h *Heap) describe(r *region, i int) Chunk {
	c := r.chunks[i]
	out := Chunk{Addr: c.at + headerSize, Size: c.usable()}
	list, small := h.lists[c.at+headerSize]
	switch {
	case c.at == r.top:
		out.State = Top
	case small:
		out.State, out.List = Free, list
	case c.free:
		out.State, out.List = Free, "bin"
	}
	return out
}

// load reads the chunks of all regions, as the lists of one may have chunks of another.
func (h *Heap) load(ctx context.Context) {
	if h.read {
		return
	}
	h.read = true
	for _, r := range h.regions {
		h.walk(ctx, r)
	}
	for _, r := range h.regions {
		h.small(ctx, r)
	}
}

// walk reads the chunks of a region until it ends or breaks.
func (h *Heap) walk(ctx context.Context, r *region) {
	c := h.p.Cursor()
	at := r.start
	defer func() { h.chunks += len(r.chunks) }()
	for len(r.chunks) < min(maxChunks, maxAll-h.chunks) && ctx.Err() == nil {
		word := c.U64(at + 8)
		if c.Err() != nil {
			return // not in the core: no break
		}
		if n := len(r.chunks); n > 0 && word&prevInUse == 0 {
			last := &r.chunks[n-1]
			if last.free = c.U64(at) == last.size; !last.free {
				h.breaks(r, at+8, word, "it says that the chunk before is free, and gives that another size")
			}
		}
		size := word &^ sizeBits
		if at == r.top {
			if at+core.Addr(size) > r.end || size < minChunk || (at+core.Addr(size))%pageSize != 0 {
				h.breaks(r, at+8, word, "it is not the size of the rest of the heap, which begins there")
			}
			r.chunks = append(r.chunks, chunk{at: at, size: size})
			return
		}
		if size == headerSize && at+4*headerSize >= r.end {
			return // a fence post at the end of a heap
		}
		if size < minChunk || size%16 != 0 || at+core.Addr(size) > r.end || at+core.Addr(size) < at || word&isMmapped != 0 {
			h.breaks(r, at+8, word, "it is not the size of a chunk")
			return
		}
		r.chunks = append(r.chunks, chunk{at: at, size: size})
		if at += core.Addr(size); at+headerSize > r.end {
			return
		}
	}
}

// breaks notes the first break. Without a chunk before it the region may have another
// beginning than it seemed.
func (h *Heap) breaks(r *region, at core.Addr, value uint64, why string) {
	if n := len(r.chunks); n > 0 && r.broken == nil {
		c := r.chunks[n-1]
		r.broken = &Break{At: at, Value: value, Why: why, Top: at-8 == r.top, Before: Chunk{Addr: c.at + headerSize, Size: c.usable()}}
	}
}
