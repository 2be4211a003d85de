package deno

import (
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/runtimes/v8/embedder"
	"coredbg/runtimes/v8/frame"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/source"
	"coredbg/runtimes/v8/v8test"
)

// readerOf returns the reader of Deno's data in a made heap.
func readerOf(mem *layout.Memory) *Reader {
	r := object.New(mem, nil)
	hs := heap.New(r, nil)
	return Probe(&embedder.Program{Name: embedder.Deno, Objects: r, Heaps: hs,
		Frames: frame.New(r, source.New(r), hs, nil)}).(*Reader)
}

// TestTree reads maps of u32 to fat pointers as Rust 1.8x lays their nodes out: 11 values of 16
// bytes, the parent, 11 keys, the parent's index, the count, and the edges of inner nodes.
func TestTree(t *testing.T) {
	const parent, keys, count, edges = 176, 184, 230, 232
	h := v8test.NewHeap(t, v8test.Node24)
	node := func(children []core.Addr, ids ...uint32) core.Addr {
		a := h.Alloc(328)
		for i, id := range ids {
			h.Put32(a+keys+core.Addr(4*i), id)
		}
		h.Put32(a+count-2, uint32(len(ids))<<16)
		for i, c := range children {
			h.Put(a+edges+core.Addr(8*i), uint64(c))
			h.Put(c+parent, uint64(a))
		}
		return a
	}
	tree := func(root core.Addr, height, length uint64) core.Addr {
		a := h.Alloc(24)
		h.Put(a, uint64(root))
		h.Put(a+8, height)
		h.Put(a+16, length)
		return a
	}
	leaf := node(nil, 3, 4, 9)
	inner := node([]core.Addr{node(nil, 1, 2), node(nil, 7)}, 5)
	loop := node(nil, 5)
	h.Put(loop+edges, uint64(loop))
	h.Put(loop+edges+8, uint64(loop))
	tests := map[string]struct {
		at   core.Addr
		want []uint32
	}{
		"leaf":                {tree(leaf, 0, 3), []uint32{3, 4, 9}},
		"inner":               {tree(inner, 1, 4), []uint32{1, 2, 5, 7}},
		"too few":             {tree(leaf, 0, 4), nil},
		"too many":            {tree(leaf, 0, 2), nil},
		"too high":            {tree(leaf, 1, 3), nil},
		"a node below itself": {tree(loop, maxHeight, 1<<12), nil},
		"out of memory":       {tree(8<<40, 0, 3), nil},
		"absurd height":       {tree(leaf, 1<<40, 3), nil},
		"absurd length":       {tree(leaf, 0, 1<<50), nil},
	}
	mem := h.Memory()
	dr := readerOf(mem)
	for name, test := range tests {
		var got []uint32
		ok := dr.treeAt(test.at, treeForms(4, 4, 16), func() { got = nil }, func(key, _ core.Addr) bool {
			id, ok := dr.U32(key)
			rises := len(got) == 0 || id > got[len(got)-1]
			got = append(got, id)
			return ok && rises
		})
		if ok != (test.want != nil) || ok && !slices.Equal(got, test.want) {
			t.Errorf("%s: got %v, %v; want %v", name, got, ok, test.want)
		}
	}
}
