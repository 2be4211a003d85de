package console

import (
	"regexp"
	"slices"
	"strings"

	"coredbg/runtimes/v8/syntax"
)

// Parse parses what is typed into a console, and returns the expressions whose values are asked for: x and y in
// "console.log(x, y)". Statements are the body of one function.
func Parse(text string) ([]*syntax.Node, error) {
	text = intrinsic.ReplaceAllString(strings.TrimSuffix(strings.TrimSpace(text), ";"), "__$1(")
	n, err := parseAny(text)
	if err != nil {
		return nil, err
	}
	if n.Kind != syntax.Call {
		return []*syntax.Node{n}, nil
	}
	switch f := n.A; {
	case f.Kind == syntax.Identifier && commandLine[f.Text] != "":
		n.A = &syntax.Node{Kind: syntax.Member, A: &syntax.Node{Kind: syntax.Identifier, Text: "Object"},
			Text: commandLine[f.Text]}
	case len(n.List) > 0 && prints(f) && !spread(n.List) && !together(f, n.List):
		return n.List, nil
	}
	return []*syntax.Node{n}, nil
}

// parseAny parses an expression, or statements. A function or class with a name, which begins an expression, too, is
// a declaration: its name lasts.
func parseAny(text string) (*syntax.Node, error) {
	if declaration.MatchString(text) {
		if n, err := syntax.ParseProgram(text); err == nil {
			return n, nil
		}
	}
	n, err := syntax.ParseExpression(text)
	if err != nil && IsProgram(text) {
		n, err = syntax.ParseProgram(text)
	}
	return n, err
}

// declaration is how a function or a class with a name begins.
var declaration = regexp.MustCompile(`^(?:(?:async\s+)?function\b\s*\*?\s*[A-Za-z_$]|` +
	`class\s+(?:[A-Za-z_$][\w$]*)\s*(?:extends\b[^{]*)?\{)`)

// intrinsic is a call of a function of V8's own that is not one of JavaScript, as with --allow-natives-syntax.
var intrinsic = regexp.MustCompile(`%(HaveSameMap)\(`)

// together reports whether a function shows its values in one line, as methods of console do. What shows one value
// has options after it.
func together(f *syntax.Node, list []*syntax.Node) bool {
	return len(list) > 1 && (f.Kind == syntax.Member || list[len(list)-1].Kind == syntax.Object)
}

func spread(list []*syntax.Node) bool {
	return slices.ContainsFunc(list, func(n *syntax.Node) bool { return n.Kind == syntax.Spread })
}

// prints reports whether a function shows the values that it is called with.
func prints(f *syntax.Node) bool {
	if f.Kind == syntax.Member && f.A.Kind == syntax.Identifier {
		return f.A.Text == "console" && shows[f.Text] || f.A.Text == "util" && f.Text == "inspect"
	}
	return f.Kind == syntax.Identifier && printing[f.Text]
}

// shows are the methods of console that show their values and do nothing else.
var shows = map[string]bool{"log": true, "info": true, "warn": true, "error": true, "debug": true, "dir": true,
	"dirxml": true, "table": true}

// printing are functions of the consoles of browsers and of Node that show a value.
var printing = map[string]bool{"dir": true, "dirxml": true, "inspect": true, "copy": true, "table": true}

// commandLine are such functions that are a property of Object.
var commandLine = map[string]string{"keys": "keys", "values": "values"}

// programStart is how texts begin that are statements and no expressions.
var programStart = regexp.MustCompile(`^(?:(?:let|const|var|class|throw)\s|(?:const|let)\s*[\[{]|(?:async\s+)?function\b|` +
	`(?:for|if|while|switch)\s*\(|for\s+await\b|(?:do|try)\s*\{|[A-Za-z_$][\w$]*\s*:\s*(?:for|while|do)\b)`)

// IsProgram reports whether a text may be statements.
func IsProgram(text string) bool {
	return programStart.MatchString(text) || strings.Contains(strings.TrimRight(text, "; "), ";")
}

// IsPath reports whether a text is a path, whose members have to be there.
func IsPath(text string) bool {
	name, _, _ := strings.Cut(text, ".")
	if name == "null" || name == "true" || name == "false" ||
		text != "" && strings.ContainsAny(text[:1], `['"0123456789`) {
		return false
	}
	return name != "this" && name != "import" && !IsProgram(text) && !strings.HasPrefix(name, "arguments") &&
		!strings.ContainsAny(text, " ()+*/%<>=!?:`{},&|^~-")
}

// freeNames are the names that an expression or statements refer to.
func freeNames(n *syntax.Node) map[string]bool {
	names := map[string]bool{}
	list, _ := syntax.FreeNames(n)
	for _, name := range list {
		if name[0] != '#' {
			names[name] = true
		}
	}
	return names
}
