package frame

import (
	"fmt"

	"coredbg/runtimes"
	"coredbg/runtimes/v8/callsite"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/promise"
)

// asyncCallers returns the frames that Error.stack adds for a promise: it
// follows promises as long as exactly one waits for each
// (execution/isolate.cc: CaptureAsyncStackTrace).
func (dec *Decoder) asyncCallers(of layout.Tagged) []runtimes.SourceFrame {
	var out []runtimes.SourceFrame
	for _, x := range dec.suspendedCallers(of) {
		out = append(out, x.source)
	}
	return out
}

// suspendedCallers is asyncCallers with the calls that the frames belong to.
func (dec *Decoder) suspendedCallers(of layout.Tagged) []suspension {
	var out []suspension
	seen := map[layout.Tagged]bool{}
	for of != 0 && !seen[of] && len(out) < maxAwaiters && len(seen) < maxAwaiters {
		seen[of] = true
		list, err := dec.Promises.Waiters(of)
		if err != nil || len(list) != 1 {
			break // V8 names none either if several wait
		}
		w := &list[0]
		switch w.Kind {
		case promise.WaitAwait:
			out = append(out, suspension{dec.awaiter(w.Generator), w.Generator})
		case promise.WaitAll, promise.WaitAny, promise.WaitAllSettled:
			if !dec.namesCombinator(w.Kind) {
				return out
			}
			out = append(out, suspension{source: combinator(w)})
		case promise.WaitFromAsync:
			return out // Error.stack ends there
		}
		of = w.Next
	}
	return out
}

// namesCombinator reports whether Error.stack of this version knows frames of
// the combinator.
func (dec *Decoder) namesCombinator(k promise.WaitKind) bool {
	switch k {
	case promise.WaitAny:
		return dec.Layout.ErrorStack.NamesAny == 1
	case promise.WaitAllSettled:
		return dec.Layout.ErrorStack.NamesAllSettled == 1
	}
	return true
}

// combinator makes the frame of an element of Promise.all and its kin, as
// Error.stack prints it.
func combinator(w *promise.Waiter) runtimes.SourceFrame {
	return runtimes.SourceFrame{Kind: runtimes.JS, Name: string(w.Kind), File: fmt.Sprintf("index %d", w.Index),
		Tier: "builtin", Async: true}
}

// maxAwaiters bounds a chain of functions that wait for each other.
const maxAwaiters = 1 << 10

// awaiter makes the frame of a suspended async function.
func (dec *Decoder) awaiter(g layout.Tagged) runtimes.SourceFrame {
	c, position := dec.call(g)
	a := &activation{v: dec}
	f := a.source(c, position, "interpreter")
	f.Async = true
	return f
}

// call returns the function that a generator object runs, with its receiver, and the position that it is
// suspended at; -1 if that is not known.
func (dec *Decoder) call(g layout.Tagged) (c callsite.Call, position int) {
	l := &dec.Layout.JSGeneratorObject
	c.Closure, _ = dec.Field(g, l.Function)
	c.Shared, _ = dec.objects.ClosureShared(c.Closure)
	c.Receiver, c.HasReceiver = dec.Field(g, l.Receiver)
	if off, ok := dec.SmiField(g, l.Offset); ok {
		if bytecode, ok := dec.objects.BytecodeOf(c.Shared); ok {
			if p, ok := dec.objects.PositionIn(c.Shared, bytecode, off-(dec.Layout.BytecodeArray.Data-1)); ok {
				return c, p
			}
		}
	}
	return c, -1
}
