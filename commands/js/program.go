package js

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/lang"
	"coredbg/commands/out"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/eval"
	"coredbg/runtimes/v8/inspect"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/syntax"
)

// typedBefore are the variables that texts declared which were typed before, and $_, the last value, if there is one.
type typedBefore struct {
	values map[string]*eval.Value
	used   bool // something was typed
	counts map[string]int
}

// counted is what console.count shows for its label.
func (k *typedBefore) counted(list []*inspect.Value) []*inspect.Value {
	label := "default"
	if len(list) > 0 {
		label = list[0].Text
	}
	if k.counts == nil {
		k.counts = map[string]int{}
	}
	k.counts[label]++
	return []*inspect.Value{{Kind: object.KindString, Text: fmt.Sprintf("%s: %d", label, k.counts[label])}}
}

// keptOf returns what was typed before in a session.
func keptOf(s *commands.Session) *typedBefore {
	k := commands.Kept[typedBefore](s)
	if k == nil {
		k = &typedBefore{values: map[string]*eval.Value{"$0": new(eval.Value)}} // nothing is chosen in a page
		commands.Keep(s, k)
	}
	return k
}

// ownWord reports whether a name means something that no path finds: what was typed before, or the arguments.
func ownWord(s *commands.Session, name string) bool {
	_, kept := keptOf(s).values[name]
	return kept || name == "arguments"
}

// run evaluates what was typed, emits what it prints, and keeps its value. The value is nil if nothing is to be shown;
// later emits what functions print that run after it.
func (c *console) run(call *commands.Call, n *syntax.Node, o inspect.InspectOptions) (x *inspect.Value,
	later func() error, err error) {
	c.kept.used = true
	e, err := c.v.Values.Evaluate(c.place(), n, o, func(v eval.Value) { c.kept.values["$_"] = &v })
	later = func() error { return c.emitPrinted(call, e.Later) }
	if failed := c.emitPrinted(call, e.Printed); failed != nil {
		return nil, later, failed
	}
	if err == nil && len(e.Omitted) > 0 {
		c.s.Warn(fmt.Errorf("what C++ does for %s is left out",
			strings.Join(e.Omitted, ", ")))
	}
	if err == nil && len(e.Printed) > 0 && e.Value.Kind == object.KindUndefined {
		return nil, later, nil
	}
	return e.Value, later, err
}

// emitPrinted emits what calls of console show.
func (c *console) emitPrinted(call *commands.Call, list []inspect.Printed) error {
	for _, p := range list {
		switch p.Method {
		case "assert":
			if len(p.Values) > 0 && p.Values[0].Text != "false" {
				continue
			}
		case "count":
			p.Values = c.kept.counted(p.Values)
		case "groupEnd", "countReset", "clear", "time", "timeEnd", "timeLog":
			continue
		}
		r := &printedRecord{Printed: p, form: inspect.FormatOptions{Dialect: c.v.Values.Dialect()}}
		if err := call.Emit(r); err != nil {
			return err
		}
	}
	return nil
}

// printedRecord is what a call of a method of console shows.
type printedRecord struct {
	inspect.Printed
	form inspect.FormatOptions
}

// A printedJSON is one as programs see it.
type printedJSON struct {
	Type   string           `json:"type" record:"jsoutput"`
	Method string           `json:"method"` // of console
	Values []*inspect.Value `json:"values"`
}

// JSON implements out.Formed.
func (r *printedRecord) JSON() any { return &printedJSON{"jsoutput", r.Method, r.Values} }

// Text writes the values as a console does: texts as they are, the first one with its %s and the like.
func (r *printedRecord) Text(w *out.Writer) {
	list := r.Values
	var parts []string
	if r.Method == "assert" && len(list) > 0 {
		parts, list = []string{"Assertion failed:"}, list[1:]
	}
	if len(list) > 1 && list[0].Kind == object.KindString && strings.Contains(list[0].Text, "%") {
		var first string
		first, list = r.filled(list[0].Text, list[1:])
		parts = append(parts, first)
	}
	for _, x := range list {
		parts = append(parts, r.shown(x))
	}
	w.Printf("%s\n", out.Clean(strings.Join(parts, " "), true))
}

func (r *printedRecord) shown(x *inspect.Value) string {
	if x.Kind == object.KindString {
		return x.Text
	}
	return x.Format(r.form)
}

var placeholder = regexp.MustCompile(`%[sdifjoOc%]`)

// filled puts values into the places of a text, and returns the other values.
func (r *printedRecord) filled(text string, list []*inspect.Value) (string, []*inspect.Value) {
	text = placeholder.ReplaceAllStringFunc(text, func(p string) string {
		switch {
		case p == "%%":
			return "%"
		case len(list) == 0:
			return p
		}
		x := list[0]
		if list = list[1:]; p == "%c" {
			return ""
		}
		return r.shown(x)
	})
	return text, list
}

// programStart is how texts begin that are statements and no expressions.
var programStart = regexp.MustCompile(`^(?:(?:let|const|var|class|throw)\s|(?:const|let)\s*[\[{]|(?:async\s+)?function\b|` +
	`(?:for|if|while|switch)\s*\(|for\s+await\b|(?:do|try)\s*\{|[A-Za-z_$][\w$]*\s*:\s*(?:for|while|do)\b)`)

// isProgram reports whether a text may be statements.
func isProgram(text string) bool {
	return programStart.MatchString(text) || strings.Contains(strings.TrimRight(text, "; "), ";")
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

// Program returns the function that finds the line for a whole line that is a program of JavaScript, which this
// language would split or misread: "let a = 1; a + 1", "/x/.test(name)". It is "" for other lines.
func Program(s *commands.Session) func(text string) string {
	return func(text string) string {
		text = strings.TrimSpace(text)
		if !likeProgram(text) && !(keptOf(s).used && calculation.MatchString(text)) {
			return ""
		}
		v, ok := commands.RuntimeOf[*v8.V8](s)
		if !ok {
			return ""
		}
		list, err := parseTyped(text)
		if err != nil || len(list) != 1 {
			return ""
		}
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if n := list[0]; !programStart.MatchString(text) && !onlyProgram(n, text) && !means(ctx, s, v, text, list) {
			return ""
		}
		return "::jsprint " + lang.Quote(text)
	}
}

// optional are the operators that this language reads as formats and that no other has.
var optional = regexp.MustCompile(`[\w$)\]]\?\.[\w$(\[]|\?\?|^(?:[\w$]+|\([^()]*\)) => `)

// calculation is one of numbers, or a text, as it is typed among other expressions of JavaScript.
var calculation = regexp.MustCompile(`^(?:[\d.]+(?: (?:[-+*/%]|\*\*) [\d.]+)+|-?\d[\d_]*(?:\.\d+)?(?:e[-+]?\d+)?n?|'[^']*'|"[^"]*")$`)

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
	case n.Kind == syntax.Binary, n.Kind == syntax.String, n.Kind == syntax.Number, n.Kind == syntax.BigInt,
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

// words of DevTools' and Node's consoles that stand for values which the process need not have.
var consoleNames = []string{"require", "console", "structuredClone"}

// ofConsole reports whether a console finds a name that no frame and no global has.
func ofConsole(name string) bool {
	_, module := moduleNames[name]
	return module || slices.Contains(consoleNames, name)
}

// provided reports whether a console has a name of its own.
func (c *console) provided(name string) bool {
	_, kept := c.kept.values[name]
	return kept || slices.Contains(consoleNames, name) && (name != "require" || c.node())
}

// keptNames are the names of the variables that were typed before.
func (k *typedBefore) keptNames() []string { return slices.Sorted(maps.Keys(k.values)) }
