package malloc_test

import (
	"testing"

	"coredbg/core"
	"coredbg/runtimes/malloc"
	"coredbg/runtimes/malloc/block"
)

const (
	jeData  = 0x10000000
	jeBase  = 0x20000000 // a base block: nodes of the tree and extents
	jeSlabs = 0x40000000
	jeTLS   = 0x50000000
)

// jemallocImage is memory as jemalloc 5.3 lays it out for five-level page tables: a slab of 64 regions of 64
// bytes (the last 32 are free, and two are in a cache of a thread), a large block, the stacks of the cache,
// and dirty pages.
func jemallocImage() *image {
	const mid, leaf, extents = jeBase + 0x1000, jeBase + 0x41000, jeBase + 0xc1000
	m := &image{tls: jeTLS + 0x800}
	m.add(jeData, 0x48000, true)
	m.add(jeBase, 2<<20, false)
	m.add(jeSlabs, 0x10000, false)
	m.add(jeTLS, 0x1000, false)
	m.word(jeBase, 2<<20)
	m.word(jeBase+16+8, jeBase+0x100000)
	m.word(jeData+0x40, mid)
	m.word(mid+8*(jeSlabs>>27), leaf)
	put := func(n, page, pages, bits, class uint64) uint64 {
		at := extents + 128*n
		m.word(at, bits|class<<20)
		m.word(at+8, jeSlabs+page<<12)
		m.word(at+16, pages<<12)
		for i := range pages {
			if i == 0 || i == pages-1 || bits&0x1000 != 0 {
				m.word(leaf+16*(page+i), at)
				m.word(leaf+16*(page+i)+8, class<<5)
			}
		}
		return at
	}
	slab := put(0, 0, 1, 0x1000|32<<28, 4)
	m.word(slab+64, 0xffffffff00000000)
	put(1, 1, 5, 1, 36)          // arena 1, a block of 16 KiB and a page for its distance
	put(2, 6, 1, 0, 28)          // stacks
	put(3, 7, 2, dirtyBits, 235) // free
	stack := uint64(jeSlabs + 6<<12)
	m.word(stack, 0x7a7a7a7a7a7a7a7a)
	m.word(stack+0x40, jeSlabs+64)
	m.word(stack+0x48, jeSlabs+3*64)
	m.word(jeTLS+0x400, stack+0x40)
	m.word(jeTLS+0x410, 0)
	m.half(jeTLS+0x412, uint16(stack)+8)
	m.half(jeTLS+0x414, uint16(stack)+0x50)
	return m
}

const dirtyBits = 1 << 17

func TestJemalloc(t *testing.T) {
	got, h := states(t, jemallocImage(), "jemalloc")
	for _, want := range []malloc.Chunk{
		{Addr: jeSlabs, Size: 64},
		{Addr: jeSlabs + 64, Size: 64, State: malloc.Free, List: "tcache"},
		{Addr: jeSlabs + 3*64, Size: 64, State: malloc.Free, List: "tcache"},
		{Addr: jeSlabs + 31*64, Size: 64},
		{Addr: jeSlabs + 32*64, Size: 64, State: malloc.Free, List: "slab"},
		{Addr: jeSlabs + 0x1000, Size: 16384},
		{Addr: jeSlabs + 0x6000, Size: 4096, List: "stacks of a tcache"},
		{Addr: jeSlabs + 0x7000, Size: 0x2000, State: malloc.Free, List: "dirty extent"},
	} {
		if got[uint64(want.Addr)] != want {
			t.Errorf("%+v, want %+v", got[uint64(want.Addr)], want)
		}
	}
	if len(got) != 67 || len(h.Breaks)+len(h.Strays)+len(h.Notes) > 0 || len(h.Arenas) != 2 ||
		h.Arenas[1].String() != "1" {
		t.Errorf("%d chunks, %+v, %+v, %v, %+v", len(got), h.Breaks, h.Strays, h.Notes, h.Arenas)
	}
	if len(h.Own) != 1 || h.Own[0] != (block.Span{Start: jeBase, End: jeBase + 2<<20}) {
		t.Errorf("records are in %v", h.Own)
	}
}

// TestJemallocDamage: what contradicts itself is counted, and the rest is read.
func TestJemallocDamage(t *testing.T) {
	const extents = jeBase + 0xc1000
	for _, c := range []struct {
		name                  string
		at, v                 uint64
		breaks, strays, notes int
		lost                  uint64
	}{
		{name: "a bitmap", at: extents + 64, v: 0xffff << 32, breaks: 1},
		{name: "an address in a cache", at: jeSlabs + 0x6048, v: jeSlabs + 8, strays: 1},
		{name: "a size class", at: extents + 128, v: 1 | 60<<20, notes: 1, lost: 0x1000},
		{name: "a cache that is nowhere", at: jeTLS + 0x400, notes: 1},
	} {
		m := jemallocImage()
		m.word(c.at, c.v)
		_, h := states(t, m, "jemalloc")
		sum := h.Sum(block.All)
		if len(h.Breaks) != c.breaks || len(h.Strays) != c.strays || len(h.Notes) < c.notes || sum.Lost != c.lost {
			t.Errorf("%s: %+v, %+v, %v, %d bytes lost", c.name, h.Breaks, h.Strays, h.Notes, sum.Lost)
		}
		for _, b := range h.Breaks {
			if !b.Apart || b.At == 0 || b.Why == "" {
				t.Errorf("%s: %+v", c.name, b)
			}
		}
	}
}

// TestJemallocHas: an address in pages that an extent has is the allocator's, wherever in them.
func TestJemallocHas(t *testing.T) {
	h, err := malloc.Open(t.Context(), jemallocImage().process())
	if err != nil {
		t.Fatal(err)
	}
	for a, want := range map[core.Addr]bool{jeSlabs: true, jeSlabs + 0x4fff: true, jeSlabs + 0x8fff: true,
		jeSlabs + 0x9000: false, jeSlabs - 1: false, jeBase: false} {
		if h.Has(a) != want {
			t.Errorf("%v: %v", a, !want)
		}
	}
}

func FuzzJemalloc(f *testing.F) { fuzzImage(f, jemallocImage) }
