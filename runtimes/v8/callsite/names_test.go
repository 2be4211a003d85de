package callsite

import (
	"testing"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/v8test"
)

func TestIsIdentifier(t *testing.T) {
	for s, want := range map[string]bool{
		"f": true, "$_1": true, "größe": true, "": false, "1a": false, "get x": false, "o.f": false,
		"[nodejs.x]": false,
	} {
		if got := isIdentifier(s); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
}

// TestTypeName: as a receiver a function has its own name from V8 13.3 on (Chromium 132 and 133 print such).
func TestTypeName(t *testing.T) {
	for minor, want := range map[int]string{2: "Function", 3: "owner"} {
		h := v8test.NewHeap(t, layout.V(13, minor))
		closure := h.Function("owner").Closure
		if got := New(object.New(h.Memory(), nil)).typeName(closure); got != want {
			t.Errorf("13.%d: %q, want %q", minor, got, want)
		}
	}
}
