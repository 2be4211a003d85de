// Package inspect makes trees of values of V8's objects, and writes them as
// util.inspect of the process' own Node does, or as JSON. What is read is object's.
//
// The chain: an Inspector opens a word as deep as it is asked to (inspect.go, inherited.go,
// contents.go, views.go, native.go) into Values (value.go). Where an object has a function
// [util.inspect.custom], that runs over the heap (custom.go, by package eval, with what functions of the embedder would answer: answers.go), and what it
// returns is a Value too (made.go). Values are written as
// text (format.go, format_keys.go, format_head.go, format_error.go, format_parts.go, format_lines.go) in the Dialect
// of the process' own util.inspect (dialect.go), or as JSON (json.go, json_lists.go,
// jsonwriter.go).
//
// Upstream: Node's lib/internal/util/inspect.js, builtins/accessors.cc.
// Versions: Node 12.0 to 26.
//
// LIMITATIONS: an object whose function [util.inspect.custom] cannot run, because it asks the embedder
// or takes too long, is shown as it is; a property of what it makes that only the embedder
// knows is said not to be in the core. JSON has objects as they are.
package inspect
