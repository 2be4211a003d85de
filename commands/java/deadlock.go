package java

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/crash"
	"coredbg/crash/wait"
	"coredbg/crash/where"
	"coredbg/runtimes"
	"coredbg/runtimes/art"
)

var deadlockCommands = []commands.Command{{
	Name: "deadlock", Module: module, Addr: commands.AddrNone,
	Summary: "show circles of threads and goroutines that wait for each other",
	Detail: `Follows from each blocked thread to the owner of the object that it waits for: monitors of Java,
locks of java.util.concurrent through Thread.parkBlocker, and of native code mutexes and
threads whose end is waited for (::mutexes). A circle may have both: a thread with a monitor waits in native
code for a mutex, whose owner waits for the monitor.

Goroutines are followed through sync.Mutex, sync.RWMutex, sync.WaitGroup and channels. Go does not record
who holds a lock: it is inferred from the code of the functions on the stacks. A function that has
called Lock and not yet Unlock holds the lock. A goroutine in a select is in no circle.

If there is no circle, it shows Java threads that wait without a limit in the program's own code and that no known thread
can wake: for a permit of a Semaphore, a CountDownLatch, an element of a queue, a notification. Such a wait may be intended. Each is
a line {"type":"starved","threads":[{"id":N,"tid":N,"name":TEXT}],"kind":"park","addr":X,"class":C,"left":"0 permits","in":PLACE}.
If there are no such threads either, it names the locks that were read. It also names the languages whose locks were
not read: Python, Ruby and others whose interpreters are not decoded.`,
	Example: "::deadlock",
	SeeAlso: []string{"mutexes", "javamonitors", "javastack", "goroutines"},
	Run:     runDeadlock,
}}

// deadlockRecord is a circle of threads. Each waits for the next.
type deadlockRecord struct {
	_     out.Record `record:"deadlock"`
	Waits []edge     `json:"waits"`
	at    core.Addr  `dot:"always"` // the object that the first thread waits for
}

// An edge is a thread that waits for another one.
type edge struct {
	Thread threadRef `json:"thread"`
	// lock, park, class, task, queue, read, complete, join; of native code mutex, rwlock, thread: it waits
	// for its end; of Go sync.Mutex, sync.RWMutex, sync.WaitGroup, channel
	Kind   string    `json:"kind"`
	Addr   core.Addr `json:"addr"`  // what it waits for
	Class  string    `json:"class"` // of native code and Go its symbol
	Owner  threadRef `json:"owner"`
	In     string    `json:"in,omitempty"`      // of Go: the function that waits
	HeldIn string    `json:"held_in,omitempty"` // of Go: the function that holds it, and where it has locked it
	words  string    // of Go, and of Java where it is no lock
}

func runDeadlock(ctx context.Context, c *commands.Call) error {
	a := &answer{read: []string{"mutexes, read-write locks and ends of threads of the C library"}}
	var err error
	if a.circles, err = nativeCircles(ctx, c); err != nil {
		return err
	}
	if k, ok := commands.RuntimeOf[runtimes.TaskWaiter](c.Session); ok {
		n, err := goCircles(ctx, c, k)
		if err != nil {
			return err
		}
		a.circles += n
		if k.WaitsError() == nil {
			a.read = append(a.read, "locks, WaitGroups and channels of Go")
		}
	}
	known := false
	for _, found := range c.Session.Found() {
		r, ok := found.(runtimes.LockWaiter)
		if !ok {
			continue
		}
		known = true
		if err := a.ofRuntime(ctx, c, r); err != nil {
			return err
		}
	}
	if !known && len(c.Session.Process.Threads) == 0 {
		return commands.LacksJava(c.Session, errNoJava)
	}
	return a.finish(ctx, c)
}

// An answer has the findings of ::deadlock, and its doubts.
type answer struct {
	circles int
	read    []string // whose locks were read
	bad     error    // why circles of a runtime may be missing
	starved starvation
}

// ofRuntime looks for circles of a runtime's threads, and for starved threads of Java if there is no circle of any
// language.
func (a *answer) ofRuntime(ctx context.Context, c *commands.Call, r runtimes.LockWaiter) error {
	n, waits, err := a.runtimeCircles(ctx, c, r)
	if err != nil {
		return err
	}
	a.circles += n
	what, language := r.LockWords()
	a.read = append(a.read, fmt.Sprintf("%s of %s (%s)", what, language, machineName(r)))
	if l, ok := r.(runtimes.JavaLocker); ok && a.circles == 0 {
		a.starved, err = starved(ctx, c, l, waits)
	}
	return err
}

// finish says what is not known: first of starved threads, then of circles. If neither was found, it says
// whose locks were read.
func (a *answer) finish(ctx context.Context, c *commands.Call) error {
	for _, err := range a.starved.unknown(a.bad) {
		c.Warn("::deadlock: %w", err)
	}
	words := crash.Unread(ctx, c.Session.Subject())
	switch {
	case a.bad != nil && words != "":
		return c.Unknown("%s%w; %s", doubt, a.bad, words)
	case a.bad != nil:
		return c.Unknown("%s%w", doubt, a.bad)
	case a.circles > 0 || a.starved.found > 0:
		if words != "" {
			return c.Unknown("%s%s", doubt, words)
		}
		return nil
	}
	text := "no circle of threads that wait for each other in what was read: " + strings.Join(a.read, "; ")
	if words != "" {
		return c.Unknown("%s; %s", text, words)
	}
	return c.Empty("%s", text)
}

// doubt begins the message that circles may be missing.
const doubt = "whether all circles were found is not known: "

// machineName is the name of a virtual machine for users.
func machineName(r runtimes.Runtime) string {
	if _, ok := r.(*art.ART); ok {
		return "ART"
	}
	return r.Name()
}

// runtimeCircles emits the circles of a runtime's threads. It returns how many there are, and the waits of its
// threads.
func (a *answer) runtimeCircles(ctx context.Context, c *commands.Call,
	r runtimes.LockWaiter) (int, []runtimes.LockWait, error) {
	circles, err := r.LockCircles()
	for _, circle := range circles {
		if err := c.Emit(newCircle(circle)); err != nil {
			return 0, nil, err
		}
	}
	waits, bad := r.LockWaits()
	a.bad = cmp.Or(a.bad, err, bad)
	mixed := wait.MixedCircles(ctx, c.Session.Process, waits)
	for _, circle := range mixed {
		if err := c.Emit(newMixed(c.Session, circle)); err != nil {
			return 0, nil, err
		}
	}
	return len(circles) + len(mixed), waits, nil
}

// newCircle returns a circle of a runtime's threads.
func newCircle(circle []runtimes.LockWait) *deadlockRecord {
	x := &deadlockRecord{at: circle[0].Addr}
	for i := range circle {
		x.Waits = append(x.Waits, runtimeEdge(&circle[i]))
	}
	return x
}

// runtimeEdge returns the wait of a runtime's thread.
func runtimeEdge(w *runtimes.LockWait) edge {
	e := edge{Thread: *lockRef(&w.Thread), Kind: w.Kind, Addr: w.Addr, Class: w.Class, Owner: *lockRef(&w.Owner)}
	if w.Kind != "lock" && w.Kind != "park" {
		e.words = fmt.Sprintf("%v waits for %s", e.Thread, w.Words)
	}
	return e
}

// newMixed returns a circle of threads that wait for locks of a runtime and of native code.
func newMixed(s *commands.Session, circle []wait.Link) *deadlockRecord {
	names := map[*core.Thread]*threadRef{}
	for _, l := range circle {
		if l.Runtime != nil {
			names[l.Thread] = lockRef(&l.Runtime.Thread)
			for i := range l.Runtime.Owners {
				names[l.Runtime.Owners[i].Native] = lockRef(&l.Runtime.Owners[i])
			}
		}
	}
	ref := func(t *core.Thread) threadRef {
		if r := names[t]; r != nil {
			return *r
		}
		return nativeRef(t)
	}
	x := &deadlockRecord{}
	for _, l := range circle {
		var e edge
		if l.Runtime != nil {
			e = runtimeEdge(l.Runtime)
		} else {
			e = nativeEdge(s, l.Native)
		}
		e.Thread, e.Owner = ref(l.Thread), ref(l.Owner)
		x.Waits = append(x.Waits, e)
	}
	x.at = x.Waits[0].Addr
	return x
}

// nativeRef names a thread by the kernel's id.
func nativeRef(t *core.Thread) threadRef { return threadRef{TID: t.TID, Name: t.Name, native: true} }

// nativeEdge returns the wait of a thread for a lock of the C library.
func nativeEdge(s *commands.Session, w *wait.Wait) edge {
	return edge{Thread: nativeRef(w.Thread), Kind: w.Kind, Addr: w.At,
		Class: where.Symbolic(s.Process, s.Symbols, w.At), Owner: nativeRef(w.Owner)}
}

// nativeCircles emits the circles of threads that wait for locks of the C library, and returns how many there are.
func nativeCircles(ctx context.Context, c *commands.Call) (int, error) {
	s := c.Session
	circles := wait.Circles(ctx, s.Process)
	for _, circle := range circles {
		r := &deadlockRecord{at: circle[0].At}
		for i := range circle {
			r.Waits = append(r.Waits, nativeEdge(s, &circle[i]))
		}
		if err := c.Emit(r); err != nil {
			return 0, err
		}
	}
	return len(circles), nil
}

// goCircles emits the circles of goroutines, and returns how many there are.
func goCircles(ctx context.Context, c *commands.Call, k runtimes.TaskWaiter) (int, error) {
	s := c.Session
	threads := s.Subject().Threads()
	ref := func(t *core.Thread) threadRef {
		if t.Task == nil {
			return nativeRef(t)
		}
		return threadRef{Goroutine: t.Task.ID}
	}
	circles := wait.TaskCircles(ctx, &threads, k)
	for _, circle := range circles {
		r := &deadlockRecord{at: circle[0].At}
		for _, w := range circle {
			h := *w.Holder.Frame
			if w.Holder.Line > 0 {
				h.Line, h.Column = w.Holder.Line, 0
			}
			r.Waits = append(r.Waits, edge{Thread: ref(w.Thread), Kind: w.Kind, Addr: w.At,
				Class: where.Symbolic(s.Process, s.Symbols, w.At),
				Owner: ref(w.Holder.Thread), In: where.Frame(w.Frame), HeldIn: where.Frame(&h),
				words: w.Words(&threads)})
		}
		if err := c.Emit(r); err != nil {
			return 0, err
		}
	}
	return len(circles), nil
}

// Text spells the circle out.
func (r *deadlockRecord) Text(w *out.Writer) {
	what := "thread"
	if slices.ContainsFunc(r.Waits, func(x edge) bool { return x.Thread.Goroutine != 0 }) {
		what = "goroutine"
	}
	w.Printf("deadlock of %s:\n", out.Count(len(r.Waits), what))
	for _, x := range r.Waits {
		if x.words != "" {
			w.Printf("    %s\n", x.words)
			continue
		}
		if x.Kind == "thread" {
			w.Printf("    %v waits for the end of %v\n", x.Thread, x.Owner)
			continue
		}
		if x.Kind == "mutex" || x.Kind == "rwlock" {
			w.Printf("    %v waits for the %s ", x.Thread, x.Kind)
			w.Paint(out.Addr, "%v", x.Addr)
			if x.Class != "" {
				w.Printf(" (%s)", x.Class)
			}
			w.Printf(" held by %v\n", x.Owner)
			continue
		}
		what := "waits to lock"
		if x.Kind == "park" {
			what = "is parked for"
		}
		w.Printf("    %v %s ", x.Thread, what)
		w.Paint(out.Addr, "%v", x.Addr)
		w.Printf(" (a %s) held by %v\n", x.Class, x.Owner)
	}
}
