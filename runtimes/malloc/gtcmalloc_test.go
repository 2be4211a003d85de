package malloc_test

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"coredbg/runtimes/malloc"
	"coredbg/runtimes/malloc/block"
)

const (
	gtData    = 0x10000000
	gtRoot    = gtData + 0x10000
	gtCentral = gtData + 0x1040 // the number of class 0
	gtMeta    = 0x20000000      // a leaf of the page map
	gtNodes   = 0x21000000      // nodes of a page map with three levels, and its second leaf
	gtSpans   = 0x22000000
	gtSlots   = gtSpans + 0x1000
	gtCache   = gtSpans + 0x2000 // of a thread
	gtSlabs   = 0x30000000
	gtPages   = 0x40000000
	gtFar     = 0x700000000000 // pages that another element of the root leads to
)

// A gtLayout is where a release has the fields of a Span, of a transfer cache and of a thread's cache.
type gtLayout struct {
	name                string
	first, pages, cache uint64
	counts              func(taken, embedded, list, cached uint64) uint64
	used, lists         uint64 // before the number of a class; from a list to the next one
	class, size         uint64 // of small objects, which a span lists by numbers
	wide, objects       uint64 // the class of the least objects that have bits, and how many a span has
	packed              bool
	three               bool   // levels of the page map
	width               uint64 // bytes of a size class in a leaf
	pagesBit            uint   // in the word at pages
	large               uint64 // of a large span: how many pages there are
	mark                uint64 // the bit of a large span
	more                uint64 // pages that the marked span has behind its first one
}

// newer are the counts since 2024: embed_count, freelist, allocated, cache_size.
func newer(taken, embedded, list, cached uint64) uint64 {
	return embedded | list<<16 | taken<<32 | cached<<48
}

// gtLayouts has the layouts of the sources, the newest first.
var gtLayouts = []gtLayout{
	{name: "November 2026", first: 24, pages: 24, pagesBit: 38, large: 40, mark: 35, cache: 40, counts: newer, used: 24,
		lists: 24, class: 3, size: 32, wide: 4, objects: 170, packed: true, three: true, width: 2},
	{name: "August 2026", first: 24, pages: 32, large: 40, mark: 35, cache: 40, counts: newer, used: 24, lists: 24,
		class: 3, size: 32, wide: 4, objects: 170, packed: true, three: true, width: 1},
	{name: "July 28, 2026", first: 24, pages: 32, large: 40, mark: 59, cache: 40, counts: newer, used: 24, lists: 24,
		class: 3, size: 32, wide: 4, objects: 170, packed: true, width: 1},
	{name: "July 3, 2026", first: 24, pages: 32, large: 32, mark: 59, cache: 40, counts: newer, used: 24, lists: 24,
		class: 3, size: 32, wide: 4, objects: 170, packed: true, width: 1},
	{name: "March 2026", first: 24, pages: 32, large: 32, mark: 59, cache: 40, counts: newer, used: 24, lists: 24,
		class: 3, size: 32, wide: 5, objects: 128, packed: true, width: 2, more: 69},
	{name: "June 2025", first: 24, pages: 32, large: 32, mark: 61, cache: 40, counts: newer, used: 24, lists: 24,
		class: 3, size: 32, wide: 5, objects: 128, packed: true, width: 1},
	{name: "August 2024", first: 24, pages: 32, cache: 40, counts: newer, used: 24, lists: 24, class: 5, size: 64,
		wide: 9, objects: 64, width: 1},
	{name: "March 2024", first: 32, pages: 40, cache: 24, counts: newer, used: 24, lists: 24, class: 5, size: 64,
		wide: 9, objects: 64, width: 1},
	{name: "January 2023", first: 32, pages: 40, cache: 24, used: 32, lists: 32, class: 5, size: 64,
		wide: 9, objects: 64, width: 1,
		counts: func(taken, embedded, list, cached uint64) uint64 {
			return taken | embedded<<16 | list<<32 | cached<<48
		}},
}

// A gtMap is how a release has its page map: the bits of a page's number that levels have.
type gtMap struct{ leaf, node uint64 }

func (l *gtLayout) levels() gtMap {
	if l.three {
		return gtMap{12, 12}
	}
	return gtMap{leaf: 15}
}

// lead writes the way from the root to the leaf that has a page. Node is where a node is to be.
func (l *gtLayout) lead(m *image, page, node, leaf uint64) {
	const bits = 12
	if !l.three {
		m.word(gtRoot+8*(page>>15), leaf)
		return
	}
	m.word(gtRoot+8*(page>>(2*bits)), node)
	m.word(node+8*(page>>bits&(1<<bits-1)), leaf)
}

// element writes a page's element of a leaf.
func (l *gtLayout) element(m *image, leaf, page, class, span uint64) {
	pages := uint64(1) << l.levels().leaf
	i := page & (pages - 1)
	if l.packed {
		span |= class << 48
	}
	m.word(leaf+pages*l.width+8*i, span)
	m.bytes(leaf + l.width*i)[0] = byte(class)
}

// span writes the first words of a span.
func (l *gtLayout) span(m *image, at, page, pages uint64, marked bool) {
	const time = 0x1234567 << 6 // a span of few pages does not need these bits
	switch {
	case !l.packed:
		m.word(at+l.first, page)
		m.word(at+l.pages, pages)
	case marked:
		m.word(at+l.first, page|1<<l.mark)
		m.word(at+l.large, pages)
	case l.first == l.pages:
		m.word(at+l.first, page|pages<<l.pagesBit)
		m.word(at+32, time|5) // no longer a number of pages
	default:
		m.word(at+l.first, page)
		m.word(at+l.pages, pages|time)
	}
}

// gtcmallocImage is memory as google's tcmalloc lays it out: a span of small objects, whose free ones are in a
// list of the span, in a transfer cache and in a cache of a thread; two spans of larger objects, which have
// bits, a large object and one that is marked as large or sampled. With three levels a
// further object is far from the others.
func gtcmallocImage(l *gtLayout) *image {
	const shift = 13
	m := &image{}
	m.add(gtData, 0x20000, true)
	m.extend(0x8e0000) // of a root of two levels, which has but one element
	leaf := l.width << l.levels().leaf
	m.add(gtMeta, int(leaf+0x1000), false)
	m.extend(9<<l.levels().leaf + 0x10000 - 0x9000)
	m.add(gtSpans, 0x4000, false)
	m.add(gtSlabs, 4<<14, false)
	m.add(gtPages, 6<<shift, false)
	m.extend(l.more << shift)
	if l.three {
		m.add(gtNodes, 0x20000, false)
		m.add(gtFar, 2<<shift, false)
		l.lead(m, gtFar>>shift, gtNodes+0x8000, gtNodes+0x10000)
		l.span(m, gtSpans+64*5, gtFar>>shift, 2, false)
		l.element(m, gtNodes+0x10000, gtFar>>shift, 0, gtSpans+64*5)
		l.element(m, gtNodes+0x10000, gtFar>>shift+1, 0, gtSpans+64*5)
	}
	l.lead(m, gtPages>>shift, gtNodes, gtMeta)
	span := func(n, pages, class, counts, cache uint64) {
		at, page := gtSpans+64*n, gtPages>>shift+n
		m.word(at+16, counts)
		m.word(at+l.cache, cache)
		l.span(m, at, page, pages, false)
		l.element(m, gtMeta, page, class, at)
	}
	if l.packed {
		// The pages of spans that were given back lead to a span of no pages. It is a constant.
		m.word(gtData+0x800+16, 0xffff<<32)
		for i := range uint64(100) {
			b := m.bytes(gtMeta + l.width<<l.levels().leaf + 8*(0x100+i))
			binary.LittleEndian.PutUint64(b, gtData+0x800)
		}
	}
	unit := l.size / 8
	span(0, 1, l.class, l.counts(1<<shift/l.size-4, 1, 5*unit, 2), unit|2*unit<<16)
	span(1, 1, 12, l.counts(6, 0, 0, 0), 1<<0|1<<3)
	span(2, 1, l.wide, l.counts(l.objects-1, 0, 0, 0), 0)
	m.word(gtSpans+2*64+l.cache+(l.objects-1)/64*8, 1<<((l.objects-1)%64)) // the last one is free
	span(3, 2, 0, 0, 0)
	l.span(m, gtSpans+4*64, gtPages>>shift+5, 1+l.more, true)
	for i := range 1 + l.more {
		l.element(m, gtMeta, gtPages>>shift+5+i, 0, gtSpans+4*64)
	}
	m.word(gtPages+5*l.size, 0xffff|6*unit<<16)
	for i := range uint64(len(tcSizes)) {
		m.word(gtData+0x100+i/2*8, uint64(tcSizes[i&^1])|uint64(append(tcSizes, 0)[i|1])<<32)
		m.word(gtCentral+512*i, i)
		m.word(gtCache+l.lists*i+16, 1)
		m.word(gtCentral+512*i+8, uint64(tcSizes[i]))
	}
	m.word(gtCentral+512*l.class-l.used, 1|16<<32)
	m.word(gtCentral+512*l.class-16, gtSlots)
	m.word(gtSlots, gtPages+8*l.size)
	for class, head := range map[uint64]uint64{l.class: gtPages + 9*l.size, l.wide: gtPages + 2<<shift,
		12: gtPages + 1<<shift + 1024} {
		m.word(gtCache+l.lists*class, head)
		m.word(gtCache+l.lists*class+8, 1)
	}
	m.word(gtCache+l.lists*l.class+8, 2)
	m.word(gtPages+9*l.size, gtPages+10*l.size)
	m.word(gtData+0x50, gtCache)
	return m
}

// oldGoogle is the image of January 2023.
func oldGoogle() *image { return google("January 2023") }

// google is the image of a release.
func google(name string) *image {
	i := slices.IndexFunc(gtLayouts, func(l gtLayout) bool { return l.name == name })
	return gtcmallocImage(&gtLayouts[i])
}

func TestGoogleTcmalloc(t *testing.T) {
	for i := range gtLayouts {
		l := &gtLayouts[i]
		t.Run(l.name, func(t *testing.T) { checkGoogle(t, l) })
	}
}

func checkGoogle(t *testing.T, l *gtLayout) {
	got, h := states(t, gtcmallocImage(l), "tcmalloc")
	free := map[uint64]string{gtPages + l.size: "span", gtPages + 2*l.size: "span", gtPages + 5*l.size: "span",
		gtPages + 6*l.size: "span", gtPages + 8*l.size: "transfer cache",
		gtPages + 9*l.size: "thread cache", gtPages + 10*l.size: "thread cache", gtPages + 1<<13: "span",
		gtPages + 1<<13 + 3*1024: "span",
		gtPages + 1<<13 + 1024:   "thread cache", gtPages + 2<<13: "thread cache",
		gtPages + 2<<13 + (l.objects-1)*uint64(tcSizes[l.wide]): "span"}
	for at, c := range got {
		if list, ok := free[at]; ok != (c.State == malloc.Free) || list != c.List {
			t.Errorf("%#x: %+v, want %q", at, c, list)
		}
	}
	large, regions := map[uint64]uint64{gtPages + 3<<13: 2 << 13, gtPages + 5<<13: (1 + l.more) << 13}, 1
	if l.three {
		large[gtFar], regions = 2<<13, 2
	}
	for at, size := range large {
		if got[at].Size != size {
			t.Errorf("%#x: %+v, want %d bytes", at, got[at], size)
		}
	}
	if len(got) != int(1<<13/l.size+8+l.objects)+len(large) || len(h.Breaks)+len(h.Strays)+len(h.Notes) > 0 ||
		len(h.Regions) != regions {
		t.Errorf("%d chunks, %+v, %+v, %v, %+v", len(got), h.Breaks, h.Strays, h.Notes, h.Regions)
	}
}

// TestGoogleUnknown: if the counts of spans are elsewhere in a release, only the name of the library is told.
func TestGoogleUnknown(t *testing.T) {
	for i := range gtLayouts {
		l := gtLayouts[i]
		known := l.counts
		l.counts = func(taken, embedded, list, cached uint64) uint64 {
			return bits.ReverseBytes64(known(taken, embedded, list, cached))
		}
		p := gtcmallocImage(&l).process()
		p.Modules[0].Path = "/lib/libtcmalloc.so.9"
		if _, err := malloc.Open(t.Context(), p); err == nil || !strings.Contains(err.Error(), "libtcmalloc.so.9") {
			t.Errorf("%s: %v", l.name, err)
		}
	}
}

// TestGoogleProcessors: caches of processors have their objects. The second one is locked, the third was not used.
func TestGoogleProcessors(t *testing.T) {
	m := oldGoogle()
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
	// two in the cache of a processor, one in a transfer cache, four in a cache of a thread
	if s := h.Sum(block.All); s.Cached != 7 || s.CachedBytes != 5*64+128+1024 {
		t.Errorf("%+v", s)
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
		{name: "counts of a transfer cache", at: gtCentral + 512*5 - 32, v: 17 | 16<<32, breaks: 1},
		{name: "a cache that is nowhere", at: gtData + 0x50, v: 0, notes: 1},
		{name: "no transfer caches", at: gtCentral + 512*2, v: 5, notes: 1},
	} {
		m := oldGoogle()
		m.word(c.at, c.v)
		_, h := states(t, m, "tcmalloc")
		if len(h.Breaks) != c.breaks || len(h.Strays) != c.strays || len(h.Notes) != c.notes {
			t.Errorf("%s: %+v, %+v, %v", c.name, h.Breaks, h.Strays, h.Notes)
		}
	}
}

func FuzzGoogleTcmalloc(f *testing.F) { fuzzImage(f, oldGoogle) }

func FuzzGooglePacked(f *testing.F) { fuzzImage(f, func() *image { return google("June 2025") }) }

func FuzzGoogleLevels(f *testing.F) { fuzzImage(f, func() *image { return google("November 2026") }) }
