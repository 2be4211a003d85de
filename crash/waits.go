package crash

import (
	"fmt"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/crash/bugs"
	"coredbg/crash/kernel"
	"coredbg/crash/wait"
	"coredbg/crash/where"
	"coredbg/runtimes"
	"coredbg/stack"
)

// idles says what a process waited for that was ended from outside, the most common wait first. If no thread
// ran, the bug is named by that wait.
func (x waiting) idles(f *finding) {
	if f.cause != bugs.Killed && f.cause != bugs.Watchdog && f.cause != bugs.Snapshot {
		return
	}
	list := append(x.runtimeWaits(), x.threadWaits()...)
	list = append(list, x.tasks()...)
	if slices.SortStableFunc(list, compareGroups); len(list) == 0 {
		if f.cause != bugs.Snapshot {
			f.evidence = append(f.evidence, x.occupations()...)
			x.signed = x.interpreted()
		}
		return
	}
	x.saidTasks = true
	top := list[0]
	var words, next []string
	for _, g := range list[:min(len(list), maxGroups)] {
		words = append(words, g.words())
		if g.next != "" && !slices.Contains(next, g.next) {
			next = append(next, g.next)
		}
	}
	f.next = append(next, slices.DeleteFunc(f.next, func(s string) bool { return slices.Contains(next, s) })...)
	if n := len(list) - maxGroups; n > 0 {
		words = append(words, fmt.Sprintf("waits in %d other places", n))
	}
	if f.cause == bugs.Snapshot {
		f.evidence = append(f.evidence, words...)
		return
	}
	f.evidence = append(words, f.evidence...)
	if x.awake() {
		return
	}
	f.title = top.words() + "; " + f.title
	for _, g := range list {
		if len(g.frames) > 0 {
			x.signed = g.frames
			return
		}
	}
	x.signed = []stack.Frame{} // the loop's own functions are the same in all programs
}

// interpreted returns the frames that name a bug of a program whose interpreter is not decoded, of the stack
// that the verdict is about: those outside of the interpreter, which are the same in all its programs. It is
// nil if the stack has no interpreter.
func (x waiting) interpreted() []stack.Frame {
	if x.stack == nil {
		return nil
	}
	found, left := false, []stack.Frame{}
	for i := range x.stack.Frames {
		f := &x.stack.Frames[i]
		m := x.p.Module(f.PC)
		switch {
		case m != nil && where.Interprets(m, x.s.Symbols):
			found = true
		case !where.OfSystem(f) && f.Name != "":
			left = append(left, *f)
		}
	}
	if !found {
		return nil
	}
	return left
}

// awake reports whether a thread was outside of the kernel, or that is not known.
func (x waiting) awake() bool {
	does := x.activity()
	return slices.ContainsFunc(x.p.Threads, func(t *core.Thread) bool { return does.stateOf(t) != kernel.InKernel })
}

// runtimeWaits returns the waits that runtimes report.
func (x waiting) runtimeWaits() (list []*waitGroup) {
	if x.s.Runtimes == nil {
		return nil
	}
	for _, r := range x.s.Runtimes() {
		k, ok := r.(runtimes.Waiter)
		if !ok {
			continue
		}
		for _, w := range k.Waits(x.ctx) {
			g := &waitGroup{count: w.Count, one: w.What, many: w.Many, next: w.Next}
			for _, f := range w.Frames {
				g.frames = append(g.frames, *frameOf(&f))
			}
			if w.Label != "" && len(g.frames) > 0 { // alone it is the same in all programs
				g.frames = append(g.frames, stack.Frame{Kind: runtimes.Native, Name: w.Label})
			}
			if len(w.Frames) == 0 {
				g.class = waitsForTime
			}
			list = append(list, g)
		}
	}
	return list
}

// maxIdle bounds how many threads are looked at.
const maxIdle = 1 << 12

// threadWaits groups the threads that wait in the kernel by the object or call and by the function of the
// program that does. Threads of runtimes themselves are left out.
func (x waiting) threadWaits() (list []*waitGroup) {
	if x.p.Arch == nil || kernel.CallingOf(x.p.Arch) == nil {
		return nil
	}
	blocked := map[*core.Thread]wait.Wait{}
	for _, w := range wait.Blocked(x.ctx, &x.threads) {
		blocked[w.Thread] = w
	}
	known := map[[2]string]*waitGroup{}
	for _, t := range x.p.Threads[:min(len(x.p.Threads), maxIdle)] {
		name, ok := waitsIn(x.p, t)
		if !ok || x.ctx.Err() != nil {
			continue
		}
		st := x.threads.Top(x.ctx, t)
		if st == nil {
			continue
		}
		f := x.ownFrame(st)
		if f == nil {
			continue
		}
		does, class := "in "+name, classOfCall(name)
		if w, ok := blocked[t]; ok {
			does, class = waitWords(w.Kind), waitsForLock
			if w.Kind == wait.Thread {
				class = waitsForEnd
			}
		} else if f.Kind == runtimes.Java {
			if _, state := x.s.Stacks.Describe(t); state != "" {
				does, class = "("+state+")", classOfJava(state)
			}
		}
		key := [2]string{does, where.Frame(f)}
		g := known[key]
		if g == nil {
			g = &waitGroup{kind: "thread", does: does, class: class, at: key[1], frames: ofKind(st.Frames, f),
				next: "::stacks"}
			if f.Kind == runtimes.Java {
				g.next = "::javathreads"
			}
			known[key], list = g, append(list, g)
		}
		g.count++
		g.main = g.main || t.TID == x.p.PID && f.Kind == runtimes.Java && x.draws()
	}
	return list
}

// draws reports whether the process' first thread may draw a user interface.
func (x waiting) draws() bool {
	return slices.ContainsFunc(x.s.Runtimes(),
		func(r runtimes.Runtime) bool { _, ok := r.(runtimes.Blocker); return ok })
}

// from returns the frames of a stack from one on.
func from(frames []stack.Frame, f *stack.Frame) []stack.Frame {
	for i := range frames {
		if frames[i].PC == f.PC && frames[i].SP == f.SP && frames[i].Name == f.Name {
			return frames[i:]
		}
	}
	return frames
}

// fromOwn returns the frames of a stack from the first one of the program's own Java code on, if those within
// it only wait: they are the runtime's or of Java's library.
func (x waiting) fromOwn(frames []stack.Frame) []stack.Frame {
	for i := range frames {
		f := &frames[i]
		switch {
		case f.Kind == runtimes.Java && stack.OfProgram(f) && !ofJavaLibrary(f) && !f.Async:
			return frames[i:]
		case stack.Managed(f):
			if f.Kind != runtimes.Java || !ofJavaLibrary(f) {
				return frames
			}
		case f.Name != "" && x.threads.OfProgram(f) && !x.ofLibrary(f) && !x.activity().ofRuntime(f):
			return frames
		}
	}
	return frames
}

// ofKind returns the frames of a stack from one on, without frames of other languages if that is managed code.
func ofKind(frames []stack.Frame, f *stack.Frame) (list []stack.Frame) {
	if !stack.Managed(f) {
		return from(frames, f)
	}
	for i := range frames {
		if g := &frames[i]; stack.OfProgram(g) && !ofJavaLibrary(g) && !g.Async {
			list = append(list, *g)
		}
	}
	return list
}

// ownFrame returns the innermost frame of the program on a stack: of managed code, or of machine code that is
// not a runtime's; nil if there is none.
func (x waiting) ownFrame(st *stack.Stack) *stack.Frame {
	var native *stack.Frame
	managed := false
	for i := range st.Frames {
		f := &st.Frames[i]
		if stack.Managed(f) && f.Kind != runtimes.API {
			managed = true
			if stack.OfProgram(f) && !ofJavaLibrary(f) && !f.Async {
				return f
			}
		}
		if native == nil && !managed && !stack.Managed(f) && x.threads.OfProgram(f) && !x.ofLibrary(f) {
			native = f
		}
	}
	if managed || native == nil || x.activity().ofRuntime(native) {
		return nil
	}
	return native
}

// ofLibrary reports whether a frame belongs to a library of its language, which an optimiser may have inlined.
func (x waiting) ofLibrary(f *stack.Frame) bool {
	kind, _ := x.rules().Kind(f.Name)
	return kind == "library" || kind == "irrelevant" || strings.Contains(f.File, "/include/c++/")
}

// javaLibraries are the packages of Java and Android.
var javaLibraries = []string{"java.", "javax.", "jdk.", "sun.", "dalvik.", "libcore.", "kotlin.", "kotlinx.",
	"android.", "com.android.internal."}

// ofJavaLibrary reports whether a frame is in a package of Java or Android.
func ofJavaLibrary(f *stack.Frame) bool {
	return f.Kind == runtimes.Java && slices.ContainsFunc(javaLibraries,
		func(p string) bool { return strings.HasPrefix(f.Name, p) })
}

// A waiting is the part of an examination that asks what a process waited for.
type waiting struct{ *examination }
