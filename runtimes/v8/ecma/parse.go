package ecma

import (
	"fmt"
	"strings"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/syntax"
)

// ParseFunction returns the tree of a function of a script.
func ParseFunction(m *Machine, fn layout.Tagged) *syntax.Node {
	shared, ok := m.Reader.ClosureShared(fn)
	if !ok {
		m.Fail(unreadFunction, fn.TaggedAddr())
	}
	start, end := m.Reader.Extent(shared)
	return treeOf(m, shared, shared, start, end, syntax.ParseFunction)
}

// unreadFunction is the error about a function, by its address, that is not in the core with all of its parts.
const unreadFunction = "the SharedFunctionInfo of the function at %v cannot be read"

// ParseClass returns the tree of a class.
func ParseClass(m *Machine, fn layout.Tagged) *syntax.Node {
	shared, ok := m.Reader.ClosureShared(fn)
	if !ok {
		m.Fail(unreadFunction, fn.TaggedAddr())
	}
	if m.Reader.FunctionType(fn) != "class" {
		m.Fail("the function at %v is not a class of a script", fn.TaggedAddr())
	}
	f, err := m.Reader.Function(fn)
	if err != nil {
		m.Fail("%v", err)
	}
	return treeOf(m, fn, shared, f.Start, f.End, syntax.ParseClass)
}

// treeOf parses a part of a script, once for each key.
func treeOf(m *Machine, key, shared layout.Tagged, start, end int,
	parse func(string) (*syntax.Node, error)) *syntax.Node {
	if x, ok := m.parsed.Load(key); ok {
		if n, ok := x.(*syntax.Node); ok {
			return n
		}
		panic(&Stop{Err: x.(error)})
	}
	text, err := m.source(shared, start, end)
	var n *syntax.Node
	if err == nil {
		n, err = parse(text)
	} else {
		err = m.sourceless(shared, err)
	}
	if err != nil {
		m.parsed.Store(key, err)
		panic(&Stop{Err: err})
	}
	m.parsed.Store(key, n)
	return n
}

// A SourceError says that a function cannot run for want of its text.
type SourceError struct {
	Function string
	Inner    bool // of the embedder's own scripts, which a bundle may leave out
	Err      error
}

// Error says which function it is.
func (e *SourceError) Error() string {
	if e.Inner {
		return fmt.Sprintf("eval: not in the core: the source of Node's own functions, such as %s", e.Function)
	}
	return fmt.Sprintf("eval: not in the core: the source of %s: %v", e.Function, e.Err)
}

func (e *SourceError) Unwrap() error { return e.Err }

// sourceless is the error about a function whose text cannot be read.
func (e *Engine) sourceless(shared layout.Tagged, err error) error {
	return &SourceError{e.Reader.SharedName(shared), Inner(e.Reader.PlaceOf(shared).File), err}
}

// Inner reports whether a file is a script of Node's own.
func Inner(file string) bool {
	return strings.HasPrefix(file, "node:") || strings.HasPrefix(file, "internal/") ||
		file != "" && !strings.ContainsAny(file, "/\\:")
}

// NoSource stops for want of the text of a function.
func (m *Machine) NoSource(fn layout.Tagged, err error) {
	shared, _ := m.Reader.ClosureShared(fn)
	panic(&Stop{Err: m.sourceless(shared, err)})
}

func (e *Engine) source(shared layout.Tagged, start, end int) (string, error) {
	info, ok := e.Reader.SharedInfo(shared)
	if !ok || info.Script == 0 || start < 0 || end-start > syntax.MaxText {
		return "", fmt.Errorf("%s has no source", e.Reader.SharedName(shared))
	}
	return e.Reader.Source(info.Script, start, end, syntax.MaxText)
}
