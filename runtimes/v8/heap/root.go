package heap

import (
	"coredbg/core"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/v8/layout"
)

// A RootKind says what kind of place keeps an object alive.
type RootKind string

// The kinds of roots, in search order.
const (
	RootHandle  RootKind = "global handle"
	RootScope   RootKind = "handle scope"
	RootEternal RootKind = "eternal handle" // which an embedder never lets go
	RootIsolate RootKind = "isolate"        // its table of roots, or another member
	RootCache   RootKind = "object cache"   // objects that V8's snapshot of startup refers to
	RootFrame   RootKind = "frame"          // of generated code
	RootTraced  RootKind = "traced handle"  // of an object of C++, which may be dead
	RootStack   RootKind = "stack"          // another word of it
	RootMemory  RootKind = "memory"         // of C++, which may be left over

	// RootCompilation is a table that caches compiled code.
	RootCompilation RootKind = "compilation cache"
)

// A Root is a place outside the heaps that refers to an object.
type Root struct {
	Kind   RootKind
	Name   string // of a RootFrame: "r3 of main (/srv/app.js:14)"; of a RootHandle: "class id 7", or ""
	Place  core.Addr
	Thread *core.Thread // whose stack it is
	// Code is where a RootFrame is in the program.
	Code graph.Place
	// Helping is set if the thread runs no JavaScript: the word keeps nothing alive.
	Helping bool
	Target  layout.Tagged
}
