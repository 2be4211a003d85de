package java

import (
	"bytes"
	"context"
	"iter"
	"testing"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/stack"
	"coredbg/walk"
)

// TestVirtualGroups: ::javathreads -g prints each stack once, the one of the most virtual threads first. It
// leaves out threads of the system, mounted virtual threads, and virtual threads without a stack.
func TestVirtualGroups(t *testing.T) {
	p := coretest.New(core.AMD64).Thread(1, nil).Process()
	at := map[*core.Thread]core.Addr{}
	virtual := func(id uint64, pc core.Addr) runtimes.JavaThread {
		x := &core.Thread{Task: &core.Task{Kind: "virtual thread", ID: id, Addr: core.Addr(0x100 * id)}}
		at[x] = pc
		return runtimes.JavaThread{Number: int64(id), Virtual: true, Native: x}
	}
	system := runtimes.JavaThread{Number: 1, TID: 1, Native: p.Threads[0]}
	carried := system
	carried.Number, carried.Virtual = 5, true
	lost := runtimes.JavaThread{Number: 6, Virtual: true}
	at[p.Threads[0]] = 0x1010
	for name, c := range map[string]struct {
		threads []runtimes.JavaThread
		out     string
	}{
		"groups": {threads: []runtimes.JavaThread{system, virtual(20, 0x1010), virtual(21, 0x1020), carried,
			virtual(22, 0x1020), lost},
			out: "2 virtual threads [WAITING]\n  at app.Main.put(Unknown Source)\n      (virtual threads 21 22)\n" +
				"1 virtual thread [WAITING]\n  at app.Main.take(Unknown Source)\n      (virtual threads 20)\n"},
		"states": {threads: []runtimes.JavaThread{virtual(20, 0x1010), virtual(31, 0x1010)},
			out: "2 virtual threads [in different states]\n  at app.Main.take(Unknown Source)\n      (virtual threads 20 31)\n"},
		"none": {threads: []runtimes.JavaThread{system, carried, lost},
			out: "coredbg: no virtual thread waits without a carrier\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var text bytes.Buffer
			s := commands.NewSession(p, commands.NewRegistry(Commands()), &text, &text)
			s.Symbols = sym.NewTable(p)
			odd := []runtimes.Runtime{&oddStates{stuckMachine{threads: c.threads}}}
			s.Runtimes = func() []runtimes.Runtime { return odd }
			s.Stacks = &stack.Engine{Process: p, Symbols: s.Symbols, Runtimes: s.Runtimes,
				Walk: func(_ context.Context, x *core.Thread, _ ...walk.Unwinder) iter.Seq2[walk.Frame, error] {
					return func(yield func(walk.Frame, error) bool) {
						if yield(walk.Frame{PC: at[x], SP: 0x7000, Trust: walk.Registers, Record: 1}, nil) {
							yield(walk.Frame{}, &walk.StopError{Kind: walk.StopRoot})
						}
					}
				}}
			if err := s.Run(t.Context(), "::javathreads -g"); err != nil || s.Partial {
				t.Errorf("%v, partial is %v", err, s.Partial)
			}
			if text.String() != c.out {
				t.Errorf("got\n%swant\n%s", text.String(), c.out)
			}
		})
	}
}

// An oddStates is a machine whose virtual threads are runnable from number 30 on.
type oddStates struct{ stuckMachine }

// Decode says which of two functions has an address.
func (*oddStates) Decode(f *walk.Frame) ([]runtimes.SourceFrame, error) {
	name := "app.Main.take"
	if f.PC == 0x1020 {
		name = "app.Main.put"
	}
	return []runtimes.SourceFrame{{Kind: runtimes.Java, Name: name}}, nil
}

func (*oddStates) DescribeThread(t *core.Thread) (name, state string, ok bool) {
	if t.Task != nil && t.Task.ID >= 30 {
		return "", "RUNNABLE", true
	}
	return "", "WAITING", true
}
