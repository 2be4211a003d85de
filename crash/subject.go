package crash

import (
	"context"

	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/stack"
	"coredbg/walk"
)

// A Subject is the process that is asked about.
type Subject struct {
	Process *core.Process
	Symbols *sym.Table
	Walk    *walk.Target
	Stacks  *stack.Engine
	// Thread is the one that crashed; nil if none is known to have.
	Thread *core.Thread
	// Causes returns what runtimes and libraries know of why the stack's thread ended
	// the process; it may be nil.
	Causes func(context.Context, *stack.Stack) []runtimes.Cause
	// Runtimes returns those that were found; it may be nil.
	Runtimes func() []runtimes.Runtime
	// Limit is how many machine frames of the thread are walked; 0 for as many as a
	// recursion may have. Stack is that stack if it was walked already.
	Limit int
	Stack *stack.Stack
	// Heap lets a heap that was full be asked what fills it, which takes its time.
	Heap bool
	// Rules name bugs; nil for those that come with coredbg.
	Rules *SignatureRules
	// Noise reports whether a function is of the machinery of giving up; it may be nil.
	Noise func(function string) bool
}
