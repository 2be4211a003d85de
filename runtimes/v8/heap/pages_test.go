package heap

import (
	"encoding/binary"
	"testing"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/v8test"
)

// TestPageLayout: pages of V8 8.4 of a process with its heap in low memory,
// where the word after the flags, the marking bitmap's, is a small pointer
// that could be the size that V8 12.4 keeps there (heap/basic-memory-chunk.h).
func TestPageLayout(t *testing.T) {
	const (
		heapAt = 0x2439cad8
		flags  = 0x80012
	)
	h := v8test.NewHeap(t, layout.Version{Major: 8, Minor: 4})
	h.Build.Map(heapAt&^0xfff, make([]byte, 0x1000))
	starts := []core.Addr{0x132e55b80000, 0x212555280000, 0x34f73f540000}
	for _, start := range starts {
		b := make([]byte, layout.ChunkSize)
		for i, w := range []uint64{layout.ChunkSize, flags, 0x24a88180, heapAt, uint64(start) + 0x120, uint64(start) + layout.ChunkSize} {
			binary.LittleEndian.PutUint64(b[8*i:], w)
		}
		h.Build.Map(start, b)
	}
	pages, err := heapsOf(h.Memory()).Heaps.findPages(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(pages) != len(starts) {
		t.Fatalf("%d pages, want %d", len(pages), len(starts))
	}
	for i, p := range pages {
		if p.Start != starts[i] || p.End != starts[i]+layout.ChunkSize || p.Flags != flags || p.Heap != heapAt || p.Space != "new_space" || p.Large {
			t.Errorf("page %d: %+v", i, p)
		}
	}
}
