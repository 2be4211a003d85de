package fit

import (
	"encoding/binary"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes/v8/layout"
)

// TestRareSamples: if a heap has more objects than samples are taken, the samples include objects with rare
// maps, even if they come last.
func TestRareSamples(t *testing.T) {
	const (
		base  = core.Addr(0x10000000)
		meta  = base + 0x40
		often = base + 0x80
		rare  = base + 0xc0
	)
	chunks := maxSampleObjects*8/layout.ChunkSize + 2
	data := make([]byte, chunks*layout.ChunkSize)
	put := func(a, word core.Addr) { binary.LittleEndian.PutUint64(data[a-base:], uint64(word)) }
	for a := base + 0x100; a < base+core.Addr(len(data)); a += 8 {
		put(a, often|1)
	}
	for _, m := range []core.Addr{meta, often, rare} {
		put(m, meta|1)
		binary.LittleEndian.PutUint16(data[m-base+12:], leastMapType)
	}
	last := base + core.Addr(len(data)-8)
	put(last, rare|1)
	p := coretest.New(core.AMD64).MapProt(base, data, core.Read|core.Write).Process()
	list := sampleObjects(p.Space, p.Arch.Order, 8, func(core.Addr) bool { return true })
	if n := len(list); n < maxSampleObjects || n > maxSampleObjects+8 {
		t.Errorf("%d samples", n)
	}
	if got := list[len(list)-1]; got.at != last || got.typ != layout.Tag(rare) {
		t.Errorf("the last sample is at %v, of the map %v", got.at, got.typ)
	}
}
