// Lapse MODE ends as Go programs end: by a panic of each kind of value, by a fatal error of
// the runtime, and by goroutines that all wait.
package main

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"sync"
)

type refusal struct {
	code int
	text string
}

func (r *refusal) Error() string { return fmt.Sprintf("refused with %d: %s", r.code, r.text) }

//go:noinline
func lapseIndex(list []int, i int) int { return list[i] }

//go:noinline
func lapseText() { panic("the shop is closed") }

//go:noinline
func lapseError() { panic(errors.New("no such customer")) }

//go:noinline
func lapseOwn() { panic(&refusal{7, "not on Sundays"}) }

//go:noinline
func lapseValue(n int) { panic(n) }

//go:noinline
func lapseMap(m map[string]int) { m["a"] = 1 }

//go:noinline
func lapseAssert(v any) int { return v.(int) }

//go:noinline
func lapseWait(c chan int) int { return <-c }

//go:noinline
func lapseDeep(n int) int {
	var room [64]int
	room[n&63] = n
	return lapseDeep(n+1) + room[(n+1)&63]
}

//go:noinline
func lapseUnlock(m *sync.Mutex) { m.Unlock() }

//go:noinline
func lapseAgain() {
	defer func() {
		panic(fmt.Sprint("while cleaning up after: ", recover()))
	}()
	lapseText()
}

func main() {
	debug.SetMaxStack(1 << 20)
	switch os.Args[1] {
	case "index":
		fmt.Println(lapseIndex([]int{1, 2, 3}, len(os.Args)+3))
	case "text":
		lapseText()
	case "error":
		lapseError()
	case "own":
		lapseOwn()
	case "value":
		lapseValue(4711)
	case "map":
		lapseMap(nil)
	case "assert":
		fmt.Println(lapseAssert("text"))
	case "again":
		lapseAgain()
	case "goroutine":
		go lapseError()
		lapseWait(nil)
	case "asleep":
		lapseWait(make(chan int))
	case "deep":
		fmt.Println(lapseDeep(0))
	case "unlock":
		lapseUnlock(new(sync.Mutex))
	}
}
