// Package eval runs functions of a dead program that say how its objects look, such as
// [util.inspect.custom], over the heap of its core. The heap stays as it is: what a
// function writes is kept beside it, until the call is over.
//
// The chain: a JSFunction leads to its text in its script, which package syntax parses, and
// to its contexts, which hold the variables that it closes over (closure.go, scope.go). The
// treeOf is walked by a machine with its limits (machine.go; expression.go, operator.go, pattern.go, statement.go) over values (value.go, units.go)
// whose properties are those of the heap, of what the function made and of what it wrote
// (property.go, own.go). Functions of V8's own are known by the globals that lead to them
// (intrinsic.go) and written in Go: of objects, functions and numbers (objects.go, functions.go, numbers.go), of arrays
// (arrays.go), of strings (texts.go), of Maps and Sets (collections.go, iterate.go).
//
// Source: ECMA-262, 2025. Versions: any; where the source of Node's own scripts is not in
// the core nor in its files, their functions cannot run.
//
// LIMITATIONS: what needs a function of the embedder, a promise, a generator, a class that the function
// itself declares, or more than a bounded number of steps ends in an error.
package eval
