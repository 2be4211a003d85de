package page

import (
	"context"
	"encoding/binary"
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/v8test"
)

// walkTypes are types whose sizes follow from their words in all ways.
var walkTypes = []string{
	"FIXED_ARRAY", "SEQ_ONE_BYTE_STRING", "SEQ_TWO_BYTE_STRING", "DESCRIPTOR_ARRAY", "BYTECODE_ARRAY",
	"TRUSTED_BYTE_ARRAY", "SCOPE_INFO", "INSTRUCTION_STREAM", "CODE", "JS_OBJECT", "HEAP_NUMBER",
}

// walkPage lays out a page with the given bytes and walks it. A word w < 64 in them stands for the map of a
// type.
func walkPage(t testing.TB, page []byte) (Stats, int, []core.Addr) {
	h := v8test.NewHeap(t, layout.V(13, 6))
	for i, typ := range walkTypes {
		m := h.MapOf(typ)
		if typ == "JS_OBJECT" || typ == "HEAP_NUMBER" || i%4 == 3 {
			h.Bytes[m.Addr()-h.Base+8] = byte(2 + i%3)
		}
	}
	page = slices.Clone(page[:len(page)&^7])
	for i := 0; i < len(page); i += 8 {
		if w := binary.LittleEndian.Uint64(page[i:]); w < 64 && w > 0 {
			binary.LittleEndian.PutUint64(page[i:], uint64(h.MapOf(walkTypes[int(w)%len(walkTypes)])))
		}
	}
	start := h.Alloc(len(page))
	copy(h.Bytes[start-h.Base:], page)
	v := readerOf(h.Memory())
	maps := NewMapTable(v.Reader)
	p := Page{Start: start - 8, AreaStart: start, AreaEnd: start + core.Addr(len(page)),
		End: start + core.Addr(len(page)), Space: "old_space"}
	v.Reader.LearnRules(maps, []Page{p}, nil)
	w := NewWalker(v.Reader, maps, nil)
	var objects []core.Addr
	w.Objects(&p, func(a core.Addr, _ *MapInfo, _ int, _ []byte) { objects = append(objects, a-start) })
	return w.Stats, len(page), objects
}

// TestWalkPage: sizes follow objects/fixed-array.h and objects/string.tq.
func TestWalkPage(t *testing.T) {
	const fixedArray, oneByte, jsObject, heapNumber = 11, 1, 9, 10
	for _, c := range []struct {
		name    string
		page    []byte
		objects []core.Addr
		skipped uint64
	}{
		{"array of two, string of nine, empty array", v8test.Words(fixedArray, v8test.Smi(2), 0, 0, oneByte, 9<<32, 0,
			0, fixedArray, 0), []core.Addr{0, 32, 64}, 0},
		{"a hole of three words is passed over", v8test.Words(fixedArray, 0, 0x6666, 0x6666, 0x6666, fixedArray, 0),
			[]core.Addr{0, 40}, 24},
		{"an array longer than its page", v8test.Words(fixedArray, v8test.Smi(1<<30), fixedArray, 0),
			[]core.Addr{16}, 16},
		{"a string of 2^31 characters", v8test.Words(oneByte, 1<<63, fixedArray, 0), []core.Addr{16}, 16},
		{"zeros to the end: not used yet", v8test.Words(0, 0, 0, 0), nil, 0},
		{"zeros within", v8test.Words(fixedArray, 0, 0, 0, fixedArray, 0), []core.Addr{0, 32}, 16},
	} {
		s, n, objects := walkPage(t, c.page)
		if !slices.Equal(objects, c.objects) || s.Skipped != c.skipped {
			t.Errorf("%s: objects at %v, %d bytes skipped, want %v, %d", c.name, objects, s.Skipped,
				c.objects, c.skipped)
		}
		if sum := s.Bytes + s.Free + s.Unused + s.Skipped + s.Missing; sum != uint64(n) {
			t.Errorf("%s: %d bytes accounted for, want %d", c.name, sum, n)
		}
	}
}

// FuzzWalkPage: whatever a page holds, its bytes are accounted for, and objects
// come in order and do not overlap.
func FuzzWalkPage(f *testing.F) {
	f.Add(v8test.Words(11, v8test.Smi(2), 0, 0, 1, 9<<32, 0, 0))
	f.Add(v8test.Words(3, 1<<16|1, 0, 0, 0, 0, 6, v8test.Smi(4), v8test.Smi(1), v8test.Smi(2), 0, 0))
	f.Add(v8test.Words(7, 8, 0, 0, 8, 0, 0, 4, v8test.Smi(100), 5, v8test.Smi(3)))
	f.Add(v8test.Words(0, 6, 6, 6, 6, 6, 2, 1<<40, 10, 10))
	f.Fuzz(func(t *testing.T, page []byte) {
		if len(page) > 64<<10 {
			return
		}
		s, n, objects := walkPage(t, page)
		if sum := s.Bytes + s.Free + s.Unused + s.Skipped + s.Missing; sum != uint64(n) {
			t.Errorf("%d bytes accounted for, want %d: %+v", sum, n, s)
		}
		for i := 1; i < len(objects); i++ {
			if objects[i] <= objects[i-1] {
				t.Errorf("object at %v after one at %v", objects[i], objects[i-1])
			}
		}
	})
}

// FuzzPageHeader: no header of a page leads out of its chunk.
func FuzzPageHeader(f *testing.F) {
	f.Add(v8test.Words(layout.ChunkSize, 0, 0x5000, 0x40100, 0x7ff00, 0, 0))
	f.Add(v8test.Words(0, 0, layout.ChunkSize, 0x5000, 0x40100, 0x7ff00))
	f.Fuzz(func(t *testing.T, header []byte) {
		h := v8test.NewHeap(t, layout.V(13, 6))
		h.Alloc(2*layout.ChunkSize - int(h.Base)%layout.ChunkSize)
		at := (h.Base + layout.ChunkSize - 1) &^ (layout.ChunkSize - 1)
		copy(h.Bytes[at-h.Base:], header[:min(len(header), 4096)])
		pages, err := readerOf(h.Memory()).Reader.FindPages(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range pages {
			if p.AreaStart <= p.Start || p.AreaEnd < p.AreaStart || p.AreaEnd > p.End {
				t.Errorf("page %v to %v with the area %v to %v", p.Start, p.End, p.AreaStart, p.AreaEnd)
			}
		}
	})
}
