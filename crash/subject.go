package crash

import (
	"context"

	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/crash/bugs"
	"coredbg/crash/fault"
	"coredbg/crash/wait"
	"coredbg/crash/where"
	"coredbg/runtimes"
	"coredbg/runtimes/heap"
	"coredbg/stack"
	"coredbg/walk"
)

// A Subject is the process that is asked about.
type Subject struct {
	Process *core.Process
	Symbols *sym.Table
	Walk    *walk.Target
	Stacks  *stack.Engine
	// Thread is the thread that crashed; nil if no thread is known to have crashed.
	Thread *core.Thread
	// Causes returns the reasons that runtimes and libraries know for the end of the process by the
	// stack's thread; it may be nil.
	Causes func(context.Context, *stack.Stack) []runtimes.Cause
	// Runtimes returns the runtimes that were found; it may be nil.
	Runtimes func() []runtimes.Runtime
	// Limit is how many machine frames of the thread are walked; 0 for as many as a
	// recursion may have. Stack is that stack if it was walked already.
	Limit int
	Stack *stack.Stack
	// Heap lets a large heap that was full be asked what fills it, which takes its time; a small one always is.
	Heap bool
	// Patient lets that take as long as it takes.
	Patient bool
	// Leaks returns the known leak patterns of the runtimes' programs; it may be nil.
	Leaks func() []heap.Rule
	// Rules name bugs; nil means the built-in rules.
	Rules *bugs.Rules
	// Noise reports whether a function belongs to the abort machinery; it may be nil.
	Noise func(function string) bool
}

// fault is what a fault is explained by.
func (s *Subject) fault() *fault.Subject {
	return &fault.Subject{Process: s.Process, Symbols: s.Symbols, Walk: s.Walk, Thread: s.Thread}
}

// Threads returns the threads of the process, to ask where they are.
func (s *Subject) Threads() where.Threads {
	return where.Threads{Process: s.Process, Symbols: s.Symbols, Stacks: s.Stacks, Noise: s.Noise}
}

// Explain says what the signal means in this process; nil if there is nothing to add to
// the signal's own words.
func Explain(ctx context.Context, s *Subject) []string { return fault.Explain(ctx, s.fault()).Words }

// Blocked returns the threads that wait, as wait.Blocked does.
func Blocked(ctx context.Context, s *Subject) []wait.Wait {
	threads := s.Threads()
	return wait.Blocked(ctx, &threads)
}
