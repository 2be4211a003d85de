package object

import (
	"testing"

	"coredbg/runtimes/v8/layout"
)

// TestFirstRegister checks where the first register is: below the feedback vector in versions whose frames have one.
func TestFirstRegister(t *testing.T) {
	for _, c := range []struct {
		version layout.Version
		want    int // words from the frame pointer
	}{{layout.V(11, 8), -6}, {layout.V(11, 9), -7}, {layout.V(12, 4), -7}} {
		l := layout.New(c.version, layout.Constants{})
		l.Frame.BytecodeOffset = -40
		r := New(&layout.Memory{Layout: l}, nil)
		if got := r.FirstRegister(); got != c.want {
			t.Errorf("%v: the first register is %d words from the frame pointer, want %d", c.version, got, c.want)
		}
	}
}
