package frame

import (
	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// maxStackArguments is Code::kMaxArguments.
const maxStackArguments = 1 << 16

// exitReceiver finds the receiver of a builtin exit frame: after the fixed words. aarch64 adds a word of
// padding to make their number even, and other machines have a hole until V8 13. While arguments were pushed in
// order (until V8 8) the receiver is the last of the words that argc counts.
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

// isTheHole knows the hole: an object of its own type from V8 12 on, an
// Oddball before.
func (dec *Decoder) isTheHole(o layout.Tagged) bool {
	typ, ok := dec.InstanceType(o)
	if !ok {
		return false
	}
	return typ == dec.Types.Hole || typ == dec.Types.Oddball && dec.objects.Oddball(o) == "hole"
}

// apiTargetAt finds the function that an API callback is called by, or its template, and how
// far from the frame pointer the word with it is, which has moved about; 0 if it is not there.
func (a *activation) apiTargetAt() (target layout.Tagged, off int64) {
	for off := int64(16); off <= 64; off += 8 {
		w, ok := a.v.Word(a.fp.Add(off))
		if !ok {
			break
		}
		if t := a.v.Full(w); a.v.IsFunction(t) || a.v.Is(t, a.v.Types.FunctionTemplateInfo) {
			return t, off
		}
	}
	return 0, 0
}

// A callbackInfo is what an API callback is given (include/v8-function-callback.h:
// FunctionCallbackInfo): count arguments lie after the receiver.
type callbackInfo struct {
	receiver  core.Addr
	count     int
	construct bool
}

// callbackInfo finds what an API callback is given. Until V8 14 it is an object below the
// frame's own words, which has the addresses of the implicit arguments, whose last is the new
// target, and of the others, and their number. Since then it is the frame itself
// (execution/frame-constants.h: ApiCallbackExitFrameConstants): the number is below the frame's
// own words, the receiver after the target.
func (a *activation) callbackInfo() (callbackInfo, bool) {
	dec := a.v
	outer, _ := dec.Word(a.fp)
	fits := func(receiver core.Addr, n uint64) bool {
		return receiver > a.fp && receiver%8 == 0 && n <= maxStackArguments &&
			receiver+8*core.Addr(n+1) <= core.Addr(outer)
	}
	for at := a.fp - 24; at >= a.fp-64; at -= 8 {
		implicit, _ := dec.Word(at - 16)
		values, _ := dec.Word(at - 8)
		n, ok := dec.Word(at)
		n &= 1<<32 - 1 // an int
		receiver := core.Addr(values) - 8
		if ok && core.Addr(implicit) > a.fp && core.Addr(implicit) < receiver && receiver-core.Addr(implicit) <= 80 &&
			fits(receiver, n) {
			target, _ := dec.Word(receiver - 8)
			return callbackInfo{receiver, int(n), dec.IsReceiver(dec.Full(target))}, true
		}
	}
	n, ok := dec.Word(a.fp - 24)
	_, off := a.apiTargetAt()
	receiver := a.fp.Add(off + 8)
	return callbackInfo{receiver, int(n), a.frameType == "ApiConstructExit"}, ok && off != 0 && fits(receiver, n)
}
