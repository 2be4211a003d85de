package walk

import (
	"math/bits"
	"testing"

	"coredbg/core"
)

// TestWindows: an interrupted leaf, its caller, and the one of that, whose windows lie where
// their stack pointers point to.
func TestWindows(t *testing.T) {
	t.Run("plain", func(t *testing.T) { testWindows(t, 0) })
	// OpenBSD saves return addresses mixed with a number of each process.
	t.Run("cookie", func(t *testing.T) { testWindows(t, 0x3915a5bd152d4ed1) })
}

func testWindows(t *testing.T, cookie uint64) {
	const sp, next, last = stackAt + 0x100, stackAt + 0x200, stackAt + 0x300
	s := newScene(core.SPARC64)
	s.code(0x00, 0x9d, 0xe3, 0xbf, 0x40)                // save %sp,-192,%sp
	s.code(0x10, 0x40, 0, 0, 0x0c)                      // call leaf
	s.code(0x40, 0x01, 0, 0, 0, 0x90, 0x10, 0x20, 0x00) // leaf: nop; mov 0,%o0
	s.code(0x80, 0x9d, 0xe3, 0xbf, 0x40)                // save
	s.code(0x90, 0x7f, 0xff, 0xff, 0xdc)                // call the first
	starts := []core.Addr{textAt, textAt + 0x40, textAt + 0x80}
	s.opts.FuncStart = func(a core.Addr) (start core.Addr, ok bool) {
		for _, f := range starts {
			if f <= a {
				start, ok = f, true
			}
		}
		return start, ok
	}
	window := make([]uint64, 16)
	saved := func(at, fp, link uint64) {
		window[14], window[15] = bits.ReverseBytes64(fp), bits.ReverseBytes64(link^cookie) // %i6, %i7, big-endian
		s.put(at, window...)
	}
	saved(next, last-2047, textAt+0x10)
	saved(last, last+0x100-2047, 0) // the first function has no caller
	p := s.process(map[string]uint64{"pc": textAt + 0x44, "sp": sp - 2047, "o7": textAt + 0x10,
		"fp": next - 2047, "i7": textAt + 0x90})
	p.WindowCookie = cookie
	frames, stop := gather(t, NewTarget(p, s.opts).Walk(t.Context(), p.Threads[0]))
	want := []core.Addr{textAt + 0x44, textAt + 0x18, textAt + 0x98, textAt + 0x18}
	for i, pc := range want {
		if len(frames) != len(want) || frames[i].PC != pc {
			t.Fatalf("frames %+v, %v; want %v", frames, stop, want)
		}
	}
	if frames[1].SP != sp-2047 || frames[2].SP != next-2047 || frames[1].Trust != Prologue {
		t.Errorf("stack pointers %v, %v", frames[1].SP, frames[2].SP)
	}
}
