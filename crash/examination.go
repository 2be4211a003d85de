package crash

import (
	"context"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/crash/bugs"
	"coredbg/crash/fault"
	"coredbg/crash/where"
	"coredbg/runtimes"
	"coredbg/stack"
)

// maxFrames bounds how many machine frames of the thread that died are walked.
const maxFrames = 20000

// An examination is what the rules look at. Its methods in this file answer what several of
// them ask.
type examination struct {
	ctx     context.Context
	s       *Subject
	p       *core.Process
	fault   fault.Fault
	threads where.Threads
	stack   *stack.Stack // of the thread that died; nil if none did
	causes  lastWords
	signed  []stack.Frame // that name the bug in place of the stack; nil if that does

	waited []stack.Frame // of the most common wait of tasks; they name the bug if nothing else does
	waiter *core.Thread  // one of these tasks

	saidTasks, manyTasks bool // what tasks wait for was said; not all were looked at

	filling *filling // of a full heap; nil if it was not asked
}

// place returns the first frame that says where it happened: not the machinery of giving
// up, and not a stub.
func (x *examination) place() *stack.Frame {
	frames := x.ran()
	for i := range frames {
		f := &frames[i]
		if f.Name != "" && !x.threads.Noisy(f) || f.Name == "" && (f.Made || ofExe(x.p, f)) {
			return f
		}
	}
	return nil
}

// faulted returns the frames that were on the stack when the first signal came, without the frames of
// the handler that has raised it again.
func (x *examination) faulted() []stack.Frame {
	if x.stack == nil {
		return nil
	}
	all := x.stack.Frames
	for i := range all {
		if i > 0 && all[i].PC == x.fault.PC && all[i-1].Kind == runtimes.Signal {
			return all[i:]
		}
	}
	return all
}

// ran returns the frames of faulted that ran code: without the first if it is where there is none.
func (x *examination) ran() []stack.Frame {
	frames := x.faulted()
	for x.fault.NotCode != "" && len(frames) > 0 && frames[0].PC == x.fault.PC {
		frames = frames[1:]
	}
	return frames
}

// managed returns the first frame of managed code.
func (x *examination) managed() *stack.Frame {
	if x.stack == nil {
		return nil
	}
	for i := range x.stack.Frames {
		if f := &x.stack.Frames[i]; stack.Managed(f) && f.File != "" {
			return f
		}
	}
	return nil
}

// within returns the innermost frame of a function, or -1. A name that ends in * is the
// beginning of one.
func (x *examination) within(name string) int {
	if x.stack == nil {
		return -1
	}
	prefix, open := strings.CutSuffix(name, "*")
	for i := range x.stack.Frames {
		if n := x.stack.Frames[i].Name; n == name || open && strings.HasPrefix(n, prefix) {
			return i
		}
	}
	return -1
}

// culprit returns the first frame that names the bug: neither the machinery of giving up
// nor an allocator or a copy that it called.
func (x *examination) culprit() *stack.Frame { return x.culpritFrom(0) }

// culpritFrom is culprit without the n innermost frames of the stack.
func (x *examination) culpritFrom(n int) *stack.Frame {
	frames := x.ran()
	if len(frames) > 0 {
		n -= len(x.stack.Frames) - len(frames)
		frames = frames[min(max(n, 0), len(frames)):]
	}
	for i := range frames {
		f := &frames[i]
		if f.Made {
			return f
		}
		if f.Name == "" || x.threads.Noisy(f) {
			continue
		}
		if x.rules().Says(f) {
			return f
		}
	}
	return nil
}

// selfAborted reports whether the process has sent itself a SIGABRT.
func (x *examination) selfAborted() bool {
	g := x.p.Signal
	return g != nil && g.Unix() == "SIGABRT" && (!g.HasSender || g.PID == x.p.PID || x.p.Thread(g.PID) != nil)
}

// rules are the rules that name bugs.
func (x *examination) rules() *bugs.Rules {
	if x.s.Rules != nil {
		return x.s.Rules
	}
	return bugs.DefaultRules()
}

// ofExe reports whether a frame belongs to the executable. The executable is the program's own code
// even if it has no symbols.
func ofExe(p *core.Process, f *stack.Frame) bool {
	m := p.Module(f.PC)
	return m != nil && m.Exe
}

// activity returns the state of the threads.
func (x *examination) activity() activity {
	return activity{ctx: x.ctx, s: x.s, p: x.p, threads: &x.threads, original: x.originalSignal(), pc: x.fault.PC}
}

// toHaveCore are the signals that are sent to a process that does not go on.
var toHaveCore = []string{"SIGABRT", "SIGQUIT", "SIGTRAP", "SIGXCPU"}

// originalSignal returns the signal that ended the process. If a handler has only passed it on, as
// handlers that first write a report do, it is the handler's signal.
func (x *examination) originalSignal() *core.Signal {
	g, first := x.p.Signal, x.fault.Signal
	if g == nil || first == nil || first == g || first.Number != g.Number && (g.Unix() != "SIGABRT" ||
		!slices.Contains(toHaveCore, first.Unix())) {
		return g
	}
	return first
}

// blame makes a thread's stack the one that the verdict is about: it is not always the one
// that a signal has hit.
func (x *examination) blame(t *core.Thread) {
	if x.stack != nil && x.stack.Thread == t {
		return
	}
	if st := x.threads.Stack(x.ctx, t, blamedFrames); st != nil {
		x.stack = st
	}
}
