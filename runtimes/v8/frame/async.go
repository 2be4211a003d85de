package frame

import (
	"coredbg/runtimes"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// maxAwaiters bounds a chain of functions that wait for each other.
const maxAwaiters = 1 << 10

// withAwaiters adds the functions that wait for the one whose await the
// builtin frame f resumes, while it runs (execution/isolate.cc:
// CaptureAsyncStackTrace).
func (a *activation) withAwaiters(f runtimes.SourceFrame, c object.Call) []runtimes.SourceFrame {
	out := []runtimes.SourceFrame{f}
	if f.Kind != runtimes.Stub || !object.IsAwaitClosure(a.place.Builtin) {
		return out
	}
	g, ok := a.v.objects.Awaits(c.Closure)
	if !ok || !a.v.isExecuting(g) {
		return out
	}
	return append(out, a.v.awaiters(g)...)
}

// isExecuting is JSGeneratorObject::is_executing.
func (dec *Decoder) isExecuting(g layout.Tagged) bool {
	const executing = -2 // kGeneratorExecuting
	n, ok := dec.SmiField(g, dec.Layout.JSGeneratorObject.Continuation)
	return ok && n == executing
}

// awaiters returns the functions that wait for the one that a generator is.
func (dec *Decoder) awaiters(g layout.Tagged) []runtimes.SourceFrame {
	promise, ok := dec.generatorPromise(g)
	if !ok {
		return nil
	}
	return dec.asyncCallers(promise)
}

// awaiter makes the frame of a suspended async function.
func (dec *Decoder) awaiter(g layout.Tagged) runtimes.SourceFrame {
	l := &dec.Layout.JSGeneratorObject
	fn, _ := dec.Field(g, l.Function)
	c := object.Call{Closure: fn}
	c.Shared, _ = dec.objects.ClosureShared(fn)
	c.Receiver, c.HasReceiver = dec.Field(g, l.Receiver)
	position := -1
	if off, ok := dec.SmiField(g, l.Offset); ok {
		if bytecode, ok := dec.objects.BytecodeOf(c.Shared); ok {
			if p, ok := dec.objects.PositionIn(c.Shared, bytecode, off-(dec.Layout.BytecodeArray.Data-1)); ok {
				position = p
			}
		}
	}
	a := &activation{v: dec}
	f := a.source(c, position, "interpreter")
	f.Async = true
	return f
}
