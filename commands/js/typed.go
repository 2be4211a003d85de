package js

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"coredbg/commands"
	"coredbg/commands/lang"
	"coredbg/core"
	v8 "coredbg/runtimes/v8"
	"coredbg/runtimes/v8/eval"
	"coredbg/runtimes/v8/frame"
	"coredbg/runtimes/v8/inspect"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/syntax"
)

// A console evaluates expressions as they are typed into the console of a browser: over the variables of the
// current frame, the globals and the variables of the program's modules.
type console struct {
	ctx    context.Context
	s      *commands.Session
	v      *v8.V8
	at     place
	framed bool
	values *frame.FrameValues // nil if they are not known
	absent []string           // names that mean nothing
	asked  []string           // names that mean nothing, but begin expressions that may be answered
	bare   bool               // the text is one name alone
	notes  []string           // on answers of the embedder
	kept   *typedBefore
}

func newConsole(ctx context.Context, s *commands.Session, v *v8.V8) *console {
	c := &console{ctx: ctx, s: s, v: v, kept: keptOf(s)}
	if c.at, c.framed = scopeOf(ctx, s); c.framed && !c.at.borrowed {
		if all := v.Frames.Values(&c.at.machine); c.at.number < len(all) {
			c.values = all[c.at.number]
		}
	}
	return c
}

// look returns what a name means.
func (c *console) look(name string) (object.Slot, error) {
	if c.framed && name != "arguments" {
		if x, ok := c.at.variable(c.v, name); ok {
			return x, nil
		}
	}
	x, err := globalOf(c.ctx, c.s, c.v, []string{name})
	if errors.Is(err, object.ErrAccessor) && (name == "window" || name == "self") { // of a page
		x, err = globalOf(c.ctx, c.s, c.v, []string{"globalThis"})
	}
	if errors.Is(err, object.ErrComputed) {
		return c.lazyGlobal(name)
	}
	if err == nil || !errors.Is(err, object.ErrNoGlobal) || name == "arguments" {
		return x, err
	}
	if x, ok := c.moduleVariable(name); ok {
		return x, nil
	}
	if list, e := namedIn(c.ctx, c.v, "", []string{name}); e == nil && len(list) > 0 {
		return list[0].slot, nil
	}
	if t, ok := thrown(c.ctx, c.s, c.v, name); ok && !c.bare {
		return object.Slot{Word: t}, nil
	}
	if askedNames[name] {
		c.asked = append(c.asked, name)
	} else if name != "undefined" && !c.provided(name) {
		c.absent = append(c.absent, name)
	}
	return object.Slot{}, err
}

// place is where expressions are evaluated.
func (c *console) place() eval.Place {
	at := eval.Place{Look: c.look, Kept: c.kept.values, Require: c.require, Question: c.question, Note: c.note}
	if c.values != nil {
		at.This = func() (object.Slot, error) { return slotOf(&c.values.Receiver) }
		at.Arguments = c.arguments
	}
	return at
}

// variables reports whether a frame of JavaScript is chosen that has arguments or variables of its own.
func (c *console) variables() bool {
	return c.framed && c.values != nil && len(c.values.Args)+len(c.values.Locals) > 0
}

// arguments returns the values of the frame's arguments.
func (c *console) arguments() (list []object.Slot, err error) {
	if c.arrow() {
		return nil, errors.New("an arrow function has no arguments of its own, and those of the function around it are not known")
	}
	for i := range c.values.Args {
		x, err := slotOf(&c.values.Args[i])
		if err != nil {
			return nil, err
		}
		list = append(list, x)
	}
	return list, nil
}

// slotOf returns the value of a local, or why it is not known.
func slotOf(l *frame.Local) (object.Slot, error) {
	if !l.Known() {
		return object.Slot{}, errors.New(l.Missing)
	}
	return l.Slot, nil
}

// evaluate evaluates an expression.
func (c *console) evaluate(n *syntax.Node, o inspect.InspectOptions) (*inspect.Value, error) {
	x, err := c.v.Values.Evaluate(c.place(), n, o, nil)
	return x.Value, err
}

// parseTyped parses what is typed into a console, and returns the expressions whose values are asked for: x and y in
// "console.log(x, y)". Statements are the body of one function.
func parseTyped(text string) ([]*syntax.Node, error) {
	text = intrinsic.ReplaceAllString(strings.TrimSuffix(strings.TrimSpace(text), ";"), "__$1(")
	n, err := syntax.ParseExpression(text)
	if err != nil && isProgram(text) {
		n, err = syntax.ParseProgram(text)
	}
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
	case len(n.List) > 0 && prints(f) && !spread(n.List) && !formatted(n.List):
		return n.List, nil
	}
	return []*syntax.Node{n}, nil
}

// intrinsic is a call of a function of V8's own that is not one of JavaScript, as with --allow-natives-syntax.
var intrinsic = regexp.MustCompile(`%(HaveSameMap)\(`)

// formatted reports whether the first value of a call is a text with places for the others, or an option follows.
func formatted(list []*syntax.Node) bool {
	return len(list) > 1 && (list[0].Kind == syntax.String && strings.Contains(list[0].Text, "%") ||
		list[len(list)-1].Kind == syntax.Object)
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

// printTyped prints the values of an expression; it is false if the text is none.
func printTyped(ctx context.Context, c *commands.Call, v *v8.V8, text string, o inspect.InspectOptions) (bool, error) {
	list, err := parseTyped(text)
	if err != nil {
		return false, nil
	}
	for _, n := range list {
		console := newConsole(ctx, c.Session, v)
		x, later, err := console.run(c, n, o)
		if name := console.missing(err); name != "" {
			err = undefined(ctx, c.Session, v, name, err)
		}
		unmade, absent := (*eval.UnmadeError)(nil), (*eval.AbsentError)(nil)
		if errors.As(err, &unmade) || errors.As(err, &absent) {
			x, err = &inspect.Value{Kind: object.KindCorrupt, Err: err}, nil
			// Behind a getter that has not run there was no value.
			c.Session.Partial = c.Session.Partial || unmade == nil || unmade.Getter == ""
		}
		if err != nil {
			return true, typedError(c, text, err)
		}
		if x != nil {
			if err := c.Emit(newValue(v, x, c)); err != nil {
				return true, err
			}
		}
		if err := later(); err != nil {
			return true, err
		}
		for _, text := range console.notes {
			c.Session.Warn(errors.New(text))
		}
	}
	return true, nil
}

// typedError says why an expression has no value.
func typedError(c *commands.Call, text string, err error) error {
	err = fmt.Errorf("%s: %w", text, shorter{err})
	var native *eval.NativeError
	var source *eval.SourceError
	if errors.As(err, &native) || errors.As(err, &source) || errors.Is(err, core.ErrUnknown) || core.Fault(err) != nil {
		return c.Unknown("%w", err)
	}
	return lang.Abort(err)
}

// A shorter is an error without the name of its package.
type shorter struct{ error }

func (e shorter) Error() string { return strings.TrimPrefix(e.error.Error(), "eval: ") }

func (e shorter) Unwrap() error { return e.error }

// means reports whether an expression has a value here, or one that cannot be read: all its names mean something.
// The text is what was typed.
func means(ctx context.Context, s *commands.Session, v *v8.V8, text string, list []*syntax.Node) bool {
	for _, n := range list {
		c := newConsole(ctx, s, v)
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
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if file, path := splitFile(text); file != "" {
		if names, err := object.Path(path); err == nil && len(names) > 0 {
			if list, err := namedIn(ctx, v, file, names); err == nil && len(list) > 0 {
				return "::jsprint " + lang.Quote(text)
			}
		}
		return ""
	}
	if text == "this" && !newConsole(ctx, s, v).framed {
		return "::jsprint this" // of a script, as no function is running
	}
	if pageWords[text] { // of a page, and of other debuggers
		return "::jsprint " + text
	}
	list, err := parseTyped(text)
	if scopes[text] && sure && !newConsole(ctx, s, v).variables() && !means(ctx, s, v, text, list) {
		return "::jsglobal -m" // ::locals has nothing
	}
	if err != nil || sure && !means(ctx, s, v, text, list) {
		return errorWord(ctx, s, v, text)
	}
	if line := outside(ctx, s, v, list); line != "" && sure {
		return line
	}
	if sure && absentMember(ctx, s, v, text, list) {
		return "::jsprint " + lang.Quote("("+text+")") // a path names members that are there
	}
	return "::jsprint " + lang.Quote(text)
}

// absentMember reports whether an expression is a member that its object does not have: undefined, or what reading a
// member of that throws.
func absentMember(ctx context.Context, s *commands.Session, v *v8.V8, text string, list []*syntax.Node) bool {
	if len(list) != 1 || !isPath(text) || list[0].Kind != syntax.Member && list[0].Kind != syntax.Index {
		return false
	}
	x, err := newConsole(ctx, s, v).evaluate(list[0], brief)
	var uncaught *eval.Uncaught
	return err == nil && x.Kind == object.KindUndefined || errors.As(err, &uncaught)
}

// panels are words of the browsers' tools for which this process has a better line than others.
var panels = map[string]string{"sources": "::jsscripts", "performance": "::status", "take heap snapshot": "::heapstat",
	"heap snapshot":               "::heapstat",
	"process._getActiveHandles()": "::handles", "process._getActiveRequests()": "::requests",
	"async": "::promises", "async stack": "::jsstack", "profile()": "::jsstack", "profileEnd()": "::jsstack",
	"console.profile()": "::jsstack"}

// pageWords are what a page has: where the process has none, they are not defined.
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
	if isProgram(text) || assignment.MatchString(text) {
		if _, err := parseTyped(text); err == nil {
			return "::jsprint " + lang.Quote(text)
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
		return "::jsprint " + lang.Quote(inner)
	case "import":
		return "::jsprint " + lang.Quote("require("+inner+")")
	case "%DebugPrint":
		return "::jsprint -b " + lang.Quote(inner) + " | ::v8print"
	case "monitorEvents":
		return "::jsprint " + lang.Quote(inner+"._events")
	}
	return ""
}

// assignment is a variable or a member, and the value that is assigned to it. A format of ::print's, such as
// X, is none.
var assignment = regexp.MustCompile(`^([A-Za-z_][\w$.]*(?:\[[^\]]*\])?) = ([^=>].+|\d)$`)
