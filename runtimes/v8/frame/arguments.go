package frame

import (
	"errors"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
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

// Arguments returns the arguments of the function that the machine frame f was
// made for: the outermost of those that an optimised frame stands for. What the
// function assigned to a parameter since may be seen instead, or not.
func (dec *Decoder) Arguments(f *walk.Frame) (Arguments, error) {
	a := dec.activationOf(f)
	if a == nil {
		return Arguments{}, errNoArguments
	}
	return dec.argumentsAt(f.FP, a.place)
}

func (dec *Decoder) argumentsAt(fp core.Addr, p object.Place) (Arguments, error) {
	l := &dec.Layout.Frame
	w, ok := dec.Word(fp.Add(int64(l.ContextOrType)))
	if !ok {
		return Arguments{}, errNoArguments
	}
	a := &activation{v: dec, fp: fp, place: p}
	if w&1 == 0 {
		if dec.Markers[int(w>>1)] != "BuiltinExit" || l.ExitReceiver == layout.Unknown {
			return Arguments{}, errNoArguments
		}
		return a.exitArguments()
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
	n := dec.argumentCount(fp, dec.Full(fn), p)
	for k := 1; k <= n; k++ {
		at := fp.Add(int64(l.Args + 8*k))
		if l.ReceiverFirst != 1 {
			at = fp.Add(int64(l.Args + 8*(n-k)))
		}
		if !out.add(dec, at) {
			break
		}
	}
	out.More = n - len(out.Values)
	return out, nil
}

func (a *Arguments) add(dec *Decoder, at core.Addr) bool {
	w, ok := dec.Word(at)
	if !ok || len(a.Values) == maxArguments {
		return false
	}
	a.Values = append(a.Values, dec.Full(w))
	return true
}

// maxStackArguments is Code::kMaxArguments.
const maxStackArguments = 1 << 16

// argumentCount returns how many arguments lie above a frame of a JavaScript
// function. Before V8 8.7 only builtins keep the count
// (OptimizedBuiltinFrameConstants::kArgCOffset); for others an adaptor frame
// sees to it that there are as many as the function declares.
func (dec *Decoder) argumentCount(fp core.Addr, fn layout.Tagged, p object.Place) int {
	l := &dec.Layout.Frame
	if l.ArgCount == layout.Unknown && p.Kind != object.InBlob || l.ArgCount == layout.Unknown && (&activation{v: dec, place: p}).handlesBytecode() {
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
	w, ok := dec.Word(fp.Add(int64(at)))
	if !ok || w > maxStackArguments {
		return 0
	}
	return max(0, int(w)-max(l.CountsReceiver, 0))
}

// exitArguments reads the arguments of a builtin written in C++: its count
// includes the words before the receiver, and the receiver.
func (a *activation) exitArguments() (Arguments, error) {
	dec, l := a.v, &a.v.Layout.Frame
	receiver, ok := a.exitReceiver()
	w, ok2 := dec.Word(a.fp.Add(int64(l.ExitTarget) + 8))
	if !ok || !ok2 || !dec.Full(w).IsSmi() {
		return Arguments{}, errNoArguments
	}
	at := a.fp.Add(int64(l.ExitReceiver))
	if first, _ := dec.Word(at); dec.Full(first) != receiver {
		at += 8
	}
	out := Arguments{Receiver: receiver}
	n := int(dec.Full(w).Smi()) - int(at-a.fp.Add(int64(l.ExitNewTarget)))/8 - 1
	for k := 1; k <= n; k++ {
		if !out.add(dec, at+core.Addr(8*k)) {
			break
		}
	}
	out.More = max(0, n-len(out.Values))
	return out, nil
}
