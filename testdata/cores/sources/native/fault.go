// Fault dereferences a nil pointer in a function without a frame of its own. Go
// makes that look like a call of sigpanic. With an argument the program dies of a
// signal while a deferred function handles the panic, else of the panic itself.
package main

import (
	"fmt"
	"os"
	"syscall"
)

type node struct {
	next *node
	v    [64]int
}

//go:noinline
func poke(n *node) int { return n.next.v[3] + 1 }

//go:noinline
func level(k int, n *node) int {
	if k == 0 {
		return poke(n) + 1
	}
	return level(k-1, n) + 1
}

//go:noinline
func handler() {
	syscall.Kill(syscall.Getpid(), syscall.SIGABRT)
	for {
	}
}

func main() {
	if len(os.Args) > 1 {
		defer handler()
	}
	fmt.Println(level(4, &node{}))
}
