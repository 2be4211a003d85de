package frame

import (
	"coredbg/runtimes"
	"coredbg/runtimes/v8/callsite"
	"coredbg/runtimes/v8/layout"
)

// exitTarget decodes the frame of a builtin written in C++, or of an API
// callback until V8 12 (execution/frame-constants.h: BuiltinExitFrameConstants).
func (a *activation) exitTarget() (runtimes.SourceFrame, bool) {
	dec, l := a.v, &a.v.Layout.Frame
	w, ok := dec.Word(a.fp.Add(int64(l.ExitTarget)))
	fn := dec.Full(w)
	if !ok || !dec.IsFunction(fn) {
		return runtimes.SourceFrame{}, false
	}
	c := callsite.Call{Closure: fn}
	c.Shared, _ = dec.objects.ClosureShared(fn)
	c.Receiver, c.HasReceiver = a.exitReceiver()
	if nt, ok := dec.Word(a.fp.Add(int64(l.ExitNewTarget))); ok && dec.IsReceiver(dec.Full(nt)) {
		c.Construct = true
	}
	return a.builtin(c), true
}

// continuationArgCount is BuiltinContinuationFrameConstants::kArgCOffset.
const continuationArgCount = -48

// continuation decodes the frame that stands for a builtin which optimised code
// had expanded, such as map, after that code was thrown away
// (execution/frame-constants.h: BuiltinContinuationFrameConstants).
func (a *activation) continuation() (runtimes.SourceFrame, bool) {
	dec, l := a.v, &a.v.Layout.Frame
	w, ok := dec.Word(a.fp.Add(int64(l.Function)))
	fn := dec.Full(w)
	if !ok || !dec.IsFunction(fn) {
		return runtimes.SourceFrame{}, false
	}
	c := callsite.Call{Closure: fn, Construct: a.constructs()}
	c.Shared, _ = dec.objects.ClosureShared(fn)
	at := a.fp.Add(int64(l.Args))
	if l.ReceiverFirst != 1 {
		w, ok := dec.Word(a.fp.Add(continuationArgCount))
		n := dec.Full(w).Smi()
		if !ok || !dec.Full(w).IsSmi() || n < 0 || n > maxStackArguments {
			return a.builtin(c), true
		}
		at = at.Add(8 * n)
	}
	w, c.HasReceiver = dec.Word(at)
	c.Receiver = dec.Full(w)
	return a.builtin(c), true
}

// apiTarget decodes the frame of an API callback from V8 12 on.
func (a *activation) apiTarget() (runtimes.SourceFrame, bool) {
	dec := a.v
	target, off := a.apiTargetAt()
	switch {
	case off == 0:
		return runtimes.SourceFrame{}, false
	case !dec.IsFunction(target):
		return runtimes.SourceFrame{Kind: runtimes.API, Name: dec.templateName(target),
			Callback: dec.objects.CallbackName(target)}, true
	}
	c := callsite.Call{Closure: target}
	c.Shared, _ = dec.objects.ClosureShared(target)
	if i, ok := a.callbackInfo(); ok {
		w, readable := dec.Word(i.receiver)
		c.Receiver, c.HasReceiver, c.Construct = dec.Full(w), readable, i.construct
	}
	f := a.builtin(c)
	f.Kind, f.File, f.Tier = runtimes.API, "", ""
	return f, true
}

// templateName returns the class name that a FunctionTemplateInfo was given.
func (dec *Decoder) templateName(t layout.Tagged) string {
	for off := 8; off <= 80; off += 8 {
		if w, ok := dec.Field(t, off); ok && dec.objects.IsString(w) {
			return dec.objects.Text(w)
		}
	}
	return ""
}
