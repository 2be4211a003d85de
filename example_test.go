package coredbg_test

import (
	"context"
	"fmt"
	"os"

	"coredbg"
	"coredbg/stack"
)

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
