package out

import (
	"fmt"
	"strings"

	"github.com/fatih/color"
	"github.com/mattn/go-runewidth"
)

// An Ink is what a piece of text means; a Style gives it a colour.
type Ink uint8

// The meanings.
const (
	Plain    Ink = iota
	Addr         // addresses and other numbers of the machine
	Symbol       // names of functions and variables
	String       // text of the program
	Keyword      // words of the debugger: headings, commands
	Error        // errors, unreadable values
	Dim          // what matters less: files, offsets
	Function     // of machine code, as opposed to a runtime's
	inks
)

// A Style gives meanings their colours, or none.
type Style struct{ inks [inks]*color.Color }

var plain = &Style{}

// NewStyle returns a style with colours, or a plain one. It neither looks at
// the environment nor at where the output goes; see WantColor.
func NewStyle(colors bool) *Style {
	s := &Style{}
	if !colors {
		return s
	}
	s.inks = [inks]*color.Color{
		Addr:     color.New(color.FgCyan),
		Symbol:   color.New(color.FgYellow),
		String:   color.New(color.FgGreen),
		Keyword:  color.New(color.Bold),
		Error:    color.New(color.FgRed),
		Dim:      color.New(color.Faint),
		Function: color.New(color.FgBlue),
	}
	for _, c := range s.inks {
		if c != nil {
			c.EnableColor() // whatever the package has found out by itself
		}
	}
	return s
}

// WantColor decides about colours from the mode ("auto", "always", "never"),
// from whether the output is a terminal, and from the environment: NO_COLOR if
// it is not empty (no-color.org), and TERM.
func WantColor(mode string, terminal bool, getenv func(string) string) (bool, error) {
	switch mode {
	case "always":
		return true, nil
	case "never":
		return false, nil
	case "auto", "":
		return terminal && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb", nil
	}
	return false, fmt.Errorf("colour mode %q is not auto, always or never", mode)
}

// Paint returns text in its colour. The text is escaped, see Clean.
func (s *Style) Paint(ink Ink, text string) string {
	text = Clean(text, false)
	if ink >= inks || s.inks[ink] == nil || text == "" {
		return text
	}
	return s.inks[ink].Sprint(text)
}

// Paint formats a piece of a line to the writer in a colour. It is one name, path or
// value, which a terminal gets in one piece.
func (w *Writer) Paint(ink Ink, format string, args ...any) {
	w.put(ink, Clean(fmt.Sprintf(format, args...), false), true)
}

// Width returns the number of columns that text takes on a terminal.
func Width(text string) int { return runewidth.StringWidth(Clean(text, false)) }

// Cell writes text in a column of the given width: to its left or, if the
// width is negative, to its right. Longer text is not cut. Colours do not
// count.
func (w *Writer) Cell(ink Ink, width int, text string) {
	text = Clean(text, false)
	fill := strings.Repeat(" ", max(abs(width)-runewidth.StringWidth(text), 0))
	if width < 0 {
		w.put(Plain, fill, false)
		fill = ""
	}
	w.put(ink, text, true)
	w.put(Plain, fill, false)
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
