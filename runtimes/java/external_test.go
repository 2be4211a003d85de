package java

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/runtimes"
)

// A longHeap is objects whose members are numbers.
type longHeap struct {
	Heap
	objects map[core.Addr]*Class
	values  map[core.Addr]uint64
}

func (h longHeap) Object(at core.Addr) (Object, error) { return Object{at, h.objects[at]}, nil }

func (h longHeap) PrimitiveAt(at core.Addr, _ Primitive) (uint64, bool) {
	v, ok := h.values[at]
	return v, ok
}

// TestExternals: buffers have their memory, other longs are numbers that may be addresses, and a class
// without them has nothing.
func TestExternals(t *testing.T) {
	buffer := &Class{Name: "java.nio.DirectByteBuffer", Super: []string{"java.nio.MappedByteBuffer",
		"java.nio.ByteBuffer", "java.nio.Buffer"}, Members: []Field{
		{Name: "capacity", Type: "I", Class: "java.nio.Buffer", Offset: 8},
		{Name: "address", Type: "J", Class: "java.nio.Buffer", Offset: 16}}}
	peer := &Class{Name: "app.Peer", Members: []Field{{Name: "handle", Type: "J", Class: "app.Peer", Offset: 8},
		{Name: "count", Type: "J", Class: "app.Peer", Offset: 16}}}
	plain := &Class{Name: "app.Plain", Members: []Field{{Name: "x", Type: "I", Class: "app.Plain", Offset: 8}}}
	h := longHeap{objects: map[core.Addr]*Class{0x1000: buffer, 0x2000: peer, 0x3000: plain},
		values: map[core.Addr]uint64{0x1008: 4096, 0x1010: 0x7f0000001000, 0x2008: 0x7f0000002010, 0x2010: 42,
			0x3008: 0x7f000000}}
	var got []runtimes.External
	objects := func(yield func(core.Addr, *Class) bool) {
		for _, at := range slices.Sorted(maps.Keys(h.objects)) {
			if !yield(at, h.objects[at]) {
				return
			}
		}
	}
	Externals(h, objects, func(x runtimes.External) bool { got = append(got, x); return true })
	want := []runtimes.External{
		{Object: 0x1000, At: 0x7f0000001000, Size: 4096, Name: "field address"},
		{Object: 0x2000, At: 0x7f0000002010, Name: "field handle", Number: true},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	got = nil
	Externals(h, objects, func(x runtimes.External) bool { got = append(got, x); return false })
	if !reflect.DeepEqual(got, want[:1]) {
		t.Errorf("one visit: got %+v, want %+v", got, want[:1])
	}
}
