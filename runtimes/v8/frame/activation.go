package frame

import (
	"strings"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/runtimes/v8/code"
	"coredbg/runtimes/v8/layout"
	"coredbg/walk"
)

// An activation is a machine frame of generated code, taken apart.
type activation struct {
	v     *Decoder
	place code.Place
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

// A suspension is a call that left the stack, or a combinator that such a call waits for.
type suspension struct {
	source    runtimes.SourceFrame
	generator layout.Tagged // 0 for a combinator
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
	if p.Kind == code.Elsewhere {
		return nil
	}
	a := &activation{v: dec, place: p, pc: f.LookupPC(), fp: f.FP}
	a.leave(f)
	return a
}

// frameCode finds out what code a frame runs. Where an interpreter's frame was made
// by the deoptimizer it returns to the very start of a builtin, which no call
// does (deoptimizer/deoptimizer.cc: DoComputeUnoptimizedFrame).
func (dec *Decoder) frameCode(f *walk.Frame) code.Place {
	at := f.LookupPC()
	p := dec.objects.Place(at)
	if p.Kind == code.InBlob && at != f.PC {
		if q := dec.objects.Place(f.PC); q.Builtin != "" && q.Off == 0 {
			return q
		}
	}
	return p
}

// leave finds the caller of an interrupted function by its instructions. It also determines whether the
// function's own frame is at the frame pointer: a frame that is not yet made or filled, or already left, is
// not. The handlers of bytecodes use the interpreter's frame, which they are part of.
func (a *activation) leave(f *walk.Frame) {
	if !f.Exact() || a.inHandler() {
		return
	}
	dec, p := a.v, a.place
	start := core.Addr(0)
	switch {
	case p.Code != nil:
		start = p.Code.Start
	case p.Builtin != "":
		start = a.pc - core.Addr(p.Off)
	}
	caller, ok := walk.Leave(dec.Process, f, start)
	if !ok {
		return
	}
	l := &dec.Layout.Frame
	filled := f.FP.Add(int64(l.Function))
	if w, ok := dec.Word(f.FP.Add(int64(l.ContextOrType))); ok && w&1 == 0 {
		filled = f.FP.Add(int64(l.ContextOrType))
	}
	a.left, a.unframed = &caller, f.SP > filled || f.FP >= caller.SP
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

// replaced reports whether the frame is not the interpreter's although its words are: code that is entered in
// the midst of a loop (on-stack replacement) takes over its frame. The interpreter has code only in the blob.
func (a *activation) replaced() bool {
	return a.place.Kind == code.InJIT && a.place.Code == nil && a.v.Image.Blob.End != 0
}
