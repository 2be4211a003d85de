package golang

import (
	"errors"

	"coredbg/core"
	"coredbg/runtimes"
)

// A goroutine that waits has a sudog (runtime/runtime2.go). The sudogs of channels are in a list, g.waiting.
// The one of a semaphore, which mutexes and WaitGroups wait by, hangs in a tree of the runtime, and
// semacquire1 has it on the goroutine's stack: its first field is the g, and elem is the semaphore as long as
// the goroutine waits.

// Limits of the search.
const (
	maxWaiting  = 1 << 10 // channels of a select
	maxWaitHead = 1 << 10 // bytes of a stack
)

// TaskWaits implements runtimes.TaskWaiter.
func (r *Runtime) TaskWaits(t *core.Thread) (list []runtimes.TaskWait) {
	r.Goroutines()
	if t.Task == nil {
		return nil
	}
	g := r.at[t.Task.Addr]
	if g == nil || g.Status != statuses[statusWaiting] || !r.readsWaits() {
		return nil
	}
	c := r.t.Process.Cursor()
	for s := c.Pointer(g.Addr + r.waitingAt); s != 0 && len(list) < maxWaiting; {
		at := r.traceable(c, s+r.sudog["c"].off)
		mine := c.Pointer(s+r.sudog["g"].off) == g.Addr
		next := c.Pointer(s + r.sudog["waitlink"].off)
		if c.Err() != nil || !mine || at == 0 {
			break
		}
		list = append(list, runtimes.TaskWait{At: at, Channel: true})
		s = next
	}
	c.Reset()
	if len(list) > 0 {
		return list
	}
	if at := r.semaphoreOf(g, c); at != 0 {
		list = append(list, runtimes.TaskWait{At: at})
	}
	return list
}

// errWaits is that the fields of a sudog are not known.
var errWaits = errors.New("the records of waiting goroutines (sudog) are not known")

// readsWaits reports whether the fields of a sudog are known.
func (r *Runtime) readsWaits() bool { return r.sudog.has("g", "elem", "c", "waitlink") }

// WaitsError implements runtimes.TaskWaiter.
func (r *Runtime) WaitsError() error {
	if _, err := r.Goroutines(); err != nil {
		return err
	}
	if !r.readsWaits() {
		return errWaits
	}
	return nil
}

// traceable reads a pointer that the collector may be kept from (maybeTraceablePtr, from Go 1.26 on): its
// second word is then the pointer, the first is 0.
func (r *Runtime) traceable(c *core.Cursor, at core.Addr) core.Addr {
	if p := c.Pointer(at); p != 0 || !r.twoWords {
		return p
	}
	return c.Pointer(at + core.Addr(r.t.Process.Arch.PtrSize))
}

// semaphoreOf returns the semaphore that a goroutine waits for; 0 if it waits for none.
func (r *Runtime) semaphoreOf(g *Goroutine, c *core.Cursor) core.Addr {
	if g.resume == nil {
		return 0
	}
	sp, ok := g.resume.Regs.Get(r.t.Process.Arch.SP)
	if !ok {
		return 0
	}
	word := core.Addr(r.t.Process.Arch.PtrSize)
	for at := core.Addr(sp); at < min(core.Addr(sp)+maxWaitHead, g.High); at += word {
		s := c.Pointer(at)
		if c.Reset() != nil || s == 0 || s&(word-1) != 0 {
			continue
		}
		mine := c.Pointer(s+r.sudog["g"].off) == g.Addr
		elem, ch := r.traceable(c, s+r.sudog["elem"].off), r.traceable(c, s+r.sudog["c"].off)
		if c.Reset() == nil && mine && elem != 0 && ch == 0 && elem&3 == 0 {
			return elem
		}
	}
	return 0
}
