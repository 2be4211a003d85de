// Package inspect makes trees of values of V8's objects, and writes them as
// util.inspect of the process' own Node does, or as JSON. What is read is object's.
//
// The chain: an Inspector opens a word as deep as it is asked to (inspect.go,
// contents.go, views.go, native.go) into Values (value.go); those are written as
// text (format.go, format_head.go, format_parts.go, format_lines.go) in the Dialect
// of a version, or as JSON (json.go, json_lists.go, jsonwriter.go).
//
// Upstream: Node's lib/internal/util/inspect.js, builtins/accessors.cc.
// Versions: Node 12.0 to 26.
//
// LIMITATIONS: functions of the program, such as [util.inspect.custom], are not run.
package inspect
