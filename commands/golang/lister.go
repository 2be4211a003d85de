package golang

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/runtimes/golang"
	"coredbg/stack"
	"coredbg/walk"
)

// noStack is the reason that the stack of a goroutine without a stack ends.
var noStack = &walk.StopError{Kind: walk.StopRoot}

// A filter says which goroutines are wanted.
type filter struct {
	*gazetteer
	all             bool // also the runtime's and dead ones
	state, function string
}

// early reports whether a goroutine may be wanted, before its stack is known.
func (f filter) early(g *golang.Goroutine) bool {
	if !f.all && g.Err == nil && (g.Dead() || f.system(g)) {
		return false
	}
	return f.state == "" || strings.EqualFold(f.state, g.Status) || strings.EqualFold(f.state, g.Reason)
}

// stateless says which states there are if no goroutine is in the one that is wanted. A text that is no state
// at all is a mistake.
func (f filter) stateless(c *commands.Call, list []*golang.Goroutine) error {
	s, count := c.Session, map[string]int{}
	every := filter{gazetteer: f.gazetteer, all: f.all}
	for _, g := range list {
		switch {
		case f.state == "" || f.early(g):
			return nil
		case every.early(g) && g.Reason != "":
			count[g.Reason]++
		case every.early(g):
			count[g.Status]++
		}
	}
	if f.state == "" || len(count) == 0 {
		return nil
	}
	states := slices.SortedFunc(maps.Keys(count),
		func(a, b string) int { return cmp.Or(count[b]-count[a], cmp.Compare(a, b)) })
	for i, state := range states {
		states[i] = fmt.Sprintf("%q (%d)", state, count[state])
	}
	there := strings.Join(states, ", ")
	if r, ok := commands.RuntimeOf[*golang.Runtime](s); ok && !r.KnowsState(f.state) {
		return fmt.Errorf("%q is not a state of goroutines, nor what one waits for; there are %s", f.state, there)
	}
	return c.Empty("no goroutine is in the state %q; there are %s", f.state, there)
}

// late reports whether the goroutine with a stack is wanted.
func (f filter) late(st *stack.Stack) bool {
	if f.function == "" {
		return true
	}
	for r := range st.Every() {
		if r.Name == f.function || r.Symbolic() == f.function {
			return true
		}
	}
	return false
}

// listed yields the goroutines that are wanted, with their stacks.
func listed(ctx context.Context, c *commands.Call, list []*golang.Goroutine, f filter,
	o stack.Options) iter.Seq2[*golang.Goroutine, *stack.Stack] {
	return func(yield func(*golang.Goroutine, *stack.Stack) bool) {
		s := c.Session
		var wanted []*golang.Goroutine
		var threads []*core.Thread
		for _, g := range list {
			if !f.early(g) {
				continue
			}
			wanted = append(wanted, g)
			if t := g.Task(); t != nil {
				threads = append(threads, t)
			}
		}
		// without yields the goroutines before the next one with a stack.
		without := func() bool {
			for len(wanted) > 0 && wanted[0].Task() == nil {
				g := wanted[0]
				if wanted = wanted[1:]; f.function == "" && !yield(g, &stack.Stack{Stop: noStack}) {
					return false
				}
			}
			return true
		}
		for st := range s.Stacks.All(ctx, threads, o) {
			if !without() {
				return
			}
			g := wanted[0]
			wanted = wanted[1:]
			commands.NoteStop(s, st)
			if f.late(st) && !yield(g, st) {
				return
			}
		}
		without()
	}
}
