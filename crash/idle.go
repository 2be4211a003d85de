package crash

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/crash/kernel"
	"coredbg/crash/where"
	"coredbg/stack"
)

// maxCalls is how many different system calls are listed that threads wait in.
const maxCalls = 6

// occupations describes the activity of the threads of a process that was not ended from outside: the
// first one with its place, then all by their system calls. It is nil if the architecture's calls are
// not known.
func (x waiting) occupations() []string {
	if x.p.Arch == nil || len(x.p.Threads) == 0 || kernel.CallingOf(x.p.Arch) == nil {
		return nil
	}
	first := x.p.Threads[0]
	if t := x.p.Thread(x.p.PID); t != nil {
		first = t
	}
	does := "runs"
	if n, ok := waitsIn(x.p, first); ok {
		does = "waits in " + n
	} else if kernel.StateOf(x.p, first) == kernel.Unknown {
		does = "runs or waits: its instructions are missing from the core"
	}
	out := []string{fmt.Sprintf("thread %d, the first, %s%s", first.TID, does, x.under(first))}
	if len(x.p.Threads) == 1 {
		return out
	}
	return append(out, fmt.Sprintf("of its %d threads %s", len(x.p.Threads), x.tally()))
}

// under says which function of the program, and which of a managed language, a thread is in.
func (x waiting) under(t *core.Thread) (words string) {
	if at := x.threads.Of(x.ctx, t); at != "" {
		words = ", under " + at
	}
	f := x.threads.Frame(x.ctx, t, func(f *stack.Frame) bool { return stack.Managed(f) && f.File != "" && !f.Async })
	if f != nil && !strings.HasSuffix(words, where.Frame(f)) {
		words += ", called by " + where.Frame(f)
	}
	return words
}

// tally counts the threads by the system calls that they are in: "9 wait in futex, 1 in
// epoll_wait, 1 runs".
func (x waiting) tally() string {
	calls, running, unknown := map[string]int{}, 0, 0
	for _, t := range x.p.Threads {
		if name, ok := waitsIn(x.p, t); ok {
			calls[name]++
		} else if kernel.StateOf(x.p, t) == kernel.Unknown {
			unknown++
		} else {
			running++
		}
	}
	var parts []string
	rest := 0
	for _, name := range slices.SortedFunc(maps.Keys(calls),
		func(a, b string) int { return cmp.Or(calls[b]-calls[a], cmp.Compare(a, b)) }) {
		if len(parts) == maxCalls {
			rest += calls[name]
			continue
		}
		parts = append(parts, fmt.Sprintf("%d in %s", calls[name], name))
	}
	if rest > 0 {
		parts = append(parts, fmt.Sprintf("%d in others", rest))
	}
	if len(parts) > 0 {
		parts[0] = strings.Replace(parts[0], " in", " wait in", 1)
	}
	if running > 0 {
		parts = append(parts, fmt.Sprintf("%d outside of the kernel", running))
	}
	if unknown > 0 {
		parts = append(parts, fmt.Sprintf("%d not known to run or to wait", unknown))
	}
	return strings.Join(parts, ", ")
}
