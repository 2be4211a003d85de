package crash

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"coredbg/core"
	"coredbg/crash/bugs"
	"coredbg/crash/fault"
	"coredbg/crash/kernel"
	"coredbg/crash/wait"
	"coredbg/crash/where"
	"coredbg/runtimes"
)

// hangs says why a process that somebody looked at did not go on, if it did not: of threads
// that wait for each other, or one that runs while all others wait. It changes a finding
// that says how the core came about.
func (x *examination) hangs(f *finding) {
	if d := x.deadlocks(); len(d) > 0 {
		x.hang(f, bugs.JavaDeadlock, "threads wait for each other", d, []string{"::deadlock", "::javathreads"})
		return
	}
	if title, words := x.stuck(); title != "" {
		x.hang(f, bugs.Deadlock, title, words, []string{"::stacks", "::stacks -a"})
		return
	}
	if x.unresponsive(f) {
		return
	}
	t, spent, awake := x.spinning()
	if t == nil {
		return
	}
	at, js := x.runs(t)
	if at == "" {
		return
	}
	words := fmt.Sprintf("thread %d runs in %s", t.TID, at)
	if n := len(x.p.Threads) - 1 - awake; n > 0 {
		words += fmt.Sprintf(", while the other %d wait in the kernel", n)
	}
	if spent > 0 {
		words += fmt.Sprintf("; it has used %v of the processor", spent.Round(time.Millisecond))
	}
	if awake > 0 {
		words += fmt.Sprintf("; awake with it: %d that ran for less than a tenth of that", awake)
	}
	f.evidence = append([]string{words}, f.evidence...)
	if f.cause == bugs.Watchdog {
		return
	}
	f.evidence = append(f.evidence, "whether it would have gone on cannot be told from one core: compare with another one")
	x.blame(t)
	sure := bugs.Likely
	if x.p.Snapshot || spent == 0 { // Linux writes how long it ran, if that is not next to nothing
		sure = bugs.Possible
	}
	f.cause, f.sure, f.next = bugs.BusyLoop, sure, []string{fmt.Sprintf("0t%d::stack", t.TID), "::stacks"}
	said := "a thread runs on and on in "
	if js {
		f.cause, f.next = bugs.JSBlockedLoop, []string{fmt.Sprintf("0t%d::jsstack -v", t.TID), "::uvloop", "::stacks"}
		if said = "the event loop is blocked by "; t.TID != x.p.PID {
			said = "the event loop of a worker is blocked by "
		}
	}
	f.title = said + at + "; " + f.title
}

// runs says in which function a thread runs, "" if that is not known, and whether it is one of
// JavaScript, or was called by one: then it is the function of JavaScript, which its program has,
// whatever machine code that has called.
func (x *examination) runs(t *core.Thread) (at string, js bool) {
	st := x.threads.Stack(x.ctx, t, blamedFrames)
	if st == nil {
		return "", false
	}
	f := x.threads.Running(st.Frames)
	for i := range st.Frames {
		if g := &st.Frames[i]; g.Kind == runtimes.JS && g.File != "" && !g.Async {
			js = true
			if f == nil || f.Kind != runtimes.Wasm {
				f = g
			}
			break
		}
	}
	if f == nil {
		return "", js
	}
	return where.Frame(f), js
}

// unresponsive finds a main thread, which a user interface is drawn by, that waits for what
// another thread holds. It may have waited for a moment only; a signal to have a core says
// that it was longer.
func (x *examination) unresponsive(f *finding) bool {
	b := x.mainBlocked()
	if b == nil || b.Main == nil || b.Owner == nil {
		return false
	}
	words := fmt.Sprintf("the main thread waits for a %s that thread %d, %s, holds", b.For, b.Owner.TID, b.Name)
	if b.At != "" {
		words += ", in " + b.At
	}
	holder := fmt.Sprintf("thread %d is %s", b.Owner.TID, b.State)
	if b.OwnerAt != "" {
		holder += ", in " + b.OwnerAt
	}
	title := fmt.Sprintf("the main thread waits for thread %d, %s", b.Owner.TID, b.Name)
	x.hang(f, bugs.ANR, title, []string{words, holder}, []string{fmt.Sprintf("0t%d::javastack", b.Owner.TID), "::javamonitors", "::javathreads"})
	f.sure = bugs.Likely
	if x.p.Snapshot {
		f.sure = bugs.Possible
	}
	f.evidence = append(f.evidence, "whether it would have gone on cannot be told from one core: compare with another one")
	x.blame(b.Main)
	return true
}

// mainBlocked returns what a runtime's main thread waits for, nil if for nothing that another
// thread holds.
func (x *examination) mainBlocked() *runtimes.Blocked {
	if x.s.Runtimes == nil {
		return nil
	}
	for _, r := range x.s.Runtimes() {
		if k, ok := r.(runtimes.Blocker); ok {
			if b := k.MainBlocked(); b != nil {
				return b
			}
		}
	}
	return nil
}

// toHaveCore are the signals that are sent to a process that does not go on.
var toHaveCore = []string{"SIGABRT", "SIGQUIT", "SIGTRAP", "SIGXCPU"}

// deadlocked is a process that a signal hit in the kernel, nobody knows whose, while threads
// waited for each other: not every core says who has sent a signal.
func (x *examination) deadlocked() (finding, bool) {
	g := x.p.Signal
	if g == nil || g.HasSender || !slices.Contains(toHaveCore, g.Unix()) || !kernel.InCall(x.p, x.fault.PC) {
		return finding{}, false
	}
	title, words := x.stuck()
	if title == "" {
		return finding{}, false
	}
	f := finding{title: fault.Ending(x.p)}
	x.hang(&f, bugs.Deadlock, title, words, []string{"::stacks", "::stacks -a"})
	f.sure = bugs.Likely
	f.evidence = append(f.evidence, "who has sent the signal is not known")
	return f, true
}

func (x *examination) hang(f *finding, c bugs.Cause, title string, words, next []string) {
	f.cause, f.sure, f.next = c, bugs.Certain, next
	f.title = title + "; " + f.title
	f.evidence = append(words, f.evidence...)
}

// minSpin is how long a thread has run at least that is said to run on and on, where the
// core says so.
const minSpin = 50 * time.Millisecond

// spinning returns the thread that seems to run on and on: the only one that is not in the kernel,
// or the one of these that has run for far longer than the others, of which awake is how many there
// are. What it has used of the processor is spent, 0 if that is not known. It returns nil if there
// is none.
func (x *examination) spinning() (t *core.Thread, spent time.Duration, awake int) {
	if x.p.Arch != core.AMD64 && x.p.Arch != core.ARM64 {
		return nil, 0, 0
	}
	var running []*core.Thread
	for _, t := range x.p.Threads {
		switch x.stateOf(t) {
		case kernel.Unknown:
			return nil, 0, 0
		case kernel.Running:
			running = append(running, t)
		}
	}
	only := busiest(running)
	if only == nil {
		return nil, 0, 0
	}
	awake = len(running) - 1
	if only.CPU == nil {
		return only, 0, awake
	}
	if spent := only.CPU.User; spent < minSpin && spent+only.CPU.System > 0 { // no times at all are a debugger's
		return nil, 0, 0
	}
	return only, only.CPU.User, awake
}

// busiest returns the one of some threads that has used more than ten times as much of the processor as any other; nil
// if there is none.
func busiest(threads []*core.Thread) *core.Thread {
	var most *core.Thread
	for _, t := range threads {
		if t.CPU == nil && len(threads) > 1 {
			return nil
		}
		if most == nil || t.CPU.User > most.CPU.User {
			most = t
		}
	}
	for _, t := range threads {
		if t != most && t.CPU.User*hardly >= most.CPU.User {
			return nil
		}
	}
	return most
}

// hardly is how many times as long a thread has run as one that has hardly run.
const hardly = 10

// stateOf says whether a thread was in the kernel; of the one that a signal has ended, when that came.
func (x *examination) stateOf(t *core.Thread) kernel.State {
	if t == x.s.Thread && x.came() != x.p.Signal {
		return kernel.StateAt(x.p, x.fault.PC)
	}
	return kernel.StateOf(x.p, t)
}

// watched says of a signal whether it was a service manager's, which is process 1, or the
// process's parent, or one outside of its container: systemd tells a service that has a
// watchdog its time, and whose it is (sd_watchdog_enabled(3)), and sends SIGABRT when the
// service is silent for longer.
func (x *examination) watched(f *finding, g *core.Signal) {
	if g.PID != 1 && g.PID != 0 && g.PID != x.p.PPID || !slices.Contains([]string{"SIGABRT", "SIGQUIT"}, g.Unix()) {
		return
	}
	env, err := core.Environ(x.p)
	value := func(name string) string {
		for _, s := range env {
			if v, ok := strings.CutPrefix(s, name+"="); ok {
				return v
			}
		}
		return ""
	}
	usec, of := value("WATCHDOG_USEC"), value("WATCHDOG_PID")
	switch {
	case usec != "" && (of == "" || of == strconv.Itoa(x.p.PID) || g.PID == 0): // in a container its number is another
		f.cause, f.sure = bugs.Watchdog, bugs.Likely
		f.title += ", as a service manager does when a service with a watchdog is silent"
		f.evidence = append(f.evidence, "the environment has WATCHDOG_USEC="+usec)
	case usec != "":
		f.evidence = append(f.evidence, "the environment has WATCHDOG_USEC, but for process "+of)
	case g.PID != 1:
	case err != nil:
		f.evidence = append(f.evidence, "process 1 may be a service manager; whether the process had a watchdog is not known: "+err.Error())
	default:
		f.evidence = append(f.evidence, "process 1 may be a service manager, but the environment has no WATCHDOG_USEC")
	}
}

// deadlocks says which threads wait for each other, as far as a runtime knows.
func (x *examination) deadlocks() []string {
	var out []string
	if x.s.Runtimes == nil {
		return nil
	}
	for _, r := range x.s.Runtimes() {
		if d, ok := r.(runtimes.Deadlocker); ok {
			out = append(out, d.DeadlockWords()...)
		}
	}
	return out
}

// stuck says which threads wait for each other, and for what, and makes the verdict one
// about them.
func (x *examination) stuck() (title string, words []string) {
	d := wait.Deadlocked(x.ctx, &x.threads)
	if d == nil {
		return "", nil
	}
	x.blame(d.First)
	return d.Title, d.Words
}

// blamedFrames is how many frames of a thread are walked that a verdict is made about.
const blamedFrames = 400

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
