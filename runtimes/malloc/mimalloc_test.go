package malloc_test

import (
	"errors"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes/malloc"
	"coredbg/runtimes/malloc/block"
	"coredbg/runtimes/malloc/pymalloc"
)

const (
	miSegment = 0x42000000
	miSlices  = miSegment + 264
	miPages   = miSegment + 0x10000
	miHeap    = 0x50000000
	miKey     = 0x1234567890abcdef
)

// mimallocImage is memory as mimalloc 2.0.9 lays it out, in a segment of eight slices, which is huge so that
// it can be small: a page of 64 blocks of 64 bytes with one in each list, a block of 100,000 bytes, and a
// free span.
func mimallocImage() *image { return mimallocLaid(80) }

// mimallocLaid is the same with records of pages of a size.
func mimallocLaid(entry uint64) *image {
	m := &image{tls: miHeap + 0x800}
	m.add(miSegment, 8<<16, false)
	m.add(miHeap, 0x2000, false)
	for off, v := range map[uint64]uint64{208: 2, 216: miSegment ^ miKey, 224: 8, 232: 1, 240: 1, 248: 8,
		256: miHeap + 0x800} {
		m.word(miSegment+off, v)
	}
	slice := func(n, count, size uint64) uint64 {
		at := miSlices + entry*n
		m.word(at, count)
		m.word(at+24, size<<32)
		return at
	}
	slice(0, 1, 0)
	small := slice(1, 1, 64)
	m.word(small+8, 64<<16|100<<32)
	m.word(small+24, 62|64<<32)
	const start = miPages + 384
	m.word(small+16, start)
	m.word(small+32, start+64)
	m.word(small+40, (start+128)|2)
	m.word(small+48, miHeap)
	m.word(miHeap+0xb18, start+192)
	m.word(miHeap+0xb20, miHeap+0x800)
	for i := range uint64(4) {
		m.word(start+64*i, 0)
	}
	large := slice(2, 2, 131072)
	m.word(large+8, 1<<16|1<<32)
	m.word(large+24, 1|131072<<32)
	m.word(large+48, miHeap)
	slice(4, 4, 0)
	return m
}

func TestMimalloc(t *testing.T) {
	for _, entry := range []uint64{80, 96} { // 96 is CPython's
		checkMimalloc(t, mimallocLaid(entry))
	}
}

func checkMimalloc(t *testing.T, m *image) {
	t.Helper()
	got, h := states(t, m, "mimalloc")
	const start = miPages + 384
	for _, want := range []malloc.Chunk{
		{Addr: start, Size: 64, State: malloc.Free, List: "page's list"},
		{Addr: start + 64, Size: 64, State: malloc.Free, List: "list of its thread"},
		{Addr: start + 128, Size: 64, State: malloc.Free, List: "list of other threads"},
		{Addr: start + 192, Size: 64, State: malloc.Free, List: "heap's delayed list"},
		{Addr: start + 256, Size: 64},
		{Addr: start + 63*64, Size: 64},
		{Addr: start + 4096, Size: 0x10000 - 384 - 4096, State: malloc.Top},
		{Addr: miPages + 0x10000, Size: 131072},
		{Addr: miPages + 0x30000, Size: 4 << 16, State: malloc.Top},
	} {
		if got[uint64(want.Addr)] != want {
			t.Errorf("%+v, want %+v", got[uint64(want.Addr)], want)
		}
	}
	if len(got) != 67 || len(h.Breaks)+len(h.Strays)+len(h.Notes) > 0 || len(h.Arenas) != 1 ||
		h.Arenas[0].String() != "thread 1" {
		t.Errorf("%d chunks, %+v, %+v, %v, %+v", len(got), h.Breaks, h.Strays, h.Notes, h.Arenas)
	}
}

// TestMimallocDamage: a link that leads astray is found with its place, and a record that contradicts itself is told.
func TestMimallocDamage(t *testing.T) {
	const start, small = miPages + 384, miSlices + 80
	for _, c := range []struct {
		name           string
		at, v          uint64
		breaks, strays int
		lost           uint64
	}{
		{"a link in a freed block", start, 0x4141414141414141, 0, 1, 0},
		{"a link into a block", start, start + 8, 0, 1, 0},
		{"a block that is freed twice", start, start, 0, 1, 0},
		{"the count of blocks in use", small + 24, 20 | 64<<32, 1, 0, 0},
		{"the number of blocks", small + 8, 64<<16 | 3<<32, 1, 1, 0x10000 - 384},
	} {
		m := mimallocImage()
		m.word(c.at, c.v)
		_, h := states(t, m, "mimalloc")
		if len(h.Breaks) != c.breaks || len(h.Strays) != c.strays || h.Sum(block.All).Lost != c.lost {
			t.Errorf("%s: %+v, %+v, %d bytes lost", c.name, h.Breaks, h.Strays, h.Sum(block.All).Lost)
		}
		for _, s := range h.Strays {
			if c.breaks == 0 && uint64(s.At) != c.at || c.breaks == 0 && uint64(s.Value) != c.v&^7 &&
				uint64(s.Value) != c.v {
				t.Errorf("%s: %+v", c.name, s)
			}
		}
	}
}

// TestFreeThreaded: blocks of CPython's mimalloc are objects by the types that lead to the type "type".
func TestFreeThreaded(t *testing.T) {
	const typ, session, block, behind = miHeap + 0x1000, miHeap + 0x1400, miPages + 384 + 256, miPages + 384 + 320
	m := mimallocLaid(96)
	for at, v := range map[uint64]uint64{
		typ + 24: typ, typ + 40: typ + 0x200, typ + 48: 928, typ + 0x200: 0x65707974, // "type"
		session + 24: typ, session + 40: session + 0x200, session + 48: 40,
		session + 0x200: 0x6e6f6973736553,             // "Session"
		block + 8:       1 << 32, block + 24: session, // ob_ref_local and ob_type
		behind + 16 + 16: 4, behind + 16 + 24: session, // behind two words; other threads refer to it
		behind + 64 + 24: session, // nothing refers to it
	} {
		m.word(at, v)
	}
	h, err := malloc.Open(t.Context(), m.process())
	if err != nil {
		t.Fatal(err)
	}
	objects, ok := h.All[0].(*pymalloc.Objects)
	if !ok {
		t.Fatalf("it is a %T", h.All[0])
	}
	for at, want := range map[core.Addr]string{block: "Session", behind: "Session", behind + 64: "", miHeap: ""} {
		if got := objects.TypeOf(at, 64); got != want {
			t.Errorf("%v: %q, want %q", at, got, want)
		}
	}
	m = mimallocImage()
	m.word(block+24, session)
	if h, err := malloc.Open(t.Context(), m.process()); err != nil {
		t.Error(err)
	} else if _, ok := h.All[0].(*pymalloc.Objects); ok {
		t.Error("another mimalloc is taken for CPython's")
	}
}

func FuzzMimalloc(f *testing.F)     { fuzzImage(f, mimallocImage) }
func FuzzFreeThreaded(f *testing.F) { fuzzImage(f, func() *image { return mimallocLaid(96) }) }

const (
	mi3Data = 0x10000000
	mi3Root = 0x20000000
	mi3Sub  = 0x21000000
	mi3Page = 0x42010000
)

// mimalloc3Image is memory as mimalloc 3.0 lays it out: a page map that leads to a page of 64 blocks of 64
// bytes, one in each of its lists, and to a page of one large block. With distance, pages say where their
// blocks begin as 3.4 does.
func mimalloc3Image(distance bool) *image {
	m := &image{tls: 0x50000800}
	m.add(mi3Data, 0x1000, true)
	m.add(mi3Root, 0x2000, false)
	m.add(mi3Sub, 0x10000, false)
	m.add(mi3Page, 0x40000, false)
	m.word(mi3Data+0x80, mi3Root)
	m.word(mi3Root+8*(mi3Page>>29), mi3Sub)
	put := func(at, slices, size, counts, start uint64) {
		for i := range slices {
			m.word(mi3Sub+8*((at>>16+i)&0x1fff), at)
		}
		m.word(at, 0x50000800|1)
		m.word(at+16, counts)
		m.word(at+40, size)
		if m.word(at+48, start); distance {
			m.word(at+48, (start-at)/8)
		}
	}
	const start = mi3Page + 128
	put(mi3Page, 1, 64, 62|64<<16|100<<32, start)
	m.word(mi3Page+8, start)
	m.word(mi3Page+24, start+64)
	m.word(mi3Page+32, (start+128)|1)
	for i := range uint64(3) {
		m.word(start+64*i, 0)
	}
	put(mi3Page+0x10000, 3, 0x28000, 1|1<<16|1<<32, mi3Page+0x10400)
	return m
}

func TestMimalloc3(t *testing.T) {
	for _, distance := range []bool{false, true} {
		got, h := states(t, mimalloc3Image(distance), "mimalloc")
		const start = mi3Page + 128
		for _, want := range []malloc.Chunk{
			{Addr: start, Size: 64, State: malloc.Free, List: "page's list"},
			{Addr: start + 64, Size: 64, State: malloc.Free, List: "list of its thread"},
			{Addr: start + 128, Size: 64, State: malloc.Free, List: "list of other threads"},
			{Addr: start + 192, Size: 64},
			{Addr: start + 4096, Size: 36 * 64, State: malloc.Top},
			{Addr: mi3Page + 0x10400, Size: 0x28000},
		} {
			if got[uint64(want.Addr)] != want {
				t.Errorf("%+v, want %+v", got[uint64(want.Addr)], want)
			}
		}
		if len(got) != 66 || len(h.Breaks)+len(h.Strays)+len(h.Notes) > 0 || len(h.Arenas) != 1 ||
			h.Arenas[0].String() != "thread 1" {
			t.Errorf("%d chunks, %+v, %+v, %v, %+v", len(got), h.Breaks, h.Strays, h.Notes, h.Arenas)
		}
	}
}

func FuzzMimalloc3(f *testing.F) { fuzzImage(f, func() *image { return mimalloc3Image(false) }) }

// TestUnread: the library of an allocator whose memory is not found is named.
func TestUnread(t *testing.T) {
	for _, c := range []struct {
		name, path string
		image      *image
		want       int
	}{
		{"found", "/usr/lib/libmimalloc.so.3.0", mimalloc3Image(false), 0},
		{"not found", "/usr/lib/libmimalloc.so.3.6", &image{}, 1},
		{"another one", "/usr/lib/libm.so.6", &image{}, 0},
	} {
		b := coretest.New(core.AMD64)
		for _, p := range c.image.pieces {
			b.MapProt(core.Addr(p.at), p.data, core.Read|core.Write)
			if p.module {
				b.Module("/bin/p", core.Addr(p.at), core.Addr(p.at)+core.Addr(len(p.data)), core.ModuleFacts{})
			}
		}
		b.Module(c.path, 0x60000000, 0x60001000, core.ModuleFacts{})
		h, err := malloc.Open(t.Context(), b.Process())
		if err != nil && !errors.Is(err, malloc.ErrNone) {
			t.Fatal(err)
		}
		if h == nil {
			if c.want > 0 && !strings.Contains(err.Error(), "libmimalloc.so.3.6") {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if len(h.Unread) != c.want {
			t.Errorf("%s: %v", c.name, h.Unread)
		}
	}
}
