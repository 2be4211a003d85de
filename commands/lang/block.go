package lang

import (
	"strconv"
	"strings"
)

// A block is lines of gdb's own language, up to the "end" of its first line (GDB manual, "Command Files" and
// "Define").
type block struct {
	word, rest string // of the first line
	body       string
	other      string // of an "if": what follows its "else"
}

// blockWords begin a block.
var blockWords = []string{"while", "if", "define", "document"}

// blockAt returns the block that a text begins with, and its length in bytes. open is set if its "end" is missing. It
// returns nil for another text.
func blockAt(text string) (b *block, n int, open bool) {
	b = &block{}
	lines := strings.SplitAfter(text, "\n")
	var ok bool
	if b.word, b.rest, ok = opens(lines[0]); !ok || b.rest == "" {
		return nil, 0, false
	}
	into := &b.body
	depth := 1
	n = len(lines[0])
	for _, line := range lines[1:] {
		n += len(line)
		word := strings.TrimSpace(line)
		if _, _, ok := opens(line); ok && b.word != "document" {
			depth++
		} else if word == "end" {
			depth--
		}
		switch {
		case depth == 0:
			return b, n, false
		case depth == 1 && word == "else" && b.word == "if":
			into = &b.other
		default:
			*into += line
		}
	}
	return b, n, true
}

// opens reports whether a line begins a block. A line with a brace, or with a statement after its condition, belongs
// to another language.
func opens(line string) (word, rest string, ok bool) {
	word, rest, _ = strings.Cut(strings.TrimSpace(line), " ")
	for _, w := range blockWords {
		ok = ok || w == word
	}
	rest = strings.TrimSpace(rest)
	return word, rest, ok && !strings.ContainsAny(rest, "{;") && !followed(rest)
}

// followed reports whether a name follows a condition in parentheses: "(a) b()".
func followed(text string) bool {
	depth := 0
	for i := 0; i < len(text) && strings.HasPrefix(text, "("); i++ {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				after := strings.TrimSpace(text[i+1:])
				return after != "" && isName(after[0])
			}
		}
	}
	return false
}

// Unfinished reports whether a text is a block that needs more lines.
func Unfinished(text string) bool {
	b, _, open := blockAt(text)
	return b != nil && open
}

// withArguments puts arguments in the place of $arg0, $arg1 and so on, and their number in the place of $argc.
func withArguments(body string, args []string) string {
	for i := len(args) - 1; i >= 0; i-- {
		body = strings.ReplaceAll(body, "$arg"+strconv.Itoa(i), args[i])
	}
	return strings.ReplaceAll(body, "$argc", strconv.Itoa(len(args)))
}
