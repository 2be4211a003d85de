package inspect

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"coredbg/runtimes/v8/object"
)

// errorText is ErrorPrototypeToString.
func (x *Value) errorText() string {
	name := x.Name
	if x.nameKind == object.KindUndefined && name == "" {
		name = "Error"
	}
	switch {
	case name == "":
		return x.Message
	case x.Message == "":
		return name
	}
	return name + ": " + x.Message
}

// stackText is getStackString: the stack of an error, or its name and message without one.
func (f *formatter) stackText(x *Value) string {
	switch {
	case x.Text != "":
		return x.Text
	case x.stack == nil || x.stack.Kind == object.KindNumber && x.stack.Number == 0:
		return x.errorText()
	case !f.o.Dialect.StackParts:
		return f.plain(x.stack, 0, false) // String() of it
	}
	f.indent += 4
	defer func() { f.indent -= 4 }()
	return x.errorText() + "\n    " + f.plain(x.stack, 0, false)
}

// An error without a constructor is known by how its stack begins.
var (
	stackClass = regexp.MustCompile(`^([A-Z][a-z_ A-Z0-9[\]()-]+)(?::|\n {4}at)`)
	stackError = regexp.MustCompile(`^([a-z_A-Z0-9-]*Error)$`)
)

// improveStack has the class in front where the name does not have it.
func (f *formatter) improveStack(x *Value, stack string) string {
	name := x.Name
	switch x.nameKind {
	case object.KindString:
	case object.KindNull:
		name = "Error"
	case object.KindUndefined, object.KindInternal, "":
		if name == "" {
			name = "Error"
		}
	default:
		if f.o.Dialect.StackParts {
			return strings.Replace(stack, name, name+" ["+strings.TrimSuffix(f.prefix(x, "Error", ""), " ")+"]", 1)
		}
	}
	n, fallback := len(name), "Error"
	if x.NullProto {
		fallback = ""
		if m := stackClass.FindStringSubmatch(stack); m != nil {
			fallback = m[1]
		} else if m := stackError.FindStringSubmatch(stack); m != nil {
			fallback = m[1]
		}
		if n = len(fallback); n == 0 {
			fallback = "Error"
		}
	} else if !strings.HasSuffix(name, "Error") || !strings.HasPrefix(stack, name) ||
		len(stack) != n && stack[n] != ':' && stack[n] != '\n' {
		return stack
	}
	switch prefix := strings.TrimSuffix(f.prefix(x, fallback, ""), " "); {
	case name == prefix:
		return stack
	case !strings.Contains(prefix, name):
		return prefix + " [" + name + "]" + stack[n:]
	case n == 0:
		return prefix + ": " + stack
	default:
		return prefix + stack[n:]
	}
}

// errorBase is formatError: the stack, with the class in front where the name
// does not have it, and in brackets if it has no frames.
func (f *formatter) errorBase(x *Value) string {
	stack := f.improveStack(x, f.stackText(x))
	from := 0
	if i := strings.Index(stack, x.Message); x.Message != "" && i > 0 {
		from = i + len(x.Message)
	}
	if !strings.Contains(stack[from:], "\n    at") {
		stack = "[" + stack + "]"
	}
	lines := strings.Split(stack, "\n")
	if !f.o.Dialect.NoCause {
		lines = x.foldCause(lines)
	}
	if f.o.OneLine {
		lines = lines[:1]
	}
	for i, l := range lines {
		lines[i] = escapeControls(l)
	}
	return strings.Join(lines, "\n"+strings.Repeat(" ", f.indent))
}

// inStack reports whether a property of an error repeats what its stack says.
func (f *formatter) inStack(x *Value, m *Member) bool {
	if m.Symbol || m.Name != "name" && m.Name != "message" && m.Name != "stack" {
		return false
	}
	text, kind := x.Text, object.KindString
	switch m.Name {
	case "name":
		text, kind = x.Name, x.nameKind
	case "message":
		text, kind = x.Message, x.messageKind
	default:
		if m.Value.kind() != object.KindString {
			text, kind = "", m.Value.kind()
		}
	}
	if f.o.Dialect.StackParts && (m.Name == "stack" || kind != object.KindString) {
		return true
	}
	switch kind { // String() of it
	case object.KindUndefined:
		text = "undefined"
	case object.KindNumber, object.KindBoolean, object.KindNull:
		if m.Name == "stack" {
			text = f.plain(m.Value, 0, false)
		}
	}
	return strings.Contains(f.stackText(x), text)
}

// foldCause leaves out the frames that the stack of the error's cause repeats (getStackFrames): the longest
// such run except its first and last frame, if it has more than three.
func (x *Value) foldCause(lines []string) []string {
	const least = 3
	var cause *Value
	for i := range x.Properties {
		if m := &x.Properties[i]; m.Name == "cause" && !m.Symbol {
			cause = m.Value
		}
	}
	if cause.kind() != object.KindError {
		return lines
	}
	first := 0
	for first < len(lines) && !strings.HasPrefix(lines[first], "    at") {
		first++
	}
	_, text, _ := strings.Cut(cause.Text, "\n    at")
	theirs := strings.Split("    at"+text, "\n")
	for i := first; i < len(lines)-least; i++ {
		at := slices.Index(theirs, lines[i])
		if at < 0 {
			continue
		}
		n := 0
		for i+n < len(lines) && at+n < len(theirs) && lines[i+n] == theirs[at+n] {
			n++
		}
		if n > least {
			note := fmt.Sprintf("    ... %d lines matching cause stack trace ...", n-2)
			return slices.Concat(lines[:i+1], []string{note}, lines[i+n-1:])
		}
	}
	return lines
}
