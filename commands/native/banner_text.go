package native

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/runtimes"
)

// The size of a banner. With the time that opening took and the prompt it is a screen of 24 lines.
const (
	bannerColumns = 80
	bannerLines   = 22
	bannerVerdict = 3 // lines of the verdict
	bannerTitle   = 2 // lines of another sentence
	bannerValues  = 2 // lines of values
	leastFrames   = 3
)

// A screenLine is a line of a banner, whose head is painted.
type screenLine struct {
	ink  out.Ink
	head string
	rest string
}

// Addr returns nothing: a banner is to be read.
func (b *banner) Addr() (core.Addr, bool) { return 0, false }

// Text writes the lines. Frames get the lines that the rest leaves.
func (b *banner) Text(w *out.Writer) {
	columns := bannerColumns
	if n := w.Columns(); n > 0 {
		columns = max(min(n, 2*bannerColumns), bannerColumns/2)
	}
	above, below := b.above(columns), b.below(columns)
	// the last sentences about the cause go first
	if over := len(above) + len(below) + leastFrames - bannerLines; over > 0 {
		above = above[:max(len(above)-over, min(len(above), bannerVerdict+leastFrames))]
	}
	room := max(bannerLines-len(above)-len(below), leastFrames)
	for _, list := range [][]screenLine{above, b.frames(columns, room), below} {
		for _, l := range list {
			w.Paint(l.ink, "%s", l.head)
			w.Printf("%s\n", l.rest)
		}
	}
}

// above returns the lines above the frames: the program and why it died.
func (b *banner) above(columns int) []screenLine {
	r := b.status
	name := r.program()
	if r.Argv != "" {
		name = r.Argv
	}
	rest := fmt.Sprintf("%s, %s", r.Arch, out.Count(r.Threads, "thread"))
	if r.PID != 0 { // a core of macOS does not have it
		rest = fmt.Sprintf("pid %d, ", r.PID) + rest
	}
	room := max(columns-len(rest)-2, columns/2)
	list := []screenLine{{out.Keyword, end(sym.Clean(name), room), "  " + rest}}
	if v := r.Verdict; v != nil {
		rest := fmt.Sprintf(" (%s, %s)", v.Cause, v.Confidence)
		title := sym.Clean(v.Title)
		if out.Width(title)+len(rest) > columns { // a file's name is enough
			title = placed.ReplaceAllString(title, "$1")
		}
		lines := folded(title, columns, bannerVerdict, len(rest))
		for i, l := range lines {
			x := screenLine{out.Error, l, ""}
			if i == len(lines)-1 {
				x.rest = rest
			}
			list = append(list, x)
		}
	}
	line := r.words
	if text, ok := strings.CutPrefix(line, "process terminated by "); ok {
		line = "died of " + text
	}
	line, reason := withReason(line, r.Reason, columns)
	list = append(list, screenLine{out.Error, line, ""})
	if reason != "" { // in a line of its own, so that nothing of it is cut
		list = append(list, screenLine{out.Plain, end("    "+sym.Clean(reason), columns), ""})
	}
	for i := range min(len(r.Causes), bannerCauses) {
		if text := r.Causes[i].String(); r.Verdict == nil || !strings.HasPrefix(text, r.Verdict.Title) &&
			!strings.Contains(r.Verdict.Title, text) && !sameCause(r.Verdict.Title, &r.Causes[i]) {
			for _, l := range sentence(text, columns) {
				list = append(list, screenLine{out.Error, l, ""})
			}
		}
	}
	for _, f := range b.facts {
		for _, l := range sentence(f, columns) {
			list = append(list, screenLine{out.Plain, l, ""})
		}
	}
	return list
}

// withReason adds the reason to how a process ended, if there is room for both. Else the reason is returned,
// for a line of its own.
func withReason(line string, reasons []string, columns int) (string, string) {
	if len(reasons) == 0 {
		return shortened(line, columns), ""
	}
	both := line + ": " + reasons[0]
	for _, text := range []string{both, shortened(line, columns-2-out.Width(reasons[0])) + ": " + reasons[0]} {
		if out.Width(text) <= columns && strings.HasSuffix(text, ": "+reasons[0]) && !strings.Contains(text, "…") {
			return text, ""
		}
	}
	return shortened(line, columns), reasons[0]
}

// sentence folds a sentence into at most two lines, with files without their folders if it is too long.
func sentence(text string, columns int) []string {
	text = sym.Clean(text)
	if out.Width(text) > columns {
		text = placed.ReplaceAllString(text, "$1")
	}
	return folded(text, columns, bannerTitle, 0)
}

// placed is the path of a file with a line, in a text.
var placed = regexp.MustCompile(`[^\s()]*/([^/\s()]+:\d+)`)

// shortened returns how a process ended, without the words that explain the parts of it if it is too long.
func shortened(line string, columns int) string {
	for from := strings.IndexByte(line, ')') + 1; from > 0 && out.Width(line) > columns; {
		i := strings.Index(line[from:], " (")
		if i < 0 {
			break
		}
		k := strings.IndexByte(line[from+i:], ')')
		if k < 0 {
			break
		}
		line = line[:from+i] + line[from+i+k+1:]
	}
	return end(line, columns)
}

// raisedAt returns a line of an error's stack, without the folders of its file if it is too long.
func raisedAt(line string, columns int) string {
	if out.Width(line) <= columns {
		return line
	}
	i, k := strings.LastIndexByte(line, '('), strings.LastIndexByte(line, '/')
	if i < k {
		line = line[:i+1] + line[k+1:]
	}
	return end(line, columns)
}

// frames returns the frames of the error that was thrown or, without one, the thread's.
func (b *banner) frames(columns, room int) []screenLine {
	if b.thread == "" && len(b.top) == 0 {
		return nil
	}
	var list []screenLine
	if n := min(len(b.raised), bannerAll, room-1); n > 0 {
		list = append(list, screenLine{out.Plain, "", "thrown at"})
		for _, at := range b.raised[:n] {
			list = append(list, screenLine{out.Symbol, "    " + raisedAt(sym.Clean(at), columns-4), ""})
		}
		if more := len(b.raised) - n; more > 0 {
			list[0].rest += fmt.Sprintf(" (%s more)", out.Count(more, "frame"))
		}
		return list
	}
	if b.thread != "" {
		list = append(list, screenLine{out.Plain, "", "thread " + b.thread})
	}
	n := max(min(len(b.top), room-len(list)), 0)
	if len(list) > 0 {
		note := ""
		if more := b.more + len(b.top) - n; more > 0 {
			note = fmt.Sprintf(" (%s more of the program: ::stack)", out.Count(more, "frame"))
		}
		list[0].rest = end(list[0].rest, columns-len(note)) + note
	}
	width := 0
	for _, f := range b.top[:n] {
		width = max(width, min(out.Width(sym.Clean(f.name)), columns/2))
	}
	for _, f := range b.top[:n] {
		name, place := sym.Clean(f.name), out.Middle(sym.Clean(f.place), columns/3)
		left := columns - 7
		if place != "" {
			left -= 2 + out.Width(place)
		}
		name = end(name, left)
		if place != "" {
			place = strings.Repeat(" ", max(min(width, left)-out.Width(name), 0)) + "  " + place
		}
		list = append(list, screenLine{out.Function, fmt.Sprintf("  %4s ", "#"+strconv.Itoa(f.index)) + name, place})
	}
	return list
}

// below returns the lines below the frames: the source, its values, the warnings and the next commands.
func (b *banner) below(columns int) []screenLine {
	list := b.source(columns)
	r := b.status
	if n := len(r.Warnings); n > 0 {
		text := sym.Clean(fmt.Sprintf("%s: %s", out.Count(n, "warning"), r.Warnings[0]))
		for _, l := range folded(text, columns, bannerTitle, 0) {
			list = append(list, screenLine{out.Plain, "", l})
		}
	}
	if r.nameless {
		for _, l := range folded(nameIt, columns-4, bannerTitle, 0) {
			list = append(list, screenLine{out.Plain, "", "    " + l})
		}
	}
	if len(b.next) > 0 {
		list = append(list, screenLine{out.Keyword, "next: ", out.Middle(strings.Join(b.next, "   "), columns-6)})
	}
	return list
}

// source returns the lines of source, or why there are none, and the values of the variables there.
func (b *banner) source(columns int) []screenLine {
	x := b.scene
	if x == nil {
		return nil
	}
	var list []screenLine
	if len(x.Lines) == 0 && x.Why != nil {
		text := fmt.Sprintf("no source of #%d: %v", x.Frame, x.Why)
		for _, l := range sentence(text, columns) {
			list = append(list, screenLine{out.Dim, l, ""})
		}
	}
	width := 0
	for _, l := range x.Lines {
		width = max(width, len(strconv.Itoa(l.Number)))
	}
	for _, l := range x.Lines {
		text := strings.TrimRight(sym.Clean(strings.ReplaceAll(l.Text, "\t", "    ")), " ")
		line, ink := fmt.Sprintf("  %*d  %s", width+1, l.Number, text), out.Dim
		if l.Number == x.Line {
			line, ink = fmt.Sprintf("> %*d  %s", width+1, l.Number, text), out.Plain
		}
		list = append(list, screenLine{ink, end(line, columns), ""})
	}
	return append(list, packed(x.Values, columns, bannerValues)...)
}

// packed puts values on at most n lines.
func packed(values []string, columns, n int) (list []screenLine) {
	const indent, gap = "      ", "   "
	line := ""
	for _, v := range values {
		v = end(v, columns-len(indent))
		if line != "" && out.Width(line)+len(gap)+out.Width(v)+len(indent) > columns {
			if list = append(list, screenLine{out.String, indent + line, ""}); len(list) == n {
				return list
			}
			line = ""
		}
		if line != "" {
			line += gap
		}
		line += v
	}
	if line != "" {
		list = append(list, screenLine{out.String, indent + line, ""})
	}
	return list
}

// end cuts a text at its end to fit columns.
func end(text string, columns int) string {
	if out.Width(text) <= columns {
		return text
	}
	runes := []rune(text)
	for len(runes) > 0 && out.Width(string(runes))+1 > columns {
		runes = runes[:len(runes)-1]
	}
	return string(runes) + "…"
}

// folded breaks a text at blanks into at most the given number of lines. The last line has room for more columns. The
// rest is cut.
func folded(text string, columns, lines, more int) (list []string) {
	const indent = "    "
	for {
		if last := len(list) == lines-1; last || out.Width(text)+more <= columns {
			return append(list, end(text, max(columns-more, columns/2)))
		}
		at := 0
		for i, r := range text {
			if r == ' ' && i > len(indent) && out.Width(text[:i]) <= columns {
				at = i
			}
		}
		if at == 0 {
			return append(list, out.Middle(text, max(columns-more, columns/2)))
		}
		list = append(list, text[:at])
		text = indent + strings.TrimLeft(text[at:], " ")
	}
}

// sameCause reports whether the title of a verdict says what a cause does.
func sameCause(title string, c *runtimes.Cause) bool {
	bare := *c
	bare.Note, bare.At = "", ""
	return strings.HasPrefix(title, bare.String())
}
