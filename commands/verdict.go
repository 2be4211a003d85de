package commands

import (
	"context"

	"coredbg/crash"
	"coredbg/runtimes"
	"coredbg/stack"
)

// Subject returns the process as what is asked why it died.
func (s *Session) Subject() *crash.Subject {
	return &crash.Subject{Process: s.Process, Symbols: s.Symbols, Walk: s.Walk, Stacks: s.Stacks,
		Thread:   Crashed(s.Process),
		Causes:   func(ctx context.Context, rec *stack.Stack) []runtimes.Cause { return s.CausesOf(ctx, rec) },
		Runtimes: s.Runtimes, Leaks: s.LeakRules, Noise: s.Noise}
}
