package fit

import (
	"encoding/binary"
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes/v8/layout"
)

// TestCages: a process may have several cages, and a field refers to the cage that contains it. A field outside
// every cage refers to the only cage, or nowhere if there are several.
func TestCages(t *testing.T) {
	const off, one, two, other = 0x2118, core.Addr(0x1100_0000_0000), core.Addr(0x2200_0000_0000),
		core.Addr(0x3300_0000_0000)
	meta := make([]byte, 64) // a map of maps, and a field after it
	binary.LittleEndian.PutUint32(meta, off|1)
	binary.LittleEndian.PutUint16(meta[8:], 176) // MAP_TYPE of 8.7
	binary.LittleEndian.PutUint32(meta[32:], 0x5001)
	notMap := slices.Clone(meta)
	binary.LittleEndian.PutUint16(notMap[8:], 20)
	elsewhere := slices.Clone(meta)
	binary.LittleEndian.PutUint32(elsewhere, off+0x101)
	for name, c := range map[string]struct {
		third    []byte
		cages    []core.Addr
		wild, in layout.Tagged // the target of 0x5001 in a field outside every cage, or in a word
	}{
		"one":                 {nil, []core.Addr{one}, layout.Tagged(one | 0x5001), layout.Tagged(one | 0x5001)},
		"two":                 {meta, []core.Addr{one, two}, 0x5001, 0x5001},
		"not a map":           {notMap, []core.Addr{one}, layout.Tagged(one | 0x5001), layout.Tagged(one | 0x5001)},
		"a map of its own":    {elsewhere, []core.Addr{one}, layout.Tagged(one | 0x5001), layout.Tagged(one | 0x5001)},
		"too little to be it": {meta[:2], []core.Addr{one}, layout.Tagged(one | 0x5001), layout.Tagged(one | 0x5001)},
	} {
		t.Run(name, func(t *testing.T) {
			b := coretest.New(core.AMD64).Map(one+off, meta).Map(other+off, make([]byte, 64))
			b.Map(other+0x8000, binary.LittleEndian.AppendUint32(nil, 0x5001))
			if c.third != nil {
				b.Map(two+off, c.third)
			}
			p := b.Process()
			x := &heapProbe{space: p.Space, order: p.Arch.Order}
			if got := cages(p.Space, x, one+off); !slices.Equal(got, c.cages) {
				t.Errorf("the cages begin at %v, want %v", got, c.cages)
			}
			mem := &layout.Memory{Process: p, Space: p.Space, Order: p.Arch.Order,
				Layout: &layout.Layout{Variant: layout.Variant{TaggedSize: 4}}}
			setCages(mem, one+off)
			for _, cage := range c.cages {
				if got, ok := mem.TaggedAt(cage + off + 32); !ok || got != layout.Tagged(cage|0x5001) ||
					!mem.InCage(cage+off) {
					t.Errorf("the field in the cage %v leads to %v", cage, core.Addr(got))
				}
			}
			if got, ok := mem.TaggedAt(other + 0x8000); !ok || got != c.wild || mem.InCage(other+0x8000) {
				t.Errorf("the field outside leads to %v, want %v", core.Addr(got), core.Addr(c.wild))
			}
			if got := mem.Full(0x5001); got != c.in {
				t.Errorf("the word leads to %v, want %v", core.Addr(got), core.Addr(c.in))
			}
			if got := mem.Full(uint64(two | 0x5001)); got != layout.Tagged(two|0x5001) {
				t.Errorf("the whole word leads to %v", core.Addr(got))
			}
		})
	}
}
