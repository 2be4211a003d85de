package out

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Value writes the text of a value of a program, as a decoder formats it, with strings,
// numbers, keys and words in their colours. Nothing but the colours is added.
func (w *Writer) Value(text string) {
	if w.style == plain && w.Columns() == 0 {
		w.WriteString(text)
		return
	}
	from, at := 0, 0
	for at < len(text) {
		n, ink := token(text[at:])
		if ink != Plain {
			w.put(Plain, Clean(text[from:at], true), false)
			// A line may end at the blanks between tokens, and not at the blanks in a string.
			w.put(ink, Clean(text[at:at+n], true), ink == String)
			from = at + n
		}
		at += n
	}
	w.put(Plain, Clean(text[from:], true), false)
}

// token returns the length of the first token of a value, and its meaning. It knows the output of util.inspect
// and of the printers of Java's values; other text is plain.
func token(s string) (n int, ink Ink) {
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case r == '\'' || r == '"' || r == '`':
		if n = quoted(s); n > 0 {
			return n, nameOr(s[n:], String)
		}
	case r == '<' || r == '(':
		// A mark of the debugger: <unreadable …>, (not in the core); not <ref *1>.
		if n = strings.IndexAny(s, ">)\n") + 1; n > 1 && !strings.HasPrefix(s, "<ref") &&
			hasAny(s[:n], "not ", "unreadable", "truncated", "missing", "redacted", "optimized") {
			return n, Error
		}
	case r == '[':
		// [Function: f], [Circular *1], [Object]: a word about the value.
		if n = strings.IndexAny(s[1:], "[]\n") + 2; n > 2 && s[n-1] == ']' && unicode.IsUpper(rune(s[1])) {
			return n, Keyword
		}
	case r >= '0' && r <= '9', r == '-' && len(s) > 1 && s[1] >= '0' && s[1] <= '9':
		return numberToken(s)
	case isWord(r) || r == '#':
		return wordToken(s)
	}
	return size, Plain
}

// nameOr returns Symbol if what follows shows that a token is the name of a member, else ink.
func nameOr(rest string, ink Ink) Ink {
	if strings.HasPrefix(rest, ": ") {
		return Symbol
	}
	return ink
}

// numberToken is token for a number, which begins with a digit or a sign.
func numberToken(s string) (n int, ink Ink) {
	for n = 1; n < len(s) && (isWord(rune(s[n])) || s[n] == '.' || (s[n] == '+' || s[n] == '-') && (s[n-1] == 'e' ||
		s[n-1] == 'E')); {
		n++
	}
	if strings.HasPrefix(s, "0x") {
		return n, Addr
	}
	return n, nameOr(s[n:], Addr)
}

// wordToken is token for a word.
func wordToken(s string) (n int, ink Ink) {
	_, n = utf8.DecodeRuneInString(s)
	for n < len(s) {
		r, size := utf8.DecodeRuneInString(s[n:])
		if !isWord(r) && r != '.' && r != '-' {
			break
		}
		n += size
	}
	switch s[:n] {
	case "true", "false", "null", "undefined", "NaN", "Infinity":
		return n, nameOr(s[n:], Keyword)
	}
	return n, nameOr(s[n:], Plain)
}

func isWord(r rune) bool {
	return r == '_' || r == '$' || r == '@' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

func hasAny(s string, words ...string) bool {
	for _, word := range words {
		if strings.Contains(s, word) {
			return true
		}
	}
	return false
}

// quoted returns the length of the string literal that s begins with; 0 if its end is
// missing.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i + 1
		}
	}
	return 0
}
