package frame

import (
	"strings"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/callsite"
	"coredbg/runtimes/v8/code"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/wasmcode"
	"coredbg/walk"
)

// Decode returns the source-level frames that the machine frame f stands for,
// innermost first, with the functions that await it at the end. It returns
// none if f is not in code that V8 generated.
func (dec *Decoder) Decode(f *walk.Frame) ([]runtimes.SourceFrame, error) {
	switch a := dec.activationOf(f); {
	case a == nil:
		return nil, nil
	case a.suspended != nil:
		return []runtimes.SourceFrame{a.suspended.source}, nil
	case a.unframed:
		return []runtimes.SourceFrame{a.stub("leaf")}, nil
	default:
		return a.decode(), nil
	}
}

// FrameAt decodes the frame of generated code with the given frame pointer, for a user who has nothing else.
// Its words alone identify the code it runs: pc may be 0.
func (dec *Decoder) FrameAt(fp, pc core.Addr) ([]runtimes.SourceFrame, error) {
	f := walk.Frame{FP: fp, PC: pc}
	if pc != 0 {
		return dec.Decode(&f)
	}
	a := &activation{v: dec, fp: fp}
	return a.decode(), nil
}

func (a *activation) decode() []runtimes.SourceFrame {
	dec, l := a.v, &a.v.Layout.Frame
	w, ok := dec.Word(a.fp.Add(int64(l.ContextOrType)))
	if !ok {
		return []runtimes.SourceFrame{a.stub("unknown")}
	}
	if w&1 == 0 {
		name, ok := dec.Markers[int(w>>1)]
		if !ok || w>>1 > 255 {
			return []runtimes.SourceFrame{a.stub("unknown")}
		}
		a.frameType = name
		return a.typed()
	}
	fn, ok := dec.Word(a.fp.Add(int64(l.Function)))
	if !ok || !dec.IsFunction(dec.Full(fn)) {
		return []runtimes.SourceFrame{a.stub("unknown")}
	}
	return a.function(dec.Full(fn))
}

// typed decodes a frame that its marker names.
func (a *activation) typed() []runtimes.SourceFrame {
	switch t := a.frameType; {
	case t == "BuiltinExit":
		if f, ok := a.exitTarget(); ok {
			return []runtimes.SourceFrame{f}
		}
	case t == "ApiCallbackExit", t == "ApiConstructExit":
		if f, ok := a.apiTarget(); ok {
			return []runtimes.SourceFrame{f}
		}
	case t == "JavaScriptBuiltinContinuation", t == "JavaScriptBuiltinContinuationWithCatch":
		if f, ok := a.continuation(); ok {
			return []runtimes.SourceFrame{f}
		}
	case t == "Wasm", t == "WasmCompiled", t == "WasmInterpreterEntry", t == "WasmSegmentStart":
		w, ok := a.v.Word(a.fp.Add(wasmcode.InstanceFP))
		if !ok {
			return []runtimes.SourceFrame{wasmcode.Unknown()}
		}
		return a.v.modules.Frames(a.v.Full(w), a.pc)
	}
	frames := []runtimes.SourceFrame{a.stub(StubName(a.frameType))}
	if a.runsMicrotasks() {
		frames = append(frames, a.callersOfJob()...)
	}
	return frames
}

// StubName turns a frame type into the word for records: "ConstructEntry"
// becomes "construct-entry".
func StubName(t string) string {
	var b strings.Builder
	for i, r := range t {
		if r >= 'A' && r <= 'Z' {
			if i > 0 {
				b.WriteByte('-')
			}
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// function decodes a frame of a JavaScript function.
func (a *activation) function(fn layout.Tagged) []runtimes.SourceFrame {
	dec := a.v
	c := callsite.Call{Closure: fn, Construct: a.constructs()}
	c.Shared, _ = dec.objects.ClosureShared(fn)
	c.Receiver, c.HasReceiver = a.receiver()
	bytecode, interpreted := a.bytecode()
	_, hasBytecode := dec.objects.BytecodeOf(c.Shared) // a builtin has no bytecode: the slot holds something else
	switch p := a.place; {
	case p.Kind == code.InJIT && p.Code != nil:
		switch p.Code.Kind {
		case dec.Layout.Code.KindMaglev, dec.Layout.Code.KindTurbofan:
			return a.optimised(c)
		case dec.Layout.Code.KindBaseline:
			if bytecode != 0 {
				return []runtimes.SourceFrame{a.baseline(c, bytecode)}
			}
		}
		if interpreted {
			return []runtimes.SourceFrame{a.interpreted(c, bytecode)}
		}
	case p.Kind == code.InBlob && p.Builtin != "":
		if a.handlesBytecode() && bytecode != 0 {
			return []runtimes.SourceFrame{a.interpreted(c, bytecode)}
		}
		return a.withAwaiters(a.builtin(c), c)
	case interpreted && !a.replaced():
		// Builtins without names, or no pc: the words of the frame decide.
		return []runtimes.SourceFrame{a.interpreted(c, bytecode)}
	case !interpreted && bytecode != 0 && hasBytecode:
		f := a.source(c, -1, "baseline")
		f.Note = "position unknown: its code was not found"
		return []runtimes.SourceFrame{f}
	case p.Kind == code.InBlob:
		return a.withAwaiters(a.builtin(c), c)
	}
	if _, ok := dec.objects.BytecodeOf(c.Shared); a.place.Code != nil && !ok {
		// A function that only leads elsewhere, such as into WebAssembly.
		return []runtimes.SourceFrame{a.stub("wrapper")}
	}
	f := a.source(c, -1, "jit")
	f.Note = "position unknown: its code was not found"
	return []runtimes.SourceFrame{f}
}
