package console

import (
	"cmp"
	"context"
	"errors"
	"regexp"
	"strings"

	"coredbg/commands"
	"coredbg/commands/js/names"
	"coredbg/commands/js/target"
	"coredbg/commands/lang"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/inspect"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/syntax"
)

// means reports whether an expression has a value here, or one that cannot be read: all its names mean something.
// The text is what was typed.
func means(ctx context.Context, s *commands.Session, v *v8.V8, text string, list []*syntax.Node) bool {
	for _, n := range list {
		c := New(ctx, s, v)
		c.bare = n.Kind == syntax.Identifier && n.Text == text
		if n.Kind == syntax.Unary && n.Text == "typeof" {
			continue
		}
		for name := range freeNames(n) {
			if _, kept := c.kept.values[name]; !kept {
				_, _ = c.look(name)
			}
		}
		if len(c.absent) > 0 {
			return false
		}
	}
	return true
}

// Guess returns the function that finds the line for a text as it is typed into the console of a browser:
// "sessions[0].user", "console.log(sessions)". With sure, its names have to mean something in the process.
func Guess(s *commands.Session) func(text string, sure bool) (line, left string) {
	return func(text string, sure bool) (line, left string) {
		return guess(s, text, sure), ""
	}
}

// guess finds the line for a text.
func guess(s *commands.Session, text string, sure bool) string {
	text = strings.TrimSuffix(strings.TrimSpace(text), ";")
	v, ok := commands.RuntimeOf[*v8.V8](s)
	if !ok || text == "" || strings.ContainsAny(text, "\n") {
		return ""
	}
	if line := cmp.Or(consoleLine(text), snapshotLine(text, s.Process.PID)); line != "" {
		return line
	}
	ctx, cancel := context.WithTimeout(context.Background(), target.Patience)
	defer cancel()
	if file, path := names.Split(text); file != "" {
		if words, err := object.Path(path); err == nil && len(words) > 0 {
			if list, err := names.InModules(ctx, v, file, words); err == nil && len(list) > 0 {
				return printLine(text)
			}
		}
		return ""
	}
	if text == "this" && !New(ctx, s, v).framed {
		return "::jsprint this" // of a script, as no function is running
	}
	if pageWords[text] { // of a page, and of other debuggers
		return "::jsprint " + text
	}
	list, err := Parse(text)
	if scopes[text] && sure && !New(ctx, s, v).variables() && !means(ctx, s, v, text, list) {
		return "::jsglobal -m" // ::locals has nothing
	}
	if err != nil || sure && !means(ctx, s, v, text, list) {
		return errorWord(ctx, s, v, text)
	}
	if line := outside(ctx, s, v, list); line != "" && sure {
		return line
	}
	if sure && absentMember(ctx, s, v, text, list) {
		return printLine("(" + text + ")") // a path names members that are there
	}
	return printLine(text)
}

// printLine is the line that prints what an expression means.
func printLine(text string) string {
	if strings.HasPrefix(text, "-") {
		return "::jsprint -- " + lang.Quote(text)
	}
	return "::jsprint " + lang.Quote(text)
}

// glance are the limits where only the kind of a value is asked.
var glance = inspect.InspectOptions{Depth: 0, MaxArray: 6, MaxProperties: 6, MaxString: 80, MaxValues: 200}

// absentMember reports whether an expression is a member that its object does not have: undefined, or what reading a
// member of that throws.
func absentMember(ctx context.Context, s *commands.Session, v *v8.V8, text string, list []*syntax.Node) bool {
	if len(list) != 1 || !IsPath(text) || list[0].Kind != syntax.Member && list[0].Kind != syntax.Index {
		return false
	}
	x, err := New(ctx, s, v).evaluate(list[0], glance)
	var uncaught *ecma.Uncaught
	return err == nil && x.Kind == object.KindUndefined || errors.As(err, &uncaught)
}

// panels are words of the browsers' tools for which this process has a better line than others.
var panels = map[string]string{"sources": "::jsscripts", "performance": "::status", "take heap snapshot": "::heapstat",
	"heap snapshot":               "::heapstat",
	"process._getActiveHandles()": "::handles",
	"async":                       "::promises", "async stack": "::jsstack",
	"profile()": "::jsstack", "profileEnd()": "::jsstack",
	"console.profile()": "::jsstack"}

// pageWords are names of pages; in a process without pages they are not defined.
var pageWords = map[string]bool{"document": true, "window": true, "location": true, "localStorage": true,
	"sessionStorage": true}

// scopes are words for the variables of a place.
var scopes = map[string]bool{"scope": true, "local": true, "scopes": true, "closure": true, "variables": true}

// consoleLine is the line for a call that a core answers in another way than by running it; "" for others.
func consoleLine(text string) string {
	if line := panels[text]; line != "" {
		return line
	}
	for _, l := range lasting {
		if strings.HasPrefix(text, l.text) {
			return l.line
		}
	}
	if IsProgram(text) || assignment.MatchString(text) {
		if _, err := Parse(text); err == nil {
			return printLine(text)
		}
	}
	name, inner, called := strings.Cut(text, "(")
	inner, closed := strings.CutSuffix(inner, ")")
	if !called || !closed {
		return ""
	}
	switch name {
	case "console.log", "console.table", "console.dir", "console.info", "console.error", "table", "dir",
		"copy", "inspect":
		return consoleLine(strings.TrimSpace(inner))
	case "console.trace":
		return "::jsstack"
	case "structuredClone": // a copy shows as its original does
		return printLine(inner)
	case "import":
		return printLine("require(" + inner + ")")
	case "%DebugPrint":
		return "::jsprint -b " + lang.Quote(inner) + " | ::v8print"
	case "monitorEvents":
		return printLine(inner + "._events")
	}
	return ""
}

// assignment is a variable or a member, and the value that is assigned to it. A format of ::print's, such as
// X, is none. Without spaces the value is a literal: the format of "x=3" would have no letter.
var assignment = regexp.MustCompile(`^([A-Za-z_$][\w$.]*(?:\[[^\]]*\])?)(?: = ([^=>].+|\d)|=(-?\d[\w.]*|["'{[].*|` + "`.*" + `|(?:true|false|null|undefined)\b.*|(?:new|await) .+))$`)

// errorWords are words for the error that ended the process, where no variable has the name: a library may
// have a function of it.
var errorWords = map[string]bool{"err": true, "error": true, "exception": true, "lastError": true}

// errorWord is the line for a word that stands for an error: the error's if the stack refers to one, else the
// one that says that the name is not defined. It is "" for other words.
func errorWord(ctx context.Context, s *commands.Session, v *v8.V8, text string) string {
	if !errorWords[text] {
		return ""
	}
	if _, ok := names.Thrown(ctx, s, v, text); ok {
		return "::jserror"
	}
	return "::jsprint " + text
}
