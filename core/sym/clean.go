package sym

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean returns s safe to write to a terminal and to one line of a log: control
// bytes, bytes that are not UTF-8, and characters that are invisible or turn the
// direction of text (Unicode categories Cc, Cf, Co, Cs, Zl, Zp) become escapes
// of the form \n, \x1b, \u202e. A backslash stays as it is, so the result
// cannot always be turned back. Clean text is returned without a copy.
func Clean(s string) string {
	i := 0
	for i < len(s) && s[i] >= 0x20 && s[i] < 0x7f {
		i++
	}
	if i == len(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 8)
	b.WriteString(s[:i])
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			escape(&b, 'x', uint32(s[i]), 2)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r < 0x80 && unicode.IsControl(r):
			escape(&b, 'x', uint32(r), 2)
		case r > 0xffff && hidden(r):
			escape(&b, 'U', uint32(r), 8)
		case hidden(r):
			escape(&b, 'u', uint32(r), 4)
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

func hidden(r rune) bool {
	return r >= 0x7f && (unicode.In(r, unicode.C, unicode.Zl, unicode.Zp) || !unicode.IsGraphic(r))
}

func escape(b *strings.Builder, kind byte, v uint32, digits int) {
	const hex = "0123456789abcdef"
	b.WriteByte('\\')
	b.WriteByte(kind)
	for i := digits - 1; i >= 0; i-- {
		b.WriteByte(hex[v>>(4*i)&15])
	}
}
