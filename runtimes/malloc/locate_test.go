package malloc_test

import (
	"context"
	"encoding/binary"
	"io"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes/malloc"
	"coredbg/runtimes/malloc/block"
)

// compareLocated compares Locate with the whole heap.
func compareLocated(t *testing.T, p *core.Process, heap *block.Heap) {
	t.Helper()
	h, err := malloc.Open(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	l, n, sure, wrong := h.All[0].(block.Locator), 0, 0, 0
	heap.Each(func(r block.Ref, c *block.Packed) bool {
		if n++; n%53 != 0 && c.Size() < 4096 || c.State() == block.Lost {
			return true
		}
		for _, at := range []core.Addr{c.At, c.At + core.Addr(c.Size()/2), c.End() - 1} {
			if at >= heap.Regions[r.Region].End {
				continue // of the top chunk, which no next one lends a word
			}
			x, found, ok := l.Locate(t.Context(), at)
			if !ok {
				continue
			}
			if sure++; !found || x != heap.Near(r) {
				t.Errorf("%v: %+v, %v; want %+v", at, x, found, heap.Near(r))
				wrong++
			}
		}
		return wrong < 10
	})
	// Without thread pointers, as in cores that QEMU writes, the caches of threads are not known.
	if known := p.Threads[0].TLS != 0; known && sure < n/53 || !known && heap.Len() > 1000 && sure == 0 {
		t.Errorf("%d of %d addresses could be told", sure, 3*n/7)
	}
}

// TestLocate: one chunk is told without the rest of the heap, or not at all.
func TestLocate(t *testing.T) {
	for _, c := range []struct {
		at   core.Addr
		want malloc.Chunk
		sure bool
	}{
		{heap + 0x3ff, malloc.Chunk{Addr: heap + 0x300, Size: 0x1f8, State: malloc.Free, List: "bin"}, true},
		{heap + 0x900, malloc.Chunk{Addr: heap + rest + 16, Size: 0x7f8, State: malloc.Top}, true},
		// No thread leads to its cache: whether it lists the chunk is not known.
		{heap + 0x2a8, malloc.Chunk{Addr: heap + 0x2a0, Size: 0x28}, false},
		{heap + 0x2d0, malloc.Chunk{Addr: heap + 0x2d0, Size: 0x28}, false},
	} {
		h, err := malloc.Open(t.Context(), laidOut(nil))
		if err != nil {
			t.Fatal(err)
		}
		got, found, sure := h.All[0].(block.Locator).Locate(t.Context(), c.at)
		if !found || got.Chunk != c.want || sure != c.sure {
			t.Errorf("%v: %+v, %v, %v; want %+v, %v", c.at, got, found, sure, c.want, c.sure)
		}
		whole, ok := h.At(t.Context(), c.at)
		if f, found := h.Find(t.Context(), c.at); !ok || !found || whole.Chunk != f.Chunk {
			t.Errorf("%v: %+v, and %+v of the whole heap", c.at, whole.Chunk, f.Chunk)
		}
	}
}

// A vast is a heap with chunks of 1,024 bytes, whose pages are all the same.
type vast struct {
	size int64
	page []byte
}

const vastChunk = 1024

func (v vast) Size() int64 { return v.size }

func (v vast) Close() error { return nil }

func (v vast) Window(off int64) ([]byte, error) {
	if off >= v.size {
		return nil, io.EOF
	}
	return v.page[off&4095:], nil
}

// vastHeap is a process with a heap of n bytes, a multiple of the size of a page.
func vastHeap(n int64) *core.Process {
	const at = 0x100000000
	src := vast{n, make([]byte, 4096)}
	for i := 8; i < 4096; i += vastChunk {
		binary.LittleEndian.PutUint64(src.page[i:], vastChunk|1)
	}
	data := make([]byte, 4096)
	word := func(at, v uint64) { binary.LittleEndian.PutUint64(data[at-libc:], v) }
	word(top, uint64(at+n-vastChunk))
	for i := uint64(0); i < 127; i++ {
		word(top+16+16*i, top+16*i)
		word(top+16+16*i+8, top+16*i)
	}
	word(top+16+2032+16, arena)
	word(top+16+2032+40, uint64(n))
	b := coretest.New(core.AMD64).Map(libc, data).MapSource(at, src, core.Read|core.Write)
	b.Module("/lib/libc.so.6", libc, libc+0x1000, core.ModuleFacts{})
	return b.Process()
}

// BenchmarkAt looks up one address in a heap of ten gigabytes with 10 million chunks, as ::whatis does.
// BenchmarkFind reads all of the heap, as ::whatis did before.
func BenchmarkAt(b *testing.B) { look(b, (*malloc.Heap).At) }

func BenchmarkFind(b *testing.B) { look(b, (*malloc.Heap).Find) }

func look(b *testing.B, do func(*malloc.Heap, context.Context, core.Addr) (malloc.Found, bool)) {
	const size = 10 << 30
	for b.Loop() {
		h, err := malloc.Open(b.Context(), vastHeap(size))
		if err != nil {
			b.Fatal(err)
		}
		const want = 0x100000000 + size/2 + 16
		if f, ok := do(h, b.Context(), want+100); !ok || f.Addr != want || f.Size != vastChunk-8 {
			b.Fatalf("%+v, %v", f, ok)
		}
	}
}
