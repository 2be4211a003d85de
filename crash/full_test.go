package crash

import (
	"context"
	"errors"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/crash/bugs"
	"coredbg/runtimes"
	"coredbg/runtimes/heap"
	"coredbg/runtimes/heap/heaptest"
)

// A sizedHeap is a runtime with a heap of a size.
type sizedHeap struct {
	runtimes.Runtime
	t     *testing.T
	bytes uint64
	err   error
}

func (h *sizedHeap) Graph(context.Context) (*heap.Graph, error) {
	return heaptest.Cache(h.t, "Cache"), nil
}
func (h *sizedHeap) HeapSize(context.Context) (uint64, func(context.Context) ([]heap.Class, error), error) {
	return h.bytes, func(context.Context) ([]heap.Class, error) {
		return []heap.Class{{Type: heap.Type{Class: "(table)", Internal: true}, Shallow: 500},
			{Type: heap.Type{Class: "Object"}, Shallow: 400},
			{Type: heap.Type{Class: "Order", Place: heap.Place{File: "/srv/shop.js", Line: 7}}, Shallow: 100}}, nil
	}, h.err
}

// TestFull: a small heap is asked what holds what, of a large one a sample is looked at; what cannot be read is no
// suspect.
func TestFull(t *testing.T) {
	for _, c := range []struct {
		bytes     uint64
		whole     bool
		err       error
		said, key string
	}{
		{1 << 20, false, nil, "2 objects of Entry keep 64% of the heap", "js-heap-limit | Entry"},
		{briefBytes + 1, false, nil, "full of objects of Order (/srv/shop.js:7): 9%", "js-heap-limit | Order shop.js"},
		{briefBytes + 1, true, nil, "2 objects of Entry keep 64% of the heap", "js-heap-limit | Entry"},
		{fullBytes + 1, true, nil, "full of objects of Order (/srv/shop.js:7): 9%", "js-heap-limit | Order shop.js"},
		{0, true, errors.New("no pages"), "what fills the heap is not known: no pages",
			"js-heap-limit | what fills the heap is not known"},
	} {
		h := &sizedHeap{t: t, bytes: c.bytes, err: c.err}
		x := &examination{ctx: t.Context(), p: &core.Process{Exe: "/usr/bin/node"},
			s: &Subject{Heap: c.whole, Runtimes: func() []runtimes.Runtime { return []runtimes.Runtime{h} }}}
		f := finding{cause: bugs.JSHeapLimit}
		x.filled(&f, "out of memory")
		if said := strings.Join(f.evidence, "; "); !strings.Contains(said, c.said) {
			t.Errorf("%+v: %s", c, said)
		}
		if c.err == nil && len(x.filling.suspects) > 0 && !strings.HasPrefix(f.title, "out of memory: ") {
			t.Errorf("%+v: the title is %q", c, f.title)
		}
		if s := x.sign(bugs.JSHeapLimit); !strings.HasPrefix(s.Name, c.key) {
			t.Errorf("%+v: %q", c, s.Name)
		}
	}
}

// TestBase: the file of a place without its folder.
func TestBase(t *testing.T) {
	for place, want := range map[heap.Place]string{{File: "/srv/app.js", Line: 14}: "app.js:14",
		{File: "node:internal/x", Line: 5}: "x:5", {}: ""} {
		if got := base(place).String(); got != want {
			t.Errorf("%v: %q, want %q", place, got, want)
		}
	}
}
