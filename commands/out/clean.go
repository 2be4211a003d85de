package out

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Clean returns s with everything escaped that a terminal could take for more
// than text: control characters as "\x1b" or "\n", bytes that are not UTF-8 as "\xff",
// and characters that change the direction of text or have no width as
// "\u202e". Tabs stay, and newlines if lines is set.
func Clean(s string, lines bool) string {
	i := 0
	for i < len(s) && s[i] >= ' ' && s[i] < 0x7f || i < len(s) && (s[i] == '\t' || lines && s[i] == '\n') {
		i++
	}
	if i == len(s) {
		return s
	}
	var b strings.Builder
	b.WriteString(s[:i])
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\t' || r == '\n' && lines:
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r < ' ' || 0x7f <= r && r < 0xa0:
			fmt.Fprintf(&b, `\x%02x`, r)
		case unseen(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
		i += n
	}
	return b.String()
}

// unseen reports whether a character steers text instead of being seen:
// bidirectional controls, zero-width characters, line and paragraph
// separators, the byte-order mark, tags.
func unseen(r rune) bool {
	return 0x200b <= r && r <= 0x200f || 0x2028 <= r && r <= 0x202e ||
		0x2060 <= r && r <= 0x206f || r == 0xfeff || r == 0xad || r == 0x61c ||
		0xfff9 <= r && r <= 0xfffb || 0xe0000 <= r && r <= 0xe007f
}
