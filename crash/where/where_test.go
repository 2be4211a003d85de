package where

import (
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/runtimes"
	"coredbg/stack"
)

// TestNear: what is next to an address that is not mapped.
func TestNear(t *testing.T) {
	p := coretest.New(core.AMD64).Map(0x80000, make([]byte, 0x1000)).Process()
	for a, want := range map[core.Addr]string{
		0x18:      "not mapped: the null page",
		0x81010:   "not mapped, 0x10 bytes past the end of the anonymous mapping at 0x80000",
		0x7fff0:   "not mapped, 0x10 bytes below the anonymous mapping at 0x80000",
		0x7000000: "not mapped, and no mapping is near",
	} {
		if got := Near(p, a); got != want {
			t.Errorf("%v: %q, want %q", a, got, want)
		}
	}
}

// TestOfProgram: what waits in a library, what gives up and what an engine made are not the program.
func TestOfProgram(t *testing.T) {
	x := &Threads{Noise: func(f string) bool { return f == "give_up" }}
	for _, c := range []struct {
		f    stack.Frame
		want bool
		in   string
	}{
		{stack.Frame{Name: "work", Module: "/bin/app", File: "a.c", Line: 3}, true, "work (a.c:3)"},
		{stack.Frame{Name: "read", Module: "/lib/libc.so.6"}, false, "read"},
		{stack.Frame{Name: "std::mutex::lock", Module: "/bin/app"}, false, "std::mutex::lock"},
		{stack.Frame{Name: "give_up", Module: "/bin/app"}, false, "give_up"},
		{stack.Frame{Name: "entry", Kind: runtimes.Stub}, false, "entry"},
		{stack.Frame{}, false, "<anonymous>"},
	} {
		if got := x.OfProgram(&c.f); got != c.want || Frame(&c.f) != c.in {
			t.Errorf("%+v: %v, %q, want %v, %q", c.f, got, Frame(&c.f), c.want, c.in)
		}
	}
}
