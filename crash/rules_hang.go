package crash

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"coredbg/core"
	"coredbg/crash/bugs"
	"coredbg/crash/fault"
	"coredbg/crash/kernel"
	"coredbg/crash/wait"
	"coredbg/runtimes"
)

// hangs says why a process that was examined while it was alive made no progress, if it did not: its
// threads wait for each other, or one runs while all others wait. It changes a finding that says how
// the core came about.
func (x *examination) hangs(f *finding) {
	if d := x.activity().deadlocks(); len(d) > 0 {
		var words []string
		for _, circle := range d {
			words = append(words, circle.Words)
		}
		f.hang(bugs.JavaDeadlock, waitTitle(d[0].Threads), words, []string{"::deadlock", "::javathreads"})
		if !slices.ContainsFunc(d, func(c runtimes.DeadlockCircle) bool { return !c.Inferred }) {
			f.sure = bugs.Likely
			f.evidence = append(f.evidence, "who would have ended a wait is inferred from the stacks: another thread may do so")
		}
		if d[0].First != nil {
			x.blame(d[0].First)
		}
		return
	}
	if title, words := x.stuck(); title != "" {
		f.hang(bugs.Deadlock, title, words, []string{"::deadlock", "::stacks"})
		return
	}
	if x.tasksStuck(f) || x.unresponsive(f) {
		return
	}
	if !x.blocksLoop(f) {
		x.spins(f)
	}
	if words := Unread(x.ctx, x.s); words != "" && (f.cause == bugs.Killed || f.cause == bugs.Watchdog ||
		f.cause == bugs.Snapshot) {
		f.evidence = append(f.evidence, words)
	}
}

// waitTitle says that threads wait for each other, by their names if all are known. It names the first few of many.
func waitTitle(names []string) string {
	const most, long = 4, 40
	var quoted []string
	for _, name := range names {
		if name == "" {
			return "threads wait for each other"
		}
		if runes := []rune(name); len(runes) > long {
			name = string(runes[:long-1]) + "…"
		}
		quoted = append(quoted, strconv.Quote(name))
	}
	last := len(quoted) - 1
	switch {
	case last < 0:
		return "threads wait for each other"
	case last == 0:
		return "thread " + quoted[0] + " waits for itself"
	case last >= most:
		return fmt.Sprintf("%d threads wait for each other: %s …", len(quoted), strings.Join(quoted[:most], ", "))
	}
	return "threads " + strings.Join(quoted[:last], ", ") + " and " + quoted[last] + " wait for each other"
}

// unresponsive finds a main thread, which draws a user interface, that waits for a lock or an event of
// another thread. It may have waited for a moment only; a signal sent for a core says that it was
// longer.
func (x *examination) unresponsive(f *finding) bool {
	b := x.activity().mainBlocked()
	if b == nil || b.Main == nil || b.Owner == nil {
		return false
	}
	words := "the main thread waits for " + b.For
	if b.At != "" {
		words += ", in " + b.At
	}
	holder := fmt.Sprintf("thread %d is %s", b.Owner.TID, b.State)
	if b.OwnerAt != "" {
		holder += ", in " + b.OwnerAt
	}
	title := fmt.Sprintf("the main thread waits for thread %d, %s", b.Owner.TID, b.Name)
	f.hang(bugs.ANR, title, []string{words, holder}, []string{fmt.Sprintf("0t%d::javastack", b.Owner.TID),
		"::javamonitors", "::javathreads"})
	f.sure = bugs.Likely
	if x.p.Snapshot {
		f.sure = bugs.Possible
	}
	f.evidence = append(f.evidence, "whether it would have gone on cannot be told from one core: compare with another one")
	x.blame(b.Main)
	return true
}

// deadlocked is a process that a signal of unknown origin hit in the kernel, while threads waited for
// each other: not every core says who has sent a signal.
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
	f.hang(bugs.Deadlock, title, words, []string{"::deadlock", "::stacks"})
	f.sure = bugs.Likely
	f.evidence = append(f.evidence, "who has sent the signal is not known")
	return f, true
}

// watched checks whether a signal came from a service manager: process 1, the process's parent, or a
// process outside of its container. systemd gives a service with a watchdog its time and its process
// (sd_watchdog_enabled(3)), and sends SIGABRT when the service is silent for longer.
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

// tasksStuck finds tasks of a runtime, such as goroutines, that wait for each other, and makes the verdict one about
// them. Other tasks may go on.
func (x *examination) tasksStuck(f *finding) bool {
	if x.s.Runtimes == nil {
		return false
	}
	for _, r := range x.s.Runtimes() {
		k, ok := r.(runtimes.TaskWaiter)
		if !ok {
			continue
		}
		if d := wait.TasksDeadlocked(x.ctx, &x.threads, k); d != nil {
			x.signed = d.Frames
			f.hang(bugs.Deadlock, d.Title, d.Words, []string{"::deadlock", "::goroutines -g"})
			f.sure, f.settled = bugs.Likely, true
			return true
		}
	}
	return false
}

// asleep adds the waits of all goroutines to a finding about "all goroutines are asleep". Go's runtime ends the program
// in whichever thread notices that, so the most common wait names the bug.
func (x *examination) asleep(f *finding) {
	if x.tasksStuck(f) {
		f.sure = bugs.Certain // the runtime has made sure that they do not go on
		return
	}
	waiting{x}.occupied(f)
	x.signed = x.waited
	if x.waiter != nil {
		x.blame(x.waiter)
	}
}

// stuck says which threads wait for each other, with the objects they wait for, and makes the verdict
// one about them.
func (x *examination) stuck() (title string, words []string) {
	d := wait.Deadlocked(x.ctx, &x.threads)
	if d == nil {
		return "", nil
	}
	x.blame(d.First)
	return d.Title, d.Words
}
