package coredbg_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"coredbg"
	"coredbg/commands"
	"coredbg/commands/lang"
	"coredbg/core"
	"coredbg/crash"
	"coredbg/runtimes"
	"coredbg/stack"
	"coredbg/triage"
)

// open opens a core of the corpus for an example.
func open(name string) *coredbg.Session {
	s, err := coredbg.Open(filepath.Join("testdata/cores", name), coredbg.Options{})
	if err != nil {
		panic(err)
	}
	return s
}

// The stack of the thread that crashed, as data.
func ExampleOpen() {
	s, err := coredbg.Open("testdata/cores/segv.cdb", coredbg.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	for _, t := range s.Process.Threads {
		if !t.Crashed {
			continue
		}
		for _, f := range s.Stacks.Thread(context.Background(), t, stack.Options{}).Frames {
			fmt.Println(f.Name)
		}
	}
	// Output:
	// poke
	// mode_segv
	// leaf
	// middle
	// outer
	// main
	// __libc_start_call_main
	// __libc_start_main
	// _start
}

// A line of the language, as it would be typed at the prompt.
func ExampleSession() {
	s, err := coredbg.Open("testdata/cores/node-24.cdb", coredbg.Options{Stdout: os.Stdout, Stderr: os.Stderr})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	if err := s.Run(context.Background(), "::jsprint -d 1 T.widget"); err != nil {
		fmt.Println(err)
	}
	// Output: Widget { id: 9999, name: 'widget9999', next: null }
}

// Why the process died, and how sure that is.
func ExampleSession_verdict() {
	s := open("server.cdb")
	defer s.Close()
	v := crash.Analyze(context.Background(), s.Subject())
	fmt.Println(v.Cause, v.Confidence)
	fmt.Println(v.Signature.Name)
	// Output:
	// null-dereference certain
	// null-dereference | label | ship | work
}

// The stacks of all threads, with the functions of every language in one list.
func ExampleSession_stacks() {
	s := open("threads.cdb")
	defer s.Close()
	for _, t := range s.Process.Threads {
		st := s.Stacks.Thread(context.Background(), t, stack.Options{})
		fmt.Println(t.TID, len(st.Frames) > 3, t.Crashed)
	}
	// Output:
	// 1467 true true
	// 1471 true false
	// 1466 true false
	// 1468 true false
	// 1470 true false
	// 1469 true false
}

// Only the frames of JavaScript.
func ExampleOptions_javascript() {
	s := open("node-16-fatal.cdb")
	defer s.Close()
	keep := func(f *stack.Frame) bool { return f.Kind == runtimes.JS }
	st := s.Stacks.Thread(context.Background(), s.Thread, stack.Options{Keep: keep})
	for _, f := range st.Frames[:2] {
		fmt.Printf("%s %s:%d\n", f.Name, filepath.Base(f.File), f.Line)
	}
	// Output:
	// refuse fatal.js:23
	// Timeout.go [as _onTimeout] fatal.js:39
}

// The records of a command line, as data.
func ExampleSession_ask() {
	s := open("segv.cdb")
	defer s.Close()
	n := 0
	err := s.Ask(context.Background(), "::walk thread | ::stack", func(r commands.Record) error {
		n++
		return nil
	})
	fmt.Println(n, err)
	// Output: 1 <nil>
}

// A failure is a record, too, with a kind.
func ExampleSession_failure() {
	s := open("segv.cdb")
	defer s.Close()
	s.Ask(context.Background(), "10/X", func(r commands.Record) error {
		if f, ok := r.(*commands.Failure); ok {
			fmt.Println(f.Kind, f.Message)
		}
		return nil
	})
	// Output: memory failed to read 4 bytes of memory at 0x10: not mapped
}

// Enough is enough: an emitter that returns lang.ErrStop gets no more records.
func ExampleSession_enough() {
	s := open("segv.cdb")
	defer s.Close()
	n := 0
	s.Ask(context.Background(), "::walk symbol", func(commands.Record) error {
		if n++; n == 3 {
			return lang.ErrStop
		}
		return nil
	})
	fmt.Println(n)
	// Output: 3
}

// Memory, and why some of it cannot be read.
func ExampleSession_memory() {
	s := open("segv.cdb")
	defer s.Close()
	var word [4]byte
	_, err := s.Process.Space.ReadAt(word[:], 0x10)
	fmt.Println(core.Fault(err).Gap)
	pc, _ := s.Thread.Regs.Get(s.Process.Arch.PC)
	n, err := s.Process.Space.ReadAt(word[:2], core.Addr(pc))
	fmt.Printf("% x %d %v\n", word[:2], n, err)
	// Output:
	// not mapped
	// 89 37 2 <nil>
}

// Which runtimes are in the process.
func ExampleSession_runtimes() {
	s := open("node-24.cdb")
	defer s.Close()
	for _, r := range s.Found() {
		fmt.Println(r.Name(), r.Version())
	}
	// Output: v8 13.6.233.17-node.53
}

// Cores that died of the same bug.
func ExampleSession_groups() {
	groups := &triage.Groups{By: triage.ByCoarse}
	for _, name := range []string{"segv.cdb", "null.cdb", "aarch64-pac.cdb"} {
		s := open(name)
		l := triage.NewLine(context.Background(), &s.Target)
		l.Core, l.Status = name, triage.Read
		groups.Add(l)
		s.Close()
	}
	for _, b := range groups.Bugs() {
		fmt.Println(b.Count, b.Name)
	}
	// Output:
	// 2 null-dereference | poke | mode_segv | leaf
	// 1 null-call | call_target | mode_null | leaf
}

// Frames of all languages are in one list; each says how it was found.
func Example_stack() {
	s, err := coredbg.Open("testdata/cores/node-24.cdb", coredbg.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	for i, f := range s.Stacks.Thread(context.Background(), s.Process.Threads[0], stack.Options{}).Frames {
		if i >= 4 && i < 8 {
			fmt.Println(f.Kind, f.Name, f.Trust)
		}
	}
	// Output:
	// native node::Abort cfi
	// api process.abort cfi
	// js die runtime
	// js recurse runtime
}
