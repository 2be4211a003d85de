package golang

import (
	"encoding/binary"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes"
)

// TestOwned: objects, stacks and work of the collector in an arena, with pages between them that no span has.
func TestOwned(t *testing.T) {
	const heap = 0xc000000000
	page := func(n int) core.Addr { return heap + core.Addr(n)*spanPage }
	p := coretest.New(core.AMD64).MapProt(heap, make([]byte, 16*spanPage), core.Read|core.Write).Process()
	x := &spanReader{scheduler: &scheduler{process: process{t: runtimes.Target{Process: p}}, word: 8}, c: p.Cursor()}
	out := x.owned([]heapSpan{
		{span{page(0), page(1)}, spanInUse, 64, 100, 0},
		{span{page(1), page(3)}, spanManual, 2048, 8, 0},
		{span{page(4), page(5)}, spanManual, 0, 0, 0},
		{span{page(6), page(8)}, spanInUse, 2 * spanPage, 1, 0},
		{span{page(9), page(10)}, spanInUse, 4096, 60000, 0}, // more than it can have
		{span{0x700000000000, 0x700000002000}, spanInUse, 64, 1, 0},
	})
	if len(out.Stacks) != 1 || out.Stacks[0].Start != page(1) || out.Stacks[0].End != page(3) {
		t.Errorf("stacks %+v", out.Stacks)
	}
	if len(out.Spans) != 2 || out.Spans[0].End != page(1) || out.Spans[1].Start != page(3) ||
		out.Spans[1].End != page(16) {
		t.Errorf("spans %+v", out.Spans)
	}
	if want := uint64(6400 + 3*spanPage); out.Used != want || out.Free != 14*spanPage-want {
		t.Errorf("%d used, %d free, want %d used", out.Used, out.Free, want)
	}
}

// TestOwnedArenas: arenas without spans belong to the heap, too, where the mapping begins at an arena.
func TestOwnedArenas(t *testing.T) {
	const arena = core.Addr(0x9000000)
	for _, before := range []core.Addr{0, 0x1000} {
		p := coretest.New(core.AMD64).MapProt(arena-before, make([]byte, 2*smallArena+before),
			core.Read|core.Write).Process()
		x := &spanReader{scheduler: &scheduler{process: process{t: runtimes.Target{Process: p}}, word: 4},
			c: p.Cursor()}
		out, want := x.owned([]heapSpan{{span{arena, arena + spanPage}, spanInUse, 64, 100, 0}}), arena+2*smallArena
		if before != 0 {
			want = arena + smallArena // what comes after may be another's
		}
		if len(out.Spans) != 1 || out.Spans[0].Start != arena || out.Spans[0].End != want {
			t.Errorf("with %#x bytes before: %+v", before, out.Spans)
		}
	}
}

// FuzzSpans reads spans of memory that a fuzzer has written: what is read has pages in order, and objects that fit.
func FuzzSpans(f *testing.F) {
	f.Add(uint64(0xc000000000), uint64(1), uint64(64), uint16(3), uint8(spanInUse))
	f.Add(uint64(0xffffffffffffe000), uint64(1<<60), uint64(1<<63), uint16(0xffff), uint8(spanManual))
	f.Fuzz(func(t *testing.T, start, pages, size uint64, count uint16, state uint8) {
		b := make([]byte, 4096)
		binary.LittleEndian.PutUint64(b, start)
		binary.LittleEndian.PutUint64(b[8:], pages)
		binary.LittleEndian.PutUint64(b[16:], size)
		binary.LittleEndian.PutUint16(b[24:], count)
		b[26] = state
		p := coretest.New(core.AMD64).Map(0x10000, b).MapProt(0xc000000000, make([]byte, 4096),
			core.Read|core.Write).Process()
		x := &spanReader{scheduler: &scheduler{process: process{t: runtimes.Target{Process: p}}, word: 8},
			c: p.Cursor(),
			fields: structure{"startAddr": {off: 0}, "npages": {off: 8}, "elemsize": {off: 16}, "allocCount": {off: 24},
				"state": {off: 26}}}
		h, ok := x.read(0x10000)
		if !ok || h.state == spanDead {
			return
		}
		if h.end <= h.start || h.size > uint64(h.end-h.start) {
			t.Fatalf("%+v", h)
		}
		if out := x.owned([]heapSpan{h}); out.Used > uint64(h.end-h.start) {
			t.Fatalf("%+v of %+v", out, h)
		}
	})
}
