package golang

import (
	"errors"
	"strings"

	"coredbg/core"
	"coredbg/walk"
)

// The runtime does its work for a goroutine on the thread's stack (g0's): systemstack calls a function
// there, morestack the one that gives the goroutine a larger stack or takes the processor away from it.
// Both record in the goroutine's g where it goes on. mcall leaves the goroutine for good; clone begins
// a thread.
//
// The chain: the thread's g leads to m, m to g0 (threads.go), whose stack must contain the frame. One of
// the pointers in m leads to the goroutine: to a g of this m that has kept a place on its own stack.

var errNoGoroutine = errors.New("go: no goroutine is known that it works for")

// served returns the frame that called systemstack or morestack, on the stack of the goroutine. Known
// reports whether the thread's goroutines are known, even if it serves no goroutine.
func (u unwinder) served(f *walk.Frame) (caller walk.Frame, known, ok bool) {
	m, ok := u.machine(f.SP)
	if !ok {
		return walk.Frame{}, false, false
	}
	c := u.t.Process.Cursor()
	for at := m; at < m+maxM; at += 8 {
		g := c.Pointer(at)
		if c.Reset() != nil {
			return walk.Frame{}, false, false
		}
		switch x, ok := u.leftAt(g, m); {
		case !ok || caller.SP == x.SP:
		case caller.PC != 0:
			return walk.Frame{}, false, false // two of them
		default:
			caller = x
		}
	}
	return caller, true, caller.PC != 0
}

// machine returns the m of the thread, on whose own stack sp is.
func (u unwinder) machine(sp core.Addr) (core.Addr, bool) {
	c := u.t.Process.Cursor()
	for _, g := range u.gsOf(u.thread) {
		m := c.Pointer(g + gM)
		g0 := c.Pointer(m + mG0)
		low, high := c.Pointer(g0), c.Pointer(g0+8)
		if back := c.Pointer(g0 + gM); c.Reset() == nil && m != 0 && back == m && low < sp && sp < high {
			return m, true
		}
	}
	return 0, false
}

// leftAt returns the frame where the goroutine of g has left its stack for m's.
func (u unwinder) leftAt(g, m core.Addr) (walk.Frame, bool) {
	c := u.t.Process.Cursor()
	if g == 0 || g&7 != 0 || c.Pointer(g+gM) != m || c.Pointer(m+mG0) == g {
		return walk.Frame{}, false
	}
	low, high, pc, sp := c.Pointer(g), c.Pointer(g+8), c.Pointer(g+gSchedPC), c.Pointer(g+gSchedSP)
	if c.Reset() != nil || sp < low || sp >= high || !u.t.Process.Executable(pc) {
		return walk.Frame{}, false
	}
	if s, _, ok := u.t.Symbols.Lookup(pc); ok && strings.TrimSuffix(s.Name, ".abi0") == "runtime.systemstack_switch" {
		return u.above(sp, 0, true) // stands for systemstack
	}
	arch := u.t.Process.Arch
	caller := walk.Frame{PC: pc, SP: sp, Trust: walk.Runtime, OtherStack: true}
	caller.Regs.Set(arch.PC, uint64(pc))
	caller.Regs.Set(arch.SP, uint64(sp))
	return caller, true
}
