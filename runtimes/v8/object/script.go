package object

import (
	"errors"
	"fmt"
	"sort"
	"strings"
	"sync"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/text"
)

// maxSource bounds the source of one script in UTF-16 code units; V8's own
// limit of a string is 2^29.
const maxSource = 1 << 29

// A Scripts reads scripts: their texts, and where lines begin.
type Scripts struct {
	ScopeReader

	linesMu sync.Mutex
	scripts map[layout.Tagged]*lineTable
}

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

// lines returns the line ends of a script: the ones V8 computed, or its own from the source. The result may be
// nil if the source is not in the core.
func (r *Scripts) lines(script layout.Tagged) *lineTable {
	r.linesMu.Lock()
	t, ok := r.scripts[script]
	r.linesMu.Unlock()
	if ok {
		return t
	}
	t = r.storedLines(script)
	if t == nil {
		t = r.computedLines(script)
	}
	r.linesMu.Lock()
	r.scripts[script] = t
	r.linesMu.Unlock()
	return t
}

func (r *Scripts) storedLines(script layout.Tagged) *lineTable {
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
func (r *Scripts) computedLines(script layout.Tagged) *lineTable {
	src, ok := r.Field(script, r.Layout.Script.Source)
	if !ok || !r.IsString(src) {
		return nil
	}
	info, err := r.StringInfo(src)
	if err != nil || info.Length > maxSource {
		return nil
	}
	whole := r.Part(src, 0, info.Length, int(info.Length))
	switch {
	case whole.Missing != "":
		return nil
	case whole.Wide != nil:
		return &lineTable{ends: lineEnds(whole.Wide)}
	}
	return &lineTable{ends: lineEnds(whole.Narrow)}
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

// inDocument adds the place of a script in its document to a place in the
// script, as Script::GetPositionInfo does.
func (r *Scripts) inDocument(script layout.Tagged, line, column int) (int, int) {
	dl, ok := r.SmiField(script, r.Layout.Script.LineOffset)
	if !ok {
		return line, column
	}
	if dc, ok := r.SmiField(script, r.Layout.Script.ColumnOffset); ok && line == 0 {
		column += dc
	}
	return line + dl, column
}

func (r *Scripts) hasSourceURL(script layout.Tagged) bool {
	u, ok := r.Field(script, r.Layout.Script.SourceURL)
	return ok && r.IsString(u)
}

// ScriptName returns a script's name or its source URL; "" if it has neither
// (Script::GetNameOrSourceURL).
func (r *Scripts) ScriptName(script layout.Tagged) string {
	for _, off := range []int{r.Layout.Script.SourceURL, r.Layout.Script.Name} {
		if n, ok := r.Field(script, off); ok && r.IsString(n) {
			if s := r.Text(n); s != "" {
				return s
			}
		}
	}
	return ""
}

// SourceMappingURL returns the URL of a script's source map, as the script's own comment
// says it: at most max characters of it; "" if there is none, or more of it.
// Script::source_mapping_url follows source_url in all versions (objects/script.tq,
// script.h).
func (r *Scripts) SourceMappingURL(script layout.Tagged, max int) string {
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
func (r *Scripts) HasPlace(script layout.Tagged) func(line, column int) bool {
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
func (r *Scripts) LineLengths(script layout.Tagged) []int {
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

// IsEval reports whether a script was made by eval.
func (r *Scripts) IsEval(script layout.Tagged) bool {
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
func (r *Scripts) ScriptLines(script layout.Tagged, first, last int) []SourceLine {
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
		line := r.Part(src, uint32(start), uint32(max(start, t.ends[n-1])), maxLine)
		if line.Missing != "" && line.Left > 0 {
			return out
		}
		out = append(out, SourceLine{n + dl, strings.TrimRight(line.Text(), "\r\n")})
	}
	return out
}

// errNoSource says that a function is not written in JavaScript, or that its
// text is not in the core.
var errNoSource = errors.New("v8: the function has no source")

// Sourceless reports whether a script has a name and no text: pkg, for one, puts only what
// V8 had compiled into its bundles.
func (r *Scripts) Sourceless(script layout.Tagged) bool {
	src, ok := r.Field(script, r.Layout.Script.Source)
	return ok && r.Is(script, r.Types.Script) && r.ScriptName(script) != "" && r.OddballKind(src) == KindUndefined
}

// noSource says why there is no source to show.
func (r *Scripts) noSource(script layout.Tagged) error {
	if r.Sourceless(script) {
		return fmt.Errorf("v8: the script %s has only bytecode: its source text is not in the process",
			r.ScriptName(script))
	}
	return errNoSource
}

// SourceLength returns the length of a script's text in UTF-16 code units, or 0 without a text.
func (r *Scripts) SourceLength(script layout.Tagged) int {
	src, ok := r.Field(script, r.Layout.Script.Source)
	if !ok || !r.IsString(src) {
		return 0
	}
	info, err := r.StringInfo(src)
	if err != nil || info.Length > maxSource {
		return 0
	}
	return int(info.Length)
}

// Source returns the text of the script from one position to another, in
// UTF-16 code units, of at most max of them.
func (r *Scripts) Source(script layout.Tagged, start, end, max int) (string, error) {
	src, ok := r.Field(script, r.Layout.Script.Source)
	if !ok || !r.IsString(src) {
		return "", r.noSource(script)
	}
	info, err := r.StringInfo(src)
	if err != nil {
		return "", err
	}
	if start < 0 || start > end || end > int(info.Length) {
		return "", fmt.Errorf("corrupt: source [%d, %d) of a script of %d characters", start, end, info.Length)
	}
	part := r.Part(src, uint32(start), uint32(end), max)
	if part.Missing != "" && part.Left > 0 {
		return part.Text(), &text.StringError{Length: uint32(end - start), Got: max - part.Left, Reason: part.Missing}
	}
	return part.Text(), nil
}

// Lines returns the lines first to last of a script, both from 1, and the
// number of the first one that there is.
func (r *Scripts) Lines(script layout.Tagged, first, last int) (lines []string, from int, err error) {
	t := r.lines(script)
	if t == nil {
		return nil, 0, r.noSource(script)
	}
	from = max(first, 1)
	for n := from; n <= min(last, len(t.ends)); n++ {
		start := 0
		if n > 1 {
			start = t.ends[n-2] + 1
		}
		const longest = 1 << 12
		text, err := r.Source(script, start, max(t.ends[n-1], start), longest)
		if err != nil {
			return lines, from, err
		}
		lines = append(lines, text)
	}
	return lines, from, nil
}
