package golang

import (
	"errors"
	"fmt"
	"slices"
	"strings"
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

const (
	// maxGoroutines bounds how many are read.
	maxGoroutines = 1 << 22
	// maxRoom bounds the room that is made for the number of goroutines that the core claims.
	maxRoom = 1 << 17
	// maxBroken is how many of them may be unreadable before the list is taken for broken.
	maxBroken = 1 << 10
	// easeEvery is the number of goroutines after which memory read from the core is released, if it is
	// much.
	easeEvery = 1 << 12
)

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

// Goroutines returns all goroutines in the order of the runtime's list, in which their gs were made.
// The error says why some or all are not known.
func (r *Runtime) Goroutines() ([]*Goroutine, error) {
	r.once.Do(func() {
		var s *scheduler
		if s, r.err = newScheduler(r); r.err == nil {
			r.size = s.g.size(s.t.Process.Cursor())
			r.sudog, r.waitingAt = s.types.fieldsOf(s.g["waiting"].typ), s.g["waiting"].off
			r.twoWords = s.types.fieldsOf(r.sudog["elem"].typ).has("vp", "vu")
			r.list, r.stacks, r.err = s.read()
			r.waits = s.allReasons()
		}
		if r.err != nil {
			r.stacks = r.threadStacks()
		}
		for _, g := range r.list {
			g.task = g.newTask()
		}
	})
	return r.list, r.err
}

var (
	errBroken = errors.New("the list of goroutines is broken")
	errMany   = errors.New("the list of goroutines is longer than any can be")
)

// read reads all goroutines, and tries whether they can be what they seem, and where there are stacks.
func (s *scheduler) read() (list []*Goroutine, stacks []span, err error) {
	if s.count > maxGoroutines {
		return nil, nil, fmt.Errorf("%w: %d", errMany, s.count)
	}
	c := s.t.Process.Cursor()
	room := min(s.count, maxRoom)
	ids, broken := make(map[uint64]bool, room), 0 // ids of those alive
	s.at = make(map[core.Addr]*Goroutine, room)
	list = make([]*Goroutine, 0, room)
	var last time.Duration
	var running []core.Addr
	for i := range core.Addr(s.count) {
		if i%easeEvery == easeEvery-1 {
			s.t.Process.Space.Ease()
		}
		at := c.Pointer(s.all + i*s.word)
		if err := c.Reset(); err != nil {
			return list, nil, fmt.Errorf("of %d goroutines %d are known: %w", s.count, len(list), err)
		}
		g, latest, err := s.goroutine(at)
		if err == nil && s.at[at] != nil {
			err = fmt.Errorf("%w: %v is in it twice", errBroken, at)
		}
		if err != nil {
			if broken++; broken > maxBroken || uint64(broken) == s.count {
				return list, nil, err
			}
			g = &Goroutine{Addr: at, Status: "?", Err: err}
			list, s.at[at] = append(list, g), g
			continue
		}
		if !g.Dead() {
			if ids[g.ID] && g.Err == nil {
				g.Err = fmt.Errorf("another has the id %d, too", g.ID)
			}
			ids[g.ID] = true
		}
		s.at[at] = g
		last = max(last, latest)
		if g.M != 0 {
			running = append(running, g.M)
		}
		list = append(list, g)
	}
	machines := s.allMachines(running)
	last = max(last, s.latest(machines))
	s.last = last
	for _, g := range list {
		if g.Since > 0 && (g.Status == statuses[statusWaiting] || g.Status == statuses[statusSyscall]) {
			g.Waited = last - g.Since
		}
	}
	return list, s.stacksOf(list, machines), nil
}

// gFields are the fields of a g that are read for each goroutine.
type gFields struct {
	id, low, high, status, reason, since, creator, start, parent, m, lockedM, panic, labels, tracking, runnable slot
}

// A slot is the offset of a field that may be missing.
type slot struct {
	off   core.Addr
	known bool
}

// fieldsOfG looks the fields up once.
func (s *scheduler) fieldsOfG() gFields {
	at := func(name string) slot {
		f, ok := s.g[name]
		return slot{f.off, ok}
	}
	return gFields{id: at("goid"), low: slot{s.stack["lo"].off, true}, high: slot{s.stack["hi"].off, true},
		status: slot{s.g["atomicstatus"].off, true},
		reason: at("waitreason"), since: at("waitsince"), creator: at("gopc"), start: at("startpc"),
		parent: at("parentGoid"), m: at("m"),
		lockedM: at("lockedm"), panic: at("_panic"), labels: at("labels"), tracking: at("trackingStamp"),
		runnable: at("runnableStamp")}
}

// goroutine reads the g at an address. Latest is the latest time that it has noted.
func (s *scheduler) goroutine(at core.Addr) (g *Goroutine, latest time.Duration, err error) {
	c, f := s.c, &s.fields
	c.Reset()
	word := func(f slot) core.Addr {
		if !f.known {
			return 0
		}
		return c.Pointer(at + f.off)
	}
	long := func(f slot) uint64 {
		if !f.known {
			return 0
		}
		return c.U64(at + f.off)
	}
	read := Goroutine{Addr: at, Low: word(f.low), High: word(f.high), ID: long(f.id), Creator: word(f.creator),
		Start: word(f.start), Parent: long(f.parent),
		M: word(f.m), LockedM: word(f.lockedM), Panic: word(f.panic), Since: time.Duration(long(f.since))}
	status, reason, labels := c.U32(at+f.status.off), uint8(0), word(f.labels)
	if f.reason.known {
		reason = c.U8(at + f.reason.off)
	}
	latest = max(read.Since, time.Duration(long(f.tracking)), time.Duration(long(f.runnable)))
	if err := c.Reset(); err != nil {
		return nil, 0, err
	}
	read.Scan = status&statusScan != 0
	status &^= statusScan
	if status >= uint32(len(statuses)) || at&(s.word-1) != 0 {
		return nil, 0, fmt.Errorf("%v is not a goroutine: its status is %d", at, status)
	}
	read.Status = statuses[status]
	if status == statusWaiting || status == statusLeaked {
		read.Reason = s.reason(reason)
	}
	if read.Dead() {
		dead := read
		return &dead, latest, nil
	}
	room := s.room()
	room.g, room.thread.Task = read, &room.task
	g = &room.g
	s.machines(g, status)
	g.resume = &room.thread
	s.goesOn(&g.resume.Regs, at, status)
	g.Labels = s.labels(labels)
	if g.Thread == nil && status == statusRunning && g.Err == nil {
		g.Err = fmt.Errorf("the thread that runs it, that of the m at %v, is not in the core", g.M)
	}
	sp, ok := g.resume.Regs.Get(s.t.Process.Arch.SP)
	if low, high := g.Low, g.High; g.Thread == nil && g.Err == nil && (!ok || low >= high || core.Addr(sp) < low ||
		core.Addr(sp) > high) {
		g.Err = fmt.Errorf("it goes on at %#x, which is not on its stack from %v to %v", sp, low, high)
	}
	return g, latest, nil
}

// A goroutineRoom is what is kept for a goroutine that is alive. Rooms are made many at a time: a process may have a
// million goroutines.
type goroutineRoom struct {
	g      Goroutine
	thread core.Thread
	task   core.Task
}

// roomsAtOnce is the number of rooms that are made at a time.
const roomsAtOnce = 64

// room returns room for a goroutine.
func (s *scheduler) room() *goroutineRoom {
	if len(s.rooms) == 0 {
		s.rooms = make([]goroutineRoom, roomsAtOnce)
	}
	x := &s.rooms[0]
	s.rooms = s.rooms[1:]
	return x
}

// machines finds the threads of a goroutine: the m that it has must have it.
func (s *scheduler) machines(g *Goroutine, status uint32) {
	c := s.c
	thread := func(m core.Addr) *core.Thread {
		id := c.U64(m + s.m["procid"].off)
		if c.Reset() != nil || m == 0 || id == 0 || id > 1<<31-1 {
			return nil
		}
		return s.t.Process.Thread(int(id))
	}
	g.Locked = thread(g.LockedM)
	if g.M == 0 {
		return
	}
	cur := c.Pointer(g.M + s.m["curg"].off)
	switch err := c.Reset(); {
	case err != nil:
		g.Err = fmt.Errorf("its m cannot be read: %w", err)
	case cur == g.Addr:
		g.Thread = thread(g.M)
	case status == statusRunning:
		g.Err = fmt.Errorf("its m at %v runs %v", g.M, cur)
	}
}

// goesOn sets the registers that a goroutine goes on with: after the call of the function that let
// another run, or, in a call of the system, that told the runtime of it.
func (s *scheduler) goesOn(regs *core.Regs, g core.Addr, status uint32) {
	set := func(register int, f slot) {
		if !f.known || register < 0 {
			return
		}
		if v := s.c.Pointer(g + f.off); s.c.Reset() == nil && v != 0 {
			regs.Set(register, uint64(v))
		}
	}
	for _, x := range s.sched {
		set(x.register, x.at)
	}
	if status != statusSyscall {
		return
	}
	for _, x := range s.called {
		set(x.register, x.at)
	}
}

// A savedRegister is a register that a g keeps.
type savedRegister struct {
	register int
	at       slot // in the g
}

// savedInG returns the registers in the g of a goroutine that has let another run, and the registers in the g
// of one in a system call.
func (s *scheduler) savedInG() (sched, called []savedRegister) {
	arch := s.t.Process.Arch
	of := func(register int, base core.Addr, in structure, name string) savedRegister {
		f, ok := in[name]
		return savedRegister{register, slot{base + f.off, ok}}
	}
	at := s.g["sched"].off
	sched = []savedRegister{of(arch.PC, at, s.gobuf, "pc"), of(arch.SP, at, s.gobuf, "sp"),
		of(arch.FP, at, s.gobuf, "bp"), of(arch.LR, at, s.gobuf, "lr")}
	called = []savedRegister{of(arch.PC, 0, s.g, "syscallpc"), of(arch.SP, 0, s.g, "syscallsp"),
		of(arch.FP, 0, s.g, "syscallbp")}
	return sched, called
}

// Task implements runtimes.Tasker.
func (r *Runtime) Task(a core.Addr) (*core.Thread, bool) {
	r.Goroutines()
	g := r.at[a]
	if g == nil || g.task == nil {
		return nil, false
	}
	return g.task, true
}

// Tasks implements runtimes.Tasker.
func (r *Runtime) Tasks() (list []*core.Thread) {
	r.Goroutines()
	list = make([]*core.Thread, 0, len(r.list))
	for _, g := range r.list {
		if g.task != nil && g.task.Task != nil {
			list = append(list, g.task)
		}
	}
	return list
}

// waiting are the packages that goroutines wait in, by the prefixes of their functions.
var waiting = []string{"runtime.", "internal/", "sync.", "sync/", "syscall.", "time.", "net.", "io.", "bufio."}

// Waits reports whether a function belongs to the packages that goroutines wait in, rather than to the
// code that calls them.
func Waits(function string) bool {
	return slices.ContainsFunc(waiting, func(p string) bool { return strings.HasPrefix(function, p) }) &&
		function != "runtime.main"
}

// OfRuntime implements runtimes.Tasker.
func (r *Runtime) OfRuntime(function string) bool { return Waits(function) }

// Task returns the thread that runs the goroutine, or the one that stands for it; nil if it has no stack
// that is known.
func (g *Goroutine) Task() *core.Thread { return g.task }

// KnowsState reports whether a text is a status of goroutines or, in the runtime's own words, a reason to
// wait, without regard to case. It is not known of all others that they are none.
func (r *Runtime) KnowsState(text string) bool {
	r.Goroutines()
	is := func(s string) bool { return strings.EqualFold(s, text) }
	return slices.ContainsFunc(statuses, is) || slices.ContainsFunc(r.waits, is)
}

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
