package inspect

import (
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"coredbg/runtimes/v8/object"
)

// reduce is reduceToSingleString with compact 3: members go on one line if
// the object holds at most three levels of others and all of them fit.
func (f *formatter) reduce(p *parts, level int, x *Value) string {
	const compact = 3
	out := p.out
	if p.array && len(out) > 6 && !f.o.OneLine {
		out = f.group(out, x)
	}
	base := p.base
	if base != "" {
		base += " "
	}
	if f.o.OneLine {
		return base + p.open + " " + strings.Join(out, ", ") + " " + p.close
	}
	if f.deepest-level < compact && len(out) == len(p.out) {
		start := len(out) + f.indent + jsLength(p.open) + jsLength(p.base) + 10
		if f.fits(out, start, p.base) {
			if joined := strings.Join(out, ", "); f.o.Dialect.JoinsLines || !strings.Contains(joined, "\n") {
				return base + p.open + " " + joined + " " + p.close
			}
		}
	}
	nl := "\n" + strings.Repeat(" ", f.indent)
	return base + p.open + nl + "  " + strings.Join(out, ","+nl+"  ") + nl + p.close
}

// fits is isBelowBreakLength.
func (f *formatter) fits(out []string, start int, base string) bool {
	total := len(out) + start
	if total+len(out) > f.o.Width {
		return false
	}
	for _, s := range out {
		if total += jsLength(s); total > f.o.Width {
			return false
		}
	}
	return !strings.Contains(base, "\n")
}

// group is groupArrayElements: many short entries go in columns.
func (f *formatter) group(out []string, x *Value) []string {
	const separator, approxCharHeights, compact, maxColumns = 2, 2.5, 3, 15
	n := len(out)
	if x != nil && n > x.room() {
		n-- // "... more items", or the last item, stays alone
	}
	lengths := make([]int, n)
	total, longest := 0, 0
	for i := range n {
		lengths[i] = displayWidth(out[i])
		total += lengths[i] + separator
		longest = max(longest, lengths[i])
	}
	actual := longest + separator
	if actual*3+f.indent >= f.o.Width || !(float64(total)/float64(actual) > 5 || longest <= 6) {
		return out
	}
	bias := math.Sqrt(float64(actual) - float64(total)/float64(len(out)))
	biased := math.Max(float64(actual)-3-bias, 1)
	columns := min(int(math.Floor(math.Sqrt(approxCharHeights*biased*float64(n))/biased+0.5)),
		(f.o.Width-f.indent)/actual, compact*4, maxColumns)
	if columns <= 1 {
		return out
	}
	var widths []int
	for i := range columns {
		w := 0
		for j := i; j < n; j += columns {
			w = max(w, lengths[j])
		}
		widths = append(widths, w+separator)
	}
	right := x == nil || x.allNumbers(len(out))
	var lines []string
	for i := 0; i < n; i += columns {
		end := min(i+columns, n)
		var s strings.Builder
		for j := i; j < end; j++ {
			cell, width := out[j]+", ", widths[j-i]
			if j == end-1 {
				cell, width = out[j], widths[j-i]-separator
			}
			pad := strings.Repeat(" ", max(width-displayWidth(cell), 0))
			switch {
			case right:
				s.WriteString(pad + cell)
			case j == end-1:
				s.WriteString(cell)
			default:
				s.WriteString(cell + pad)
			}
		}
		lines = append(lines, s.String())
	}
	return append(lines, out[n:]...)
}

// allNumbers reports whether the first n elements of an array are numbers,
// which are aligned at their end.
func (x *Value) allNumbers(n int) bool {
	if uint64(n) > x.Length {
		return false
	}
	for i, m := range x.Elements {
		if m.Value == nil || m.Index != uint64(i) ||
			m.Value.Kind != object.KindNumber && m.Value.Kind != object.KindBigInt {
			return false
		}
	}
	return len(x.Elements) > 0
}

// jsLength is the length of s in UTF-16 code units.
func jsLength(s string) int {
	n := 0
	for i := 0; i < len(s); {
		r, size := object.DecodeRune(s[i:])
		i += size
		if n++; r > 0xffff {
			n++
		}
	}
	return n
}

// displayWidth is the number of columns that s takes: two for East Asian wide
// characters and emoji, none for combining ones.
func displayWidth(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		case r >= 0x1100 && r <= 0x115f, r >= 0x2e80 && r <= 0xa4cf && r != 0x303f, r >= 0xac00 && r <= 0xd7a3,
			r >= 0xf900 && r <= 0xfaff, r >= 0xfe30 && r <= 0xfe6f, r >= 0xff00 && r <= 0xff60,
			r >= 0xffe0 && r <= 0xffe6, r >= 0x1f300 && r <= 0x1faff, r >= 0x20000 && r <= 0x3fffd:
			n += 2
		default:
			n++
		}
	}
	return n
}

// Quote writes s as util.inspect does (strEscape): in single quotes, or in another kind of quotes that does not
// occur in it, with control characters escaped.
func Quote(s string) string { return (Dialect{}).quote(s) }

func (d Dialect) quote(s string) string {
	quote := byte('\'')
	if strings.Contains(s, "'") {
		if !strings.Contains(s, `"`) {
			quote = '"'
		} else if !strings.Contains(s, "`") && !strings.Contains(s, "${") {
			quote = '`'
		}
	}
	return string(quote) + d.quoted(s, quote) + string(quote)
}

// quoted is what stands between quotes.
func (d Dialect) quoted(s string, quote byte) string {
	control := `\x%02X`
	if d.LongEscapes {
		control = `\u%04x`
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		r, size := object.DecodeRune(s[i:])
		i += size
		switch {
		case r == '\'' && quote == '\'':
			b.WriteString(`\'`)
		case r == '\\':
			b.WriteString(`\\`)
		default:
			writeEscaped(&b, r, control)
		}
	}
	return b.String()
}

// escapeControls makes text of a core safe for a terminal.
func escapeControls(s string) string {
	safe := true
	for _, r := range s {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r == utf8.RuneError {
			safe = false
			break
		}
	}
	if safe {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := object.DecodeRune(s[i:])
		i += size
		writeEscaped(&b, r, `\x%02X`)
	}
	return b.String()
}

// writeEscaped writes a character; control is how those look that have no letter.
func writeEscaped(b *strings.Builder, r rune, control string) {
	switch {
	case r == '\b':
		b.WriteString(`\b`)
	case r == '\t':
		b.WriteString(`\t`)
	case r == '\n':
		b.WriteString(`\n`)
	case r == '\f':
		b.WriteString(`\f`)
	case r == '\r':
		b.WriteString(`\r`)
	case r < ' ', r >= 0x7f && r < 0xa0:
		fmt.Fprintf(b, control, r)
	case utf16.IsSurrogate(r):
		fmt.Fprintf(b, `\u%x`, r)
	default:
		b.WriteRune(r)
	}
}

// Printable makes a name of a core safe for a terminal: control characters
// are escaped.
func Printable(s string) string { return escapeControls(s) }
