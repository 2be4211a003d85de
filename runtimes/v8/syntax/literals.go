package syntax

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// numeric reads a number or a BigInt.
func (l *lexer) numeric(t *token) {
	start := l.at
	digits := "0123456789_"
	if l.src[l.at] == '0' && l.at+1 < len(l.src) && strings.ContainsRune("xXoObB", rune(l.src[l.at+1])) {
		l.at += 2
		l.run("0123456789abcdefABCDEF_")
	} else {
		l.run(digits)
		if l.at < len(l.src) && l.src[l.at] == '.' {
			l.at++
			l.run(digits)
		}
		if l.at < len(l.src) && l.src[l.at]|0x20 == 'e' {
			l.at++
			if l.at < len(l.src) && (l.src[l.at] == '+' || l.src[l.at] == '-') {
				l.at++
			}
			l.run(digits)
		}
	}
	text := strings.ReplaceAll(l.src[start:l.at], "_", "")
	if l.at < len(l.src) && l.src[l.at] == 'n' {
		l.at++
		t.kind, t.text = tokBigInt, text
		return
	}
	t.kind = tokNumber
	if n, err := strconv.ParseUint(text, 0, 64); err == nil && len(text) > 1 && text[0] == '0' {
		t.number = float64(n)
		return
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil && f == 0 {
		l.fail("bad number")
	}
	t.number = f
}

func (l *lexer) run(set string) {
	for l.at < len(l.src) && strings.IndexByte(set, l.src[l.at]) >= 0 {
		l.at++
	}
}

// quoted reads a string, whose quote l is at.
func (l *lexer) quoted(quote byte) string {
	var b strings.Builder
	for l.at++; ; {
		if l.at >= len(l.src) || l.src[l.at] == '\n' {
			l.fail("string without an end")
		}
		switch c := l.src[l.at]; c {
		case quote:
			l.at++
			return b.String()
		case '\\':
			l.escape(&b)
		default:
			b.WriteByte(c)
			l.at++
		}
	}
}

// template reads a part of a template, up to ${ or the closing quote.
func (l *lexer) template(t *token) {
	t.kind = tokTemplate
	var b strings.Builder
	for {
		if l.at >= len(l.src) {
			l.fail("template without an end")
		}
		rest := l.src[l.at:]
		switch {
		case rest[0] == '`':
			l.at++
			t.text, t.last = b.String(), true
			return
		case strings.HasPrefix(rest, "${"):
			l.at += 2
			t.text = b.String()
			return
		case rest[0] == '\\':
			l.escape(&b)
		case rest[0] == '\r':
			if !strings.HasPrefix(rest, "\r\n") {
				b.WriteByte('\n')
			}
			l.at++
		default:
			b.WriteByte(rest[0])
			l.at++
		}
	}
}

var simpleEscapes = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f', 'v': '\v', '0': 0}

// escape reads a backslash and the escape sequence after it.
func (l *lexer) escape(b *strings.Builder) {
	l.at++
	if l.at >= len(l.src) {
		l.fail("escape without an end")
	}
	c := l.src[l.at]
	switch {
	case c == '\n':
		l.at++
	case c == '\r':
		l.at++
		if strings.HasPrefix(l.src[l.at:], "\n") {
			l.at++
		}
	case c == 'x':
		b.WriteRune(l.hex(l.at+1, 2))
	case c == 'u' && strings.HasPrefix(l.src[l.at:], "u{"):
		end := strings.IndexByte(l.src[l.at:], '}')
		if end < 3 || end > 9 {
			l.fail("bad escape")
		}
		b.WriteRune(l.hex(l.at+2, end-2))
		l.at++
	case c == 'u':
		l.unit(b)
	default:
		if e, ok := simpleEscapes[c]; ok {
			b.WriteByte(e)
			l.at++
			return
		}
		_, size := utf8.DecodeRuneInString(l.src[l.at:])
		b.WriteString(l.src[l.at : l.at+size])
		l.at += size
	}
}

// unit reads uXXXX, or two of them that are a surrogate pair. A single surrogate is
// written in three bytes, as UTF-8 would (WTF-8).
func (l *lexer) unit(b *strings.Builder) {
	r := l.hex(l.at+1, 4)
	if r >= 0xd800 && r < 0xdc00 && strings.HasPrefix(l.src[l.at:], `\u`) {
		at := l.at
		if low := l.hex(l.at+2, 4); low >= 0xdc00 && low < 0xe000 {
			b.WriteRune((r-0xd800)<<10 + (low - 0xdc00) + 0x10000)
			return
		}
		l.at = at
	}
	if r >= 0xd800 && r < 0xe000 {
		b.Write([]byte{0xe0 | byte(r>>12), 0x80 | byte(r>>6)&0x3f, 0x80 | byte(r)&0x3f})
		return
	}
	b.WriteRune(r)
}

// hex reads n digits at a place, and moves past them.
func (l *lexer) hex(at, n int) rune {
	if at+n > len(l.src) {
		l.fail("escape without an end")
	}
	v, err := strconv.ParseUint(l.src[at:at+n], 16, 32)
	if err != nil || v > utf8.MaxRune {
		l.fail("bad escape")
	}
	l.at = at + n
	return rune(v)
}

// regexp reads a regular expression whose slash is at start.
func (l *lexer) regexp(start int) *Node {
	class := false
	for l.at = start + 1; ; l.at++ {
		if l.at >= len(l.src) || l.src[l.at] == '\n' {
			l.fail("regular expression without an end")
		}
		switch c := l.src[l.at]; {
		case c == '\\':
			l.at++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			n := &Node{Kind: Regexp, Text: l.src[start+1 : l.at]}
			l.at++
			if l.at < len(l.src) && isNameStart(l.src[l.at:]) {
				n.Flags = l.name()
			}
			return n
		}
	}
}
