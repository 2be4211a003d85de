package malloc_test

import (
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"time"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes/malloc"
)

const (
	libc  = 0x10000
	arena = libc + 0x100
	top   = arena + 96
	heap  = 0x80000
	rest  = 0x800 // where the top chunk is, from heap on
)

// laidOut is memory as glibc 2.36 lays it out: a tcache that lists one chunk, one in use,
// that free one, one that a bin has, one more in use, and the rest.
func laidOut(change func(word func(at, v uint64))) *core.Process {
	return laidOutIn(change, func(*coretest.Builder) {})
}

// laidOutIn is laidOut with more mappings.
func laidOutIn(change func(word func(at, v uint64)), more func(*coretest.Builder)) *core.Process {
	data, mem := make([]byte, 4096), make([]byte, 4096)
	word := func(at, v uint64) {
		b, off := data, at-libc
		if at >= heap {
			b, off = mem, at-heap
		}
		for i := range 8 {
			b[off+uint64(i)] = byte(v >> (8 * i))
		}
	}
	word(top, heap+rest)
	for i := uint64(0); i < 127; i++ {
		word(top+16+16*i, top+16*i)
		word(top+16+16*i+8, top+16*i)
	}
	word(top+16+2032+16, arena)  // the ring
	word(top+16+2032+40, 0x1000) // system_mem
	word(heap+8, 0x291)          // tcache_perthread_struct
	word(heap+16+2, 1)           // one chunk of 0x30 bytes
	word(heap+16+128+8, heap+0x2d0)
	word(heap+0x298, 0x31)
	word(heap+0x2c8, 0x31)
	word(heap+0x2d0, (heap+0x2d0)>>12) // PROTECT_PTR of no next one
	word(heap+0x2f8, 0x201)            // in a bin: the next one says so
	word(heap+0x4f0, 0x200)
	word(heap+0x4f8, 0x310)
	word(heap+rest+8, 0x801)
	if change != nil {
		change(word)
	}
	b := coretest.New(core.AMD64).Map(libc, data).Map(heap, mem)
	b.Module("/lib/libc.so.6", libc, libc+0x1000, core.ModuleFacts{})
	more(b)
	return b.Process()
}

func TestChunks(t *testing.T) {
	h, err := malloc.Open(t.Context(), laidOut(nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		at   core.Addr
		want malloc.Chunk
	}{
		{heap + 0x2a8, malloc.Chunk{Addr: heap + 0x2a0, Size: 0x28}},
		{heap + 0x2d0, malloc.Chunk{Addr: heap + 0x2d0, Size: 0x28, State: malloc.Free, List: "tcache"}},
		{heap + 0x3ff, malloc.Chunk{Addr: heap + 0x300, Size: 0x1f8, State: malloc.Free, List: "bin"}},
		{heap + 0x600, malloc.Chunk{Addr: heap + 0x500, Size: 0x308}},
		{heap + 0x900, malloc.Chunk{Addr: heap + rest + 16, Size: 0x7f8, State: malloc.Top}},
	} {
		if got, ok := h.Chunk(t.Context(), c.at); !ok || got != c.want {
			t.Errorf("%v: %+v, %v; want %+v", c.at, got, ok, c.want)
		}
	}
	if b := h.Broken(t.Context()); len(b) > 0 {
		t.Errorf("broken: %+v", b)
	}
}

// Text over the end of the first chunk is found at the next one's header; rings and lists
// that were overwritten end.
func TestOverwritten(t *testing.T) {
	h, err := malloc.Open(t.Context(), laidOut(func(word func(at, v uint64)) { word(heap+0x2c8, 0x4141414141414141) }))
	if err != nil {
		t.Fatal(err)
	}
	b := h.Broken(t.Context())
	if len(b) != 1 || b[0].At != heap+0x2c8 || b[0].Before.Addr != heap+0x2a0 ||
		!strings.Contains(b[0].Why, "size of a chunk") {
		t.Errorf("%+v", b)
	}
	if _, err := malloc.Open(t.Context(), laidOut(func(word func(at, v uint64)) {
		word(top+16+2032+16,
			heap)
	})); !errors.Is(err, malloc.ErrNone) {
		t.Errorf("a ring that leads away: %v", err)
	}
	h, err = malloc.Open(t.Context(), laidOut(func(word func(at, v uint64)) {
		word(heap+16+2, 0xffff)
		word(heap+0x2d0, (heap+0x2d0)>>12^(heap+0x2d0)) // it refers to itself
	}))
	if err != nil {
		t.Fatal(err)
	}
	if c, ok := h.Chunk(t.Context(), heap+0x2d0); !ok || c.State != malloc.Free {
		t.Errorf("%+v, %v", c, ok)
	}
	if s := h.Strays(t.Context()); len(s) == 0 || !s[0].Twice || s[0].Value != heap+0x2d0 {
		t.Errorf("a chunk that a cache has twice: %+v", s)
	}
}

// TestTextAsCache: a block that has the size of a tcache and text in it is none that was overwritten.
func TestTextAsCache(t *testing.T) {
	h, err := malloc.Open(t.Context(), laidOut(func(word func(at, v uint64)) {
		for at := uint64(heap + 16); at < heap+0x290; at += 8 {
			word(at, 0x7478657420202020)
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range h.Strays(t.Context()) {
		if s.List == "tcache" {
			t.Errorf("%+v", s)
		}
	}
}

// TestEmptyBins: memory in which each place looks like the empty bins of an arena, whose
// ring goes on and on, does not cost a ring for each.
func TestEmptyBins(t *testing.T) {
	data := make([]byte, 8<<20)
	for at := 0; at < len(data); at += 8 {
		binary.LittleEndian.PutUint64(data[at:], uint64(libc+at&^15-16))
	}
	b := coretest.New(core.AMD64).Map(libc, data)
	b.Module("/lib/libc.so.6", libc, libc+8<<20, core.ModuleFacts{})
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	if _, err := malloc.Open(ctx, b.Process()); !errors.Is(err, malloc.ErrNone) || ctx.Err() != nil {
		t.Errorf("%v, %v", err, ctx.Err())
	}
}

// TestNoModule: a core that lacks the beginning of libc has no such module; the path of its data is enough.
func TestNoModule(t *testing.T) {
	p := laidOut(nil)
	p.Modules = nil
	if _, err := malloc.Open(t.Context(), p); !errors.Is(err, malloc.ErrNone) {
		t.Errorf("data of no name: %v", err)
	}
	for i := range p.Mappings {
		if p.Mappings[i].Start == libc {
			p.Mappings[i].Path = "/lib/x86_64-linux-gnu/libc-2.23.so"
		}
	}
	h, err := malloc.Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if f, ok := h.At(t.Context(), heap+0x2a8); !ok || f.Addr != heap+0x2a0 {
		t.Errorf("%+v, %v", f, ok)
	}
}

// TestMapped: a large chunk has pages of its own, and a header that says so.
func TestMapped(t *testing.T) {
	const big, size = 0x200000, 0x23000
	mem := make([]byte, size+0x1000)
	binary.LittleEndian.PutUint64(mem[0x1008:], size|2)
	data := func(word uint64) *malloc.Heap {
		b := laidOutIn(nil, func(b *coretest.Builder) {
			binary.LittleEndian.PutUint64(mem[0x1008:], word)
			b.MapProt(big, mem, core.Read|core.Write)
		})
		h, err := malloc.Open(t.Context(), b)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	for _, c := range []struct {
		word uint64
		at   core.Addr
		want bool
	}{
		{size | 2, big + 0x1010, true}, {size | 2, big + size + 0xfff, true}, {size | 2, big + 0x1008, false},
		{size | 2, big + 0x10, false},
		{size, big + 0x1010, false}, {size + 0x1000 | 2, big + 0x1010, false}, {2, big + 0x1010, false},
	} {
		got, ok := data(c.word).Chunk(t.Context(), c.at)
		if ok != c.want || ok && (got.Addr != big+0x1010 || got.Size != size-16) {
			t.Errorf("size %#x, %v: %+v, %v", c.word, c.at, got, ok)
		}
	}
}

// TestCorruptedTop: the size of the rest of the heap was overwritten, from the chunk before it.
func TestCorruptedTop(t *testing.T) {
	h, err := malloc.Open(t.Context(), laidOut(func(word func(at, v uint64)) { word(heap+rest+8, 0x4141414141414141) }))
	if err != nil {
		t.Fatal(err)
	}
	b := h.Broken(t.Context())
	if len(b) != 1 || b[0].At != heap+rest+8 || !b[0].Top || b[0].Before.Addr != heap+0x500 {
		t.Errorf("%+v", b)
	}
}

// TestStrays: links of lists that lead to no chunk are found with the place that has them.
func TestStrays(t *testing.T) {
	for _, c := range []struct {
		name   string
		at, v  uint64
		list   string
		strays int
	}{
		{"the bins as they should be", heap + 0x300, top, "", 0},
		{"a chunk in a bin", heap + 0x300, 0x4242424242424242, "bin", 1},
		{"the head of a tcache", heap + 16 + 128 + 8, 0x4242424242424242, "tcache", 1},
		{"a fastbin", arena + 16, heap + 3, "fastbin", 1},
	} {
		h, err := malloc.Open(t.Context(), laidOut(func(word func(at, v uint64)) {
			word(heap+0x300, top) // the unsorted bin has the large chunk
			word(heap+0x308, top)
			word(top+16, heap+0x2f0)
			word(top+24, heap+0x2f0)
			word(c.at, c.v)
		}))
		if err != nil {
			t.Fatal(err)
		}
		got := h.Strays(t.Context())
		if len(got) != c.strays || c.strays > 0 && (got[0].At != core.Addr(c.at) || got[0].Value != core.Addr(c.v) ||
			got[0].List != c.list) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}
