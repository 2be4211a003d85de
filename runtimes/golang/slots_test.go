package golang

import (
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes"
)

// TestSlots reads which slots of spans have objects, with numbers of two sizes (Go 1.21 and 1.22).
func TestSlots(t *testing.T) {
	const heap, record, bits = 0xc000000000, 0x10000, 0x20000
	for _, wide := range []bool{false, true} {
		fields := structure{"startAddr": {0, 0}, "npages": {8, 0}, "freeindex": {16, 0}, "nelems": {18, 0},
			"freeIndexForScan": {20, 0},
			"allocBits":        {24, 0}, "spanclass": {32, 0}, "largeType": {40, 0}}
		b := coretest.New(core.AMD64).MapProt(heap, make([]byte, spanPage), core.Read|core.Write).Map(bits,
			[]byte{0b10100000, 0b00000010})
		if wide {
			delete(fields, "freeIndexForScan")
			fields["nelems"], fields["allocBits"], fields["spanclass"], fields["largeType"] = field{24, 0},
				field{32, 0}, field{40, 0}, field{48, 0}
			b.Words(record, 0, 0, 3, 10, bits, 4<<1)
		} else {
			b.Words(record, 0, 0, 3|10<<16, bits, 4<<1)
		}
		p := b.Process()
		x := &spanReader{scheduler: &scheduler{process: process{t: runtimes.Target{Process: p}}, word: 8},
			c: p.Cursor(), fields: fields}
		s := x.slots(&heapSpan{span: span{heap, heap + spanPage}, state: spanInUse, size: 800, at: record})
		got := ""
		for i := range s.Count {
			got += map[bool]string{true: "1", false: "0"}[s.Has(i)]
		}
		// Slots before freeindex have objects; the bitmap knows the others.
		if got != "1110010101" {
			t.Errorf("wide %v: %s", wide, got)
		}
		if s.Head != 8 {
			t.Errorf("wide %v: a header of %d bytes", wide, s.Head)
		}
	}
}

// TestSlotsDamaged: a span with more slots than one can have is a single object, and so is one whose bitmap
// cannot be read.
func TestSlotsDamaged(t *testing.T) {
	p := coretest.New(core.AMD64).Words(0x10000, 0, 0, 3|10<<16, 0x7777000000, 4<<1).Process()
	x := &spanReader{scheduler: &scheduler{process: process{t: runtimes.Target{Process: p}}, word: 8}, c: p.Cursor(),
		fields: structure{"startAddr": {0, 0}, "freeindex": {16, 0}, "nelems": {18, 0}, "allocCache": {20, 0},
			"allocBits": {24, 0}, "spanclass": {32, 0}}}
	if s := x.slots(&heapSpan{span: span{0, 1 << 47}, state: spanInUse, size: 1, at: 0x10000}); s.Count != 1 ||
		s.Size != 1<<47 || !s.Has(0) {
		t.Errorf("%d slots of %d bytes", s.Count, s.Size)
	}
	s := x.slots(&heapSpan{span: span{0xc000000000, 0xc000000000 + spanPage}, state: spanInUse, size: 800, at: 0x10000})
	if s.Count != 10 || !s.Has(0) || !s.Has(9) {
		t.Errorf("%d slots: %b", s.Count, s.Used)
	}
}

// TestStale: memory without slots and outside of the used parts of stacks, in two pieces that a span crosses.
func TestStale(t *testing.T) {
	mem := &runtimes.Owned{Spans: []core.Segment{{Start: 0x1000, End: 0x5000}, {Start: 0x6000, End: 0x9000}},
		Stacks: []core.Segment{{Start: 0x5000, End: 0x6000}}}
	got := stale(mem, &runtimes.SlotHeap{Spans: []runtimes.SlotSpan{{Start: 0x2000, Size: 0x100, Count: 16},
		{Start: 0x8800, Size: 0x1000, Count: 2}},
		Stacks: []runtimes.SlotStack{{Start: 0x5800, End: 0x6000}}})
	want := []core.Segment{{Start: 0x1000, End: 0x2000}, {Start: 0x3000, End: 0x5000}, {Start: 0x5000, End: 0x5800},
		{Start: 0x6000, End: 0x8800}}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i := range want {
		if got[i].Start != want[i].Start || got[i].End != want[i].End {
			t.Errorf("%+v, want %+v", got[i], want[i])
		}
	}
}
