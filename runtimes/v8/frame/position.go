package frame

import (
	"fmt"

	"coredbg/runtimes"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// source makes the frame for a function at an offset in its script; -1 takes
// the function's start.
func (a *activation) source(c object.Call, position int, tier string) runtimes.SourceFrame {
	dec := a.v
	f := runtimes.SourceFrame{Kind: runtimes.JS, Name: dec.objects.CallName(c), Tier: tier, Function: object.AddrOf(c.Closure)}
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

func (a *activation) interpreted(c object.Call, bytecode layout.Tagged) runtimes.SourceFrame {
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

func (a *activation) baseline(c object.Call, bytecode layout.Tagged) runtimes.SourceFrame {
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
