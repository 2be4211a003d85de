package crash

import (
	"encoding/binary"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes/malloc"
)

// TestChunkWords: what the allocator was given, as malloc's own rules have it.
func TestChunkWords(t *testing.T) {
	for _, c := range []struct {
		chunk malloc.Chunk
		at    core.Addr
		want  string
	}{
		{malloc.Chunk{Addr: 0x1010, Size: 40}, 0x1010, "a block of 40 bytes that is in use"},
		{malloc.Chunk{Addr: 0x1010, Size: 40, State: malloc.Free, List: "tcache"}, 0x1010,
			"a block of 40 bytes that is free already (tcache)"},
		{malloc.Chunk{Addr: 0x1010, Size: 40}, 0x1020, "16 bytes into a block of 40 bytes at 0x1010 that is in use"},
		{malloc.Chunk{Addr: 0x1010, Size: 400, State: malloc.Top}, 0x1020,
			"in the rest of the heap, which no block has: it is free already, or was never given out"},
	} {
		if got := chunkWords(&c.chunk, c.at); got != c.want {
			t.Errorf("%v in %+v: %q, want %q", c.at, c.chunk, got, c.want)
		}
	}
}

// TestBreakSide: a header that was overwritten is blamed on the side that the write went on.
func TestBreakSide(t *testing.T) {
	const base, header = 0x80000, 0x80108
	fill := func(from, to int, c byte) func([]byte) {
		return func(b []byte) {
			for i := from; i < to; i++ {
				b[0x108+i] = c
			}
		}
	}
	for _, c := range []struct {
		name  string
		write func([]byte)
		top   bool
		want  string
	}{
		{"from before", fill(-64, 8, 'x'), false, ", which was overrun"},
		{"from before, and on", fill(-64, 24, 'x'), false, ", which was overrun"},
		{"all of the one before, and as far on", fill(-40, 48, 'x'), false, ", which was overrun"},
		{"before the start of the one after", fill(-8, 16, 'u'), false,
			"the block at 0x80110 was written to before its start"},
		{"the upper half alone", fill(4, 8, 'u'), false, "the block at 0x80110 was written to before its start"},
		{"a bit", fill(0, 1, 0x20), false, "after it the block at 0x80110: the one was overrun, or the other"},
		{"of the rest of the heap", fill(-64, 8, 'x'), true, "before it is a chunk of 40 bytes at 0x800e0"},
	} {
		mem := make([]byte, 4096)
		mem[0x108] = 0x31
		c.write(mem)
		p := coretest.New(core.AMD64).Map(base, mem).Process()
		b := malloc.Break{At: header, Value: binary.LittleEndian.Uint64(mem[0x108:]), Top: c.top,
			Before: malloc.Chunk{Addr: 0x800e0, Size: 40}}
		if got := breakWords(p, &b); !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
