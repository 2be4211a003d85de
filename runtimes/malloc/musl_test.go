package malloc_test

import (
	"testing"

	"coredbg/runtimes/malloc"
	"coredbg/runtimes/malloc/faults"
)

const (
	ngData   = 0x10000000
	ngArea   = 0x20000000
	ngGroup  = 0x30000000
	ngSecret = 0x1122334455667788
)

// muslImage is memory as mallocng lays it out: a group of four slots of 496 bytes: one free, one freed, one
// with a block, and one with a group of five slots of 96 bytes; and a block with a mapping of its own. A
// block of the inner group begins after its slot.
func muslImage() *image {
	m := &image{}
	m.add(ngData, 0x1000, true)
	m.add(ngArea, 0x1000, false)
	m.add(ngGroup, 0x3000, false)
	m.word(ngData+0x100, ngSecret)
	m.word(ngData+0x108, 1)
	m.word(ngData+0x138, ngArea)
	m.word(ngArea, ngSecret)
	m.word(ngArea+16, 8)
	group := func(n, mem, masks, slots, class, pages uint64) {
		at := ngArea + 24 + 40*n
		m.word(at+16, mem)
		m.word(at+24, masks)
		m.word(at+32, slots-1|class<<6|pages<<12)
		m.word(mem, at)
	}
	// head sets the header of slot n of a group: where the block is, and how much of the slot is spare.
	head := func(mem, n, stride, moved, spare uint64) {
		start := mem + 16 + n*stride
		at, end := start+moved, start+stride-4
		if moved > 0 {
			m.half(start-2, uint16(moved/16))
			m.bytes(start - 3)[0] = 7 << 5
		}
		m.half(at-2, uint16((at-mem-16)/16))
		m.bytes(at - 3)[0] = byte(n) | byte(min(spare, 5))<<5
		if spare >= 5 {
			m.half(end-4, uint16(spare))
		}
		m.hot = append(m.hot, (at-8)&^7)
	}
	group(0, ngGroup, 1<<2|1<<35, 4, 15, 1) // class 15 is 496 bytes
	group(1, ngGroup+16+496, 1<<4, 5, 5, 0)
	group(2, ngGroup+0x1000, 0, 1, 63, 2)
	head(ngGroup, 0, 496, 0, 12)
	head(ngGroup+16+496, 0, 96, 0, 0)
	head(ngGroup+16+496, 1, 96, 32, 3)
	head(ngGroup+16+496, 2, 96, 0, 4)
	head(ngGroup+16+496, 3, 96, 0, 92)
	head(ngGroup+0x1000, 0, 0x2000-16, 0, 100)
	return m
}

func TestMusl(t *testing.T) {
	got, h := states(t, muslImage(), "musl")
	const inner = ngGroup + 16 + 496
	for _, want := range []malloc.Chunk{
		{Addr: ngGroup + 16, Size: 480},
		{Addr: inner + 16, Size: 92},
		{Addr: inner + 16 + 96 + 32, Size: 57},
		{Addr: inner + 16 + 2*96, Size: 88},
		{Addr: inner + 16 + 3*96, Size: 0},
		{Addr: inner + 16 + 4*96, Size: 92, State: malloc.Free, List: "free slot"},
		{Addr: ngGroup + 16 + 2*496, Size: 492, State: malloc.Free, List: "free slot"},
		{Addr: ngGroup + 16 + 3*496, Size: 492, State: malloc.Free, List: "freed slot"},
		{Addr: ngGroup + 0x1010, Size: 0x2000 - 16 - 4 - 100},
	} {
		if got[uint64(want.Addr)] != want {
			t.Errorf("%+v, want %+v", got[uint64(want.Addr)], want)
		}
	}
	if len(got) != 9 || len(h.Breaks)+len(h.Strays)+len(h.Notes) > 0 || len(h.Regions) != 2 || !h.Regions[1].Mapped {
		t.Errorf("%d chunks, %+v, %+v, %v, %+v", len(got), h.Breaks, h.Strays, h.Notes, h.Regions)
	}
}

// TestMuslDamage: a byte behind a block and a header that were overwritten are found with the block that it was.
func TestMuslDamage(t *testing.T) {
	const first = ngGroup + 16
	const inner = ngGroup + 16 + 496 + 16
	for _, c := range []struct {
		name    string
		at      uint64
		text    string
		kind    faults.Kind
		culprit uint64
		faults  int
	}{
		{"a guard byte", first + 480, "A", faults.Overrun, first, 1},
		{"a header", inner + 92, "\x00AAAAAAAA", faults.Overrun, inner, 1},
	} {
		m := muslImage()
		copy(m.bytes(c.at &^ 7)[c.at&7:], c.text)
		p := m.process()
		h, err := malloc.Open(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		got := faults.Find(p, h.All[0].Heap(t.Context()))
		if len(got) != c.faults || got[0].Kind != c.kind && got[0].Kind != faults.Header ||
			c.kind == got[0].Kind && uint64(got[0].Culprit.Addr) != c.culprit {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

func FuzzMusl(f *testing.F) { fuzzImage(f, muslImage) }
