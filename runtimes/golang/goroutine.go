package golang

import (
	"time"

	"coredbg/core"
)

// Statuses of a goroutine (runtime/runtime2.go of Go 1.26); the numbers are the same in all releases
// that have them.
const (
	statusIdle      = 0
	statusRunning   = 2
	statusSyscall   = 3
	statusWaiting   = 4
	statusDead      = 6
	statusLeaked    = 10
	statusDeadExtra = 11
	statusScan      = 0x1000
)

var statuses = []string{"idle", "runnable", "running", "syscall", "waiting", "moribund", "dead", "enqueue",
	"copystack", "preempted",
	"leaked", "deadextra"}

// A Goroutine is a goroutine in the runtime's list, as it was.
type Goroutine struct {
	Addr core.Addr // of its g
	ID   uint64    // goid; 0 if it is dead and never was alive
	// Status is the word of its status: idle, runnable, running, syscall, waiting, dead, copystack,
	// preempted, leaked, deadextra; Scan says that the garbage collector is looking at its stack.
	Status string
	Scan   bool
	// Reason is why it waits, in the runtime's own words; "" if it does not wait or has no reason.
	Reason string
	// Since is when it began to wait by the runtime's clock, as recorded by the first garbage
	// collection since then; 0 if there was no collection. Waited is the least time that it has waited,
	// as far as the core tells.
	Since  time.Duration
	Waited time.Duration
	// Low and High bound its stack.
	Low, High core.Addr
	// Creator is the address after the go statement that made it, Start the address of its function.
	Creator, Start core.Addr
	Parent         uint64 // the goroutine that made it; 0 before Go 1.21
	// Thread runs it, in its code or in a call of the system or of C; nil if no thread does.
	Thread *core.Thread
	M      core.Addr // the m of that; 0 if none runs it
	// LockedM is the m of the thread that it is bound to (runtime.LockOSThread), and Locked that thread.
	LockedM core.Addr
	Locked  *core.Thread
	Panic   core.Addr // its innermost panic; 0 if it does not panic
	Labels  []Label   // of profiles
	// Err is non-nil if part of the goroutine cannot be trusted, and says which part.
	Err error

	resume *core.Thread // with the registers that it goes on with; nil if it is dead, or not known
	task   *core.Thread // see Task
}

// Dead reports whether it is one that has ended, or that was never begun: a g that waits for use.
func (g *Goroutine) Dead() bool {
	return g.Status == statuses[statusDead] || g.Status == statuses[statusDeadExtra] || g.Status == statuses[statusIdle]
}

// A goroutineRoom is what is kept for a goroutine that is alive. Rooms are made many at a time: a process may have a
// million goroutines.
type goroutineRoom struct {
	g      Goroutine
	thread core.Thread
	task   core.Task
}

// Task returns the thread that runs the goroutine, or the one that stands for it; nil if it has no stack
// that is known.
func (g *Goroutine) Task() *core.Thread { return g.task }

// newTask returns what Task returns.
func (g *Goroutine) newTask() *core.Thread {
	if g.Thread != nil {
		return g.Thread
	}
	if g.Err != nil || g.resume == nil {
		return nil
	}
	g.resume.State = g.State()
	*g.resume.Task = core.Task{Kind: "goroutine", ID: g.ID, Addr: g.Addr, Low: g.Low, High: g.High, Waited: g.Waited}
	return g.resume
}

// State is what the goroutine does as Go's own traces have it: why it waits if that is known, else its status.
func (g *Goroutine) State() string {
	s := g.Status
	if g.Reason != "" {
		s = g.Reason
	}
	if g.Status == statuses[statusLeaked] {
		s += " (leaked)"
	}
	if g.Scan {
		s += " (scan)"
	}
	return s
}
