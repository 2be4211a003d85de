package golang

import (
	"context"
	"fmt"
	"sort"

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
	return r.inHeap(a)
}

// inHeap names the slot of the heap that an address is in. A span has slots of one size; whether an object is
// in one is not read.
func (r *Runtime) inHeap(a core.Addr) (string, bool) {
	list := r.heapSpans()
	i := sort.Search(len(list), func(i int) bool { return list[i].start > a }) - 1
	if i < 0 || a >= list[i].end || list[i].state != spanInUse || list[i].size == 0 {
		return "", false
	}
	h := &list[i]
	off := uint64(a-h.start) % h.size
	if off == 0 {
		return fmt.Sprintf("a slot of %d bytes of the heap", h.size), true
	}
	return fmt.Sprintf("%d bytes into a slot of %d bytes of the heap, at %v", off, h.size, a-core.Addr(off)), true
}

// heapSpans returns the spans of the heap, in order of address, which are read once; nil if they cannot be.
func (r *Runtime) heapSpans() []heapSpan {
	r.heapOnce.Do(func() { _, r.heapList, _ = r.readSpans(context.Background()) })
	return r.heapList
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
