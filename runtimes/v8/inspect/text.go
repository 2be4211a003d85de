package inspect

import (
	"fmt"
	"math"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"coredbg/runtimes/v8/object"
)

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

// isoDate is Date.prototype.toISOString of milliseconds since 1970.
func isoDate(ms float64) string {
	const maxTime = 8.64e15
	if math.IsNaN(ms) || math.Abs(ms) > maxTime {
		return "Invalid Date"
	}
	t := time.UnixMilli(int64(ms)).UTC()
	year := fmt.Sprintf("%04d", t.Year())
	switch y := t.Year(); {
	case y > 9999:
		year = fmt.Sprintf("+%06d", y)
	case y < 0:
		year = fmt.Sprintf("-%06d", -y)
	}
	return year + t.Format("-01-02T15:04:05.000Z")
}

func hexBytes(b []byte, length uint64) string {
	var s strings.Builder
	for i, c := range b {
		if i > 0 {
			s.WriteByte(' ')
		}
		fmt.Fprintf(&s, "%02x", c)
	}
	if n := length - uint64(len(b)); n > 0 {
		fmt.Fprintf(&s, " ... %d more byte%s", n, plural(n))
	}
	return s.String()
}

func plural(n uint64) string {
	if n == 1 {
		return ""
	}
	return "s"
}
