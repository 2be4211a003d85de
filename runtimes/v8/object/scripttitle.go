package object

import (
	"fmt"

	"coredbg/runtimes/v8/layout"
)

// A location is a position as Error.stack prints it.
type location struct {
	File         string
	Line, Column int // from 1; 0 if unknown
}

// LocateOriginal is Locate in the source that the script was made from, where a source map tells it.
func (r *Functions) LocateOriginal(script layout.Tagged, offset int) location {
	return r.original(script, r.Locate(script, offset))
}

// original returns the place in what a script was made from that a place in the script stands for.
func (r *Functions) original(script layout.Tagged, at location) location {
	if r.above != nil && script != 0 && at.Line > 0 {
		at.File, at.Line, at.Column = r.above.Original(script, at.File, at.Line, at.Column)
	}
	return at
}

// Locate turns an offset in a script into a location.
func (r *Functions) Locate(script layout.Tagged, offset int) location {
	if script == 0 {
		return location{}
	}
	loc := location{File: r.ScriptTitle(script)}
	line, column, ok := 0, 0, false
	if t := r.lines(script); t != nil {
		line, column, ok = t.line(offset)
	}
	if !ok {
		return loc
	}
	// CallSiteInfo takes the offset away again if the source names its own URL.
	// Old versions do not.
	if r.Layout.ErrorStack.OwnURLPosition == 0 || !r.hasSourceURL(script) {
		line, column = r.inDocument(script, line, column)
	}
	loc.Line, loc.Column = line+1, column+1
	return loc
}

// ScriptTitle returns a script's file as Error.stack prints it: its name, its
// source URL, or where it was evaluated.
func (r *Functions) ScriptTitle(script layout.Tagged) string {
	if n := r.ScriptName(script); n != "" {
		return n
	}
	if origin := r.evalOrigin(script, 0); origin != "" {
		return origin + ", <anonymous>"
	}
	return "<anonymous>"
}

// maxEvals bounds how many evals within evals are named.
const maxEvals = 16

// evalOrigin follows FormatEvalOrigin of objects/call-site-info.cc: a source that
// names itself stands for all around it.
func (r *Functions) evalOrigin(script layout.Tagged, depth int) string {
	if n := r.ScriptName(script); n != "" {
		return n
	}
	l := &r.Layout.Script
	from, ok := r.Field(script, l.EvalFromShared)
	if !ok || !r.IsSharedFunctionInfo(from) || depth > maxEvals {
		return ""
	}
	name := r.SharedName(from)
	if name == "" {
		name = "<anonymous>"
	}
	f, _ := r.SharedInfo(from)
	if f.Script == 0 {
		return "eval at " + name
	}
	if r.IsEval(f.Script) {
		return "eval at " + name + " (" + r.evalOrigin(f.Script, depth+1) + ")"
	}
	place, ok := r.Field(f.Script, r.Layout.Script.Name)
	if !ok || !r.IsString(place) {
		return "eval at " + name + " (unknown source)"
	}
	at := r.Text(place)
	if pos, ok := r.evalPosition(script, from); ok {
		if t := r.lines(f.Script); t != nil {
			if line, column, ok := t.line(pos); ok {
				at = fmt.Sprintf("%s:%d:%d", at, line+1, column+1)
			}
		}
	}
	return "eval at " + name + " (" + at + ")"
}

// evalPosition is Script::GetEvalPosition: a position or, until it is first
// asked for, minus the bytecode offset of the call.
func (r *Functions) evalPosition(script, from layout.Tagged) (int, bool) {
	pos, ok := r.SmiField(script, r.Layout.Script.EvalFromPosition)
	if !ok || pos >= 0 {
		return pos, ok
	}
	bytecode, ok := r.BytecodeOf(from)
	if !ok {
		return 0, false
	}
	return r.PositionIn(from, bytecode, -pos)
}

// ScriptInfo is a script on the heap.
type ScriptInfo struct {
	Word layout.Tagged
	ID   int
	Name string // as Error.stack prints it; for an eval, the place of the call
	// Type is "normal", "native", "extension", "wasm", "inspector", "eval", or
	// "" if that is not known.
	Type      string
	Source    layout.Tagged // a string, or undefined
	Length    int           // of the source in UTF-16 code units; -1 if there is none
	Lines     int           // 0 if the source is not in the core
	Functions int           // SharedFunctionInfos on the heap that are part of it
}

// scriptTypes are Script::Type (objects/script.h).
var scriptTypes = []string{"native", "extension", "normal", "wasm", "inspector"}

// ScriptInfo describes the script o.
func (r *Functions) ScriptInfo(o layout.Tagged) ScriptInfo {
	l := &r.Layout.Script
	s := ScriptInfo{Word: o, Name: r.ScriptTitle(o), Length: -1}
	s.ID, _ = r.SmiField(o, l.ID)
	if typ, ok := r.SmiField(o, l.Type); ok && typ >= 0 && typ < len(scriptTypes) {
		s.Type = scriptTypes[typ]
	}
	if r.IsEval(o) {
		s.Type = "eval"
	}
	if src, ok := r.Field(o, l.Source); ok && r.IsString(src) {
		if info, err := r.StringInfo(src); err == nil {
			s.Source, s.Length = src, int(info.Length)
		}
	}
	if t := r.lines(o); t != nil {
		s.Lines = len(t.ends)
	}
	return s
}

// Script returns the script o.
func (r *Functions) Script(o layout.Tagged) (ScriptInfo, bool) {
	if !r.Is(o, r.Types.Script) {
		return ScriptInfo{}, false
	}
	return r.ScriptInfo(o), true
}
