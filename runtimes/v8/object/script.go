package object

import (
	"fmt"
	"sort"
	"strings"

	"coredbg/runtimes/v8/layout"
)

// maxSource bounds the source of one script in UTF-16 code units; V8's own
// limit of a string is 2^29.
const maxSource = 1 << 29

// A lineTable is where the lines of a script end, in UTF-16 code units.
type lineTable struct {
	ends []int // of the line end characters; the last line's is the length
}

// line returns the line and column of an offset, both from zero.
func (t *lineTable) line(offset int) (line, column int, ok bool) {
	i := sort.SearchInts(t.ends, offset)
	if offset < 0 || i == len(t.ends) {
		return 0, 0, false
	}
	if i > 0 {
		return i, offset - t.ends[i-1] - 1, true
	}
	return 0, offset, true
}

// lines returns the line ends of a script: those that V8 computed, or its own
// from the source. The result may be nil if the source is not in the core.
func (r *Functions) lines(script layout.Tagged) *lineTable {
	r.mu.Lock()
	t, ok := r.scripts[script]
	r.mu.Unlock()
	if ok {
		return t
	}
	t = r.storedLines(script)
	if t == nil {
		t = r.computedLines(script)
	}
	r.mu.Lock()
	r.scripts[script] = t
	r.mu.Unlock()
	return t
}

func (r *Functions) storedLines(script layout.Tagged) *lineTable {
	ends, ok := r.Field(script, r.Layout.Script.LineEnds)
	if !ok || ends.IsSmi() || !r.TypeNamed(ends, "FIXED_ARRAY") {
		return nil
	}
	n, ok := r.ArrayLength(ends)
	if !ok || n <= 0 || n > maxSource {
		return nil
	}
	list := r.taggedList(ends.Addr().Add(int64(r.Layout.FixedArray.Data)), n)
	if len(list) < n {
		return nil
	}
	t := &lineTable{ends: make([]int, 0, n)}
	for _, w := range list {
		if !w.IsSmi() || len(t.ends) > 0 && int(w.Smi()) <= t.ends[len(t.ends)-1] {
			return nil
		}
		t.ends = append(t.ends, int(w.Smi()))
	}
	return t
}

// computedLines finds the line ends in the source as String::CalculateLineEnds
// does: LF, CR LF, CR, U+2028, U+2029.
func (r *Functions) computedLines(script layout.Tagged) *lineTable {
	src, ok := r.Field(script, r.Layout.Script.Source)
	if !ok || !r.IsString(src) {
		return nil
	}
	info, err := r.StringInfo(src)
	if err != nil || info.Length > maxSource {
		return nil
	}
	b := &flattener{v: &r.Strings, left: int(info.Length)}
	if b.flatten(src, 0, info.Length) != "" {
		return nil
	}
	if b.wide != nil {
		return &lineTable{ends: lineEnds(b.wide)}
	}
	return &lineTable{ends: lineEnds(b.narrow)}
}

func lineEnds[C byte | uint16](src []C) []int {
	var ends []int
	for i, c := range src {
		switch {
		case c == '\n', uint32(c) == 0x2028, uint32(c) == 0x2029:
			ends = append(ends, i)
		case c == '\r' && (i+1 >= len(src) || src[i+1] != '\n'):
			ends = append(ends, i)
		}
	}
	return append(ends, len(src))
}

// A location is a position as Error.stack prints it.
type location struct {
	File         string
	Line, Column int // from 1; 0 if unknown
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
	// From V8 9.0 on CallSiteInfo takes the offset away again if the source
	// names its own URL.
	if r.Layout.Version.Before(9, 0) || !r.hasSourceURL(script) {
		line, column = r.inDocument(script, line, column)
	}
	loc.Line, loc.Column = line+1, column+1
	return loc
}

// inDocument adds the place of a script in its document to a place in the
// script, as Script::GetPositionInfo does.
func (r *Functions) inDocument(script layout.Tagged, line, column int) (int, int) {
	dl, ok := r.SmiField(script, r.Layout.Script.LineOffset)
	if !ok {
		return line, column
	}
	if dc, ok := r.SmiField(script, r.Layout.Script.ColumnOffset); ok && line == 0 {
		column += dc
	}
	return line + dl, column
}

func (r *Functions) hasSourceURL(script layout.Tagged) bool {
	u, ok := r.Field(script, r.Layout.Script.SourceURL)
	return ok && r.IsString(u)
}

// ScriptTitle returns a script's file as Error.stack prints it: its name, its
// source URL, or where it was evaluated.
func (r *Functions) ScriptTitle(script layout.Tagged) string {
	if n := r.scriptName(script); n != "" {
		return n
	}
	if origin := r.evalOrigin(script, 0); origin != "" {
		return origin + ", <anonymous>"
	}
	return "<anonymous>"
}

// scriptName returns Script::GetNameOrSourceURL.
func (r *Functions) scriptName(script layout.Tagged) string {
	for _, off := range []int{r.Layout.Script.SourceURL, r.Layout.Script.Name} {
		if n, ok := r.Field(script, off); ok && r.IsString(n) {
			if s := r.Text(n); s != "" {
				return s
			}
		}
	}
	return ""
}

// ScriptName returns a script's name or its source URL; "" if it has neither.
func (r *Functions) ScriptName(script layout.Tagged) string { return r.scriptName(script) }

// SourceMappingURL returns the URL of a script's source map, as the script's own comment
// says it: at most max characters of it; "" if there is none, or more of it.
// Script::source_mapping_url follows source_url in all versions (objects/script.tq,
// script.h).
func (r *Functions) SourceMappingURL(script layout.Tagged, max int) string {
	at := r.Layout.Script.SourceURL
	if at == layout.Unknown || at == 0 || !r.Is(script, r.Types.Script) {
		return ""
	}
	u, ok := r.Field(script, at+r.SlotSize())
	if !ok || !r.IsString(u) {
		return ""
	}
	s, err := r.String(u, max)
	if err != nil {
		return ""
	}
	return s
}

// HasPlace returns a function that reports whether a script has a line and column, both
// from 0 and as Locate has them; nil if its lines are not in the core.
func (r *Functions) HasPlace(script layout.Tagged) func(line, column int) bool {
	t := r.lines(script)
	if t == nil {
		return nil
	}
	dl, dc := r.inDocument(script, 0, 0)
	return func(line, column int) bool {
		if line -= dl; line == 0 {
			column -= dc
		}
		switch {
		case line < 0 || line >= len(t.ends):
			return false
		case line == 0:
			return column <= t.ends[0]
		}
		return column <= t.ends[line]-t.ends[line-1]-1
	}
}

// LineLengths returns how long the lines of a script are, in UTF-16 code units: without
// their ends, but with the CR of CR LF. It returns nil if they are not in the core.
func (r *Functions) LineLengths(script layout.Tagged) []int {
	t := r.lines(script)
	if t == nil {
		return nil
	}
	out, start := make([]int, 0, len(t.ends)), 0
	for _, end := range t.ends {
		out = append(out, end-start)
		start = end + 1
	}
	return out
}

// maxEvals bounds how many evals within evals are named.
const maxEvals = 16

// evalOrigin follows FormatEvalOrigin of objects/call-site-info.cc: a source that
// names itself stands for all around it.
func (r *Functions) evalOrigin(script layout.Tagged, depth int) string {
	if n := r.scriptName(script); n != "" {
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
	if r.isEval(f.Script) {
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

// evalPosition is Script::GetEvalPosition: a position, or while nobody asked
// for it minus the bytecode offset of the call.
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

// isEval reports whether a script was made by eval.
func (r *Functions) isEval(script layout.Tagged) bool {
	from, ok := r.Field(script, r.Layout.Script.EvalFromShared)
	return ok && r.IsSharedFunctionInfo(from)
}

// A SourceLine is a line of a script.
type SourceLine struct {
	Number int // from 1
	Text   string
}

// maxLine bounds the code units of a line that ScriptLines returns: bundles
// have lines of megabytes.
const maxLine = 512

// ScriptLines returns the lines first to last of a script, from 1, as far as
// its source is in the core. Long lines are cut.
func (r *Functions) ScriptLines(script layout.Tagged, first, last int) []SourceLine {
	src, ok := r.Field(script, r.Layout.Script.Source)
	if !ok || !r.Is(script, r.Types.Script) {
		return nil
	}
	t := r.lines(script)
	if t == nil {
		return nil
	}
	dl, _ := r.SmiField(script, r.Layout.Script.LineOffset)
	var out []SourceLine
	for n := max(first-dl, 1); n <= last-dl && n <= len(t.ends); n++ {
		start := 0
		if n > 1 {
			start = t.ends[n-2] + 1
		}
		b := &flattener{v: &r.Strings, left: maxLine}
		if why := b.flatten(src, uint32(start), uint32(max(start, t.ends[n-1]))); why != "" && b.left > 0 {
			return out
		}
		out = append(out, SourceLine{n + dl, strings.TrimRight(b.text(), "\r\n")})
	}
	return out
}

// ScriptInfo is a script on the heap.
type ScriptInfo struct {
	Word layout.Tagged
	ID   int
	Name string // as Error.stack prints it; of an eval where it was called
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

// ScriptInfo returns what is known of the script o.
func (r *Functions) ScriptInfo(o layout.Tagged) ScriptInfo {
	l := &r.Layout.Script
	s := ScriptInfo{Word: o, Name: r.ScriptTitle(o), Length: -1}
	s.ID, _ = r.SmiField(o, l.ID)
	if typ, ok := r.SmiField(o, l.Type); ok && typ >= 0 && typ < len(scriptTypes) {
		s.Type = scriptTypes[typ]
	}
	if r.isEval(o) {
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
