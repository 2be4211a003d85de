package golang

import (
	"fmt"

	"coredbg/core"
)

// WhatIs implements runtimes.Identifier: it says whose g or stack an address is in.
func (r *Runtime) WhatIs(a core.Addr) (string, bool) {
	r.Goroutines()
	for _, g := range r.list {
		switch {
		case a >= g.Addr && a-g.Addr < max(r.size, 1):
			if a == g.Addr {
				return "the g of " + g.words(), true
			}
			return fmt.Sprintf("%#x bytes into the g of %s", uint64(a-g.Addr), g.words()), true
		case a >= g.Low && a < g.High && g.Err == nil:
			return r.onStack(g, a), true
		}
	}
	return "", false
}

// onStack says where an address is on a goroutine's stack.
func (r *Runtime) onStack(g *Goroutine, a core.Addr) string {
	var v uint64
	ok := false
	if t := g.Task(); t != nil {
		v, ok = t.Regs.Get(r.t.Process.Arch.SP)
	}
	sp := core.Addr(v)
	switch {
	case !ok || sp < g.Low || sp > g.High: // its thread is on another one
		return "on the stack of " + g.words()
	case a < sp:
		return fmt.Sprintf("below the stack of %s, %#x bytes under its stack pointer", g.words(), uint64(sp-a))
	}
	return fmt.Sprintf("on the stack of %s, %#x bytes above its stack pointer", g.words(), uint64(a-sp))
}

// words names a goroutine and says what it does.
func (g *Goroutine) words() string {
	switch {
	case g.Dead():
		return "a dead goroutine"
	case g.Thread != nil:
		return fmt.Sprintf("goroutine %d [%s, thread %d]", g.ID, g.State(), g.Thread.TID)
	}
	return fmt.Sprintf("goroutine %d [%s]", g.ID, g.State())
}
