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
	"coredbg/crash/where"
	"coredbg/runtimes"
	"coredbg/stack"
)

// blocksLoop finds a function of JavaScript on the first thread that waits in the kernel before it returns, such as by
// Atomics.wait: meanwhile the event loop stands still.
func (x *examination) blocksLoop(f *finding) bool {
	t, does := x.p.Thread(x.p.PID), x.activity()
	if t == nil || does.stateOf(t) != kernel.InKernel {
		return false
	}
	st := x.threads.Stack(x.ctx, t, blamedFrames)
	if st == nil {
		return false
	}
	i := slices.IndexFunc(st.Frames, func(f stack.Frame) bool {
		return f.Kind == runtimes.JS &&
			stack.OfProgram(&f) && !f.Async
	})
	if i < 0 {
		return false
	}
	name, _ := waitsIn(x.p, t)
	in := does.waitsBy(st.Frames[:i])
	if in == "" {
		return false
	}
	at := where.Frame(&st.Frames[i])
	f.evidence = append([]string{fmt.Sprintf("thread %d, the first, waits in %s by %s, called by %s", t.TID, name, in,
		at)}, f.evidence...)
	if f.cause == bugs.Snapshot { // of a process that was well, for all that is known
		return true
	}
	f.title = fmt.Sprintf("the event loop is blocked by %s, called by %s; %s", in, at, f.title)
	x.blame(t)
	x.signed = ofKind(st.Frames, &st.Frames[i])
	if f.cause == bugs.Watchdog {
		return true
	}
	f.settled, f.sure = true, bugs.Likely
	if in != "Atomics.wait" {
		f.sure = bugs.Possible
		f.evidence = append(f.evidence, "whether it would have gone on cannot be told from one core: compare with another one")
	}
	f.cause, f.next = bugs.JSBlockedLoop, []string{fmt.Sprintf("0t%d::jsstack -v", t.TID), "::uvloop", "::stacks"}
	return true
}

// spins says which thread runs while all others wait, if one does. That it runs on and on is likely where its
// time on the processor says so; else it is possible.
func (x *examination) spins(f *finding) {
	does := x.activity()
	t, spent, awake := does.spinning()
	if t == nil {
		t, spent = does.collects()
	}
	if t == nil {
		return
	}
	at, js, language := does.runs(t)
	if language != "" {
		f.evidence = append(f.evidence, fmt.Sprintf("thread %d runs a function of %s, which is not decoded: whether it runs on and on is not known", t.TID, language))
		return
	}
	task, queue, rest := does.queued(t)
	if at == "" && queue == "" {
		return
	}
	proof, long := does.lasting(t, spent)
	f.evidence = append([]string{spinWords(x.p, t, cmp.Or(at, "the event loop"), spent, awake) + proof}, f.evidence...)
	if f.cause == bugs.Watchdog {
		return
	}
	x.blame(t)
	f.settled, f.sure = true, bugs.Likely
	f.cause, f.next = bugs.BusyLoop, []string{fmt.Sprintf("0t%d::stack", t.TID), "::stacks"}
	said := "a thread runs on and on in "
	if !long {
		f.sure = bugs.Possible
		f.evidence = append(f.evidence, "whether it would have gone on cannot be told from one core: compare with another one")
		said = "a thread may run on and on in "
	}
	if js || queue != "" {
		f.cause, f.next = bugs.JSBlockedLoop, []string{fmt.Sprintf("0t%d::jsstack -v", t.TID), "::uvloop", "::stacks"}
		said = "the event loop" + ofWorker(x.p, t) + " is blocked by "
		if !long {
			said = "the event loop" + ofWorker(x.p, t) + " may be blocked by "
		}
		if queue != "" {
			said += fmt.Sprintf("a queue of %s that does not end: ", queue)
			f.evidence, f.next = append(f.evidence, rest...), append(f.next, "::ticks")
		}
		switch {
		case task != nil:
			at, x.signed = where.Frame(task), []stack.Frame{*task}
		case queue != "" && !js:
			at = "" // a function of the engine, between two of the program
		}
	}
	f.title = strings.TrimSuffix(said+at, ": ") + "; " + f.title
}

// spinWords says which thread runs where, and counts the others.
func spinWords(p *core.Process, t *core.Thread, at string, spent time.Duration, awake int) string {
	words := fmt.Sprintf("thread %d runs in %s", t.TID, at)
	if n := len(p.Threads) - 1 - awake; n > 0 {
		words += fmt.Sprintf(", while the other %d wait in the kernel", n)
	}
	if spent > 0 {
		words += fmt.Sprintf("; it has used %v of the processor", spent.Round(time.Millisecond))
	}
	if awake > 0 {
		words += fmt.Sprintf("; awake with it: %d that ran for less than a tenth of that", awake)
	}
	return words
}
