package java

import (
	"bytes"
	"errors"
	"testing"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/stack"
	"coredbg/walk"
)

// An idleScheduler is a runtime without a task that waits.
type idleScheduler struct{ bad error }

func (idleScheduler) Name() string                               { return "go" }
func (idleScheduler) Version() string                            { return "go1.26" }
func (idleScheduler) Begin(*core.Thread) walk.Unwinder           { return nil }
func (idleScheduler) Task(core.Addr) (*core.Thread, bool)        { return nil, false }
func (idleScheduler) Tasks() []*core.Thread                      { return nil }
func (idleScheduler) OfRuntime(string) bool                      { return false }
func (idleScheduler) TaskWaits(*core.Thread) []runtimes.TaskWait { return nil }
func (s idleScheduler) WaitsError() error                        { return s.bad }

// TestDeadlockSaysWhatWasRead: where no circle was found, ::deadlock says whose locks were read, and denies
// no circle of locks that it cannot read.
func TestDeadlockSaysWhatWasRead(t *testing.T) {
	const (
		none   = "coredbg: no circle of threads that wait for each other in what was read: mutexes, read-write locks and ends of threads of the C library"
		unread = " are not read: whether its threads wait for each other by them is not known"
		golang = "; locks, WaitGroups and channels of Go"
		java   = "; monitors and locks of Java (hotspot)"
		jvm    = "/usr/lib/jvm/lib/server/libjvm.so"
	)
	for name, c := range map[string]struct {
		images []string
		all    []runtimes.Runtime
		want   string
	}{
		"C":                  {nil, nil, none},
		"a JVM, decoded":     {[]string{jvm}, []runtimes.Runtime{&stuckMachine{}}, none + java},
		"a JVM, not decoded": {[]string{jvm}, nil, none + "; locks of Java" + unread},
		"CPython":            {[]string{"/usr/bin/python3.11"}, nil, none + "; locks of Python" + unread},
		"CPython in a program": {[]string{"/usr/lib/libpython3.13.so.1.0"}, nil,
			none + "; locks of Python" + unread},
		"Ruby": {[]string{"/usr/bin/ruby3.1", "/usr/lib/libruby-3.1.so.3.1"}, nil,
			none + "; locks of Ruby" + unread},
		"Ruby and a JVM": {[]string{jvm, "/usr/lib/libruby-3.1.so.3.1"}, []runtimes.Runtime{&stuckMachine{}},
			none + java + "; locks of Ruby" + unread},
		"Go": {nil, []runtimes.Runtime{idleScheduler{}}, none + golang},
		"Go, without its list": {nil, []runtimes.Runtime{idleScheduler{errors.New("no list")}},
			none + "; locks of Go" + unread},
		"Go without list and a JVM": {[]string{jvm}, []runtimes.Runtime{idleScheduler{errors.New("no list")}},
			none + "; locks of Java and Go" + unread},
	} {
		t.Run(name, func(t *testing.T) {
			b := coretest.New(core.AMD64).Thread(1, nil)
			for i, path := range c.images {
				at := core.Addr(0x10000 * (i + 1))
				b.Module(path, at, at+0x1000, core.ModuleFacts{})
			}
			p := b.Process()
			var stdout, stderr bytes.Buffer
			s := commands.NewSession(p, commands.NewRegistry(Commands()), &stdout, &stderr)
			s.Symbols = sym.NewTable(p)
			s.Runtimes = func() []runtimes.Runtime { return c.all }
			s.Stacks = &stack.Engine{Process: p, Symbols: s.Symbols, Runtimes: s.Runtimes, Walk: oneFrame}
			err := s.Run(t.Context(), "::deadlock")
			known := c.want == none || c.want == none+java || c.want == none+golang
			if err != nil || s.Partial == known || stdout.String() != "" || stderr.String() != c.want+"\n" {
				t.Errorf("%v, partial is %v\n%s%s want %s", err, s.Partial, &stdout, &stderr, c.want)
			}
		})
	}
}
