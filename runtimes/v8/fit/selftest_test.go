package fit

import (
	"maps"
	"strings"
	"testing"

	"coredbg/runtimes"
	"coredbg/runtimes/v8/bytecode"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/v8test"
)

// TestStrayPosition: with a wrong number of flags all offsets of a position table are halved or
// doubled.
func TestStrayPosition(t *testing.T) {
	code := &object.BytecodeArray{Bytecodes: []bytecode.Bytecode{{Offset: 0}, {Offset: 2}, {Offset: 5}}}
	for _, c := range []struct {
		offsets []int
		stray   int // -1: none
	}{
		{nil, -1}, {[]int{-1, 0, 2, 5}, -1}, {[]int{0, 4, 10}, 4}, {[]int{0, 1, 2}, 1}, {[]int{5, 2, 0}, -1},
	} {
		code.Positions = nil
		for _, off := range c.offsets {
			code.Positions = append(code.Positions, object.BytecodePosition{Offset: off})
		}
		got, ok := strayPosition(code)
		if !ok {
			got = -1
		}
		if got != c.stray {
			t.Errorf("%v: %d, want %d", c.offsets, got, c.stray)
		}
	}
}

// TestDoubtGlobals: where the type of global objects or of their proxies is not known, values are in doubt.
func TestDoubtGlobals(t *testing.T) {
	for _, lost := range []string{"", "JS_GLOBAL_OBJECT_TYPE", "JS_GLOBAL_PROXY_TYPE"} {
		h := v8test.NewHeap(t, layout.V(13, 6))
		mem := h.Memory()
		values := maps.Clone(mem.Image.Constants.Values)
		maps.DeleteFunc(values, func(name string, _ int) bool { return lost != "" && strings.HasSuffix(name, lost) })
		if lost != "" && len(values) == len(mem.Image.Constants.Values) {
			t.Fatalf("no constant has %s", lost)
		}
		mem.Image.Constants.Values = values
		v := New(layout.NewMemory(runtimes.Target{Process: mem.Process}, mem.Image, mem.Layout))
		if err := v.DoubtValues(); (err != nil) != (lost != "") {
			t.Errorf("without %q: %v", lost, err)
		}
	}
}
