package callsite

import (
	"testing"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/v8test"
)

// TestSiteFlags reads the flags of captured frames, one bit at a time, as versions number the bits:
// objects/frame-array.h @ 7.8 and 8.7, objects/call-site-info.tq @ 9.4 and 15.2. Bytecode 5 of the function
// is for the third line. If the position was computed, 5 is the second column of the second line. The
// receiver is the number 0.
func TestSiteFlags(t *testing.T) {
	for _, c := range []struct {
		v                           layout.Version
		construct, async, positions int
	}{
		{layout.V(7, 8), 1 << 4, 1 << 6, 0},
		{layout.V(8, 7), 1 << 3, 1 << 5, 0},
		{layout.V(9, 4), 1 << 3, 1 << 5, 1<<6 | 1<<7},
		{layout.V(15, 2), 1 << 2, 1 << 3, 1<<4 | 1<<5},
	} {
		h := v8test.NewHeap(t, v8test.Node24)
		f := h.Function("f")
		mem := h.Memory()
		mem.Layout.CallSiteInfo = layout.New(c.v, layout.Constants{}).CallSiteInfo
		r := New(object.New(mem, nil))
		for bit := 1; bit < 1<<9; bit <<= 1 {
			want := "Number.f (/a.js:3:1)"
			switch {
			case bit == 1:
				want = "wasm"
			case bit == c.construct:
				want = "new f (/a.js:3:1)"
			case bit == c.async:
				want = "async Number.f (/a.js:3:1)"
			case bit&c.positions != 0:
				want = "Number.f (/a.js:2:2)"
			}
			if got := r.site(f.Bytecode, 0, f.Closure, layout.Tagged(v8test.Smi(5)),
				layout.Tagged(v8test.Smi(bit))); got != want {
				t.Errorf("%v, bit %#x: %q, want %q", c.v, bit, got, want)
			}
		}
	}
}
