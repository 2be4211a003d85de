// Package inspect makes trees of values from V8's objects, and writes them as util.inspect of the process' own
// Node does, or as JSON. Package object reads the objects.
//
// The chain: an Inspector (inspector.go, with its options in options.go) opens a word as deep as it is asked to
// into a tree (tree.go; inspect.go, inherited.go, contents.go, views.go, native.go) of Values (value.go). If an
// object has a function [util.inspect.custom], that runs over the heap (custom.go, by package eval, with answers
// in place of the embedder's functions: answers.go), and its result is a Value too (made.go; typed.go for
// expressions that a user types). Values are written as text (format.go, format_keys.go, format_head.go,
// format_error.go, format_parts.go, format_lines.go, with the characters of text.go) in the Dialect (dialect.go)
// of the process' own util.inspect (spoken.go), or as JSON (json.go, json_lists.go, jsonwriter.go).
//
// Upstream: Node's lib/internal/util/inspect.js, builtins/accessors.cc.
// Versions: Node 12.0 to 26.
//
// LIMITATIONS: if an object's function [util.inspect.custom] cannot run, because it needs the embedder or takes
// too long, the object is shown without it. A property of its result that only the embedder knows is reported
// as not in the core. JSON has objects without it.
package inspect
