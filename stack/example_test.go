package stack_test

import (
	"context"
	"fmt"

	"coredbg"
	"coredbg/stack"
)

// Frames of all languages are in one list; each says how it was found.
func ExampleEngine_Thread() {
	s, err := coredbg.Open("../testdata/cores/node-24.cdb", coredbg.Options{})
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
