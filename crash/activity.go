package crash

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"coredbg/core"
	"coredbg/crash/kernel"
	"coredbg/crash/wait"
	"coredbg/crash/where"
	"coredbg/runtimes"
	"coredbg/stack"
)

// An activity is the state of a process's threads when it ended: which ran, and which waited and for which reason.
type activity struct {
	ctx     context.Context
	s       *Subject
	p       *core.Process
	threads *where.Threads
	// original is the signal that ended the process, and pc is where the thread was when it came.
	original *core.Signal
	pc       core.Addr
}

// blamedFrames is how many frames of a thread are walked that a verdict is made about.
const blamedFrames = 400

// stateOf says whether a thread was in the kernel. For a thread that a signal has ended, it is the
// state when the signal came.
func (x activity) stateOf(t *core.Thread) kernel.State {
	if t == x.s.Thread && x.original != x.p.Signal {
		return kernel.StateAt(x.p, x.pc)
	}
	return kernel.StateOf(x.p, t)
}

// waitsIn names the system call that a thread is in.
func waitsIn(p *core.Process, t *core.Thread) (name string, ok bool) {
	n, _, ok := kernel.CallOf(p, t)
	if !ok {
		return "", false
	}
	return cmp.Or(kernel.CallName(p.Arch, n), fmt.Sprintf("system call %d", n)), true
}

// mainBlocked returns what a runtime's main thread waits for, nil if for nothing that another
// thread holds.
func (x activity) mainBlocked() *runtimes.Blocked {
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

// deadlocks says which threads wait for each other, as far as a runtime knows.
func (x activity) deadlocks() (out []runtimes.DeadlockCircle) {
	if x.s.Runtimes == nil {
		return nil
	}
	for _, r := range x.s.Runtimes() {
		if d, ok := r.(runtimes.Deadlocker); ok {
			out = append(out, d.DeadlockCircles()...)
		}
		if d, ok := r.(runtimes.LockWaiter); ok {
			waits, _ := d.LockWaits() // a wait that cannot be read leaves others to be found
			out = append(out, wait.Mixed(x.ctx, x.threads, waits)...)
		}
	}
	return out
}

// ofRuntime reports whether a frame of machine code belongs to a runtime, which waits in threads of its own.
func (x activity) ofRuntime(f *stack.Frame) bool {
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
