package jemalloc

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/malloc/block"
)

// Lists of free chunks, by number.
const (
	inCache = 1 + iota
	inSlab
	inDirty
	inMuzzy
	ofCache // a block of stacks of a cache, which is in use
)

var lists = []string{"", "tcache", "slab", "dirty extent", "muzzy extent", "stacks of a tcache"}

const maxChunks = 256 << 20

// A filler makes regions of extents.
type filler struct {
	t      *tree
	h      *block.Heap
	c      *core.Cursor
	arenas map[int]int // the number in Heap.Arenas by jemalloc's
	total  int
	unread int
	// padding is what pad returns; negative before it is known.
	padding int
}

// regions adds all extents to a heap.
func (f *filler) regions(ctx context.Context) {
	for i := range f.t.extents {
		if i&255 == 0 && ctx.Err() != nil || f.total > maxChunks {
			break
		}
		f.extent(&f.t.extents[i])
	}
	if f.unread > 0 {
		f.h.Notes = append(f.h.Notes, fmt.Sprintf("the records of %d pages cannot be read", f.unread))
	}
}

// region returns the region that an extent is in: one that ends where it begins goes on.
func (f *filler) region(x *extent) *block.Region {
	start, arena := x.page(&f.t.l), -1
	if x.at != 0 {
		n, ok := f.arenas[x.arena()]
		if !ok {
			n = len(f.h.Arenas)
			f.arenas[x.arena()] = n
			f.h.Arenas = append(f.h.Arenas, block.Arena{Name: fmt.Sprint(x.arena()), Main: x.arena() == 0})
		}
		arena = n
	}
	if n := len(f.h.Regions); n > 0 && f.h.Regions[n-1].End == start && f.h.Regions[n-1].Arena == arena {
		f.h.Regions[n-1].End += x.size
	} else {
		f.h.Regions = append(f.h.Regions, block.Region{Start: start, End: start + x.size, Arena: arena})
	}
	return &f.h.Regions[len(f.h.Regions)-1]
}

func (f *filler) extent(x *extent) {
	l, r := &f.t.l, f.region(x)
	if x.at == 0 {
		f.unread++
		f.lose(r, x)
		return
	}
	switch x.state(l) {
	case active:
		f.active(r, x)
	case dirty:
		f.one(r, x.page(l), uint64(x.size), block.Free, inDirty)
	case muzzy:
		f.one(r, x.page(l), uint64(x.size), block.Free, inMuzzy)
	default:
		f.one(r, x.page(l), uint64(x.size), block.Top, 0)
	}
}

func (f *filler) active(r *block.Region, x *extent) {
	l := &f.t.l
	size := l.sizeOf(x.class(l))
	if room := uint64(x.size - f.pad()); !x.slab() && room < size && room > l.sizeOf(x.class(l)-1) {
		size = room // 5.3.1 gives large blocks whole pages, and the class above
	}
	switch {
	case size == 0 || size > uint64(x.size) || x.slab() && uint64(x.size)/size > l.regions():
		f.breaks(x, "its size class does not fit to its pages")
		f.lose(r, x)
	case x.slab() && x.start != x.page(l):
		f.breaks(x, "its regions do not begin with its pages")
		f.lose(r, x)
	case x.slab():
		f.slab(r, x, size)
	default:
		if x.start+core.Addr(size) > x.page(l)+x.size {
			f.breaks(x, "its block ends beyond its pages")
			f.lose(r, x)
			return
		}
		f.one(r, x.start, size, block.Used, 0)
	}
}

// pad returns the bytes that a large block's pages have more than the block (sz_large_pad): a page, if blocks
// begin within their first page, so that they do not compete for the same lines of processor caches.
func (f *filler) pad() core.Addr {
	if f.padding < 0 {
		f.padding = 0
		l := &f.t.l
		for i := range f.t.extents {
			if x := &f.t.extents[i]; x.at != 0 && x.state(l) == active && !x.slab() && x.start != x.page(l) {
				f.padding = 1 << l.page
				break
			}
		}
	}
	return core.Addr(f.padding)
}

// slab adds the regions of a slab. A bit of its bitmap is set while a region is free.
func (f *filler) slab(r *block.Region, x *extent, size uint64) {
	n := uint64(x.size) / size
	r.Chunks = slices.Grow(r.Chunks, int(n))
	free := uint64(0)
	for i := uint64(0); i < n; i += 64 {
		word := f.c.U64(x.at + f.t.l.bitmapAt() + core.Addr(i/8))
		if f.c.Reset() != nil {
			f.unread++
			f.lose(r, x)
			return
		}
		m := min(n-i, 64)
		if m < 64 {
			word &= 1<<m - 1
		}
		free += uint64(bits.OnesCount64(word))
		for k := range m {
			p := block.Pack(x.start+core.Addr((i+k)*size), size)
			if word>>k&1 == 1 {
				p.Set(block.Free, inSlab)
			}
			r.Chunks = append(r.Chunks, p)
		}
	}
	f.total += int(n)
	if want := x.free(&f.t.l); free != want {
		f.breaks(x, fmt.Sprintf("it counts %d free regions, and its bitmap has %d", want, free))
	}
}

func (f *filler) one(r *block.Region, at core.Addr, size uint64, s block.State, list int) {
	r.Chunks = append(r.Chunks, block.PackAs(at, size, s, list))
	f.total++
}

// lose adds an extent whose blocks are not known.
func (f *filler) lose(r *block.Region, x *extent) {
	at := x.page(&f.t.l)
	for n := len(r.Chunks); n > 0 && r.Chunks[n-1].At >= at; n-- {
		r.Chunks = r.Chunks[:n-1]
	}
	r.Lost += uint64(x.size)
	f.one(r, at, uint64(x.size), block.Lost, 0)
}

func (f *filler) breaks(x *extent, why string) {
	f.h.Contradiction(x.at, x.bits, fmt.Sprintf("the extent at %v", x.page(&f.t.l)), why)
}
