package malloc_test

import (
	"testing"

	"coredbg/core"
	"coredbg/runtimes/malloc"
	"coredbg/runtimes/malloc/block"
	"coredbg/runtimes/malloc/faults"
)

const (
	omData  = 0x10000000
	omBins  = omData + 0x100
	omGiven = omData + 0x2110
	omHeap  = 0x20000000
	omBig   = 0x30000000
	omBigs  = 0x3a000
)

// omBin returns what a bin's chunks refer to it by.
func omBin(i uint64) uint64 { return omBins + 8 + 24*i + 8 - 16 }

// omChunks writes the headers of chunks from an address on, whose sizes have their lowest bit set if they are
// in use, and the header behind them.
func omChunks(m *image, at uint64, sizes ...uint64) {
	before := uint64(1)
	for _, v := range append(sizes, 1) {
		m.word(at, before)
		m.word(at+8, v)
		at, before = at+v&^1, v
	}
}

// oldmallocImage is memory as musl's oldmalloc lays it out: two pieces that follow each other, one in a
// module's data, a mapped block behind the pieces, an aligned one, and another one. Two chunks are free.
func oldmallocImage() *image {
	m := &image{}
	m.add(omData, 0x3000, true)
	m.add(omHeap, 0x4000, false)
	m.add(omBig, 2*omBigs, false)
	omChunks(m, omHeap+16, 0x41, 0x60, 0x21, 0x81, 0x1ea0)
	omChunks(m, omHeap+0x2010, 0x7e1, 0x801)
	m.word(omHeap+0x3010, 16)
	m.word(omHeap+0x3018, 0x1000-16)
	omChunks(m, omGiven, 0x81, 0x41)
	m.word(omBig+16, 16)
	m.word(omBig+24, omBigs-16)
	m.word(omBig+0xff0, 0xff0)
	m.word(omBig+0xff8, omBigs-0xff0)
	m.word(omBig+omBigs+16, 16)
	m.word(omBig+omBigs+24, omBigs-16)
	m.word(omBins, 1<<2|1<<43)
	listed := map[uint64]uint64{2: omHeap + 0x50, 43: omHeap + 0x150}
	for _, i := range []uint64{0, 2, 17, 43} {
		first := listed[i]
		if first == 0 {
			first = omBin(i)
		} else {
			m.word(first+16, omBin(i))
			m.word(first+24, omBin(i))
		}
		m.word(omBin(i)+16, first)
		m.word(omBin(i)+24, first)
	}
	return m
}

func TestOldmalloc(t *testing.T) {
	got, h := states(t, oldmallocImage(), "musl")
	for _, want := range []malloc.Chunk{
		{Addr: omHeap + 0x20, Size: 0x30},
		{Addr: omHeap + 0x60, Size: 0x50, State: malloc.Free, List: "bin"},
		{Addr: omHeap + 0xc0, Size: 0x10},
		{Addr: omHeap + 0xe0, Size: 0x70},
		{Addr: omHeap + 0x160, Size: 0x1e90, State: malloc.Free, List: "bin"},
		{Addr: omHeap + 0x2020, Size: 0x7d0},
		{Addr: omHeap + 0x2800, Size: 0x7f0},
		{Addr: omHeap + 0x3020, Size: 0xfe0},
		{Addr: omGiven + 16, Size: 0x70},
		{Addr: omGiven + 16 + 0x80, Size: 0x30},
		{Addr: omBig + 0x1000, Size: omBigs - 0x1000},
		{Addr: omBig + omBigs + 32, Size: omBigs - 32},
	} {
		if got[uint64(want.Addr)] != want {
			t.Errorf("%+v, want %+v", got[uint64(want.Addr)], want)
		}
	}
	if len(got) != 12 || len(h.Breaks)+len(h.Strays)+len(h.Notes) > 0 || len(h.Regions) != 6 ||
		h.Sum(block.All).Mapped != 3 || h.Arenas[0].Addr != omBins {
		t.Errorf("%d chunks, %+v, %+v, %v, %+v", len(got), h.Breaks, h.Strays, h.Notes, h.Regions)
	}
	if known, all := h.Read(); known != all || all != 0x4000+2*omBigs+0x80+0x40+16 {
		t.Errorf("%d of %d bytes are known", known, all)
	}
}

// TestOldmallocDamage: a write past a block or into a free block is found with its block, and a change that a
// thread has begun is no damage.
func TestOldmallocDamage(t *testing.T) {
	type word struct{ at, v uint64 }
	const text = 0x7478657420656d6f // "ome text"
	for _, c := range []struct {
		name    string
		words   []word
		kind    faults.Kind
		culprit uint64
		faults  int
	}{
		{"a byte of the size behind a block", []word{{omHeap + 0x130 + 0x20, 0x61}}, faults.Overrun, omHeap + 0xe0, 1},
		{"the size behind a free block", []word{{omHeap + 0xb0, 0}}, faults.Overrun, omHeap + 0x60, 1},
		{"both sizes behind a block", []word{{omHeap + 0x40, text}, {omHeap + 0x48, text}, {omHeap + 0x50, text},
			{omHeap + 0x58, text}}, faults.Overrun, omHeap + 0x20, 1},
		{"a size, from the block behind it", []word{{omHeap + 0xd8, text}, {omHeap + 0xe0, text}}, faults.Underrun,
			omHeap + 0xe0, 1},
		{"a size alone", []word{{omHeap + 0xd8, text}}, faults.Header, 0, 1},
		{"a size alone, behind a block of text", []word{{omHeap + 0xc0, text}, {omHeap + 0xc8, text},
			{omHeap + 0xd8, text}}, faults.Header, 0, 1},
		{"a size that would fit", []word{{omHeap + 0xd8, 0x61}}, faults.Header, 0, 1},
		{"the end of a piece", []word{{omHeap + 0x2ff0, text}, {omHeap + 0x2ff8, text}, {omHeap + 0x2fe8, text}},
			faults.Overrun, omHeap + 0x2800, 1},
		{"a link of a free block", []word{{omHeap + 0x60, text}}, faults.FreeList, omHeap + 0x60, 1},
		{"both links of a free block", []word{{omHeap + 0x60, text}, {omHeap + 0x68, text}}, faults.FreeList,
			omHeap + 0x60, 2},
		{"a bin", []word{{omBin(2) + 16, text &^ 31}}, faults.FreeList, 0, 1},
		{"a free block in another bin", []word{{omHeap + 0x68, omHeap + 0x150}}, faults.FreeList, omHeap + 0x60, 1},
		{"a thread splits a block", []word{{omHeap + 0xd8, 0x1ea0 + 0x81}, {omBins, 1 << 2},
			{omBin(43) + 16, omBin(43)}, {omBin(43) + 24, omBin(43)}}, "", 0, 0},
		{"a thread puts a block into a bin", []word{{omBin(2) + 8, 1}, {omHeap + 0x68, omHeap + 0x150}}, "", 0, 0},
	} {
		m := oldmallocImage()
		for _, w := range c.words {
			m.word(w.at, w.v)
		}
		p := m.process()
		h, err := malloc.Open(t.Context(), p)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got := faults.Find(p, h.All[0].Heap(t.Context()))
		if len(got) != c.faults {
			t.Errorf("%s: %+v", c.name, got)
		}
		for _, f := range got {
			if f.Kind != c.kind || f.Culprit.Addr != core.Addr(c.culprit) {
				t.Errorf("%s: %+v", c.name, f)
			}
		}
	}
}

// TestOldmallocGoesOn: behind a header that was overwritten chunks are found again, also where another piece
// or a mapped block begins.
func TestOldmallocGoesOn(t *testing.T) {
	for _, c := range []struct {
		name  string
		at    uint64
		found []uint64 // blocks
		lost  uint64   // bytes of the block
	}{
		{"in the middle", omHeap + 0x58, []uint64{omHeap + 0x20, omHeap + 0xc0, omHeap + 0xe0, omHeap + 0x2020}, 0x60},
		{"at the end", omHeap + 0x158, []uint64{omHeap + 0x20, omHeap + 0x60, omHeap + 0xe0, omHeap + 0x2020}, 0x1ea0},
		{"before a mapped block", omHeap + 0x2ff8, []uint64{omHeap + 0x2020, omHeap + 0x2800, omHeap + 0x3020}, 0x10},
	} {
		m := oldmallocImage()
		m.word(c.at, 0x4141414141414141)
		got, h := states(t, m, "musl")
		for _, at := range c.found {
			if x, ok := got[at]; !ok || x.State == malloc.Lost {
				t.Errorf("%s: %#x: %+v", c.name, at, x)
			}
		}
		known, all := h.Read()
		if all-known != c.lost || h.Sum(block.All).Mapped != 3 {
			t.Errorf("%s: %d of %d bytes are known, %+v", c.name, known, all, got)
		}
	}
}

// TestOldmallocAligned: an aligned block ends where its first header says, or where realloc has put its end.
func TestOldmallocAligned(t *testing.T) {
	for _, c := range []struct {
		name        string
		first, size uint64 // in the first header, and in the one further on
		want        malloc.Chunk
	}{
		{"resized", 0x20000 - 16, omBigs - 0xff0, malloc.Chunk{Addr: omBig + 0x1000, Size: omBigs - 0x1000}},
		{"a page more", omBigs - 16, omBigs + 0x1000 - 0xff0, malloc.Chunk{Addr: omBig + 32, Size: omBigs - 32}},
		{"a page less", omBigs - 16, omBigs - 0x1000 - 0xff0, malloc.Chunk{Addr: omBig + 32, Size: omBigs - 32}},
		{"all of it", omBigs - 16, 2*omBigs - 0xff0, malloc.Chunk{Addr: omBig + 32, Size: omBigs - 32}},
	} {
		m := oldmallocImage()
		m.word(omBig+24, c.first)
		m.word(omBig+0xff8, c.size)
		got, h := states(t, m, "musl")
		if got[uint64(c.want.Addr)] != c.want || h.Sum(block.All).Mapped != 3 {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func FuzzOldmalloc(f *testing.F) { fuzzImage(f, oldmallocImage) }
