// Package eval runs functions of a dead program that format its objects, such as [util.inspect.custom], over
// the heap of its core. The heap is not modified: a function's writes are kept separately, until the call is
// over.
//
// The chain: a JSFunction leads to its text in its script, which package syntax parses, and to its contexts,
// which hold the variables that it closes over (closure.go, scope.go). The tree is walked by a machine with
// its limits (machine.go, limits.go; typed.go for expressions that a user types, ask.go for the embedder's
// answers, by the paths of path.go; expression.go, operator.go, pattern.go, statement.go) over values
// (value.go, units.go). A value's properties come from the heap, from
// objects that the function made and from its writes (property.go, own.go). V8's own functions are recognized
// by the globals that lead to them (intrinsic.go) and written in Go: for objects, functions and numbers
// (objects.go, functions.go, numbers.go), arrays (arrays.go), JSON (json.go), strings (texts.go), Maps and
// Sets (collections.go, iterate.go), promises (promise.go), dates (date.go) and Node's buffers (buffer.go). A
// getter that keeps what it made and cannot run is read as bytecode by package getter.
//
// Source: ECMA-262, 2025. Versions: any; where the source of Node's own scripts is not in
// the core nor in its files, their functions cannot run.
//
// LIMITATIONS: a run ends in an error if it needs a function of the embedder, a generator or a class that the
// function itself declares, if it waits for a promise, and after a bounded number of steps.
package eval
