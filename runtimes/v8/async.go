package v8

import "coredbg/runtimes"

// maxAwaiters bounds a chain of functions that wait for each other.
const maxAwaiters = 1 << 10

// withAwaiters adds the functions that wait for the one whose await the
// builtin frame f resumes, while it runs (execution/isolate.cc:
// CaptureAsyncStackTrace).
func (a *activation) withAwaiters(f runtimes.SourceFrame, c call) []runtimes.SourceFrame {
	out := []runtimes.SourceFrame{f}
	if f.Kind != runtimes.Stub || !isAwaitClosure(a.place.builtin) {
		return out
	}
	g, ok := a.v.awaits(c.closure)
	if !ok || !a.v.isExecuting(g) {
		return out
	}
	return append(out, a.v.awaiters(g)...)
}

// isExecuting is JSGeneratorObject::is_executing.
func (v *V8) isExecuting(g Tagged) bool {
	const executing = -2 // kGeneratorExecuting
	n, ok := v.smiField(g, v.layout.JSGeneratorObject.Continuation)
	return ok && n == executing
}

// awaiters returns the functions that wait for the one that a generator is.
func (v *V8) awaiters(g Tagged) []runtimes.SourceFrame {
	promise, ok := v.generatorPromise(g)
	if !ok {
		return nil
	}
	return v.asyncCallers(promise)
}

// awaiter makes the frame of a suspended async function.
func (v *V8) awaiter(g Tagged) runtimes.SourceFrame {
	l := &v.layout.JSGeneratorObject
	fn, _ := v.field(g, l.Function)
	c := call{closure: fn}
	c.shared, _ = v.closureShared(fn)
	c.receiver, c.hasReceiver = v.field(g, l.Receiver)
	position := -1
	if off, ok := v.smiField(g, l.Offset); ok {
		if bytecode, ok := v.bytecodeOf(c.shared); ok {
			if p, ok := v.bytecodePosition(bytecode, off-(v.layout.BytecodeArray.Data-1)); ok {
				position = p
			}
		}
	}
	a := &activation{v: v}
	f := a.source(c, position, "interpreter")
	f.Async = true
	return f
}
