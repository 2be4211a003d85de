package crash

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"coredbg/core"
	"coredbg/crash/wait"
	"coredbg/stack"
)

// maxGroups bounds the groups that are listed.
const maxGroups = 5

// A waitGroup is a number of tasks, threads or calls that wait in the same way and place.
type waitGroup struct {
	count   int
	class   int
	kind    string // "goroutine", "thread"; "" of a runtime's own words
	does    string
	at      string
	one     string // a runtime's own words, of one and of several
	many    string
	longest time.Duration
	main    bool          // the thread that draws the user interface is one
	frames  []stack.Frame // that name the bug
	first   *core.Thread  // a task of the group; nil for threads
	next    string
}

// words says in a sentence what a group waits for.
func (g *waitGroup) words() string {
	switch {
	case g.kind == "" && g.count == 1:
		return g.one
	case g.kind == "":
		return fmt.Sprintf("%d %s", g.count, g.many)
	case g.kind != "thread":
		return g.taskWords()
	case g.count == 1:
		return fmt.Sprintf("a thread waits %s, in %s", g.does, g.at)
	}
	return fmt.Sprintf("%d threads wait %s, in %s", g.count, g.does, g.at)
}

// taskWords says what a group of tasks does.
func (g *waitGroup) taskWords() string {
	words := fmt.Sprintf("%d %ss: %s, under %s", g.count, g.kind, g.does, g.at)
	if g.count == 1 {
		words = fmt.Sprintf("a %s: %s, under %s", g.kind, g.does, g.at)
	}
	switch d := g.longest.Round(time.Second); {
	case d == 0:
	case g.count == 1:
		words += fmt.Sprintf(", for at least %v", d)
	default:
		words += fmt.Sprintf(", the longest for at least %v", d)
	}
	return words
}

// took counts a task of the group.
func (g *waitGroup) took(t *core.Thread) {
	g.count++
	g.longest = max(g.longest, t.Task.Waited)
}

// compareGroups puts the wait of the thread that draws the user interface first, without which nothing goes
// on, then the most common waits. Waits without a function of the program come last.
func compareGroups(a, b *waitGroup) int {
	return cmp.Or(min(len(b.frames), 1)-min(len(a.frames), 1), compareBool(b.main, a.main), b.count-a.count,
		a.class-b.class, cmp.Compare(b.longest, a.longest), cmp.Compare(a.does, b.does), cmp.Compare(a.at, b.at),
		cmp.Compare(a.one, b.one))
}

// compareBool puts false first.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// Classes of waits: of two that are as common the first tells more.
const (
	waitsForLock  = iota // a lock, a channel, a condition: for the program itself
	waitsForInput        // of a file, a socket, a child
	waitsForAny          // several of these
	waitsForTime         // a timer, a signal
	waitsForEnd          // of a thread, which waits for something itself
)

// classOfState returns the class of the state of a task.
func classOfState(state string) int {
	for _, c := range []struct {
		words string
		class int
	}{{"sleep", waitsForTime}, {"select", waitsForAny}, {"chan", waitsForLock}, {"sync", waitsForLock},
		{"semacquire", waitsForLock}, {"wait", waitsForInput}} {
		if strings.Contains(state, c.words) {
			return c.class
		}
	}
	return waitsForInput
}

// classOfCall returns the class of a wait by the system call that it is in.
func classOfCall(name string) int {
	switch {
	case strings.HasPrefix(name, "futex"):
		return waitsForLock
	case strings.Contains(name, "poll") || strings.Contains(name, "select") || strings.HasPrefix(name, "io_"):
		return waitsForAny
	case strings.Contains(name, "sleep") || name == "pause" || strings.HasPrefix(name, "rt_sig"):
		return waitsForTime
	}
	return waitsForInput
}

// classOfJava returns the class of a wait by the state of the thread.
func classOfJava(state string) int {
	switch state {
	case "Sleeping", "TimedWaiting":
		return waitsForTime
	case "Native":
		return waitsForInput
	}
	return waitsForLock
}

// waitWords says what a thread waits for, by the kind of it.
func waitWords(kind string) string {
	switch kind {
	case wait.Thread:
		return "for another one's end"
	case wait.RWLock:
		return "for a read-write lock"
	}
	return "for a " + kind
}
