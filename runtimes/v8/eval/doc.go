// Package eval runs functions of a dead program that format its objects, such as [util.inspect.custom], over
// the heap of its core. The heap is not modified: a function's writes are kept separately, until the call is
// over.
//
// The chain: a JSFunction leads to its text in its script, which package syntax parses, and to its contexts,
// which hold the variables that it closes over (closure.go, scope.go; class.go for classes and what new makes,
// coroutine.go for functions that wait). The tree is walked by a machine with its limits (machine.go; typed.go
// for what a user types, ask.go for what the embedder answers to it, by the names of path.go; expression.go,
// operator.go, pattern.go, statement.go, error.go for what is thrown) over values (value.go, units.go, bigint.go).
// A value's properties come from the heap, from objects that the
// function made and from its writes (property.go, own.go, proxy.go; unmade.go says why one has none). V8's own
// functions are recognized by the globals that lead to them (intrinsic.go; made.go stands for those that are not
// in the core) and written in Go: for objects, functions and numbers (objects.go, reflect.go, functions.go,
// numbers.go, math.go), arrays (arrays.go, views.go for typed ones), JSON (json.go, parsejson.go), strings
// (texts.go, characters.go) and regular expressions (regexp.go and replace.go, over package pattern), Maps and
// Sets (collections.go, sets.go), iterators (iterate.go, iterators.go), promises (promise.go, combine.go), dates
// (date.go), and those of Node that need its C++ or are well known (buffer.go, paths.go). A getter that keeps
// what it made and cannot run is read as bytecode by package getter.
//
// Source: ECMA-262, 2025. Versions: any; where the source of Node's own scripts is not in the core nor in its
// files, their functions cannot run.
//
// LIMITATIONS: a run ends in an error if it needs another function of the embedder, the clock, a random number
// or Intl, if it changes an array of the program, and after a bounded number of steps. A generator that the
// program has begun does not go on.
package eval
