package where

import (
	"context"
	"slices"

	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/stack"
)

// maxFrames bounds how many frames of a thread are looked at to say where it is.
const maxFrames = 64

// Threads are the threads of a process, with queries for their places.
type Threads struct {
	Process *core.Process
	Symbols *sym.Table
	Stacks  *stack.Engine // nil if stacks cannot be walked
	// Noise reports whether a function belongs to the abort machinery; it may be nil.
	Noise func(function string) bool
}

// Stack returns the stack of a thread, up to limit machine frames; nil if it cannot be walked.
func (x *Threads) Stack(ctx context.Context, t *core.Thread, limit int) *stack.Stack {
	if x.Stacks == nil || x.Stacks.Walk == nil {
		return nil
	}
	return x.Stacks.Thread(ctx, t, stack.Options{Limit: limit})
}

// Top returns the stack of a thread as far as it is needed to say where that is; nil if it
// cannot be walked.
func (x *Threads) Top(ctx context.Context, t *core.Thread) *stack.Stack {
	return x.Stack(ctx, t, maxFrames)
}

// Frame returns the innermost frame of a thread that satisfies is, below the handlers of signals: those
// frames say nothing of the thread's work. It is nil if there is no such frame.
func (x *Threads) Frame(ctx context.Context, t *core.Thread, is func(*stack.Frame) bool) *stack.Frame {
	return FrameOf(x.Top(ctx, t), is)
}

// FrameOf is Threads.Frame of a stack, which may be nil.
func FrameOf(st *stack.Stack, is func(*stack.Frame) bool) *stack.Frame {
	if st == nil {
		return nil
	}
	handlers := len(st.Frames)
	for handlers > 0 && st.Frames[handlers-1].Kind != runtimes.Signal {
		handlers--
	}
	for _, frames := range [][]stack.Frame{st.Frames[handlers:], st.Frames[:handlers]} {
		for i := range frames {
			if is(&frames[i]) {
				return &frames[i]
			}
		}
	}
	return nil
}

// Of returns the place of a thread: its innermost function outside the system's libraries; "" if that
// is not known.
func (x *Threads) Of(ctx context.Context, t *core.Thread) string {
	if f := x.Frame(ctx, t, x.OfProgram); f != nil {
		return Frame(f)
	}
	return ""
}

// OfProgram reports whether a frame belongs neither to a system's library nor to the abort machinery.
func (x *Threads) OfProgram(f *stack.Frame) bool { return f.Name != "" && !x.Noisy(f) && !OfSystem(f) }

// Noisy reports whether a frame belongs to the abort machinery.
func (x *Threads) Noisy(f *stack.Frame) bool {
	return f.Kind == runtimes.Stub || f.Kind == runtimes.Signal || x.Noise != nil && x.Noise(f.Name)
}

// Running returns the frame that a thread runs: the innermost one of managed code, if all frames inside
// it belong to its runtime, whose interpreter, collector and entry points run for the function that is
// on their stack; else the innermost one of the program's machine code; nil if neither is known.
func (x *Threads) Running(frames []stack.Frame) *stack.Frame {
	runtime := callers(frames)
	var own *stack.Frame
	for i := range frames {
		f := &frames[i]
		if code(f) {
			return f
		}
		if x.OfProgram(f) && (f.Kind == runtimes.API || !stack.Managed(f)) {
			if !slices.Contains(runtime, f.Module) {
				return f
			}
			if own == nil {
				own = f
			}
		}
	}
	return own
}

// code reports whether a frame is managed code from a program's source: not a builtin, and not a
// function that waits for a promise.
func code(f *stack.Frame) bool {
	return stack.Managed(f) && f.Kind != runtimes.API && f.Tier != "builtin" && !f.Async &&
		(f.Name != "" || f.File != "")
}

// callers returns the images whose code calls managed code on a stack: only its runtime can.
func callers(frames []stack.Frame) (images []string) {
	for i := 1; i < len(frames); i++ {
		if f := &frames[i]; stack.Managed(&frames[i-1]) && !stack.Managed(f) && f.Module != "" &&
			!slices.Contains(images, f.Module) {
			images = append(images, f.Module)
		}
	}
	return images
}
