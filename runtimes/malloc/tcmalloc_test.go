package malloc_test

import (
	"testing"

	"coredbg/runtimes/malloc"
	"coredbg/runtimes/malloc/block"
)

const (
	tcData  = 0x10000000
	tcMeta  = 0x20000000 // a leaf of the page map, spans and a cache of a thread
	tcPages = 0x40000000
	tcRoot  = tcData + 0x4000
)

// tcSizes is a table of sizes as gperftools makes one.
var tcSizes = []uint32{0, 8, 16, 32, 48, 64, 80, 96, 112, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536,
	131072, 262144}

// tcmallocImage is memory as gperftools 2.10 lays it out, with pages of 256 KiB so that it can be small: a
// span of objects of 64 KiB, which are in use, in the span's list, in a transfer cache and in a cache of a
// thread; a large object, and a free span.
func tcmallocImage() *image {
	const shift, leafBits = 18, 15
	const leaf, spans, cache = tcMeta, tcMeta + 0x40000, tcMeta + 0x41000
	const central = tcData + 0x80000
	m := &image{}
	m.add(tcData, 0x90000, true)
	m.add(tcMeta, 0x44000, false)
	m.add(tcPages, 4<<shift, false)
	m.word(tcRoot+8*(tcPages>>shift>>leafBits), leaf)
	span := func(n, page, pages, class, place, refs, objects uint64) {
		at := spans + 48*n
		m.word(at, tcPages>>shift+page)
		m.word(at+8, pages)
		m.word(at+32, objects)
		m.word(at+40, refs|class<<16|place<<24)
		for _, i := range []uint64{page, page + pages - 1} {
			m.word(leaf+8*((tcPages>>shift+i)&(1<<leafBits-1)), at)
		}
	}
	const class, size = 18, 65536
	span(0, 0, 1, class, 0, 3, tcPages)
	span(1, 1, 2, 0, 0, 0, 0)
	span(2, 3, 1, 0, 1, 0, 0)
	m.word(tcPages, 0)
	m.word(tcPages+size, 0)
	m.word(tcPages+2*size, 0)
	for i, v := range tcSizes {
		m.word(tcData+0x100+uint64(i)/2*8, uint64(tcSizes[i&^1])|uint64(append(tcSizes, 0)[i|1])<<32)
		c := central + 1216*uint64(i)
		m.word(c+8, uint64(i))
		m.word(c+1152, 16<<32)
		m.word(c+1160, 64)
		m.word(cache+32*uint64(i)+24, uint64(v))
	}
	c := uint64(central + 1216*class)
	m.word(c+128, tcPages+size)
	m.word(c+136, tcPages+size)
	m.word(c+144, tcPages+3*size) // left from before
	m.word(c+1152, 1|16<<32)
	m.word(cache+32*class, tcPages+2*size)
	m.word(cache+32*class+8, 1)
	m.word(tcData+0x50, cache)
	return m
}

func TestTcmalloc(t *testing.T) {
	got, h := states(t, tcmallocImage(), "tcmalloc")
	for _, want := range []malloc.Chunk{
		{Addr: tcPages, Size: 65536, State: malloc.Free, List: "span"},
		{Addr: tcPages + 65536, Size: 65536, State: malloc.Free, List: "transfer cache"},
		{Addr: tcPages + 2*65536, Size: 65536, State: malloc.Free, List: "thread cache"},
		{Addr: tcPages + 3*65536, Size: 65536},
		{Addr: tcPages + 1<<18, Size: 2 << 18},
		{Addr: tcPages + 3<<18, Size: 1 << 18, State: malloc.Free, List: "page heap"},
	} {
		if got[uint64(want.Addr)] != want {
			t.Errorf("%+v, want %+v", got[uint64(want.Addr)], want)
		}
	}
	if len(got) != 6 || len(h.Breaks)+len(h.Strays)+len(h.Notes) > 0 || len(h.Regions) != 1 || len(h.Own) != 1 {
		t.Errorf("%d chunks, %+v, %+v, %v, %+v", len(got), h.Breaks, h.Strays, h.Notes, h.Regions)
	}
}

// TestTcmallocDamage: lists that lead astray are found with the place, and missing caches are told.
func TestTcmallocDamage(t *testing.T) {
	const spans, cache = tcMeta + 0x40000, tcMeta + 0x41000
	for _, c := range []struct {
		name                  string
		at, v                 uint64
		breaks, strays, notes int
		lost                  uint64
	}{
		{name: "a link in a freed object", at: tcPages, v: 0x4141414141414140, strays: 1},
		{name: "a list of a thread", at: cache + 32*18, v: tcPages + 8, strays: 1},
		{name: "an object in two lists", at: cache + 32*18, v: tcPages, strays: 1},
		{name: "a count of objects", at: spans + 40, v: 7 | 18<<16, breaks: 1},
		{name: "a class that is none", at: spans + 40, v: 3 | 99<<16, breaks: 1, strays: 2, lost: 1 << 18},
		{name: "more objects than a span counts", at: spans + 48 + 40, v: 1 << 16, breaks: 1, lost: 2 << 18},
		{name: "a cache that is nowhere", at: tcData + 0x50, v: 0, notes: 1},
		{name: "no transfer caches", at: tcData + 0x80000 + 1216 + 8, v: 5, notes: 1},
	} {
		m := tcmallocImage()
		m.word(c.at, c.v)
		_, h := states(t, m, "tcmalloc")
		if len(h.Breaks) != c.breaks || len(h.Strays) != c.strays || len(h.Notes) != c.notes ||
			h.Sum(block.All).Lost != c.lost {
			t.Errorf("%s: %+v, %+v, %v, %d bytes lost", c.name, h.Breaks, h.Strays, h.Notes, h.Sum(block.All).Lost)
		}
		for _, s := range h.Strays {
			if c.lost == 0 && uint64(s.At) != c.at {
				t.Errorf("%s: %+v", c.name, s)
			}
		}
	}
}

func FuzzTcmalloc(f *testing.F) { fuzzImage(f, tcmallocImage) }
