package frame

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/v8/code"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
)

// constructs reports whether the function was called by new: its caller's
// frame has a construct type (CommonFrame::IsConstructFrame), or its caller is
// optimised code that has made no such frame.
func (a *activation) constructs() bool {
	dec := a.v
	for at := a.fp; ; {
		w, ok := dec.Word(at)
		fp := core.Addr(w)
		if !ok || fp <= at {
			return false
		}
		w, ok = dec.Word(fp.Add(int64(dec.Layout.Frame.ContextOrType)))
		if !ok {
			return false
		}
		if w&1 != 0 {
			return dec.callsWithNew(at, fp) && !(a.runsBaseline() && dec.hidesNew())
		}
		switch dec.Markers[int(w>>1)] {
		case "Construct", "FastConstruct":
			return true
		case "ArgumentsAdaptor":
			at = fp
		default:
			return false
		}
	}
}

// hidesNew reports whether Error.stack no longer shows "new" for functions in baseline code that callsWithNew
// finds. It does not if V8 captures the frames of an error as words, and makes objects from them later.
func (dec *Decoder) hidesNew() bool {
	dec.wordsOnce.Do(func() { dec.capturesWords = dec.capturesAsWords(context.Background()) })
	return dec.capturesWords
}

// capturesAsWords looks for the function in the image that makes the objects. If the image has no symbols, it
// looks at the first error on the heap that has its frames. Without such an error "new" is shown, because it is
// true.
func (dec *Decoder) capturesAsWords(ctx context.Context) bool {
	module := dec.Image.Module.Path
	if _, ok := dec.Symbols.Find(module, layout.SymExpandFrames); ok {
		return true
	}
	if _, ok := dec.Symbols.Find(module, layout.SymIsolate); ok {
		return false // it has the symbols of its own functions
	}
	h, err := dec.heaps.Snapshot(ctx)
	if err != nil {
		return false
	}
	for _, o := range heap.Receivers(h, func(typ int) bool { return dec.Types.Names[typ] == "JS_ERROR_TYPE" }) {
		if words, known := dec.sites.CapturedAsWords(o); known {
			return words
		}
	}
	return false
}

// callsWithNew reports whether the frame at caller, which has called the one at
// fp, belongs to optimised code that made the object itself and then called its
// constructor like a function. Error.stack shows this in later versions
// (execution/isolate.cc: FrameSummaries::top_frame_is_construct_call).
func (dec *Decoder) callsWithNew(fp, caller core.Addr) bool {
	ra, ok := dec.Word(fp + 8)
	if !ok || dec.Layout.ErrorStack.NamesConstructs == 0 {
		return false
	}
	pc := dec.CodeAddr(core.Addr(ra))
	p := dec.objects.Place(pc - 1)
	if !dec.optimised(p.Code) {
		return false
	}
	_, constructs, err := dec.byTranslation(p.Code, dec.returnOffset(p.Code, int(pc-p.Code.Start)), caller)
	return err == nil && constructs
}

// optimised reports whether c is code of Maglev or TurboFan; c may be nil.
func (dec *Decoder) optimised(c *code.Code) bool {
	return c != nil && (c.Kind == dec.Layout.Code.KindMaglev || c.Kind == dec.Layout.Code.KindTurbofan)
}

// runsBaseline reports whether the frame runs Sparkplug's code.
func (a *activation) runsBaseline() bool {
	return a.place.Code != nil && a.place.Code.Kind == a.v.Layout.Code.KindBaseline
}
