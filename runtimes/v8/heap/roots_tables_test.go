package heap

import (
	"testing"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/v8test"
)

// TestCompilationCache: the tables are found in the parts of the cache, also if each part has an array of
// tables. They are not found if the parts belong to another isolate, or if there are too many or no tables.
func TestCompilationCache(t *testing.T) {
	const isolate, cacheAt, arrayAt core.Addr = 0x110000, 0x112000, 0x113000
	for _, c := range []struct {
		name  string
		part  []uint64 // after the isolate; 1 stands for a table
		array []uint64
		want  int
	}{
		{"in parts", []uint64{uint64(isolate), 1, uint64(isolate), 1}, nil, 2},
		{"in arrays", []uint64{uint64(isolate), 2, uint64(arrayAt)}, []uint64{1, 1}, 2},
		{"an array that has room", []uint64{uint64(isolate), 2, uint64(arrayAt)}, []uint64{1, 0, 1}, 1},
		{"before a cache", []uint64{0, 0, 0, 0, uint64(isolate), 1}, nil, 0},
		{"of another isolate", []uint64{uint64(isolate) + 8, 2, uint64(arrayAt)}, []uint64{1, 1}, 0},
		{"too many", []uint64{uint64(isolate), 9, uint64(arrayAt)}, []uint64{1, 1}, 0},
		{"no memory", []uint64{uint64(isolate), 2, 0x777000}, nil, 0},
		{"no tables", []uint64{uint64(isolate), 2, uint64(arrayAt)}, []uint64{0, 0}, 0},
	} {
		h := v8test.NewHeap(t, layout.Version{Major: 8, Minor: 4})
		table := uint64(h.Object("HASH_TABLE", v8test.Smi(0)))
		page := func(list []uint64, first ...uint64) []byte {
			b := v8test.Words(first...)
			for _, w := range list {
				if w == 1 {
					w = table
				}
				b = append(b, v8test.Words(w)...)
			}
			return append(b, make([]byte, 0x1000-len(b))...)
		}
		h.Build.Map(cacheAt, page(c.part, uint64(isolate)))
		h.Build.Map(arrayAt, page(c.array))
		f := rootFinder{h: &Snapshot{v: heapsOf(h.Memory()).Heaps}}
		n := 0
		found := f.compilationCache(isolate, cacheAt, func(r Root) {
			if r.Kind != RootCompilation || uint64(r.Target) != table {
				t.Errorf("%s: %+v", c.name, r)
			}
			n++
		})
		if n != c.want || found != (n > 0) {
			t.Errorf("%s: %d tables, %v; want %d", c.name, n, found, c.want)
		}
	}
}
