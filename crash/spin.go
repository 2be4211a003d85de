package crash

import (
	"fmt"
	"time"

	"coredbg/core"
	"coredbg/crash/kernel"
	"coredbg/crash/where"
	"coredbg/runtimes"
	"coredbg/stack"
)

// A thread is likely to run on and on after longSpin on the processor: within one turn of an event loop, or if that is
// mostOfAge of the time since the process began.
const (
	longSpin  = time.Second
	mostOfAge = 0.8
)

// lasting says what a thread's time on the processor is to be compared with, and whether it tells that the
// thread runs on and on. Times of a runtime's clock come first: they say more than how old the process is.
func (x activity) lasting(t *core.Thread, spent time.Duration) (words string, long bool) {
	if spent == 0 {
		return "", false
	}
	if x.s.Runtimes != nil {
		for _, r := range x.s.Runtimes() {
			k, ok := r.(runtimes.Timekeeper)
			if !ok {
				continue
			}
			age, turn, ok := k.Ran(x.ctx, t)
			if !ok {
				continue
			}
			if turn { // what it had used before is no more than the time that had passed
				if spent-age < longSpin {
					return "", false
				}
				return fmt.Sprintf(", at least %v of that since its event loop went on last, %v after the process began",
					(spent - age).Round(time.Millisecond), age.Round(time.Millisecond)), true
			}
			return ofAge(spent, age)
		}
	}
	if x.p.Began.IsZero() || x.p.Written.IsZero() {
		return "", false
	}
	return ofAge(spent, x.p.Written.Sub(x.p.Began)+time.Second) // both are in whole seconds
}

// ofAge compares a thread's time on the processor with the age of the process.
func ofAge(spent, age time.Duration) (words string, long bool) {
	if age <= 0 || spent > age+age/10 { // a clock that was set
		return "", false
	}
	return fmt.Sprintf(" in the %v since the process began", age.Round(time.Millisecond)), spent >= longSpin &&
		float64(spent) >= mostOfAge*float64(age)
}

// runs says which function a thread runs, "" if that is not known, and whether it is one of
// JavaScript, or was called by one: then it is the function of JavaScript, which its program has,
// whatever machine code that has called. If an interpreter runs it that is not decoded, language is its name.
func (x activity) runs(t *core.Thread) (at string, js bool, language string) {
	st := x.threads.Stack(x.ctx, t, blamedFrames)
	if st == nil {
		return "", false, ""
	}
	frames := st.Frames
	if t == x.s.Thread && x.original != x.p.Signal { // the handler of the signal that came does not run on and on
		frames = frames[handlers(frames):]
	}
	f := x.threads.Running(frames)
	for i := range frames {
		if g := &frames[i]; g.Kind == runtimes.JS && g.File != "" && !g.Async {
			js = true
			if f == nil || f.Kind != runtimes.Wasm {
				f = g
			}
			break
		}
	}
	if f == nil {
		return "", js, ""
	}
	if l := x.threads.Interpreted(frames, f); l != "" && !js {
		return "", false, l
	}
	return where.Frame(f), js, ""
}

// handlers returns the number of frames up to the outermost signal frame.
func handlers(frames []stack.Frame) int {
	n := len(frames)
	for n > 0 && frames[n-1].Kind != runtimes.Signal {
		n--
	}
	return n
}

// minSpin is how long a thread has run at least that is said to run on and on, where the
// core says so.
const minSpin = 50 * time.Millisecond

// spinning returns the thread that seems to run on and on: the only one that is not in the kernel,
// or the one of these that has run for far longer than the others. awake is the number of the
// others, and spent its time on the processor, 0 if that is not known. It returns nil if there
// is no such thread.
func (x activity) spinning() (t *core.Thread, spent time.Duration, awake int) {
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
