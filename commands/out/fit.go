package out

import (
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"
)

// A piece is a part of a line with one meaning. A unit is a name, a path or a value: no
// line ends within it.
type piece struct {
	ink  Ink
	text string
	unit bool
}

// SetColumns makes lines fit a terminal, whose width columns returns. It returns 0, or is nil, if lines may
// have any length, as for a file. In a line that is too long, names are cut in the middle if the record allows
// it, see CutNames, and the rest goes on in the next line after a blank. A log gets whole lines.
func (w *Writer) SetColumns(columns func() int) {
	w.endLine("")
	w.columns = columns
}

// Columns returns the width that lines are to fit, or 0 if they may be as long as they
// are.
func (w *Writer) Columns() int {
	if w.columns == nil || w.whole > 0 {
		return 0
	}
	return max(w.columns(), 0)
}

// Whole makes lines as long as they are until restore is called.
func (w *Writer) Whole() (restore func()) {
	w.endLine("")
	w.whole++
	return func() { w.endLine(""); w.whole-- }
}

// CutNames says whether long names and paths of the lines that follow may be cut in the
// middle to fit a terminal.
func (w *Writer) CutNames(may bool) {
	w.endLine("")
	w.names = may
}

// endLine writes the line so far, and its end.
func (w *Writer) endLine(end string) {
	if len(w.line) == 0 {
		w.emit(Plain, end)
		return
	}
	line := w.line
	w.line = nil
	if columns := w.Columns(); columns > 0 && widthOf(line) > columns {
		if w.names {
			if short := cut(line, columns); widthOf(short) <= columns {
				line = short
			} else {
				line = cutEach(line, columns)
			}
		}
		line = fold(line, columns)
	}
	for _, p := range line {
		w.emit(p.ink, p.text)
	}
	w.emit(Plain, end)
}

// width returns the columns that clean text takes after others have been taken.
func width(text string, after int) int {
	n := 0
	for {
		head, rest, tab := strings.Cut(text, "\t")
		n += runewidth.StringWidth(head)
		if !tab {
			return n
		}
		n += 8 - (after+n)%8
		text = rest
	}
}

func widthOf(line []piece) int {
	n := 0
	for _, p := range line {
		n += width(p.text, n)
	}
	return n
}

// words splits the pieces that are not units at their blanks.
func words(line []piece) []piece {
	var out []piece
	for _, p := range line {
		if p.unit {
			out = append(out, p)
			continue
		}
		for text := p.text; text != ""; {
			n := strings.IndexAny(text, " \t")
			switch {
			case n < 0:
				n = len(text)
			case n == 0:
				n = len(text) - len(strings.TrimLeft(text, " \t"))
			}
			out = append(out, piece{p.ink, text[:n], false})
			text = text[n:]
		}
	}
	return out
}

// cut shortens the longest names of a line until it fits, but none to less than a fifth
// of the line.
func cut(line []piece, columns int) []piece {
	line = words(line)
	least := max(columns/5, 8)
	for excess := widthOf(line) - columns; excess > 0; excess = widthOf(line) - columns {
		longest, second := -1, least
		for i, p := range line {
			switch n := width(p.text, 0); {
			case !isName(p):
			case longest < 0 || n > width(line[longest].text, 0):
				if longest >= 0 {
					second = max(second, width(line[longest].text, 0))
				}
				longest = i
			default:
				second = max(second, n)
			}
		}
		if longest < 0 {
			return line
		}
		n := width(line[longest].text, 0)
		if n <= least {
			return line
		}
		to := max(n-excess, second)
		if second >= n { // two of one length share it
			to = n - (excess+1)/2
		}
		line[longest].text = Middle(line[longest].text, max(to, least))
	}
	return line
}

// cutEach shortens the names that are too long for a line that has nothing else: the line
// goes on in another one in any case.
func cutEach(line []piece, columns int) []piece {
	room := columns - indentOf(line, columns)
	line = words(line)
	for i, p := range line {
		if isName(p) {
			line[i].text = Middle(p.text, room)
		}
	}
	return line
}

// indentOf is the number of blanks in front of a line's continuation.
func indentOf(line []piece, columns int) int {
	indent := 4
	if len(line) > 0 {
		indent += len(line[0].text) - len(strings.TrimLeft(line[0].text, " "))
	}
	return min(indent, columns/2)
}

// Middle returns text, cut in the middle with "…" if it is wider than columns. A path keeps more of its end,
// which distinguishes files.
func Middle(text string, columns int) string {
	if runewidth.StringWidth(text) <= columns {
		return text
	}
	room := max(columns-1, 0) // without "…"
	tail := room / 2
	if strings.Contains(text, "/") {
		tail = room * 3 / 4
	}
	head := runewidth.Truncate(text, room-tail, "")
	runes := []rune(text[len(head):])
	from := len(runes)
	for width := 0; from > 0; from-- {
		if width += runewidth.RuneWidth(runes[from-1]); width > tail {
			break
		}
	}
	return head + "…" + string(runes[from:])
}

// fold ends lines at blanks so that each fits, and indents what follows.
func fold(line []piece, columns int) []piece {
	indent := indentOf(line, columns)
	for i := range line {
		// A sentence in one colour is not a name. It may have to begin behind the indent.
		if p := &line[i]; p.unit && p.ink != String && width(p.text, 0) > columns-indent {
			p.unit = false
		}
	}
	line = words(line)
	var out []piece
	at := 0         // the column
	empty := true   // except for blanks
	var gap []piece // blanks that are written once it is known that a word follows
	flush := func() {
		for _, g := range gap {
			at += width(g.text, at)
		}
		out = append(out, gap...)
		gap = nil
	}
	for i := 0; i < len(line); {
		if isBlank(line[i]) {
			gap = append(gap, line[i])
			i++
			continue
		}
		// Text without blanks stays together.
		end := i
		for end < len(line) && !isBlank(line[end]) {
			end++
		}
		word := line[i:end]
		room := columns - at
		for _, g := range gap {
			room -= width(g.text, columns-room)
		}
		if len(gap) > 0 && !empty && widthOf(word) > room {
			out = append(out, piece{Plain, "\n" + strings.Repeat(" ", indent), true})
			at, gap = indent, nil
		}
		flush()
		out = append(out, word...)
		at += widthOf(word)
		empty = false
		i = end
	}
	return slices.Clip(out)
}

// isName reports whether a piece may be cut: a unit that is not a value, and a word that
// is longer than an address.
func isName(p piece) bool {
	switch {
	case p.ink == String || p.ink == Addr || isBlank(p) || strings.ContainsRune(p.text, '\t'):
		return false
	case p.unit:
		return true
	}
	return len(p.text) > len("0x0123456789abcdef") && strings.Trim(p.text, "0123456789abcdefxABCDEF") != ""
}

func isBlank(p piece) bool { return !p.unit && strings.TrimLeft(p.text, " \t") == "" }
