// gomem: allocates objects of many sizes, keeps some, prints the runtime's own figures, and panics.
package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
)

var (
	kept  [][]byte
	large [][]byte
	stats runtime.MemStats
)

// wait keeps a goroutine with a stack of its own.
func wait(depth int, begun chan<- bool, end <-chan bool) byte {
	var room [512]byte
	if depth > 0 {
		return wait(depth-1, begun, end) + room[depth]
	}
	begun <- true
	<-end
	return room[0]
}

func main() {
	begun, end := make(chan bool), make(chan bool)
	for i := range [200]int{} {
		go wait(i%20, begun, end)
		<-begun
	}
	for i := 0; i < 50000; i++ {
		b := make([]byte, i%700+1)
		if i%3 != 0 {
			kept = append(kept, b)
		}
	}
	for i := 1; i < 40; i++ {
		large = append(large, make([]byte, i*50000))
	}
	large = large[20:]
	runtime.GC()
	debug.SetGCPercent(-1)
	runtime.ReadMemStats(&stats)
	fmt.Fprintf(os.Stdout, "heap %d inuse %d stacks %d sys %d\n", stats.HeapAlloc, stats.HeapInuse, stats.StackInuse, stats.HeapSys)
	last()
}

//go:noinline
func last() { panic("last") }
