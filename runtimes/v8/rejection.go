package v8

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/runtimes"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/v8/frame"
	"coredbg/runtimes/v8/inspect"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/reference"
)

// An ending finds the error that ended a process, and its traces in the heap.
type ending struct{ *V8 }

// rejecters are the functions of Node that deal with promises whose rejections nothing handles
// (lib/internal/process/promises.js).
var rejecters = []string{"processPromiseRejections", "throwUnhandledRejectionsMode", "strictUnhandledRejectionsMode",
	"triggerUncaughtException"}

// reasonWords are what comes before the reason in the message of Node's own error for one that is
// none (lib/internal/errors.js, UnhandledPromiseRejection).
const reasonWords = "with the reason "

// rejectedWith comes before the reason instead.
const rejectedWith = "a promise was rejected " + reasonWords

// maxReason bounds a value in a message, in characters.
const maxReason = 300

// rejected adds to a cause the reason of the promise that was rejected, and the async functions
// that it went through.
func (v ending) rejected(ctx context.Context, c *runtimes.Crash, cause *runtimes.Cause, thrown layout.Tagged) {
	if c.Within(func(f string) bool { return slices.Contains(rejecters[:3], f) }) < 0 &&
		!strings.Contains(cause.Message, reasonWords) {
		return
	}
	own := strings.Contains(cause.Message, reasonWords) // Node's own error, for a reason that is none
	promise, reason := v.rejectedPromise(ctx, c.Thread,
		func(reason layout.Tagged) bool { return (reason == thrown) != own })
	if promise == 0 {
		return
	}
	if own {
		cause.Message = rejectedWith + v.oneLine(reason) // Node's words before it are the same for all
	}
	list, err := v.Frames.RejectedWith(ctx, promise)
	switch {
	case err != nil:
		cause.Details = append(cause.Details,
			"the async functions that the reason went through are not known: "+err.Error())
	case len(list) > 0:
		var names []string
		for i := range list {
			names = append(names, placeText(&list[i]))
		}
		cause.Trace = list
		cause.Details = append(cause.Details, "the async functions whose promises were rejected with it: "+
			strings.Join(names, " < "))
		if own || !hasOwnFile(cause.At) {
			cause.At = names[0]
		}
	}
}

func placeText(f *runtimes.SourceFrame) string {
	return frame.Place{Name: f.Name, File: f.File, Line: f.Line, Column: f.Column, Unmapped: f.Unmapped}.String()
}

// rejectedPromise returns the rejected promise that a thread's stack refers to nearest to its top,
// with a reason that is wanted; 0 if there is none.
func (v ending) rejectedPromise(ctx context.Context, t *core.Thread,
	want func(reason layout.Tagged) bool) (promise, reason layout.Tagged) {
	v.Objects.EachStackWord(ctx, t, func(w layout.Tagged) {
		if promise != 0 || !v.Objects.Is(w, v.Types.JSPromise) {
			return
		}
		if state, result, err := v.Objects.Promise(w); err == nil && state == object.PromiseRejected && want(result) {
			promise, reason = w, result
		}
	})
	return promise, reason
}

// oneLine prints a value as ::jsprint does, in one line that is not too long.
func (v ending) oneLine(o layout.Tagged) string {
	x := v.Values.Inspect(o, inspect.DefaultInspect())
	text := []rune(x.Format(inspect.FormatOptions{OneLine: true, Dialect: v.Values.Dialect()}))
	for i, r := range text { // of an error the lines of its stack
		if r == '\n' {
			text = text[:i]
			break
		}
	}
	if len(text) > maxReason {
		text = append(text[:maxReason-1], '…')
	}
	return string(text)
}

// emitterKey is the property of an error that leads to the object that emitted it: a function bound to
// that object (lib/events.js, EventEmitter.prototype.emit).
const emitterKey = "[Symbol(kEnhanceStackBeforeInspector)]"

// peerNames are the properties of emitters and their errors that name the other end, a file or a program
// (net.Socket, net.Server, http.ClientRequest, fs.ReadStream, ChildProcess).
var peerNames = []string{"path", "spawnfile", "_host", "host", "hostname", "servername", "port", "remoteAddress",
	"_peername", "_pipeName", "_connectionKey",
	"method", "protocol", "address", "syscall", "code"}

// emitted adds to a cause the object that emitted an `error` event without a listener, and the objects that
// refer to the emitter.
func (v ending) emitted(ctx context.Context, c *runtimes.Crash, cause *runtimes.Cause, thrown layout.Tagged) {
	emitter := v.emitterOf(ctx, c, thrown)
	if emitter == 0 {
		return
	}
	text := fmt.Sprintf("emitted by %s at %x", v.Objects.Class(emitter), uint64(emitter))
	if peers := v.peers(emitter); len(peers) > 0 {
		text += ", " + strings.Join(peers, ", ")
	}
	if peers := v.peers(thrown); len(peers) > 0 {
		text += "; the error has " + strings.Join(peers, ", ")
	}
	cause.Details = append(cause.Details, text)
	if list := v.listeners(emitter); len(list) > 0 {
		cause.Details = append(cause.Details, "it has listeners: "+strings.Join(list, ", "))
	}
	owners, err := v.owners(ctx, emitter)
	switch {
	case err != nil:
		cause.Details = append(cause.Details, "who refers to it is not known: "+err.Error())
	case len(owners) > 0:
		cause.Details = append(cause.Details, "it is "+strings.Join(owners, ", and "))
	}
}

// emitterOf returns the object that emitted an error: the one that the error's property is bound to, or, if
// EventEmitter's function is on the stack, the one that has events and is nearest to the top.
func (v ending) emitterOf(ctx context.Context, c *runtimes.Crash, thrown layout.Tagged) (emitter layout.Tagged) {
	if s, err := v.Objects.Own(object.Slot{Word: thrown}, emitterKey); err == nil && !s.Raw &&
		v.Objects.IsReceiver(s.Word) && v.Objects.IsBound(s.Word) {
		this, ok := v.Objects.Field(s.Word, v.Layout.JSBoundFunction.This)
		if ok && v.Objects.IsReceiver(this) {
			return this
		}
	}
	if c.Within(func(f string) bool { return f == "emit" || strings.HasSuffix(f, ".emit") }) < 0 {
		return 0
	}
	v.Objects.EachStackWord(ctx, c.Thread, func(w layout.Tagged) {
		if emitter == 0 && v.Objects.IsReceiver(w) && v.Objects.HasOwn(w, "_events") {
			emitter = w
		}
	})
	return emitter
}

// peers are the properties of an object that say what it is connected to.
func (v ending) peers(o layout.Tagged) []string {
	var out []string
	brief := inspect.InspectOptions{Depth: 1, MaxArray: 6, MaxProperties: 6, MaxString: 120, MaxValues: 40}
	for _, name := range peerNames {
		s, err := v.Objects.Own(object.Slot{Word: o}, name)
		if err != nil {
			continue
		}
		x := v.Values.InspectSlot(s, brief)
		switch x.Kind {
		case object.KindString, object.KindNumber, object.KindObject:
		default:
			continue
		}
		if text := x.Format(inspect.FormatOptions{OneLine: true, Dialect: v.Values.Dialect()}); text != "''" &&
			text != "-1" && len(text) <= maxReason {
			out = append(out, name+" "+text)
		}
	}
	return out
}

// maxListeners bounds the listeners, and the objects that refer to an emitter, that are named.
const maxListeners = 3

// listeners names the functions of the program that an emitter calls.
func (v ending) listeners(emitter layout.Tagged) []string {
	events, err := v.Objects.Own(object.Slot{Word: emitter}, "_events")
	if err != nil || events.Raw || !v.Objects.IsReceiver(events.Word) {
		return nil
	}
	list, _, _ := v.Objects.Properties(events.Word, 64)
	var out []string
	for i := range list {
		fn := list[i].Value
		if fn.Raw || !fn.Word.IsHeap() || !v.Objects.IsReceiver(fn.Word) || !v.Objects.IsFunction(fn.Word) ||
			len(out) == maxListeners {
			continue
		}
		if p, ok := v.Frames.FunctionPlace(fn.Word); ok && p.OfProgram() {
			out = append(out, fmt.Sprintf("%s %s", list[i].Key, p))
		}
	}
	return out
}

// owners says what refers to an object: properties and variables, no internals of Node.
func (v ending) owners(ctx context.Context, o layout.Tagged) ([]string, error) {
	h, err := v.Heaps.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	refs, err := h.References(ctx, o, 3, false)
	if len(refs) == 0 {
		return nil, err
	}
	var out []string
	for i := range refs {
		r := &refs[i]
		text := ""
		switch {
		case r.Weak || r.Holder == o || strings.HasPrefix(r.Name, "[Symbol("):
		case r.Kind == graph.Property && r.Name != "":
			text = fmt.Sprintf("%s of %s at %x", r.Name, v.Objects.Class(r.Holder), uint64(r.Holder))
		case r.Kind == reference.MapValue || r.Kind == reference.SetValue:
			text = fmt.Sprintf("in %s at %x", v.Objects.Class(r.Holder), uint64(r.Holder))
		case r.Kind == graph.Variable && r.Name != "" && v.Objects.IsReceiver(r.Holder) &&
			v.Objects.IsFunction(r.Holder):
			if p, ok := v.Frames.FunctionPlace(r.Holder); ok && p.OfProgram() {
				text = fmt.Sprintf("the variable %s of %s", r.Name, p)
			}
		}
		if text != "" && !slices.Contains(out, text) && len(out) < maxListeners {
			out = append(out, text)
		}
	}
	return out, nil
}
