// Package embedder says what V8 and the commands ask of the program that embeds V8. An Embedder reads the
// state of such a program. It implements the interfaces of this package, and Waiter, Queuer, Timekeeper and Packer of
// package runtimes, as far as it has answers. As finds them.
//
//	embedder.go  Embedder, Probe, Find, As, the optional interfaces
//	program.go   which program embeds V8
package embedder

import (
	"context"

	"coredbg/core"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/v8/eval"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/sourcemap"
)

// An Embedder reads the state that one kind of program keeps around V8. It is safe for concurrent use.
type Embedder interface {
	Name() string // "Node"
}

// A Probe looks for its embedder in a program. It returns nil if the program cannot have it.
type Probe func(p *Program) Embedder

// Find returns the embedders of a program, in the order of their probes: none for a program that no probe knows.
// Electron has two, as it is Node and a browser.
func Find(p *Program, probes []Probe) (list []Embedder) {
	for _, probe := range probes {
		if e := probe(p); e != nil {
			list = append(list, e)
		}
	}
	return list
}

// As returns the first embedder of a list that is a T: a reader, or one of the interfaces below.
func As[T any](list []Embedder) (t T, ok bool) {
	for _, e := range list {
		if t, ok = e.(T); ok {
			return t, true
		}
	}
	return t, false
}

// Functions is an Embedder that answers for functions of its own that are written in C++.
type Functions interface {
	// Call returns what a function would return for an object, or its getter of a property, "get NAME": nil, a bool,
	// a float64, a string, or a list of these.
	Call(function string, o layout.Tagged) (value any, ok bool)
	// Answers returns the answers of functions for the properties of an object: names and values in order. It is not
	// ok if there are no such functions. The error says why the answers are not known.
	Answers(o layout.Tagged) (names, values []string, err error, ok bool)
}

// An Asker is an Embedder that answers expressions that no function of the heap computes.
type Asker interface {
	// Question returns what answers an expression such as "process.uptime()" on a thread; nil for other expressions.
	Question(ctx context.Context, t *core.Thread, path string) eval.Question
}

// A WorkerNamer is an Embedder that names the threads of isolates.
type WorkerNamer interface {
	// WorkerNames returns the names by the addresses of the isolates.
	WorkerNames(ctx context.Context) (map[core.Addr]string, error)
	// WorkerName returns the name of one thread. It walks no heap.
	WorkerName(t *core.Thread) (name string, ok bool)
}

// A Locator is an Embedder that keeps the address of globalThis.location in the heap.
type Locator interface {
	// Locations returns the addresses by the heap of the realm.
	Locations(ctx context.Context) (map[core.Addr]string, error)
}

// A MapKeeper is an Embedder that keeps source maps outside of the heap.
type MapKeeper interface {
	// SourceMaps returns the maps that may belong to a script, by its name and its text.
	SourceMaps(ctx context.Context, name, code string) []sourcemap.Kept
}

// A LeakRuler is an Embedder with known leak patterns of its programs.
type LeakRuler interface {
	// LeakRules returns them, the most significant first.
	LeakRules() []graph.Rule
}

// A Moduler is an Embedder that loads native modules and keeps what they refer to.
type Moduler interface {
	// ModuleOf returns the file of the module that made the native object at an address; "" if no module is known.
	ModuleOf(a core.Addr) string
}
