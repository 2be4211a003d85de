package crash

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"coredbg/core"
	"coredbg/crash/bugs"
	"coredbg/crash/kernel"
	"coredbg/crash/wait"
	"coredbg/crash/where"
	"coredbg/runtimes"
	"coredbg/stack"
)

// A waitGroup is a number of tasks, threads or calls that wait in the same way and place.
type waitGroup struct {
	count   int
	class   int
	kind    string // "goroutine", "thread"; "" of a runtime's own words
	does    string
	at      string
	one     string // a runtime's own words, of one and of several
	many    string
	longest time.Duration
	main    bool          // the thread that draws the user interface is one
	frames  []stack.Frame // that name the bug
	first   *core.Thread  // a task of the group; nil for threads
	next    string
}

// words says in a sentence what a group waits for.
func (g *waitGroup) words() string {
	switch {
	case g.kind == "" && g.count == 1:
		return g.one
	case g.kind == "":
		return fmt.Sprintf("%d %s", g.count, g.many)
	case g.kind != "thread":
		return g.taskWords()
	case g.count == 1:
		return fmt.Sprintf("a thread waits %s, in %s", g.does, g.at)
	}
	return fmt.Sprintf("%d threads wait %s, in %s", g.count, g.does, g.at)
}

// compareGroups puts the wait of the thread that draws the user interface first, without which nothing goes on, then the most
// common waits. Waits without a function of the program come last.
func compareGroups(a, b *waitGroup) int {
	return cmp.Or(min(len(b.frames), 1)-min(len(a.frames), 1), compareBool(b.main, a.main), b.count-a.count, a.class-b.class, cmp.Compare(b.longest, a.longest), cmp.Compare(a.does, b.does), cmp.Compare(a.at, b.at), cmp.Compare(a.one, b.one))
}

// idles says what a process waited for that was ended from outside, the most common wait first. If no thread ran, the bug
// is named by that wait.
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

// interpreted returns the frames that name a bug of a program whose interpreter is not decoded, of the stack that the verdict is
// about: those outside of the interpreter, which are the same in all its programs. It is nil if the stack has no interpreter.
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
	return slices.ContainsFunc(x.p.Threads, func(t *core.Thread) bool { return x.stateOf(t) != kernel.InKernel })
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

// threadWaits groups the threads that wait in the kernel by the object or call and by the function of the program that does.
// Threads of runtimes themselves are left out.
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
		name, ok := x.waitsIn(t)
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
			g = &waitGroup{kind: "thread", does: does, class: class, at: key[1], frames: ofKind(st.Frames, f), next: "::stacks"}
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

// compareBool puts false first.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// draws reports whether the process' first thread may draw a user interface.
func (x waiting) draws() bool {
	return slices.ContainsFunc(x.s.Runtimes(), func(r runtimes.Runtime) bool { _, ok := r.(runtimes.Blocker); return ok })
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

// fromOwn returns the frames of a stack from the first one of the program's own Java code on, if those within it only wait: they
// are the runtime's or of Java's library.
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
		case f.Name != "" && x.threads.OfProgram(f) && !x.ofLibrary(f) && !x.ofRuntime(f):
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

// ownFrame returns the innermost frame of the program on a stack: of managed code, or of machine code that is not a runtime's;
// nil if there is none.
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
	if managed || native == nil || x.ofRuntime(native) {
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
var javaLibraries = []string{"java.", "javax.", "jdk.", "sun.", "dalvik.", "libcore.", "kotlin.", "kotlinx.", "android.", "com.android.internal."}

// ofJavaLibrary reports whether a frame is in a package of Java or Android.
func ofJavaLibrary(f *stack.Frame) bool {
	return f.Kind == runtimes.Java && slices.ContainsFunc(javaLibraries, func(p string) bool { return strings.HasPrefix(f.Name, p) })
}

// ofRuntime reports whether a frame of machine code belongs to a runtime, which waits in threads of its own.
func (x waiting) ofRuntime(f *stack.Frame) bool {
	m := x.p.Module(f.PC)
	if m == nil {
		return false
	}
	if where.Interprets(m, x.s.Symbols) || strings.HasPrefix(f.Name, "runtime/cgo") {
		return true
	}
	if x.s.Runtimes == nil {
		return false
	}
	for _, r := range x.s.Runtimes() {
		if k, ok := r.(runtimes.Tasker); ok && k.OfRuntime(f.Name) {
			return true
		}
		if k, ok := r.(interface{ Module() *core.Module }); ok && k.Module() == m {
			return true
		}
	}
	return false
}

// waitWords says what a thread waits for, by the kind of it.
func waitWords(kind string) string {
	switch kind {
	case wait.Thread:
		return "for another one's end"
	case wait.RWLock:
		return "for a read-write lock"
	}
	return "for a " + kind
}

// classOfCall returns the class of a wait by the system call that it is in.
func classOfCall(name string) int {
	switch {
	case strings.HasPrefix(name, "futex"):
		return waitsForLock
	case strings.Contains(name, "poll") || strings.Contains(name, "select") || strings.HasPrefix(name, "io_"):
		return waitsForAny
	case strings.Contains(name, "sleep") || name == "pause" || strings.HasPrefix(name, "rt_sig"):
		return waitsForTime
	}
	return waitsForInput
}

// classOfJava returns the class of a wait by the state of the thread.
func classOfJava(state string) int {
	switch state {
	case "Sleeping", "TimedWaiting":
		return waitsForTime
	case "Native":
		return waitsForInput
	}
	return waitsForLock
}

// A waiting is the part of an examination that asks what a process waited for.
type waiting struct{ *examination }
