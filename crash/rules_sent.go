package crash

import (
	"fmt"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/crash/bugs"
	"coredbg/crash/fault"
	"coredbg/crash/kernel"
	"coredbg/crash/where"
	"coredbg/stack"
)

// snapshot is a process that was not ending.
func (x *examination) snapshot() (finding, bool) {
	if !x.p.Snapshot {
		return finding{}, false
	}
	f := finding{cause: bugs.Snapshot, title: fault.Ending(x.p), sure: bugs.Certain, next: []string{"::stacks"}}
	x.hangs(&f)
	if f.cause == bugs.Snapshot {
		f.evidence = append(f.evidence, waiting{x}.occupations()...)
	}
	waiting{x}.idles(&f)
	waiting{x}.occupied(&f)
	return f, true
}

// A limit is a limit on a process' resources (setrlimit(2)).
type limit struct {
	words string
	own   bool // the kernel sends the signal as if the process had (send_sig(), kernel/signal.c)
}

// limits are signals that the kernel sends where a process goes beyond one.
var limits = map[string]limit{
	"SIGXCPU": {words: "time of the processor (RLIMIT_CPU)"},
	"SIGXFSZ": {words: "the size of a file that it writes (RLIMIT_FSIZE)", own: true},
}

// limited is a process that the kernel has ended for its use of a resource.
func (x *examination) limited() (finding, bool) {
	g := x.originalSignal()
	if g == nil || limits[g.Name].words == "" ||
		g.HasSender && (!limits[g.Name].own || g.PID != 0 && g.PID != x.p.PID) {
		return finding{}, false
	}
	f := finding{cause: bugs.ResourceLimit, sure: bugs.Certain, title: "the process has reached its limit on " +
		limits[g.Name].words, next: []string{"::stacks", "::siginfo"}}
	f.evidence = append(f.evidence, fault.SignalWords(g))
	if !g.HasCode || g.HasSender {
		f.sure = bugs.Likely
	}
	if t := x.s.Thread; t != nil && g.Name == "SIGXFSZ" {
		if n, args, ok := kernel.CallOf(x.p, t); ok && strings.Contains(kernel.CallName(x.p.Arch, n), "write") {
			f.evidence = append(f.evidence, fmt.Sprintf("it wrote to file descriptor %d, by %s", int32(args[0]),
				kernel.CallWords(x.p.Arch, n)))
		}
	}
	if p := x.place(); p != nil {
		f.evidence = append(f.evidence, "the thread was in "+where.Frame(p))
	}
	return f, true
}

// sent is a signal that came from elsewhere.
func (x *examination) sent() (finding, bool) {
	g := x.originalSignal()
	if g == nil || !g.HasSender || g.PID == x.p.PID || g.PID != 0 && x.p.Thread(g.PID) != nil {
		return finding{}, false
	}
	f := finding{cause: bugs.Killed, sure: bugs.Certain, title: fmt.Sprintf("%s sent by pid %d, uid %d", g.Name, g.PID,
		g.UID), next: []string{"::stacks", "::siginfo"}}
	if g.PID == 0 {
		f.title = g.Name + " sent from outside of the process' pid namespace"
	}
	switch {
	case g == x.p.Signal:
	case g.Number == x.p.Signal.Number:
		f.title += ", and raised again by its handler"
	default:
		f.title += ", whose handler raised " + x.p.Signal.Name
	}
	f.evidence = append(f.evidence, x.fault.Words...)
	if p := x.place(); p != nil {
		f.evidence = append(f.evidence, "the thread was in "+where.Frame(p))
	}
	if slices.Contains([]string{"SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL"}, g.Unix()) {
		f.sure = bugs.Likely // senders other than the processor are rare
		if !x.p.Executable(x.fault.PC) {
			f.sure = bugs.Possible
			f.evidence = append(f.evidence, fmt.Sprintf("doubtful: nothing can be executed at the program counter, %v",
				x.fault.PC))
		}
	}
	switch {
	case g.PID == 0:
	case g.PID == x.p.PPID:
		f.evidence = append(f.evidence, "the sender is its parent")
	case g.UID == 0:
		f.evidence = append(f.evidence, "the sender is root's")
	}
	x.watched(&f, g)
	if slices.Contains(toHaveCore, g.Unix()) {
		x.hangs(&f)
	}
	waiting{x}.idles(&f)
	waiting{x}.occupied(&f)
	return f, true
}

// raised is a signal that the process has sent to itself. One of the processor's that ended the process says nothing: a
// handler may have raised it again. One that its handler was called for was sent.
func (x *examination) raised() (finding, bool) {
	g := x.originalSignal()
	if g == nil || !g.HasSender || g.PID != x.p.PID && (g.PID == 0 || x.p.Thread(g.PID) == nil) ||
		g == x.p.Signal && slices.Contains([]string{"SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL"}, g.Unix()) {
		return finding{}, false
	}
	f := finding{cause: bugs.Killed, sure: bugs.Possible, title: g.Name + ", which the process sent to itself",
		next: []string{"$C", "::stacks"}}
	f.evidence = append(f.evidence, x.fault.Words...)
	if g.Unix() == "SIGABRT" && g.CodeName == "SI_TKILL" && x.fault.Signal == g {
		f.cause, f.title = bugs.Abort, "abort was called, or SIGABRT raised"
		f.evidence = append(f.evidence, "the thread sent the signal to itself, as abort does")
		f.evidence = append(f.evidence, x.causes.except(-1)...)
	}
	if p := x.place(); p != nil {
		f.evidence = append(f.evidence, "the thread was in "+where.Frame(p))
	}
	x.watchedItself(&f, g)
	waiting{x}.occupied(&f)
	return f, true
}

// watchedItself finds threads that wait for each other in a process that a thread of its
// own, a watchdog, has sent a signal to: it may have had another reason, too.
func (x *examination) watchedItself(f *finding, g *core.Signal) {
	if !slices.Contains(toHaveCore, g.Unix()) {
		return
	}
	if title, words := x.stuck(); title != "" {
		f.hang(bugs.Deadlock, title, words, []string{"::deadlock", "::stacks"})
		f.sure = bugs.Likely
		return
	}
	x.tasksStuck(f)
}

// abortOfJS reports whether V8 called what process.abort is bound to: Node's own code calls
// a function of the same name when it gives up.
func (x *examination) abortOfJS() bool {
	i := x.within("node::Abort")
	if i < 0 {
		return false
	}
	for i < len(x.stack.Frames) && x.stack.Frames[i].Name == "node::Abort" {
		i++
	}
	return i < len(x.stack.Frames) && (strings.HasPrefix(x.stack.Frames[i].Name, "v8::internal::") ||
		stack.Managed(&x.stack.Frames[i]))
}

// aborted is an abort without another explanation.
func (x *examination) aborted() (finding, bool) {
	if !x.selfAborted() || x.stack == nil {
		return finding{}, false
	}
	f := finding{cause: bugs.Abort, sure: bugs.Likely, title: "abort was called", next: []string{"$C", "::stacks"}}
	i := x.within("abort")
	for _, name := range []string{"__GI_abort", "process.abort", "node::Abort", "art::Runtime::Abort"} {
		i = max(i, x.within(name))
	}
	if i < 0 {
		return finding{}, false
	}
	said := x.causes.except(-1)
	if f.evidence = append(f.evidence, x.stack.Frames[i].Name+" is on the stack"); len(said) == 0 {
		f.evidence[0] += ", and no message was left"
	}
	f.evidence = append(f.evidence, said...)
	if x.within("process.abort") >= 0 || x.abortOfJS() {
		f.cause, f.sure, f.title = bugs.JSAbort, bugs.Certain, "process.abort was called"
		f.next = []string{"::jsstack -v"}
		if m := x.managed(); m != nil {
			f.title += " in " + where.Frame(m)
		}
		return f, true
	}
	if (heapExam{x}).abortedInFree(&f) {
		f.title = faultTitles[f.cause]
	}
	p := x.culprit()
	if p != nil {
		f.title += " in " + where.Frame(p)
	}
	if stop := x.stack.Stop; stop != nil && (p == nil || stop.Kind != "root") {
		f.sure = bugs.Possible
		f.evidence = append(f.evidence, "doubtful: what called it is not known to its end: "+stop.Error())
	}
	return f, true
}
