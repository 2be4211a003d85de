package lang

import (
	"fmt"
	"regexp"
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

// blockAt returns the block that a text begins with, and its length in bytes. depth is the number of "end" that it
// lacks. It returns nil for another text.
func blockAt(text string) (b *block, n, depth int) {
	b = &block{}
	first, _, _ := strings.Cut(text, "\n")
	var ok bool
	if b.word, b.rest, ok = opens(first); !ok || b.rest == "" {
		return nil, 0, 0
	}
	n = min(len(first)+1, len(text))
	depth = 1
	var body, other strings.Builder
	into := &body
	for line := range strings.Lines(text[n:]) {
		n += len(line)
		depth += b.deeper(line)
		if depth == 0 {
			break
		}
		if depth == 1 && strings.TrimSpace(line) == "else" && b.word == "if" {
			into = &other
			continue
		}
		into.WriteString(line)
	}
	b.body, b.other = body.String(), other.String()
	return b, n, depth
}

// deeper returns how much deeper a line of the block nests: 1 for the first line of another, -1 for "end".
func (b *block) deeper(line string) int {
	if _, _, ok := opens(line); ok && b.word != "document" {
		return 1
	}
	if strings.TrimSpace(line) == "end" {
		return -1
	}
	return 0
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

// Gather returns a text, with the lines that follow it if it is a block that needs more. next returns a line without
// its end; ok is false if there is none. Gather reads no more lines than a source may hold.
func Gather(text string, next func() (line string, ok bool)) string {
	b, _, depth := blockAt(text)
	if depth == 0 {
		return text
	}
	var all strings.Builder
	all.WriteString(text)
	for depth > 0 && all.Len() <= maxText {
		line, ok := next()
		if !ok {
			break
		}
		all.WriteString("\n" + line)
		depth += b.deeper(line)
	}
	return all.String()
}

// argument is $argc, or $arg and a number.
var argument = regexp.MustCompile(`\$arg(c\b|[0-9]+)`)

// withArguments puts arguments in the place of $arg0, $arg1 and so on, and their number in the place of $argc. A number
// without an argument stays. An argument's own text is not searched. The result is an error if it is larger than a
// source may be: a command that runs itself with its argument twice doubles it each time.
func withArguments(body string, args []string) (string, error) {
	var b strings.Builder
	end := 0
	for _, m := range argument.FindAllStringSubmatchIndex(body, -1) {
		value := body[m[0]:m[1]]
		if digits := body[m[2]:m[3]]; digits == "c" {
			value = strconv.Itoa(len(args))
		} else if i, err := strconv.Atoi(digits); err == nil && i < len(args) {
			value = args[i]
		}
		b.WriteString(body[end:m[0]])
		b.WriteString(value)
		end = m[1]
		if b.Len() > maxText {
			return "", fmt.Errorf("the lines with their arguments are larger than %d bytes", maxText)
		}
	}
	b.WriteString(body[end:])
	return b.String(), nil
}
