package runtimes

import (
	"context"

	"coredbg/core"
	"coredbg/walk"
)

// A JavaThreader is a JavaRunner that describes the threads of its virtual machine.
type JavaThreader interface {
	JavaRunner
	// JavaThreads returns the threads that run Java, in the order of thread dumps, then the virtual machine's
	// own. An error comes with the threads that could be read.
	JavaThreads() ([]JavaThread, error)
}

// A JavaThread is a thread of a Java virtual machine.
type JavaThread struct {
	TID    int          // the kernel's id
	Native *core.Thread // nil if the core does not have it; a core.Task of a virtual thread that no thread has mounted
	Name   string
	// Virtual is set if it is a virtual thread. The TID is then the kernel's id for the thread that has it
	// mounted, 0 if no thread has.
	Virtual bool
	Carries int64 // the number of the virtual thread that the thread has mounted; 0 if there is no such thread
	// Internal is set for a thread of the virtual machine that runs no Java: of its collector, a compiler,
	// for operations of its own.
	Internal bool
	Number   int64  // the virtual machine's number for it, such as Thread.threadId
	State    string // Thread.State as thread dumps have it: "TIMED_WAITING (sleeping)"
	Does     string // what the virtual machine says that it does: "waiting on condition"
	Code     string // what it runs: "in Java", "in native", "in vm", "blocked"
	Daemon   bool
	Priority int       // 0 if it is not known
	Addr     core.Addr // of the virtual machine's own record
	Peer     core.Addr // the java.lang.Thread
	Problem  string    // what could not be read; ""
}

// The Kinds of a JavaLock.
const (
	LockHeld     = "locked"
	LockEnter    = "lock"       // it waits to lock a monitor
	LockNotify   = "wait"       // Object.wait
	LockPark     = "park"       // LockSupport.park
	LockClass    = "class"      // it waits for another thread to initialise the class, whose name is Class
	LockNeedless = "eliminated" // the compiler has found the lock needless
)

// A JavaLock is an object that a frame has locked, or that its thread waits for.
type JavaLock struct {
	Kind    string
	Addr    core.Addr
	Class   string // "java.lang.Class for C" of a class
	Missing string // why the object is not known; ""
}

// A JavaMonitor is an object whose monitor has an owner, or threads that wait.
type JavaMonitor struct {
	Object            core.Addr
	Class             string
	State             string    // "locked" without a monitor, "inflated", "unlocked"
	Addr              core.Addr // the record of the virtual machine; 0 if there is none
	Owner             *JavaThread
	Count             int // how often the owner has locked it; 0 if that is not known
	Entering, Waiting []JavaThread
	Problem           string
}

// A JavaLocker is a JavaThreader that knows locks.
type JavaLocker interface {
	JavaThreader
	LockWaiter
	// FrameLocks returns the locks that a frame of Java holds. The innermost frame of a waiting thread has
	// the lock that the thread waits for first. Source is the frame's number among the source-level frames of
	// f.
	FrameLocks(t *core.Thread, f *walk.Frame, source int, innermost bool) []JavaLock
	// JavaMonitor returns the lock of an object.
	JavaMonitor(object core.Addr) (JavaMonitor, error)
	// JavaMonitors returns the locks that have an owner or threads that wait, by the address of their
	// objects. With an error come those that could be read.
	JavaMonitors(ctx context.Context) ([]JavaMonitor, error)
}

// LockThread returns the thread as waits have it.
func (t *JavaThread) LockThread() LockThread {
	return LockThread{TID: t.TID, Native: t.Native, Name: t.Name, Number: t.Number, Virtual: t.Virtual}
}

// A JavaVariabler is a JavaRunner that knows the variables of frames.
type JavaVariabler interface {
	JavaRunner
	// JavaVariables returns the variables of source-level frame number source of f. It reports false
	// for a frame that is not the runtime's.
	JavaVariables(f *walk.Frame, source int) ([]JavaVariable, bool)
}

// A JavaVariable is a variable of a frame.
type JavaVariable struct {
	Name     string // "" if the class file does not say it
	Type     string // a descriptor
	Slot     int
	Argument bool
	// Ref is the object of a reference. At is where a value of a primitive type is in memory; Bits the value
	// if At is 0.
	Ref, At core.Addr
	Bits    uint64
	Missing string // why the value is not known; ""
}
