package commands

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"coredbg/crash"
	"coredbg/runtimes"
	"coredbg/stack"
)

// causeReach is how many frames of the crashed thread are walked for its causes.
const causeReach = 64

// Causes returns why the process ended, according to its runtimes and libraries, the most telling first; nil if
// it did not end, or the cause is unknown.
func (s *Target) Causes(ctx context.Context) []runtimes.Cause {
	t := Crashed(s.Process)
	if t == nil || s.Stacks == nil || s.Stacks.Walk == nil {
		return nil
	}
	return s.CausesOf(ctx, s.Stacks.Thread(ctx, t, stack.Options{Limit: causeReach}))
}

// CausesOf is Causes for a stack of the crashed thread that was walked already.
func (s *Target) CausesOf(ctx context.Context, rec *stack.Stack) []runtimes.Cause {
	c := &runtimes.Crash{Thread: rec.Thread, Signal: s.Process.Signal}
	for i := range rec.Frames {
		f := &rec.Frames[i]
		frame := runtimes.CrashFrame{Function: f.Name, PC: f.PC, SP: f.SP}
		if stack.Managed(f) && f.File != "" {
			frame.Own = fmt.Sprintf("%s (%s:%d:%d)", cmp.Or(f.Name, "<anonymous>"), f.File, f.Line, f.Column)
		}
		c.Frames = append(c.Frames, frame)
	}
	var out []runtimes.Cause
	if s.Runtimes != nil {
		for _, r := range s.Runtimes() {
			if x, ok := r.(runtimes.CauseFinder); ok {
				out = append(out, x.Causes(ctx, c)...)
			}
		}
	}
	for _, x := range s.CauseFinders {
		out = append(out, x.Causes(ctx, c)...)
	}
	return out
}

// Noise reports whether a function belongs to the abort machinery.
func (s *Target) Noise(function string) bool {
	return slices.ContainsFunc(s.Noises, func(n *runtimes.Noise) bool { return n.Has(function) })
}

// Subject returns the process as what is asked why it died.
func (s *Target) Subject() *crash.Subject {
	return &crash.Subject{Process: s.Process, Symbols: s.Symbols, Walk: s.Walk, Stacks: s.Stacks,
		Thread:   Crashed(s.Process),
		Causes:   func(ctx context.Context, rec *stack.Stack) []runtimes.Cause { return s.CausesOf(ctx, rec) },
		Runtimes: s.Runtimes, Leaks: s.LeakRules, Noise: s.Noise}
}
