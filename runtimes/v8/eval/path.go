package eval

import (
	"strings"

	"coredbg/runtimes/v8/syntax"
)

// maxLinks bounds the links of a path.
const maxLinks = 6

// pathOf writes a chain of members and calls without the values that it gives: "process.memoryUsage().rss". It is
// "" for other expressions. A required module has its name: "v8" for require('node:v8').
func pathOf(n *syntax.Node, depth int) string {
	if n == nil || depth > maxLinks {
		return ""
	}
	within := func(tail string) string {
		head := pathOf(n.A, depth+1)
		switch head {
		case "":
			return ""
		case "globalThis", "window", "self", "global", "perf_hooks":
			if name, ok := strings.CutPrefix(tail, "."); ok {
				return name
			}
		}
		return head + tail
	}
	switch n.Kind {
	case syntax.Identifier, syntax.Meta:
		return n.Text
	case syntax.Chain:
		return pathOf(n.A, depth+1)
	case syntax.Member:
		return within("." + n.Text)
	case syntax.New:
		if n.A.Kind == syntax.Identifier {
			return "new " + n.A.Text + "(" + strings.Repeat(",", len(n.List)) + ")"
		}
	case syntax.Call:
		if n.A.Kind == syntax.Identifier && n.A.Text == "require" && len(n.List) == 1 &&
			n.List[0].Kind == syntax.String {
			return strings.TrimPrefix(n.List[0].Text, "node:")
		}
		return within("()")
	}
	return ""
}

// Asks reports whether an expression, or a part of it, has a question.
func Asks(n *syntax.Node, question func(path string) Question) bool {
	if n == nil {
		return false
	}
	if path := pathOf(n, 0); path != "" && question(path) != nil {
		return true
	}
	for _, x := range append([]*syntax.Node{n.A, n.B, n.C, n.D}, n.List...) {
		if Asks(x, question) {
			return true
		}
	}
	return false
}

// rootOf returns the name that a chain begins with; "" if it begins with something else.
func rootOf(n *syntax.Node) string {
	for n != nil {
		switch n.Kind {
		case syntax.Identifier:
			return n.Text
		case syntax.Chain, syntax.Member, syntax.Call, syntax.New:
			n = n.A
		default:
			return ""
		}
	}
	return ""
}
