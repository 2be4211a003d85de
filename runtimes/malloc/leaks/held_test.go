package leaks_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes/malloc/block"
	"coredbg/runtimes/malloc/leaks"
)

// TestHeld: a block that only a managed object holds, by a pointer that no word of memory has, is not lost,
// nor is the block that it leads to.
func TestHeld(t *testing.T) {
	const base, size = core.Addr(0x10000), 64
	memory := make([]byte, 4*size)
	binary.LittleEndian.PutUint64(memory[size:], uint64(base+2*size+8)) // the second block leads into the third
	p := coretest.New(core.AMD64).Map(base, memory).Process()
	h := &block.Heap{Regions: []block.Region{{Start: base, End: base + 4*size, Arena: -1}}}
	for i := range core.Addr(4) {
		h.Regions[0].Chunks = append(h.Regions[0].Chunks, block.Pack(base+i*size, size))
	}
	h.Done()
	for _, c := range []struct {
		held []core.Addr
		want []core.Addr // lost
	}{
		{nil, []core.Addr{base, base + size, base + 2*size, base + 3*size}},
		{[]core.Addr{base + size + 16}, []core.Addr{base, base + 3*size}},
		{[]core.Addr{base, base + 3*size, 0x999, base + 4*size}, []core.Addr{base + size, base + 2*size}},
	} {
		var lost []core.Addr
		_, err := leaks.Find(t.Context(), p, []*block.Heap{h}, leaks.Options{
			Held: func(mark func(core.Addr)) {
				for _, a := range c.held {
					mark(a)
				}
			},
			Lost: func(at core.Addr, _ uint64) { lost = append(lost, at) },
		})
		if err != nil || !slices.Equal(lost, c.want) {
			t.Errorf("held %v: %v are lost, want %v (%v)", c.held, lost, c.want, err)
		}
	}
}
