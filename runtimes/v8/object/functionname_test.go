package object

import (
	"testing"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/v8test"
)

// TestInitializerNames names the functions that run a class's initialisers by their kind:
// objects/function-kind.h has one kind for members and one for static members from 24 on, and two of each in
// 14.6. The compiler gave them names until 11.8.
func TestInitializerNames(t *testing.T) {
	const members, static = "<instance_members_initializer>", "<static_initializer>"
	for v, want := range map[layout.Version][]string{
		layout.V(11, 3): {"", "", "", "", "", ""},
		layout.V(11, 8): {"", members, static, "", "", ""},
		layout.V(14, 5): {"", members, static, "", "", ""},
		layout.V(14, 6): {"", members, members, static, static, ""},
	} {
		h := v8test.NewHeap(t, v8test.Node24)
		var shareds []layout.Tagged
		for kind := 23; kind < 29; kind++ {
			s := h.Function("f").Shared
			h.Put32(s.Addr()+56, uint32(kind))
			shareds = append(shareds, s)
		}
		mem := h.Memory()
		l := layout.New(v, layout.Constants{})
		mem.Layout.Names, mem.Layout.SharedFunctionInfo.Initializers = l.Names, l.SharedFunctionInfo.Initializers
		r := New(mem, nil)
		for i, s := range shareds {
			if got := r.initializerName(s); got != want[i] {
				t.Errorf("%v, kind %d: %q, want %q", v, 23+i, got, want[i])
			}
		}
	}
}
