package faults

import (
	"encoding/binary"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes/malloc/block"
)

const base = 0x80000

// heapOf returns blocks of 64 bytes from base on, without headers, and their memory. The first is a cache of
// the allocator, the second is free.
func heapOf(write func(put func(at core.Addr, text string), word func(at, v core.Addr))) (*core.Process, *block.Heap) {
	mem := make([]byte, 4096)
	if write != nil {
		write(func(at core.Addr, text string) { copy(mem[at-base:], text) },
			func(at, v core.Addr) { binary.LittleEndian.PutUint64(mem[at-base:], uint64(v)) })
	}
	h := &block.Heap{Lists: []string{"", "list"}, Regions: []block.Region{{Start: base, End: base + 4096, Arena: -1}}}
	r := &h.Regions[0]
	r.Chunks = append(r.Chunks, block.PackAs(base, 64, block.Used, 1), block.PackAs(base+64, 64, block.Free, 1))
	for at := core.Addr(base + 128); at < base+4096; at += 64 {
		r.Chunks = append(r.Chunks, block.Pack(at, 64))
	}
	h.Done()
	return coretest.New(core.AMD64).Map(base, mem).Process(), h
}

// TestStrays: what a link that leads astray is blamed on. Free blocks have their links in the first word; a
// cache has addresses.
func TestStrays(t *testing.T) {
	for _, c := range []struct {
		name    string
		stray   block.Stray
		culprit core.Addr
		why     string
	}{
		{"a list has a block twice", block.Stray{At: base + 64, Value: base + 128, Twice: true}, base + 128,
			"it was freed twice"},
		{"a block leads to itself", block.Stray{At: base + 64, Value: base + 64, Twice: true}, base + 64,
			"freed twice, or written to"},
		{"a free block was written to", block.Stray{At: base + 64, Value: 0x4141414141414141}, base + 64,
			"written to after it was freed"},
		{"a list begins with nonsense", block.Stray{At: 0x700000, Value: 0x4141414141414141}, 0,
			"had been written to while it was free"},
		{"the middle of a block was freed", block.Stray{At: 0x700000, Value: base + 128 + 16}, base + 128,
			"16 bytes into the block: a pointer to there was freed, or"},
		{"the same, and there is no link", block.Stray{At: 0x700000, Value: base + 192 + 16}, 0,
			"had been written to while it was free"},
		{"a cache has the middle of a block", block.Stray{At: base + 8, Value: base + 192 + 16}, base + 192,
			"a pointer to there was freed"},
		{"a cache has nonsense", block.Stray{At: base + 8, Value: 0x4141414141414141}, 0,
			"an address that is no block's"},
	} {
		c.stray.List = "list"
		p, h := heapOf(func(_ func(core.Addr, string), word func(at, v core.Addr)) { word(base+192+16, 0x4141) })
		f := OfStray(p, h, &c.stray)
		if f.Kind != FreeList || f.Culprit.Addr != c.culprit || !strings.Contains(f.Why, c.why) {
			t.Errorf("%s: %+v, want %v, %q", c.name, f, c.culprit, c.why)
		}
	}
}

// TestThrough: one write over several headers is blamed on the block that it began in, and two writes on a block each.
func TestThrough(t *testing.T) {
	breaks := []block.Break{
		{At: base + 248, Value: 0x7878787878787878, Before: block.Chunk{Addr: base + 192, Size: 56}},
		{At: base + 312, Value: 0x7878787878787878, Before: block.Chunk{Addr: base + 256, Size: 56}, Again: true},
	}
	for _, c := range []struct {
		name   string
		from   core.Addr // of the second part of the write
		second core.Addr
	}{{"one write", base + 256, base + 192}, {"two writes", base + 264, base + 256}} {
		p, h := heapOf(func(put func(core.Addr, string), _ func(at, v core.Addr)) {
			put(base+192, strings.Repeat("x", 64))
			put(c.from, strings.Repeat("x", int(base+320-c.from)))
		})
		h.Breaks = breaks
		found := Find(p, h)
		if len(found) != 2 || found[0].Culprit.Addr != base+192 || found[1].Kind != Overrun ||
			found[1].Culprit.Addr != c.second {
			t.Errorf("%s: %+v", c.name, found)
		}
	}
}

// TestAcross: bytes that look like one write over the boundary of two blocks, and bytes that do not.
func TestAcross(t *testing.T) {
	const first, second = base + 192, base + 256
	for _, c := range []struct {
		name  string
		at    core.Addr // which the pointer was read from
		write func(put func(core.Addr, string), word func(at, v core.Addr))
		want  bool
	}{
		{"text from the block before", second, func(put func(core.Addr, string), _ func(at, v core.Addr)) {
			put(first, strings.Repeat("some text ", 10))
		}, true},
		{"text before the start of the block behind", first + 56,
			func(put func(core.Addr, string), _ func(at, v core.Addr)) { put(first+56, "underrun underrun") }, true},
		{"text that fills both", second, func(put func(core.Addr, string),
			_ func(at, v core.Addr)) {
			put(first, strings.Repeat("x", 128))
		}, false},
		{"text of the block itself", second, func(put func(core.Addr, string),
			_ func(at, v core.Addr)) {
			put(second, "of its own, all")
		}, false},
		{"a word again and again", second, func(_ func(core.Addr, string), word func(at, v core.Addr)) {
			for at := core.Addr(first + 32); at < second+32; at += 8 {
				word(at, 0xfefefefefefefefe)
			}
		}, true},
		{"two equal words", second, func(_ func(core.Addr, string), word func(at, v core.Addr)) {
			word(first+56, 0xfefefefe)
			word(second, 0xfefefefe)
		}, false},
		{"zeros", second, nil, false},
		{"not in the core", 0x700000, nil, false},
	} {
		p, h := heapOf(c.write)
		r, _ := h.Around(c.at &^ 63)
		run, ok := Across(p, h, r, c.at)
		if ok != c.want || ok && (run.Before.Addr != first || run.After.Addr != second) {
			t.Errorf("%s: %+v, %v", c.name, run, ok)
		}
	}
}
