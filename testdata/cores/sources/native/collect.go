// collect: goroutines that collect garbage all the time or look at the stacks of all, which Go
// does on the thread's stack, until the process is killed. With GOTRACEBACK=crash Go's runtime writes the stack of each thread and goroutine
// before it dies.
package main

import (
	"runtime"
	"time"
)

type node struct {
	left, right *node
	body        [64]byte
}

func tree(depth int) *node {
	if depth == 0 {
		return &node{}
	}
	return &node{left: tree(depth - 1), right: tree(depth - 1)}
}

var keep [4]*node

func work(i int) {
	for {
		keep[i] = tree(12)
		runtime.GC()
	}
}

func look() {
	for text := make([]byte, 1<<20); ; {
		runtime.Stack(text, true)
	}
}

func wait(depth int) int {
	if depth > 0 {
		return wait(depth-1) + 1
	}
	time.Sleep(time.Hour)
	return 0
}

func main() {
	for i := range keep {
		go work(i)
	}
	for range 500 { // so that looking takes most of the time
		go wait(50)
	}
	go look()
	println("ready")
	time.Sleep(time.Hour)
}
