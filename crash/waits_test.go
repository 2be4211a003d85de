package crash

import (
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/crash/where"
	"coredbg/runtimes"
	"coredbg/stack"
)

// TestQueueOf: the stacks have functions of Node 14 to 26, innermost first.
func TestQueueOf(t *testing.T) {
	js := func(name string) stack.Frame {
		return stack.Frame{Kind: runtimes.JS, Name: name, File: "/srv/app.js"}
	}
	stub := func(name string) stack.Frame { return stack.Frame{Kind: runtimes.Stub, Name: name} }
	internal := func(name string) stack.Frame {
		return stack.Frame{Kind: runtimes.JS, Name: name, File: "node:internal/process/task_queues"}
	}
	for _, c := range []struct {
		name   string
		frames []stack.Frame
		f      string
		queue  string
		again  bool
	}{
		{"it awaits again", []stack.Frame{stub("ResolvePromise"), stub("AsyncFunctionAwaitUncaught"), js("poll"),
			stub("AsyncFunctionAwaitResolveClosure"), stub("RunMicrotasks")}, "poll", "microtasks", true},
		{"a function that does not end", []stack.Frame{js("spin"), js("handle"),
			stub("AsyncFunctionAwaitResolveClosure"), stub("RunMicrotasks")}, "handle", "microtasks", false},
		{"between two", []stack.Frame{stub("RunMicrotasks"), stub("JSRunMicrotasksEntry")}, "", "microtasks", true},
		{"nextTick", []stack.Frame{internal("process.nextTick"), js("again"),
			internal("process.processTicksAndRejections")}, "again", "process.nextTick", true},
		{"a timer", []stack.Frame{js("spin"), internal("listOnTimeout")}, "", "", false},
	} {
		f, queue, again := queueOf(c.frames)
		name := ""
		if f != nil {
			name = f.Name
		}
		if name != c.f || queue != c.queue || again != c.again {
			t.Errorf("%s: %q, %q, %t", c.name, name, queue, again)
		}
	}
}

// TestWaitsBy: what a function of JavaScript has called to wait, by the frames inside it.
func TestWaitsBy(t *testing.T) {
	x := activity{p: &core.Process{}, s: &Subject{}, threads: &where.Threads{}}
	for _, c := range []struct {
		frames []stack.Frame
		want   string
	}{
		{[]stack.Frame{{Kind: runtimes.Native, Name: "syscall", Module: "/lib/libc.so.6"},
			{Kind: runtimes.Native, Name: "v8::internal::FutexEmulation::WaitSync"},
			{Kind: runtimes.JS, Tier: "builtin", Name: "Atomics.wait"}}, "Atomics.wait"},
		{[]stack.Frame{{Kind: runtimes.API, Name: "node::SyncProcessRunner::Spawn"},
			{Kind: runtimes.JS, File: "node:child_process", Name: "Object.spawnSync"}}, "spawnSync"},
		{[]stack.Frame{{Kind: runtimes.Native, Name: "read", Module: "/lib/libc.so.6"},
			{Kind: runtimes.Native, Name: "ask_device"}}, "ask_device"},
		{nil, ""},
	} {
		if got := x.waitsBy(c.frames); got != c.want {
			t.Errorf("%v: %q, want %q", c.frames, got, c.want)
		}
	}
}

// TestCompareGroups: the most common wait comes first, of two as common the one that tells more; a wait of no
// function comes last.
func TestCompareGroups(t *testing.T) {
	own := make([]stack.Frame, 1)
	list := []*waitGroup{
		{count: 90, at: "open handles"}, {count: 1, class: waitsForEnd, at: "main", frames: own},
		{count: 6, class: waitsForTime, at: "sleepers", frames: own},
		{count: 6, class: waitsForLock, at: "customers", frames: own},
		{count: 1, class: classOfCall("epoll_wait"), at: "loop", frames: own}, {count: 1, class: classOfCall("read"),
			at: "reader", frames: own}, {count: 30, class: waitsForTime, at: "calls", frames: own},
	}
	slices.SortFunc(list, compareGroups)
	var got []string
	for _, g := range list {
		got = append(got, g.at)
	}
	if want := []string{"calls", "customers", "sleepers", "reader", "loop", "main",
		"open handles"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestMainWaitsFirst: the wait of the thread that draws comes first if it is in the program's code, however
// many others wait.
func TestMainWaitsFirst(t *testing.T) {
	own := []stack.Frame{{Name: "app.Main.load"}}
	main, many, idle := &waitGroup{at: "main", count: 1, class: waitsForTime, frames: own, main: true},
		&waitGroup{at: "many", count: 9, frames: own}, &waitGroup{at: "idle", count: 1, main: true}
	list := []*waitGroup{idle, many, main}
	if slices.SortFunc(list, compareGroups); list[0] != main || list[1] != many || list[2] != idle {
		t.Errorf("%s, %s, %s", list[0].at, list[1].at, list[2].at)
	}
}
