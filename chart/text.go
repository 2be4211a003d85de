package chart

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxName bounds the characters of a name where the reader points at it.
const maxName = 300

// plain escapes the unprintable characters of s as a Go string would, and truncates it to most
// characters.
func plain(s string, most int) string {
	var b strings.Builder
	n := 0
	for i, r := range s {
		if n++; n > most {
			b.WriteString("…")
			break
		}
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// markup makes a text that plain made a part of an XML document.
func markup(s string) string { return entities.Replace(s) }

var entities = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")

// columns returns how many columns of a monospaced font a character takes, about.
func columns(r rune) int {
	switch {
	case unicode.Is(unicode.Mn, r):
		return 0
	case r >= 0x1100 && (r <= 0x115f || r >= 0x2e80 && r <= 0xa4cf || r >= 0xac00 && r <= 0xd7a3 ||
		r >= 0xf900 && r <= 0xfaff ||
		r >= 0xfe30 && r <= 0xfe6f || r >= 0xff00 && r <= 0xff60 || r >= 0xffe0 && r <= 0xffe6 || r >= 0x1f000):
		return 2
	}
	return 1
}

// fit truncates a text to at most most columns; "" if nothing useful is left.
func fit(s string, most int) string {
	n := 0
	for _, r := range s {
		n += columns(r)
	}
	if n <= most {
		return s
	}
	if most < 4 {
		return ""
	}
	n = 0
	for i, r := range s {
		if n += columns(r); n > most-1 {
			return strings.TrimRight(s[:i], " ") + "…"
		}
	}
	return s
}
