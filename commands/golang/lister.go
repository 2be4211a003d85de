package golang

import (
	"context"
	"iter"
	"strings"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/runtimes/golang"
	"coredbg/stack"
	"coredbg/walk"
)

// noStack is why the stack of a goroutine that has none ends.
var noStack = &walk.StopError{Kind: walk.StopRoot}

// A filter says which goroutines are wanted.
type filter struct {
	all             bool // those of the runtime and dead ones as well
	state, function string
}

// early reports whether a goroutine may be wanted, before its stack is known.
func (f filter) early(s *commands.Session, g *golang.Goroutine) bool {
	if !f.all && g.Err == nil && (g.Dead() || system(s, g)) {
		return false
	}
	return f.state == "" || strings.EqualFold(f.state, g.Status) || strings.EqualFold(f.state, g.Reason)
}

// late reports whether the goroutine with a stack is wanted.
func (f filter) late(st *stack.Stack) bool {
	if f.function == "" {
		return true
	}
	for i := range st.Frames {
		if r := &st.Frames[i]; r.Name == f.function || r.Symbolic() == f.function {
			return true
		}
	}
	return false
}

// listed yields the goroutines that are wanted, with their stacks.
func listed(ctx context.Context, c *commands.Call, list []*golang.Goroutine, f filter, o stack.Options) iter.Seq2[*golang.Goroutine, *stack.Stack] {
	return func(yield func(*golang.Goroutine, *stack.Stack) bool) {
		s := c.Session
		var wanted []*golang.Goroutine
		var threads []*core.Thread
		for _, g := range list {
			if !f.early(s, g) {
				continue
			}
			wanted = append(wanted, g)
			if t := g.Task(); t != nil {
				threads = append(threads, t)
			}
		}
		next, stop := iter.Pull(s.Stacks.All(ctx, threads, o))
		defer stop()
		for _, g := range wanted {
			st := &stack.Stack{Stop: noStack}
			if g.Task() != nil {
				var ok bool
				if st, ok = next(); !ok {
					return
				}
				commands.NoteStop(s, st)
			}
			if f.late(st) && !yield(g, st) {
				return
			}
		}
	}
}
