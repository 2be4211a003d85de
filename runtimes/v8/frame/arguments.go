package frame

import (
	"errors"

	"coredbg/core"
	"coredbg/runtimes/v8/code"
	"coredbg/runtimes/v8/layout"
	"coredbg/walk"
)

// Arguments are the values that a function was called with.
type Arguments struct {
	Receiver layout.Tagged
	// Values are the actual arguments, as many as were passed, which may be
	// more or fewer than the function declares; at most maxArguments.
	Values []layout.Tagged
	// More counts those left out.
	More int
}

const maxArguments = 1 << 10

var errNoArguments = errors.New("v8: the frame keeps no arguments")

// Arguments returns the arguments of the function that the machine frame f was made for: the outermost function
// of an optimized frame. If the function has assigned to a parameter since, the result may be the new value or
// the old.
func (dec *Decoder) Arguments(f *walk.Frame) (Arguments, error) {
	a := dec.activationOf(f)
	if a == nil || a.suspended != nil {
		return Arguments{}, errNoArguments
	}
	return dec.argumentsAt(f.FP, a.place)
}

func (dec *Decoder) argumentsAt(fp core.Addr, p code.Place) (Arguments, error) {
	l := &dec.Layout.Frame
	w, ok := dec.Word(fp.Add(int64(l.ContextOrType)))
	if !ok {
		return Arguments{}, errNoArguments
	}
	a := &activation{v: dec, fp: fp, place: p}
	if w&1 == 0 {
		switch dec.Markers[int(w>>1)] {
		case "BuiltinExit":
			return a.exitArguments()
		case "ApiCallbackExit", "ApiConstructExit":
			return a.apiArguments()
		}
		return Arguments{}, errNoArguments
	}
	fn, ok := dec.Word(fp.Add(int64(l.Function)))
	if !ok || !dec.IsFunction(dec.Full(fn)) {
		return Arguments{}, errNoArguments
	}
	receiver, ok := a.receiver()
	if !ok {
		return Arguments{}, errNoArguments
	}
	out := Arguments{Receiver: receiver}
	n := a.argumentCount(dec.Full(fn))
	out.addAll(dec, n, func(k int) core.Addr {
		if l.ReceiverFirst != 1 {
			return fp.Add(int64(l.Args + 8*(n-k)))
		}
		return fp.Add(int64(l.Args + 8*k))
	})
	return out, nil
}

// addAll adds n arguments, counted from 1, or as many as can be had.
func (a *Arguments) addAll(dec *Decoder, n int, at func(int) core.Addr) {
	for k := 1; k <= n; k++ {
		if !a.add(dec, at(k)) {
			break
		}
	}
	a.More = max(0, n-len(a.Values))
}

func (a *Arguments) add(dec *Decoder, at core.Addr) bool {
	w, ok := dec.Word(at)
	if !ok || len(a.Values) == maxArguments {
		return false
	}
	a.Values = append(a.Values, dec.Full(w))
	return true
}

// argumentCount returns how many arguments lie above a frame of a JavaScript
// function.
func (a *activation) argumentCount(fn layout.Tagged) int {
	dec, l := a.v, &a.v.Layout.Frame
	if l.ArgCount == layout.Unknown && !a.keepsCount() {
		shared, _ := dec.objects.ClosureShared(fn)
		n, ok := dec.U16(shared.Addr().Add(int64(dec.Layout.SharedFunctionInfo.Parameters)))
		// 0xffff: SharedFunctionInfo::kDontAdaptArgumentsSentinel.
		if !ok || n == 0xffff {
			return 0
		}
		return int(n)
	}
	at := l.ArgCount
	if at == layout.Unknown {
		at = -24
	}
	w, ok := dec.Word(a.fp.Add(int64(at)))
	if !ok || w > maxStackArguments {
		return 0
	}
	return max(0, int(w)-max(l.CountsReceiver, 0))
}

// keepsCount reports whether the frame keeps the number of its arguments before V8 8.7: only builtins do
// (OptimizedBuiltinFrameConstants::kArgCOffset). For other functions an adaptor frame makes the number equal
// the declared one. The interpreter is a builtin too. If builtins have no names, the words of the frame tell
// it.
func (a *activation) keepsCount() bool {
	if a.place.Kind != code.InBlob || a.handlesBytecode() {
		return false
	}
	_, interpreted := a.bytecode()
	return !interpreted
}

// exitArguments reads the arguments of a builtin written in C++. Its count includes the
// words before them, and the receiver, which is the first of them or, until V8 8, the last.
func (a *activation) exitArguments() (Arguments, error) {
	dec, l := a.v, &a.v.Layout.Frame
	receiver, ok := a.exitReceiver()
	w, ok2 := dec.Word(a.fp.Add(int64(l.ExitTarget) + 8))
	if !ok || !ok2 || !dec.Full(w).IsSmi() {
		return Arguments{}, errNoArguments
	}
	count := int(dec.Full(w).Smi())
	out := Arguments{Receiver: receiver}
	if l.ReceiverFirst != 1 {
		last := a.fp.Add(int64(l.ExitTarget) + 16) // after the count, and a word of padding
		if w, _ := dec.Word(last); a.v.isTheHole(dec.Full(w)) {
			last += 8
		}
		at := a.fp.Add(int64(l.ExitNewTarget) + 8*int64(count-1)) // of the receiver
		out.addAll(dec, int(at-last)/8, func(k int) core.Addr { return at - core.Addr(8*k) })
		return out, nil
	}
	at := a.fp.Add(int64(l.ExitReceiver))
	if first, _ := dec.Word(at); dec.Full(first) != receiver {
		at += 8
	}
	out.addAll(dec, count-int(at-a.fp.Add(int64(l.ExitNewTarget)))/8-1,
		func(k int) core.Addr { return at + core.Addr(8*k) })
	return out, nil
}

// apiArguments reads the arguments of an API callback from V8 12 on.
func (a *activation) apiArguments() (Arguments, error) {
	i, ok := a.callbackInfo()
	w, ok2 := a.v.Word(i.receiver)
	if !ok || !ok2 {
		return Arguments{}, errNoArguments
	}
	out := Arguments{Receiver: a.v.Full(w)}
	out.addAll(a.v, i.count, func(k int) core.Addr { return i.receiver + core.Addr(8*k) })
	return out, nil
}

// receiver returns the value of this, which the caller pushed.
func (a *activation) receiver() (layout.Tagged, bool) {
	dec, l := a.v, &a.v.Layout.Frame
	if l.ReceiverFirst == 1 {
		w, ok := dec.Word(a.fp.Add(int64(l.Args)))
		return dec.Full(w), ok
	}
	// Until V8 8 arguments are pushed in order: the receiver is above them.
	fn, _ := dec.Word(a.fp.Add(int64(l.Function)))
	n := a.argumentCount(dec.Full(fn))
	w, ok := dec.Word(a.fp.Add(int64(l.Args + 8*n)))
	return dec.Full(w), ok
}
