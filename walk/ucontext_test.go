package walk

import (
	"context"
	"slices"
	"testing"

	"coredbg/core"
)

// TestContext: a context saved by a function of a coroutine library, which leads to the frame that
// called it; and a context that the kernel saved for a signal handler, whose frame was interrupted.
func TestContext(t *testing.T) {
	const u = altAt + 0x100
	for name, c := range map[string]struct {
		pc     uint64
		exact  bool
		frames []core.Addr
	}{
		"saved in a call":          {textAt + 0x100, false, []core.Addr{textAt + 0x100, textAt + 0x200}},
		"at a function's start":    {textAt + 0x180, true, []core.Addr{textAt + 0x180, textAt + 0x200}},
		"interrupted, no call":     {textAt + 0x1c8, true, []core.Addr{textAt + 0x1c8, textAt + 0x200}},
		"a call through a pointer": {0, true, []core.Addr{0, textAt + 0x200}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(core.AMD64)
			s.call(0x100)
			s.call(0x180) // does not return: the function ends there
			s.function(0xf0, 0x20)
			s.function(0x180, 0x10)
			s.function(0x1c0, 0x10)
			s.function(0x1f0, 0x20, 0x07, 16)
			s.signalAMD64(u-8, 0, map[string]uint64{"rip": c.pc, "rsp": stackAt + 0x800, "rbx": 33})
			s.put(u+8, 0x1234)
			s.put(stackAt+0x800, s.call(0x200))
			target := NewTarget(s.process(nil), s.opts)
			saved, err := target.Context(u)
			if err != nil || saved.PC != core.Addr(c.pc) || saved.SP != stackAt+0x800 || saved.Link != 0x1234 ||
				saved.Regs.Val[3] != 33 ||
				target.Runs(&saved) != (c.pc != 0) {
				t.Fatalf("%+v, %v", saved, err)
			}
			var got []core.Addr
			for f, err := range target.WalkFrom(context.Background(), saved.Regs) {
				if err != nil {
					break
				}
				if got = append(got, f.PC); len(got) == 1 && f.Exact() != c.exact {
					t.Errorf("exact: %v", f.Exact())
				}
			}
			if !slices.Equal(got, c.frames) {
				t.Errorf("frames %v, not %v", got, c.frames)
			}
		})
	}
	s := newScene(core.AMD64)
	target := NewTarget(s.process(nil), s.opts)
	for _, at := range []core.Addr{0, altAt, stackAt + stackLen - 16, ^core.Addr(0)} {
		if c, err := target.Context(at); err == nil {
			t.Errorf("at %v: %+v", at, c)
		}
	}
}
