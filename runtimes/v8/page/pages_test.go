package page

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
		for i, w := range []uint64{layout.ChunkSize, flags, 0x24a88180, heapAt, uint64(start) + 0x120,
			uint64(start) + layout.ChunkSize} {
			binary.LittleEndian.PutUint64(b[8*i:], w)
		}
		h.Build.Map(start, b)
	}
	pages, err := readerOf(h.Memory()).Reader.FindPages(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(pages) != len(starts) {
		t.Fatalf("%d pages, want %d", len(pages), len(starts))
	}
	for i, p := range pages {
		if p.Start != starts[i] || p.End != starts[i]+layout.ChunkSize || p.Flags != flags || p.Heap != heapAt ||
			p.Space != "new_space" || p.Large {
			t.Errorf("page %d: %+v", i, p)
		}
	}
}

// TestPageAlignment: objects of a page begin at a multiple of a tagged field, which has 4 bytes where they are
// compressed: V8 8.8 has its areas 0x2114 from the pages' starts.
func TestPageAlignment(t *testing.T) {
	const heapAt, area = 0x2439cad8, 0x2114
	for width, want := range map[int]int{8: 0, 4: 2} {
		h := v8test.NewHeap(t, layout.V(8, 8))
		h.Build.Map(heapAt&^0xfff, make([]byte, 0x1000))
		for _, start := range []core.Addr{0x132e55b80000, 0x132e55bc0000} {
			b := make([]byte, layout.ChunkSize)
			for i, w := range []uint64{layout.ChunkSize, 0x80012, heapAt, uint64(start) + area,
				uint64(start) + layout.ChunkSize} {
				binary.LittleEndian.PutUint64(b[8*i:], w)
			}
			h.Build.Map(start, b)
		}
		v := readerOf(h.Memory())
		v.Layout.Variant.TaggedSize = width
		pages, err := v.Reader.FindPages(t.Context())
		if err != nil || len(pages) != want {
			t.Errorf("fields of %d bytes: %d pages, want %d (%v)", width, len(pages), want, err)
		}
	}
}

// TestSpacesByNumber: pages of V8 8.4 whose spaces no symbol names. Each says its number,
// after the observers of allocation and its heap; a page has its own start among the words
// before the space.
func TestSpacesByNumber(t *testing.T) {
	const heapAt, spaces = 0x2439cad8, 0x24500000
	for _, test := range []struct {
		name   string
		number uint64
		flags  uint64
		size   uint64
		want   string
		large  bool
	}{
		{"constants", 0, 0x200084, 0x25000, "read_only_space", false},
		{"young", 1, 0x12, layout.ChunkSize, "new_space", false},
		{"old", 2, 0x4, layout.ChunkSize, "old_space", false},
		{"code", 3, 0x5, layout.ChunkSize, "code_space", false},
		{"maps", 4, 0x84, 0x3f000, "map_space", false},
		{"large", 5, 0x124, 0x31000, "large_object_space", true},
		{"no number", 77, 0x4, layout.ChunkSize, "old_space", false},
		{"not young", 1, 0x4, layout.ChunkSize, "old_space", false},
	} {
		h := v8test.NewHeap(t, layout.Version{Major: 8, Minor: 4})
		h.Build.Map(heapAt&^0xfff, make([]byte, 0x1000))
		space := v8test.Words(0x2344bf0, 0, 0, 0, 0, 0, 0, 0, heapAt, 0x7f9600000000|test.number)
		h.Build.Map(spaces, append(space, make([]byte, 0x1000-len(space))...))
		for _, start := range []core.Addr{0x132e55b80000, 0x212555280000} {
			b := make([]byte, layout.ChunkSize)
			at := uint64(start)
			for i, w := range []uint64{test.size, test.flags, 0x24a88180, heapAt, at + 0x120, at + test.size, 0, 0, 0,
				at, test.size, spaces} {
				binary.LittleEndian.PutUint64(b[8*i:], w)
			}
			h.Build.Map(start, b)
		}
		pages, err := readerOf(h.Memory()).Reader.FindPages(t.Context())
		if err != nil || len(pages) != 2 {
			t.Errorf("%s: %d pages, %v", test.name, len(pages), err)
			continue
		}
		if p := pages[0]; p.Space != test.want || p.Large != test.large {
			t.Errorf("%s: %s, large %v; want %s, %v", test.name, p.Space, p.Large, test.want, test.large)
		}
	}
}

// TestSpaceNames: known versions have their space numbers; versions in between have no numbers.
func TestSpaceNames(t *testing.T) {
	for _, test := range []struct {
		ver  layout.Version
		want string // of number 1
	}{
		{layout.V(7, 4), "new_space"}, {layout.Version{Major: 8, Minor: 4, Build: 371}, "new_space"},
		{layout.V(8, 6), ""},
		{layout.V(8, 7), "old_space"}, {layout.V(10, 3), "old_space"}, {layout.V(10, 6), ""},
		{layout.V(12, 4), "new_space"},
		{layout.V(12, 5), ""}, {layout.V(15, 8), "new_space"},
	} {
		got := ""
		if names := layout.SpaceNames(test.ver); names != nil {
			got = names[1]
		}
		if got != test.want {
			t.Errorf("%v: %q, want %q", test.ver, got, test.want)
		}
	}
}
