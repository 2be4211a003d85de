package v8

import (
	"testing"

	"coredbg/runtimes/v8/bytecode"
	"coredbg/runtimes/v8/object"
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
