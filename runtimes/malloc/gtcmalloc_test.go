package malloc_test

import (
	"testing"

	"coredbg/runtimes/malloc"
)

const (
	gtData    = 0x10000000
	gtRoot    = gtData + 0x10000
	gtCentral = gtData + 0x1040 // the number of class 0
	gtMeta    = 0x20000000      // a leaf of the page map
	gtSpans   = 0x22000000
	gtSlots   = gtSpans + 0x1000
	gtCache   = gtSpans + 0x2000 // of a thread
	gtSlabs   = 0x30000000
	gtPages   = 0x40000000
)

// gtcmallocImage is memory as google's tcmalloc of January 2023 lays it out: a span of objects of 64 bytes,
// whose free ones are in a list of the span, in a transfer cache and in a cache of a thread; two spans of
// larger objects, which have bits, and a large object.
func gtcmallocImage() *image {
	const leafPages, shift = 1 << 15, 13
	m := &image{}
	m.add(gtData, 0x20000, true)
	m.extend(0x8e0000) // of the root, which has but one element
	m.add(gtMeta, 0x9000, false)
	m.extend(0x3f000)
	m.add(gtSpans, 0x4000, false)
	m.add(gtSlabs, 4<<14, false)
	m.add(gtPages, 5<<shift, false)
	m.word(gtRoot+8*(gtPages>>shift>>15), gtMeta)
	span := func(n, pages, class, counts, cache uint64) {
		at, page := gtSpans+64*n, n
		m.word(at+16, counts)
		m.word(at+24, cache)
		m.word(at+32, gtPages>>shift+page)
		m.word(at+40, pages)
		m.word(gtMeta+leafPages+8*page, at)
		m.bytes(gtMeta + page)[0] = byte(class)
	}
	span(0, 1, 5, 124|1<<16|5*8<<32|2<<48, 1*8|2*8<<16)
	span(1, 1, 12, 6, 1<<0|1<<3)
	span(2, 1, 10, 32, 0)
	span(3, 2, 0, 0, 0)
	m.word(gtPages+5*64, 0xffff|6*8<<16)
	for i := range uint64(len(tcSizes)) {
		m.word(gtData+0x100+i/2*8, uint64(tcSizes[i&^1])|uint64(append(tcSizes, 0)[i|1])<<32)
		m.word(gtCentral+512*i, i)
		m.word(gtCache+32*i+16, 1)
		m.word(gtCentral+512*i+8, uint64(tcSizes[i]))
	}
	m.word(gtCentral+512*5-32, 1|16<<32)
	m.word(gtCentral+512*5-16, gtSlots)
	m.word(gtSlots, gtPages+8*64)
	for class, head := range map[uint64]uint64{5: gtPages + 9*64, 10: gtPages + 2<<shift,
		12: gtPages + 1<<shift + 1024} {
		m.word(gtCache+32*class, head)
		m.word(gtCache+32*class+8, 1)
	}
	m.word(gtCache+32*5+8, 2)
	m.word(gtPages+9*64, gtPages+10*64)
	m.word(gtData+0x50, gtCache)
	return m
}

func TestGoogleTcmalloc(t *testing.T) {
	got, h := states(t, gtcmallocImage(), "tcmalloc")
	free := map[uint64]string{gtPages + 64: "span", gtPages + 2*64: "span", gtPages + 5*64: "span",
		gtPages + 6*64: "span", gtPages + 8*64: "transfer cache",
		gtPages + 9*64: "thread cache", gtPages + 10*64: "thread cache", gtPages + 1<<13: "span",
		gtPages + 1<<13 + 3*1024: "span",
		gtPages + 1<<13 + 1024:   "thread cache", gtPages + 2<<13: "thread cache"}
	for at, c := range got {
		if list, ok := free[at]; ok != (c.State == malloc.Free) || list != c.List {
			t.Errorf("%#x: %+v, want %q", at, c, list)
		}
	}
	if c := got[gtPages+3<<13]; c.Size != 2<<13 || len(got) != 128+8+32+1 || len(h.Breaks)+len(h.Strays)+
		len(h.Notes) > 0 || len(h.Regions) != 1 {
		t.Errorf("%d chunks, %+v, %+v, %+v, %v, %+v", len(got), c, h.Breaks, h.Strays, h.Notes, h.Regions)
	}
}

// TestGoogleProcessors: caches of processors have their objects. The second one is locked, the third was not used.
func TestGoogleProcessors(t *testing.T) {
	m := gtcmallocImage()
	m.word(gtData+0x60, gtSlabs|14)
	header := func(cpu, class, begin, current, end uint64) {
		m.word(gtSlabs+cpu<<14+8*class, begin<<32|current|end<<48)
	}
	header(0, 5, 200, 202, 210)
	header(0, 12, 220, 220, 230)
	header(1, 5, 0xffff, 202, 0)
	m.word(gtSlabs+8*200, gtPages+20*64)
	m.word(gtSlabs+8*201, gtPages+21*64)
	m.word(gtSlabs+1<<14+8*201, gtPages+22*64)
	got, h := states(t, m, "tcmalloc")
	for at, list := range map[uint64]string{gtPages + 20*64: "processor cache", gtPages + 21*64: "processor cache",
		gtPages + 22*64: ""} {
		if got[at].List != list {
			t.Errorf("%#x: %+v, want %q", at, got[at], list)
		}
	}
	if len(h.Breaks)+len(h.Strays)+len(h.Notes) > 0 {
		t.Errorf("%+v, %+v, %v", h.Breaks, h.Strays, h.Notes)
	}
}

// TestGoogleDamage: lists that lead astray are found with the place, and missing caches are told.
func TestGoogleDamage(t *testing.T) {
	for _, c := range []struct {
		name                  string
		at, v                 uint64
		breaks, strays, notes int
	}{
		{name: "a link in a freed object", at: gtPages + 9*64, v: 0x4141414141414140, strays: 1},
		{name: "an object in two lists", at: gtPages + 9*64, v: gtPages + 8*64, strays: 1},
		{name: "numbers in a freed object", at: gtPages + 5*64, v: 0x4141414141414141, breaks: 1, strays: 1},
		{name: "a count of objects", at: gtSpans + 64 + 16, v: 7, breaks: 1},
		{name: "a slot of a transfer cache", at: gtSlots, v: gtPages + 8*64 + 8, strays: 1},
		{name: "a cache that is nowhere", at: gtData + 0x50, v: 0, notes: 1},
		{name: "no transfer caches", at: gtCentral + 512*2, v: 5, notes: 1},
	} {
		m := gtcmallocImage()
		m.word(c.at, c.v)
		_, h := states(t, m, "tcmalloc")
		if len(h.Breaks) != c.breaks || len(h.Strays) != c.strays || len(h.Notes) != c.notes {
			t.Errorf("%s: %+v, %+v, %v", c.name, h.Breaks, h.Strays, h.Notes)
		}
	}
}

func FuzzGoogleTcmalloc(f *testing.F) { fuzzImage(f, gtcmallocImage) }
