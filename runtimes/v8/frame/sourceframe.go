package frame

import (
	"fmt"

	"coredbg/runtimes"
	"coredbg/runtimes/v8/callsite"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// stub makes the frame for glue: the builtin it runs, and its purpose.
func (a *activation) stub(what string) runtimes.SourceFrame {
	name := a.place.Builtin
	if name == "" {
		name = "<" + what + ">"
	}
	return runtimes.SourceFrame{Kind: runtimes.Stub, Name: name, Tier: what}
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

// positionNote says what a frame at an offset in its script cannot tell; -1 is no offset.
func (dec *Decoder) positionNote(script, shared layout.Tagged, position int) string {
	switch {
	case dec.objects.Sourceless(script) && position >= 0:
		return fmt.Sprintf("at character %d of its script, whose source text is not in the process", position)
	case dec.objects.Sourceless(script):
		position, _ = dec.objects.Extent(shared)
		return fmt.Sprintf("position unknown: the function begins at character %d of its script, whose source text is not in the process", position)
	case position < 0:
		return "position unknown: the line is where the function begins"
	}
	return ""
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
