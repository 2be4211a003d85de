package console

import (
	"context"
	"regexp"
	"strings"

	"coredbg/commands"
	"coredbg/commands/js/target"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/syntax"
)

// Program returns the function that finds the line for a whole line that is a program of JavaScript, which this
// language would split or misread: "let a = 1; a + 1", "/x/.test(name)". It is "" for other lines.
func Program(s *commands.Session) func(text string) string {
	return func(text string) string {
		text = strings.TrimSpace(text)
		own := identifier.MatchString(text) && OwnWord(s, text) && text != "arguments"
		if !own && !likeProgram(text) && !(keptOf(s).used && calculation.MatchString(text)) {
			return ""
		}
		v, ok := commands.RuntimeOf[*v8.V8](s)
		if !ok {
			return ""
		}
		list, err := Parse(text)
		if err != nil || len(list) != 1 {
			return ""
		}
		ctx, cancel := context.WithTimeout(context.Background(), target.Patience)
		defer cancel()
		n := list[0]
		if !own && !programStart.MatchString(text) && !onlyProgram(n, text) && !means(ctx, s, v, text, list) {
			return ""
		}
		return printLine(text)
	}
}

// optional are the operators that this language reads as formats and that no other has.
var optional = regexp.MustCompile(`[\w$)\]]\?\.[\w$(\[]|\?\?|^(?:[\w$]+|\([^()]*\)) => `)

// identifier is the name of a variable.
var identifier = regexp.MustCompile(`^[A-Za-z_][\w$]*$`)

// calculation is one of numbers, or a text, as it is typed among other expressions of JavaScript.
var calculation = regexp.MustCompile(`^(?:[\d.]+(?: (?:[-+*/%]|\*\*) [\d.]+)+|\d[\d.]*(?:(?:[*/%]|<<|>>>?)\d[\d.]*)+|~\d+|[\d.]+(?:, [\d.]+)+|-?\d[\d_]*(?:\.\d+)?(?:e[-+]?\d+)?n?|'[^']*'|"[^"]*")$`)

// likeProgram reports whether a line may be a program that this language would misread.
func likeProgram(text string) bool {
	if strings.Contains(text, "::") || strings.Contains(text, "\n") {
		return false
	}
	return programStart.MatchString(text) || strings.Contains(strings.TrimRight(text, "; "), ";") ||
		optional.MatchString(text) || strings.HasPrefix(text, "/") && strings.Contains(text[1:], "/") ||
		strings.HasPrefix(text, "!!")
}

// onlyProgram reports whether a text with semicolons is JavaScript for certain: they are in brackets, or the first
// statement is an assignment.
func onlyProgram(n *syntax.Node, text string) bool {
	switch {
	case n.Kind == syntax.Binary, n.Kind == syntax.Sequence, n.Kind == syntax.String, n.Kind == syntax.Number,
		n.Kind == syntax.BigInt,
		n.Kind == syntax.Unary && n.Text == "-": // after other expressions
		return true
	case n.Kind == syntax.Function && n.Arrow && n.A.Kind == syntax.Block && n.Source == "":
		first := n.A.List[0]
		return first.Kind == syntax.Expression && first.A.Kind == syntax.Assign
	case strings.HasPrefix(text, "!!") || optional.MatchString(text):
		return true
	case strings.HasPrefix(text, "/"):
		for n.Kind == syntax.Call || n.Kind == syntax.Member || n.Kind == syntax.Index {
			n = n.A
		}
		return n.Kind == syntax.Regexp
	}
	return strings.Contains(text, "{")
}
