package frame

import (
	"strings"
	"sync"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/callsite"
	"coredbg/runtimes/v8/heap"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/promise"
	"coredbg/runtimes/v8/source"
	"coredbg/runtimes/v8/wasmcode"
	"coredbg/walk"
)

// A Decoder decodes frames of generated code.
type Decoder struct {
	Deopt
	// Exits reads V8's own chain of exit frames.
	Exits *ExitChain
	// Promises reads what waits for a promise.
	Promises *promise.Reader

	maps  Maps // nil without source maps
	heaps *heap.Heaps

	modules *wasmcode.Modules

	text          *source.Reader
	wordsOnce     sync.Once
	capturesWords bool // the answer of hidesNew
}

// Maps are the source maps of scripts.
type Maps interface {
	// MapFrame gives a frame the place and name in its original source, if a source map has them.
	MapFrame(f *runtimes.SourceFrame)
}

// New returns a decoder of the frames of the process whose objects r reads, and whose functions' texts text
// reads. maps may be nil.
func New(r *object.Reader, text *source.Reader, hs *heap.Heaps, maps Maps) *Decoder {
	return &Decoder{Deopt: Deopt{Memory: r.Memory, objects: r, sites: callsite.New(r)}, Exits: NewExitChain(r),
		Promises: promise.New(r), modules: wasmcode.New(r), heaps: hs, text: text, maps: maps}
}

// An activation is a machine frame of generated code, taken apart.
type activation struct {
	v     *Decoder
	place object.Place
	pc    core.Addr // to look up with: inside the call, or exact
	fp    core.Addr
	// left is the caller where the function was interrupted and its instructions
	// show it, else nil; unframed is set if it has no frame there.
	left     *walk.Frame
	unframed bool
	// frameType is the name of the type in the frame's marker, "" for frames
	// of JavaScript functions.
	frameType string
	// suspended is the call if it left the stack; the other fields are zero then.
	suspended *suspension
}

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

// activationOf returns the activation that f is, as the walk's unwinder has taken it
// apart if there was one; nil if it is not in code that V8 generated.
func (dec *Decoder) activationOf(f *walk.Frame) *activation {
	if a, ok := f.Record.(*activation); ok {
		return a
	}
	return dec.activation(f)
}

// activation takes the frame f apart; nil if it is not in code that V8 generated.
func (dec *Decoder) activation(f *walk.Frame) *activation {
	p := dec.frameCode(f)
	if p.Kind == object.Elsewhere {
		return nil
	}
	a := &activation{v: dec, place: p, pc: f.LookupPC(), fp: f.FP}
	a.leave(f)
	return a
}

// frameCode finds out what code a frame runs. Where an interpreter's frame was made
// by the deoptimizer it returns to the very start of a builtin, which no call
// does (deoptimizer/deoptimizer.cc: DoComputeUnoptimizedFrame).
func (dec *Decoder) frameCode(f *walk.Frame) object.Place {
	at := f.LookupPC()
	p := dec.objects.Place(at)
	if p.Kind == object.InBlob && at != f.PC {
		if q := dec.objects.Place(f.PC); q.Builtin != "" && q.Off == 0 {
			return q
		}
	}
	return p
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

// stub makes the frame for glue: the builtin it runs, and its purpose.
func (a *activation) stub(what string) runtimes.SourceFrame {
	name := a.place.Builtin
	if name == "" {
		name = "<" + what + ">"
	}
	return runtimes.SourceFrame{Kind: runtimes.Stub, Name: name, Tier: what}
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

// builtin makes the frame for a function without a position: one of V8's own,
// or of the embedder. V8's own that Error.stack hides are stubs.
func (a *activation) builtin(c callsite.Call) runtimes.SourceFrame {
	dec := a.v
	if t, ok := dec.templateOf(c.Shared); ok {
		return runtimes.SourceFrame{Kind: runtimes.API, Name: dec.sites.CallName(c), Function: object.AddrOf(c.Closure),
			Callback: dec.objects.CallbackName(t)}
	}
	f := runtimes.SourceFrame{Kind: runtimes.JS, Name: dec.sites.CallName(c), File: "<anonymous>", Tier: "builtin",
		Function: object.AddrOf(c.Closure)}
	if fn, ok := dec.objects.SharedInfo(c.Shared); ok && !dec.objects.Native(fn) {
		hidden := a.stub("builtin")
		hidden.Function = f.Function
		if a.place.Builtin == "" && f.Name != "" {
			hidden.Name = f.Name
		}
		return hidden
	}
	return f
}

// handlesBytecode reports whether the frame runs the interpreter: its handlers
// have no frame of their own, the interpreter's is at the frame pointer.
func (a *activation) handlesBytecode() bool {
	b := a.place.Builtin
	return strings.HasSuffix(b, "Handler") || strings.HasPrefix(b, "InterpreterEnter") ||
		strings.HasPrefix(b, "InterpreterEntryTrampoline") || strings.HasPrefix(b, "BaselineOrInterpreter")
}

// inHandler reports whether the frame runs the handler of a bytecode, or leads to one.
func (a *activation) inHandler() bool {
	return a.handlesBytecode() && !strings.HasPrefix(a.place.Builtin, "InterpreterEntryTrampoline")
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
	case p.Kind == object.InJIT && p.Code != nil:
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
	case p.Kind == object.InBlob && p.Builtin != "":
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
	case p.Kind == object.InBlob:
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

// replaced reports whether the frame is not the interpreter's although its words are: code that is entered in
// the midst of a loop (on-stack replacement) takes over its frame. The interpreter has code only in the blob.
func (a *activation) replaced() bool {
	return a.place.Kind == object.InJIT && a.place.Code == nil && a.v.Image.Blob.End != 0
}

// bytecode returns the BytecodeArray word of the frame, 0 if it holds none,
// and whether the word for the offset is a number, as the interpreter keeps it.
func (a *activation) bytecode() (arr layout.Tagged, interpreted bool) {
	dec, l := a.v, &a.v.Layout.Frame
	w, ok := dec.Word(a.fp.Add(int64(l.BytecodeArray)))
	if !ok || !dec.Is(dec.Full(w), dec.Types.BytecodeArray) {
		return 0, false
	}
	off, ok := dec.Word(a.fp.Add(int64(l.BytecodeOffset)))
	return dec.Full(w), ok && dec.Full(off).IsSmi()
}

// source makes the frame for a function at an offset in its script; -1 takes
// the function's start.
func (a *activation) source(c callsite.Call, position int, tier string) runtimes.SourceFrame {
	dec := a.v
	f := runtimes.SourceFrame{Kind: runtimes.JS, Name: dec.sites.CallName(c), Tier: tier,
		Function: object.AddrOf(c.Closure)}
	fn, ok := dec.objects.SharedInfo(c.Shared)
	if !ok {
		f.Note = "function cannot be read"
		return f
	}
	f.Unit = object.AddrOf(fn.Script)
	f.Note = dec.positionNote(fn.Script, c.Shared, position)
	if position < 0 {
		position, _ = dec.objects.Extent(c.Shared)
	}
	loc := dec.objects.Locate(fn.Script, position)
	f.File, f.Line, f.Column = loc.File, loc.Line, loc.Column
	return f
}

func (a *activation) interpreted(c callsite.Call, bytecode layout.Tagged) runtimes.SourceFrame {
	return a.source(c, a.interpretedPosition(c.Shared, bytecode), "interpreter")
}

// interpretedPosition returns the place in the script that the interpreter is at; -1 if it is
// not known.
func (a *activation) interpretedPosition(shared, bytecode layout.Tagged) int {
	dec := a.v
	w, _ := dec.Word(a.fp.Add(int64(dec.Layout.Frame.BytecodeOffset)))
	// The word is relative to the tagged BytecodeArray.
	offset := int(dec.Full(w).Smi()) - (dec.Layout.BytecodeArray.Data - 1)
	if position, ok := dec.objects.PositionIn(shared, bytecode, offset); ok {
		return position
	}
	return -1
}

func (a *activation) baseline(c callsite.Call, bytecode layout.Tagged) runtimes.SourceFrame {
	return a.source(c, a.baselinePosition(c.Shared, bytecode), "baseline")
}

// baselinePosition returns the place in the script that baseline code is at; -1 if it is not
// known.
func (a *activation) baselinePosition(shared, bytecode layout.Tagged) int {
	dec := a.v
	if offset, ok := dec.objects.BaselinePosition(a.place.Code, bytecode, int(a.pc-a.place.Code.Start)); ok {
		if p, ok := dec.objects.PositionIn(shared, bytecode, max(offset, 0)); ok {
			return p
		}
	}
	return -1
}

// optimised decodes a frame of Maglev or TurboFan into the calls that its code
// stands for.
func (a *activation) optimised(c callsite.Call) []runtimes.SourceFrame {
	tier := a.v.objects.Tier(a.place.Code.Kind)
	frames := a.expand(c)
	out := make([]runtimes.SourceFrame, 0, len(frames))
	for i, fr := range frames {
		var f runtimes.SourceFrame
		if fr.builtin {
			f = a.builtin(fr.Call)
		} else {
			f = a.source(fr.Call, fr.position, tier)
		}
		f.Inlined = i < len(frames)-1
		out = append(out, f)
	}
	return out
}

// expand returns the calls that an optimised frame stands for, innermost
// first; c, the outermost, with an unknown position if there is nothing to
// tell.
func (a *activation) expand(c callsite.Call) []inlinedFrame {
	dec, code := a.v, a.place.Code
	// Safepoints are found by the return address.
	back := dec.returnOffset(code, int(a.pc-code.Start)+1)
	frames, _, err := dec.byTranslation(code, back, a.fp)
	placed, ok := dec.byPositions(code, back-1, c.Shared)
	switch {
	case err == nil && ok:
		takePositions(frames, placed)
	case ok:
		frames = placed
	case err != nil:
		return []inlinedFrame{{Call: c, position: -1}}
	}
	frames[len(frames)-1].Call = c
	return frames
}

// takePositions gives frames whose position is not known, for their function has
// lost its bytecode or the table of it, the one of the same function in placed.
func takePositions(frames, placed []inlinedFrame) {
	for i := range frames {
		if frames[i].builtin {
			continue
		}
		if len(placed) == 0 || placed[0].Shared != frames[i].Shared {
			return
		}
		if frames[i].position < 0 {
			frames[i].position = placed[0].position
		}
		placed = placed[1:]
	}
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
