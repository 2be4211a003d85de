package v8

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/inspect"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// throwers are functions that end the process because of an uncaught error: src/execution/isolate.cc
// (--abort-on-uncaught-exception), node's src/node_errors.cc.
var throwers = []string{"v8::internal::Isolate::Throw", "v8::internal::Isolate::CreateMessageOrAbort",
	"node::errors::TriggerUncaughtException",
	"node::TriggerUncaughtException", "node::FatalException"}

// Causes returns the message that V8 or Node aborted with, and the uncaught error.
func (v *V8) Causes(ctx context.Context, c *runtimes.Crash) []runtimes.Cause {
	var out []runtimes.Cause
	if list := v.FatalMessages(ctx, c.Thread); len(list) > 0 {
		out = append(out, runtimes.Cause{Kind: runtimes.FatalError, Message: strings.Join(list, " "), TID: c.Thread.TID,
			Owner: v.ownerOf(c.Thread)})
	}
	if !slices.ContainsFunc(c.Frames, v.throws) {
		return out
	}
	thrown, known := v.thrown(c)
	if known && !v.Objects.IsError(thrown) {
		return append(out, runtimes.Cause{Kind: runtimes.UncaughtError, Message: ending{v}.oneLine(thrown),
			Addr: core.Addr(thrown), TID: c.Thread.TID,
			At: firstOwn(c, "")})
	}
	list := v.Objects.ErrorsOnStack(ctx, c.Thread)
	if known {
		list = []layout.Tagged{thrown}
	}
	if len(list) == 0 && c.Within(func(f string) bool { return f == "v8::internal::Isolate::StackOverflow" }) >= 0 {
		return append(out, runtimes.Cause{Kind: runtimes.UncaughtError, Type: "RangeError", Message: runtimes.StackFull,
			TID: c.Thread.TID, At: firstOwn(c, "")})
	}
	if len(list) == 0 {
		return append(out, runtimes.Cause{Kind: runtimes.UncaughtUnknown, TID: c.Thread.TID, At: firstOwn(c, ""),
			Note: "what was thrown is not an error that the stack refers to"})
	}
	cause := v.errorCause(runtimes.UncaughtError, c, list[0])
	if cause.Stack == nil {
		cause.At = firstOwn(c, "")
	}
	ending{v}.rejected(ctx, c, &cause, list[0])
	ending{v}.emitted(ctx, c, &cause, list[0])
	return append(append(out, cause), v.causedBy(c, list[0])...)
}

// errorCause describes an error, with its place if it has a stack of its own.
func (v *V8) errorCause(kind runtimes.CauseKind, c *runtimes.Crash, thrown layout.Tagged) runtimes.Cause {
	o := inspect.DefaultInspect()
	o.Depth = 0
	x := v.Values.Inspect(thrown, o)
	cause := runtimes.Cause{Kind: kind, Type: errorName(x), Message: x.Message, Addr: core.Addr(x.Word),
		TID: c.Thread.TID, Stack: placesIn(x.Text)}
	if cause.Stack != nil {
		cause.At = firstOwn(c, x.Text)
	}
	return cause
}

// maxBehind bounds the errors behind an error, maxCollected an AggregateError's errors that it shows.
const maxBehind, maxCollected = 8, 3

// causedBy returns the errors behind an error: its chain of causes, and the first errors of an AggregateError. A cause
// that is no error has its text as the message.
func (v *V8) causedBy(c *runtimes.Crash, thrown layout.Tagged) (out []runtimes.Cause) {
	seen := map[layout.Tagged]bool{thrown: true}
	add := func(w layout.Tagged) bool {
		if seen[w] || len(out) == maxBehind {
			return false
		}
		seen[w] = true
		if v.Objects.IsError(w) {
			out = append(out, v.errorCause(runtimes.CausedBy, c, w))
		} else {
			out = append(out, runtimes.Cause{Kind: runtimes.CausedBy, Message: ending{v}.oneLine(w), Addr: core.Addr(w),
				TID: c.Thread.TID})
		}
		return true
	}
	for at := thrown; ; {
		next, err := v.Objects.Own(object.Slot{Word: at}, "cause")
		if err != nil || next.Raw || !next.Word.IsHeap() || v.Objects.OddballKind(next.Word) != "" || !add(next.Word) {
			break
		}
		at = next.Word
	}
	if list, err := v.Objects.Own(object.Slot{Word: thrown}, "errors"); err == nil && !list.Raw &&
		v.Objects.IsReceiver(list.Word) {
		_ = v.Objects.Elements(list.Word, func(i uint64, s object.Slot) bool {
			return i < maxCollected && !s.Raw && s.Word.IsHeap() && add(s.Word)
		})
	}
	return out
}

// thrown returns the value that code has thrown: the argument of Runtime_Throw, which its caller has pushed
// last before it called CEntry (builtins/x64/builtins-x64.cc, Generate_CEntry).
func (v *V8) thrown(c *runtimes.Crash) (layout.Tagged, bool) {
	i := c.Within(func(f string) bool { return f == "v8::internal::Runtime_Throw" })
	if i < 0 || i+2 >= len(c.Frames) || !strings.HasPrefix(c.Frames[i+1].Function, "CEntry") {
		return 0, false
	}
	m := v.Process.Cursor()
	w := v.Objects.Full(uint64(m.Pointer(c.Frames[i+2].SP)))
	if m.Err() != nil || w&3 != 1 {
		return 0, false
	}
	_, ok := v.Objects.MapOf(w)
	return w, ok
}

// throws reports whether f is a call of one of throwers. In a stripped image it accepts two other frames. One
// is Node's function that JavaScript calls a thrower through; it has no file, unlike a function of the program.
// The other is a frame without a name that has just printed V8's report of an uncaught error.
func (v *V8) throws(f runtimes.CrashFrame) bool {
	if f.Function == "" && f.Own == "" {
		return v.Image.Module.Contains(f.PC) && v.Objects.Refers(f.PC, uncaughtFormat)
	}
	return f.Function == "triggerUncaughtException" && f.Own == "" ||
		slices.ContainsFunc(throwers, func(t string) bool { return strings.HasPrefix(f.Function, t) })
}

// uncaughtFormat is the format of the message that comes before the stack; execution/isolate.cc.
const uncaughtFormat = "%s\n\nFROM\n"

// ownerOf names the isolate of a thread that is not the process's first; "" of that one, and
// where it is not known.
func (v *V8) ownerOf(t *core.Thread) string {
	a, ok := v.Objects.Isolate(t)
	if !ok || t.TID == v.Process.PID {
		return ""
	}
	return fmt.Sprintf("isolate %x of thread %d, which is not the first: a worker's", uint64(a), t.TID)
}

// errorName returns the name that an error's stack begins with, or its class.
func errorName(x *inspect.Value) string {
	name, _, ok := strings.Cut(x.Text, ":")
	if ok && name != "" && !strings.ContainsAny(name, " \n") {
		return name
	}
	if x.Class != "" {
		return x.Class
	}
	return "Error"
}

// firstOwn returns the first place in an error's stack that is not Node's own. It uses the error's text, or the
// remaining frames if there is no text.
func firstOwn(c *runtimes.Crash, stack string) string {
	places := placesIn(stack)
	if places == nil {
		for i := range c.Frames {
			if own := c.Frames[i].Own; own != "" {
				places = append(places, own)
			}
		}
	}
	for _, at := range places {
		if hasOwnFile(at) {
			return at
		}
	}
	if len(places) > 0 {
		return places[0]
	}
	return ""
}

// hasOwnFile reports whether a place, such as "refuse (/app/fatal.js:23:9)", is in a file that is not Node's own.
func hasOwnFile(at string) bool {
	file := at[strings.LastIndexByte(at, '(')+1:]
	return strings.Contains(file, "/") && !strings.HasPrefix(file, "node:") && !strings.HasPrefix(file, "internal/")
}

// maxStack bounds the frames of an error's stack that a cause has.
const maxStack = 64

// placesIn returns the frames that the text of an error's stack lists.
func placesIn(stack string) (places []string) {
	for line := range strings.SplitSeq(stack, "\n") {
		if at, ok := strings.CutPrefix(line, "    at "); ok && len(places) < maxStack {
			places = append(places, at)
		}
	}
	return places
}

// Noise is how V8 ends a process, and how it calls functions of its embedder.
var Noise = runtimes.Noise{
	Prefixes: []string{
		"v8::base::", "V8_Fatal", "v8::internal::Isolate::Throw", "v8::internal::Isolate::CreateMessageOrAbort",
		"v8::internal::Runtime_Throw",
		"v8::internal::FunctionCallbackArguments::", "v8::internal::PropertyCallbackArguments::",
		"v8::internal::(anonymous namespace)::HandleApiCallHelper",
		"v8::internal::Builtin_HandleApiCall", "v8::internal::Builtin_Impl_HandleApiCall",
		"v8::internal::Builtins::InvokeApiFunction",
	},
}
