package golang

import (
	"context"
	"slices"
	"strings"
	"time"

	"coredbg/core"
)

// Goroutines returns all goroutines in the order of the runtime's list: the oldest g is first.
// The error says why goroutines are not known.
func (r *Runtime) Goroutines() ([]*Goroutine, error) {
	r.once.Do(func() {
		var s *scheduler
		if s, r.err = newScheduler(r.process); r.err == nil {
			r.size = s.g.size(s.t.Process.Cursor())
			r.sudog, r.waitingAt = s.types.fieldsOf(s.g["waiting"].typ), s.g["waiting"].off
			r.twoWords = s.types.fieldsOf(r.sudog["elem"].typ).has("vp", "vu")
			r.allGoroutines, r.err = (&goroutineReader{scheduler: s}).read()
			r.waits = s.allReasons()
		}
		if r.err != nil {
			r.stacks = r.threadStacks()
		}
		for _, g := range r.list {
			g.task = g.newTask()
		}
	})
	return r.list, r.err
}

// Task implements runtimes.Tasker.
func (r *Runtime) Task(a core.Addr) (*core.Thread, bool) {
	r.Goroutines()
	g := r.at[a]
	if g == nil || g.task == nil {
		return nil, false
	}
	return g.task, true
}

// Tasks implements runtimes.Tasker.
func (r *Runtime) Tasks() (list []*core.Thread) {
	r.Goroutines()
	list = make([]*core.Thread, 0, len(r.list))
	for _, g := range r.list {
		if g.task != nil && g.task.Task != nil {
			list = append(list, g.task)
		}
	}
	return list
}

// waiting are the packages that goroutines wait in, by the prefixes of their functions.
var waiting = []string{"runtime.", "internal/", "sync.", "sync/", "syscall.", "time.", "net.", "io.", "bufio."}

// Waits reports whether a function belongs to the packages that goroutines wait in, rather than to the
// code that calls them.
func Waits(function string) bool {
	return slices.ContainsFunc(waiting, func(p string) bool { return strings.HasPrefix(function, p) }) &&
		function != "runtime.main"
}

// OfRuntime implements runtimes.Tasker.
func (r *Runtime) OfRuntime(function string) bool { return Waits(function) }

// KnowsState reports whether a text is a status of goroutines or, in the runtime's own words, a reason to
// wait, without regard to case. It is not known of all others that they are none.
func (r *Runtime) KnowsState(text string) bool {
	r.Goroutines()
	is := func(s string) bool { return strings.EqualFold(s, text) }
	return slices.ContainsFunc(statuses, is) || slices.ContainsFunc(r.waits, is)
}

// Stack implements walk.Bounder: it returns the stack that holds an address, as a stack pointer. That of an empty one
// is at its end.
func (r *Runtime) Stack(at core.Addr) (low, high core.Addr, ok bool) {
	r.Goroutines()
	i, _ := slices.BinarySearchFunc(r.stacks, at, func(s span, at core.Addr) int {
		if s.end < at {
			return -1
		}
		return 1
	})
	if i == len(r.stacks) || r.stacks[i].start >= at {
		return 0, 0, false
	}
	return r.stacks[i].start, r.stacks[i].end, true
}

// Ran implements runtimes.Timekeeper: runtime.runtimeInitTime is when the runtime began.
func (r *Runtime) Ran(context.Context, *core.Thread) (age time.Duration, turn, ok bool) {
	if r.module == nil {
		return 0, false, false
	}
	a, _, ok := r.global("runtimeInitTime")
	if !ok {
		return 0, false, false
	}
	c := r.t.Process.Cursor()
	began := time.Duration(c.U64(a))
	r.Goroutines()
	return r.last - began, false, c.Err() == nil && began > 0 && r.last > began
}
