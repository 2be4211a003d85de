// Package ecma has the values, the objects and the functions of JavaScript while functions run over the heap of a
// core. The heap is not modified: the writes of a call are kept separately, until the call is over.
//
// The chain: an Engine starts calls (engine.go). A Machine is one call (machine.go, jobs.go), and has limits
// (limits.go). A Value (value.go, units.go) is converted (convert.go). Its properties come from the heap, from
// objects that the call made and from the call's writes (property.go, own.go, heapproperty.go, getter.go, proxy.go).
// The embedder answers for some properties (answers.go), and some are not made yet (unmade.go). A value is called
// (call.go), makes objects (construct.go), is iterated (iterate.go; collection.go for Maps and Sets)
// or is thrown (errors.go). Globals lead to V8's own functions (realm.go), and a Library has their code (library.go).
// Package syntax parses the other functions (parse.go), and an Interpreter runs them with their variables (scope.go).
// Package getter reads the bytecode of a getter that keeps its value and cannot run.
//
// Source: ECMA-262, 2025. Versions: any; where the source of Node's own scripts is not in the core nor in its
// files, their functions cannot run.
//
// LIMITATIONS: a call ends in an error after a bounded number of steps, and if it needs a function of the embedder
// without an answer.
package ecma
