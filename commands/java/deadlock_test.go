package java

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"testing"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/runtimes/java"
	"coredbg/stack"
	"coredbg/walk"
)

// A stuckMachine is a virtual machine whose threads are parked in one frame each, which is the program's own.
type stuckMachine struct {
	runtimes.JavaLocker
	java.Objects
	threads []runtimes.JavaThread
	locks   map[*core.Thread]core.Addr // what a thread is parked for: 16 bytes
	circle  []runtimes.LockWait
	bad     error // why waits are missing
	few     error // why threads are missing
}

func (m *stuckMachine) Name() string                     { return "hotspot" }
func (m *stuckMachine) Version() string                  { return "17" }
func (m *stuckMachine) Begin(*core.Thread) walk.Unwinder { return nil }

func (m *stuckMachine) Decode(*walk.Frame) ([]runtimes.SourceFrame, error) {
	return []runtimes.SourceFrame{{Kind: runtimes.Java, Name: "app.Main.take"}}, nil
}

func (m *stuckMachine) JavaThreads() ([]runtimes.JavaThread, error) { return m.threads, m.few }

func (m *stuckMachine) LockCircles() (all [][]runtimes.LockWait, err error) {
	if m.circle != nil {
		all = append(all, m.circle)
	}
	return all, m.bad
}

func (m *stuckMachine) LockWords() (what, language string) { return "monitors and locks", "Java" }

func (m *stuckMachine) LockWaits() ([]runtimes.LockWait, error) { return m.circle, nil }

func (m *stuckMachine) FrameLocks(t *core.Thread, _ *walk.Frame, _ int, _ bool) []runtimes.JavaLock {
	return []runtimes.JavaLock{{Kind: runtimes.LockPark, Addr: m.locks[t], Class: "app.Latch"}}
}

func (m *stuckMachine) JavaSize(core.Addr) (uint64, error) { return 16, nil }
func (m *stuckMachine) JavaHeap() java.Heap                { return noObjects{} }

type noObjects struct{ java.Heap }

func (noObjects) Object(core.Addr) (java.Object, error) {
	return java.Object{}, errors.New("no object")
}

// TestDeadlock: ::deadlock prints circles, or else threads that no thread is known to wake, or else that
// there is no circle. The result is partial if the core lacks an object or the program has locks that are not
// read.
func TestDeadlock(t *testing.T) {
	const (
		here, there, gone = 0x5000, 0x5010, 0x6000 // objects: the core does not have the last
		starving          = "1 thread waits for 0x5000 (a app.Latch), and no thread is known that ends it: \"one\" tid=1, in app.Main.take\n"
		both              = "2 threads wait for 0x5000 (a app.Latch), and no thread is known that ends it: \"one\" tid=1, \"two\" tid=2, " +
			"in app.Main.take\n"
		circle = "deadlock of 2 threads:\n    \"one\" tid=1 waits to lock 0x5000 (a app.Latch) held by \"two\" tid=2\n" +
			"    \"two\" tid=2 waits to lock 0x5010 (a app.Latch) held by \"one\" tid=1\n"
		none = "coredbg: no circle of threads that wait for each other in what was read: mutexes, read-write locks and ends of threads " +
			"of the C library; monitors and locks of Java (hotspot)"
		doubt  = "coredbg: whether all circles were found is not known: "
		python = "locks of Python are not read: whether its threads wait for each other by them is not known\n"
	)
	lost := func(n int, plural string) string {
		return fmt.Sprintf("coredbg: ::deadlock: who can wake %d thread%s is not known: the core lacks the objects that threads wait for\n", n, plural)
	}
	cut, list := errors.New("thread 2 is cut"), errors.New("the list is cut")
	const few = "coredbg: ::deadlock: whether all threads that wait without a limit were found is not known: the list is cut\n"
	for name, c := range map[string]struct {
		locks    [2]core.Addr // 0 for a thread that runs
		circular bool
		bad, few error
		python   bool
		out, err string
		unknown  bool
	}{
		"nothing waits":          {err: none + "\n"},
		"one waits":              {locks: [2]core.Addr{here}, out: starving},
		"two wait":               {locks: [2]core.Addr{here, here}, out: both},
		"a lock is missing":      {locks: [2]core.Addr{here, gone}, out: starving, unknown: true, err: lost(1, "")},
		"both locks are missing": {locks: [2]core.Addr{gone, gone}, unknown: true, err: lost(2, "s") + none + "\n"},
		"a lock, and Python": {locks: [2]core.Addr{gone}, python: true, unknown: true, err: lost(1, "") + none +
			"; " + python},
		"a thread is missing": {locks: [2]core.Addr{here}, few: list, out: starving, unknown: true, err: few},
		"threads, and waits": {locks: [2]core.Addr{here}, few: list, bad: cut, out: starving, unknown: true,
			err: few + doubt + "thread 2 is cut\n"},
		"the same is missing": {locks: [2]core.Addr{here}, few: list, bad: list, out: starving, unknown: true,
			err: doubt + "the list is cut\n"},
		"waits, and Python":       {bad: cut, python: true, unknown: true, err: doubt + "thread 2 is cut; " + python},
		"a circle, lost threads":  {locks: [2]core.Addr{here, there}, circular: true, few: list, out: circle},
		"a circle":                {locks: [2]core.Addr{here, there}, circular: true, out: circle},
		"a circle, missing locks": {locks: [2]core.Addr{here, gone}, circular: true, out: circle},
		"a circle, and Python":    {circular: true, python: true, out: circle, unknown: true, err: doubt + python},
		"one waits, and Python": {locks: [2]core.Addr{here}, python: true, out: starving, unknown: true,
			err: doubt + python},
		"Python alone":      {python: true, unknown: true, err: none + "; " + python},
		"waits are missing": {bad: cut, unknown: true, err: doubt + "thread 2 is cut\n"},
		"a circle, waits missing": {circular: true, bad: cut, out: circle, unknown: true,
			err: doubt + "thread 2 is cut\n"},
	} {
		t.Run(name, func(t *testing.T) {
			b := coretest.New(core.AMD64).Words(here, 1, 2, 3, 4).Thread(1, nil).Thread(2, nil)
			if c.python {
				b.Module("/usr/lib/libpython3.11.so.1.0", 0x1000, 0x2000, core.ModuleFacts{})
			}
			p := b.Process()
			m := &stuckMachine{locks: map[*core.Thread]core.Addr{}, bad: c.bad, few: c.few}
			for i, name := range []string{"one", "two"} {
				x := runtimes.JavaThread{TID: i + 1, Native: p.Threads[i], Name: name, Number: int64(i + 1),
					State: "RUNNABLE"}
				if c.locks[i] != 0 {
					x.State, m.locks[x.Native] = "WAITING (parking)", c.locks[i]
				}
				m.threads = append(m.threads, x)
			}
			if c.circular {
				one, two := m.threads[0].LockThread(), m.threads[1].LockThread()
				m.circle = []runtimes.LockWait{{Thread: one, Owner: two, Kind: "lock", Addr: here, Class: "app.Latch"},
					{Thread: two, Owner: one, Kind: "lock", Addr: there, Class: "app.Latch"}}
			}
			var stdout, stderr bytes.Buffer
			s := commands.NewSession(p, commands.NewRegistry(Commands()), &stdout, &stderr)
			s.Symbols = sym.NewTable(p)
			s.Runtimes = func() []runtimes.Runtime { return []runtimes.Runtime{m} }
			s.Stacks = &stack.Engine{Process: p, Symbols: s.Symbols, Runtimes: s.Runtimes, Walk: oneFrame}
			if err := s.Run(t.Context(), "::deadlock"); err != nil || s.Partial != c.unknown {
				t.Errorf("%v, partial is %v, want %v", err, s.Partial, c.unknown)
			}
			if stdout.String() != c.out || stderr.String() != c.err {
				t.Errorf("got %s%s want %s%s", stdout.String(), stderr.String(), c.out, c.err)
			}
		})
	}
}

// oneFrame walks to the innermost frame.
func oneFrame(context.Context, *core.Thread, ...walk.Unwinder) iter.Seq2[walk.Frame, error] {
	return func(yield func(walk.Frame, error) bool) {
		if yield(walk.Frame{PC: 0x1010, SP: 0x7000, Trust: walk.Registers, Record: 1}, nil) {
			yield(walk.Frame{}, &walk.StopError{Kind: walk.StopRoot})
		}
	}
}

// A lockKeeper is a runtime of another language that records the owners of its locks, and has no numbers for threads.
type lockKeeper struct {
	runtimes.LockWaiter
	circles [][]runtimes.LockWait
}

func (k *lockKeeper) Name() string                                  { return "toy" }
func (k *lockKeeper) LockWords() (what, language string)            { return "latches", "Toy" }
func (k *lockKeeper) LockCircles() ([][]runtimes.LockWait, error)   { return k.circles, nil }
func (k *lockKeeper) LockWaits() (all []runtimes.LockWait, _ error) { return all, nil }

// TestDeadlockOfAnyLanguage: a runtime that is no Java is asked, and is called by its own name.
func TestDeadlockOfAnyLanguage(t *testing.T) {
	for want, circle := range map[string]bool{
		"deadlock of 2 threads:\n    thread 1 (one) waits to lock 0x1000 (a Latch) held by thread 2 (two)\n" +
			"    thread 2 (two) waits to lock 0x2000 (a Latch) held by thread 1 (one)\n": true,
		"coredbg: no circle of threads that wait for each other in what was read: mutexes, read-write locks and ends of " +
			"threads of the C library; latches of Toy (toy)\n": false,
	} {
		p := coretest.New(core.AMD64).Thread(1, nil).Thread(2, nil).Process()
		k := &lockKeeper{}
		if circle {
			one := runtimes.LockThread{TID: 1, Native: p.Threads[0], Name: "one"}
			two := runtimes.LockThread{TID: 2, Native: p.Threads[1], Name: "two"}
			k.circles = [][]runtimes.LockWait{{{Thread: one, Owner: two, Kind: "lock", Addr: 0x1000, Class: "Latch"},
				{Thread: two, Owner: one, Kind: "lock", Addr: 0x2000, Class: "Latch"}}}
		}
		var out bytes.Buffer
		s := commands.NewSession(p, commands.NewRegistry(Commands()), &out, &out)
		s.Symbols = sym.NewTable(p)
		s.Runtimes = func() []runtimes.Runtime { return []runtimes.Runtime{k} }
		s.Stacks = &stack.Engine{Process: p, Symbols: s.Symbols, Runtimes: s.Runtimes, Walk: oneFrame}
		if err := s.Run(t.Context(), "::deadlock"); err != nil || out.String() != want {
			t.Errorf("%v, %q, want %q", err, out.String(), want)
		}
	}
}
