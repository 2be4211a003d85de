package glibc

import (
	"context"
	"math/bits"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

const (
	maxMapped = 1 << 20
	maxPages  = 1 << 22 // that are looked at for headers
	maxShift  = 30      // of an alignment that somebody asked for
	hugePage  = 1       // MMAP_HP
)

// mapped adds the chunks that were mapped for themselves. They begin with mappings, or follow each other;
// where that does not give as many as the allocator counts, each page is looked at.
func (h *Malloc) mapped(ctx context.Context) {
	if h.params.known && h.params.mmaps == 0 {
		return
	}
	most := maxMapped
	if h.params.known {
		most = min(h.params.mmaps, most)
	}
	x := mapper{h: h, c: h.p.Cursor(), most: most}
	areas := h.anonymous()
	defer func() { h.heap.Regions = append(h.heap.Regions, x.regions...) }()
	for i := range areas {
		x.chain(areas[i].Start, areas[i].End)
	}
	if !h.params.known || x.found < h.params.mmaps {
		x.each(ctx, areas)
	}
	if h.params.known && x.found < h.params.mmaps {
		h.heap.Notes = append(h.heap.Notes, "some of the chunks that were mapped for themselves were not found")
	}
}

// anonymous returns the writable memory of no file and of no arena.
func (h *Malloc) anonymous() []core.Mapping {
	var out []core.Mapping
	for _, m := range h.p.Mappings {
		if m.Path == "" && m.Prot&core.Write != 0 && !h.Has(m.Start) {
			out = append(out, m)
		}
	}
	return out
}

// A mapper looks for chunks that were mapped.
type mapper struct {
	h           *Malloc
	c           *core.Cursor
	found, most int
	regions     []block.Region
}

// chain takes the chunks that follow each other from an address on, and returns where they end.
func (x *mapper) chain(at, end core.Addr) core.Addr {
	for at < end && x.found < x.most {
		total, head, ok := x.chunk(at, end)
		if !ok {
			break
		}
		x.add(at, total, head)
		at += total
	}
	return at
}

// each looks at the beginnings of all pages.
func (x *mapper) each(ctx context.Context, areas []core.Mapping) {
	pages := 0
	for i := range areas {
		at := areas[i].Start
		for at < areas[i].End && x.found < x.most && pages < maxPages {
			if pages++; pages&1023 == 0 && ctx.Err() != nil {
				return
			}
			if next := x.skipKnown(at); next != at {
				at = next
			} else if next = x.chain(at, areas[i].End); next != at {
				at = next
			} else {
				at = block.DataFrom(x.h.p, at+pageSize, areas[i].End) &^ (pageSize - 1)
			}
		}
	}
}

// skipKnown returns where a chunk that was found at an address ends.
func (x *mapper) skipKnown(at core.Addr) core.Addr {
	for i := range x.regions {
		if r := &x.regions[i]; r.Start == at {
			return r.End
		}
	}
	return at
}

// chunk reads the header of a chunk whose mapping begins at an address: how many bytes were mapped, and how
// far into them the chunk begins, which the word before its size says. Before that of a chunk with an
// alignment there is the header that it had before it was aligned.
func (x *mapper) chunk(at, end core.Addr) (total, head core.Addr, ok bool) {
	l := &x.h.l
	for _, off := range []core.Addr{0, l.chunkAt(at) - at} {
		if total, ok = x.header(at, at+off, end); ok {
			head = off
			break
		}
	}
	if !ok {
		return 0, 0, false
	}
	for shift := bits.Len(uint(l.align)); shift <= maxShift; shift++ {
		off := (at + l.header()).Align(1<<shift) - l.header() - at
		if off >= total {
			break
		}
		if n, ok := x.header(at, at+off, end); ok && n == total && off > head {
			head = off
		}
	}
	return total, head, true
}

// header reads one header of a mapping.
func (x *mapper) header(base, at, end core.Addr) (total core.Addr, ok bool) {
	l := &x.h.l
	before, v := x.c.Pointer(at), x.c.Pointer(at+l.w)
	if x.c.Reset() != nil || v&sizeBits != isMmapped || before&^hugePage != at-base {
		return 0, false
	}
	total = at - base + v&^sizeBits
	if l.fast == 0 {
		total += l.header() // since 2.43
	}
	return total, total%pageSize == 0 && total >= pageSize && total <= end-base && v&^sizeBits > l.minChunk()
}

func (x *mapper) add(at, total, head core.Addr) {
	l := &x.h.l
	x.found++
	size := total - head - l.header()
	if l.fast == 0 {
		size -= l.w
	}
	x.regions = append(x.regions, block.Region{Start: at, End: at + total, Arena: -1, Mapped: true,
		Chunks: []block.Packed{block.Pack(at+head+l.header(), uint64(size))}})
}
