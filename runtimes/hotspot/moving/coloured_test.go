package moving

import (
	"sync"
	"testing"

	"coredbg/core"
)

// withForwarding returns a Colouring that has read its forwardings: of the young and of the old generation.
func withForwarding(z *Colouring, young, old *Forwarding) *Colouring {
	z.once.Do(func() {})
	for i, f := range []*Forwarding{young, old} {
		if f != nil {
			z.forwarding[i] = map[uint64]*Forwarding{f.Start >> z.granule: f}
		}
	}
	return z
}

// TestColouring: the colours are those of share/gc/z/zAddress.hpp and, of JDK 17, of share/gc/z/zAddress.inline.hpp.
func TestColouring(t *testing.T) {
	const mask, base = 1<<34 - 1, 1 << 34
	moved := &Forwarding{Start: 2 << 21, size: 1 << 21, shift: 3, to: map[uint64]uint64{2: 0x777000}}
	other := &Forwarding{Start: 2 << 21, size: 1 << 21, shift: 3, to: map[uint64]uint64{2: 0x888000}}
	elsewhere := &Forwarding{Start: 8 << 21, size: 1 << 21, shift: 3, to: map[uint64]uint64{}}
	x86 := func(young, old *Forwarding) *Colouring {
		return withForwarding(&Colouring{Generational: true, Base: base, mask: mask, good: 1 << 12, bad: 0xe << 12,
			granule: 21}, young, old)
	}
	const from = base | 2<<21 | 0x10
	for _, x := range []struct {
		what string
		z    *Colouring
		v    uint64
		want core.Addr
	}{
		{"null", x86(nil, nil), 0, 0},
		{"a coloured null", x86(nil, nil), 0x1fff0 & allColours, 0},
		{"good: Remapped00", x86(moved, other), from<<13 | 1<<12 | 0x150, from},
		{"the young collection has moved it: Remapped01", x86(moved, other), from<<14 | 1<<13, base | 0x777000},
		{"the old collection has moved it: Remapped10", x86(moved, other), from<<15 | 1<<14, base | 0x888000},
		{"either, and the young one has its page: Remapped11", x86(moved, other), from<<16 | 1<<15, base | 0x777000},
		{"either, and the young one does not have its page", x86(elsewhere, other), from<<16 | 1<<15, base | 0x888000},
		{"either, from the old generation to the old one", x86(moved, other), from<<16 | 1<<15 | rememberedMask,
			base | 0x888000},
		{"it has not been moved", x86(elsewhere, nil), from<<14 | 1<<13, from},
		{"two colours", x86(moved, other), from<<16 | 3<<12, from<<16 | 3<<12},
		{"aarch64, good", withForwarding(&Colouring{Generational: true, split: true, Base: base, mask: mask,
			good: 0xe << 12, bad: 1 << 12, granule: 21}, moved, nil),
			from<<16 | 0xe<<12, from},
		{"aarch64, moved", withForwarding(&Colouring{Generational: true, split: true, Base: base, mask: mask,
			good: 0xe << 12, bad: 1 << 12, granule: 21}, moved, nil),
			from<<16 | 0xd<<12, base | 0x777000},
		{"one generation, good", withForwarding(&Colouring{Base: 4 << 42, mask: 1<<42 - 1, colours: 7 << 42,
			bad: 3 << 42, granule: 21}, moved, nil),
			4<<42 | 2<<21 | 0x10, 4<<42 | 2<<21 | 0x10},
		{"one generation, moved", withForwarding(&Colouring{Base: 4 << 42, mask: 1<<42 - 1, colours: 7 << 42,
			bad: 3 << 42, granule: 21}, moved, nil),
			1<<42 | 2<<21 | 0x10, 4<<42 | 0x777000},
		{"one generation, null", &Colouring{Base: 4 << 42, mask: 1<<42 - 1, colours: 7 << 42}, 0, 0},
		{"one generation, no reference", &Colouring{Base: 4 << 42, mask: 1<<42 - 1, colours: 7 << 42},
			1 << 62, 1 << 62},
	} {
		if got := x.z.Address(x.v); got != x.want {
			t.Errorf("%s: %#x is %v, want %v", x.what, x.v, got, x.want)
		}
	}
}

// TestForwardingOnce: a Forwarding is found by its own page alone.
func TestForwardingOnce(t *testing.T) {
	f := &Forwarding{Start: 4 << 21, size: 1 << 21, shift: 3, Held: true, to: map[uint64]uint64{1: 8}}
	z := withForwarding(&Colouring{granule: 21, once: sync.Once{}, mask: 1<<42 - 1}, f, nil)
	if z.From(4<<21) != f || z.From(5<<21) != nil || z.Forwardings() != 1 {
		t.Errorf("from %v, %d are held", z.From(4<<21), z.Forwardings())
	}
	for off, want := range map[uint64]uint64{4<<21 | 8: 8, 4 << 21: 0, 5<<21 | 8: 0} {
		if to, _ := f.Moved(off); to != want {
			t.Errorf("%#x was moved to %#x, want %#x", off, to, want)
		}
	}
}
