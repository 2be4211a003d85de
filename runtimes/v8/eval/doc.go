// Package eval runs functions of a dead program that format its objects, such as [util.inspect.custom], over
// the heap of its core. It evaluates the expressions that a user types, too. The heap is not modified: a function's
// writes are kept separately, until the call is over.
//
// The chain: a JSFunction leads to its text in its script, which package syntax parses, and to its contexts,
// which hold the variables that it closes over (variables.go; private.go for private names). The tree is walked
// (trees.go; closure.go for functions, class.go for classes and the operator new, expression.go, operator.go,
// pattern.go, statement.go) over the values and objects of package ecma. Functions of V8's own are in package
// library. The embedder may answer the expressions that a user types (typed.go, ask.go), by the names of path.go.
//
// Source: ECMA-262, 2025. Versions: any; where the source of Node's own scripts is not in the core nor in its
// files, their functions cannot run.
//
// LIMITATIONS: a run ends in an error if it needs another function of the embedder, the clock, a random number
// or Intl, if it changes an array of the program, and after a bounded number of steps. A generator that the
// program has begun does not go on.
package eval
