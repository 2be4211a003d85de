package frame

import (
	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
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
	c := object.Call{Closure: fn}
	c.Shared, _ = dec.objects.ClosureShared(fn)
	c.Receiver, c.HasReceiver = a.exitReceiver()
	if nt, ok := dec.Word(a.fp.Add(int64(l.ExitNewTarget))); ok && dec.IsReceiver(dec.Full(nt)) {
		c.Construct = true
	}
	return a.builtin(c), true
}

// exitReceiver finds the receiver of a builtin exit frame: after the fixed
// words, to which aarch64 adds one of padding to make them even, other machines
// a hole until V8 13. While arguments were pushed in order (until V8 8) it is
// the last of the words that argc counts.
func (a *activation) exitReceiver() (layout.Tagged, bool) {
	l := &a.v.Layout.Frame
	if l.ReceiverFirst != 1 {
		argc, ok := a.v.Word(a.fp.Add(int64(l.ExitTarget) + 8))
		n := a.v.Full(argc).Smi()
		if !ok || n < 1 || n > maxStackArguments {
			return 0, false
		}
		w, ok := a.v.Word(a.fp.Add(int64(l.ExitNewTarget) + 8*(n-1)))
		return a.v.Full(w), ok
	}
	at := a.fp.Add(int64(l.ExitReceiver))
	w, ok := a.v.Word(at)
	if ok && (a.v.Process.Arch == core.ARM64 || a.v.isTheHole(a.v.Full(w))) {
		w, ok = a.v.Word(at + 8)
	}
	return a.v.Full(w), ok
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
	c := object.Call{Closure: fn, Construct: a.constructs()}
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

// isTheHole knows the hole: an object of its own type from V8 12 on, an
// Oddball before.
func (dec *Decoder) isTheHole(o layout.Tagged) bool {
	typ, ok := dec.InstanceType(o)
	if !ok {
		return false
	}
	return typ == dec.objects.HoleType() || typ == dec.Types.Oddball && dec.objects.Oddball(o) == "hole"
}

// apiTarget decodes the frame of an API callback from V8 12 on: the word with
// the function, or its template, has moved about.
func (a *activation) apiTarget() (runtimes.SourceFrame, bool) {
	dec := a.v
	for off := int64(16); off <= 64; off += 8 {
		w, ok := dec.Word(a.fp.Add(off))
		if !ok {
			break
		}
		if fn := dec.Full(w); dec.IsFunction(fn) {
			c := object.Call{Closure: fn}
			c.Shared, _ = dec.objects.ClosureShared(fn)
			c.Receiver, c.HasReceiver, c.Construct = a.apiReceiver(off)
			f := a.builtin(c)
			f.Kind, f.File, f.Tier = runtimes.API, "", ""
			return f, true
		}
		if t := dec.Full(w); dec.Is(t, dec.Types.FunctionTemplateInfo) {
			return runtimes.SourceFrame{Kind: runtimes.API, Name: dec.templateName(t), Callback: dec.objects.CallbackName(t)}, true
		}
	}
	return runtimes.SourceFrame{}, false
}

// apiReceiver finds the receiver of an API callback whose function lies at off:
// the next object of JavaScript among the words after it. In V8 13 the new
// target is right after the function (execution/frame-constants.h:
// ApiCallbackExitFrameConstants).
func (a *activation) apiReceiver(off int64) (receiver layout.Tagged, ok, construct bool) {
	dec := a.v
	for i := int64(8); i <= 80; i += 8 {
		w, readable := dec.Word(a.fp.Add(off + i))
		if !readable {
			break
		}
		if !dec.IsReceiver(dec.Full(w)) {
			continue
		}
		if i == 8 && off == 48 && dec.IsFunction(dec.Full(w)) {
			construct = true
			continue
		}
		return dec.Full(w), true, construct
	}
	return 0, false, construct
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

// templateOf returns the FunctionTemplateInfo that is the data of a shared
// function which stands for a callback of the embedder.
func (dec *Decoder) templateOf(shared layout.Tagged) (layout.Tagged, bool) {
	l := &dec.Layout.SharedFunctionInfo
	for _, off := range []int{l.FunctionData, l.UntrustedData} {
		if d, ok := dec.DataField(shared, off); ok && dec.Is(d, dec.Types.FunctionTemplateInfo) {
			return d, true
		}
	}
	return 0, false
}
