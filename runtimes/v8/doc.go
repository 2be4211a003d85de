// Package v8 decodes the V8 JavaScript engine in a dead process. It is the facade of
// the packages below it: it probes for V8, says how far what was
// found can be trusted, and has the readers of the rooms.
//
//	embedded   constants of the image, its builtins and their names
//	layout     numbers by version, the image, tagged words
//	bytecode   the encoding of bytecode and of its tables
//	wasm       what a WebAssembly binary says about its functions
//	pattern    regular expressions of JavaScript
//	syntax     functions of JavaScript as trees
//	sourcemap  source maps
//	code       machine code, and where isolates are
//	text       strings and BigInts
//	object     maps, properties, contexts, functions, scripts, classes
//	source     places of calls and names of registers, by the text of a function
//	promise    what waits for a promise
//	wasmcode   frames of WebAssembly
//	callsite   stacks that errors have, and how a call is printed
//	reference  what a reference is to a program
//	page       pages, walking, sizes
//	heap       objects of all pages, reachability, references, roots
//	frame      frames, unwinding, values, deoptimization data, async callers
//	getter     what a getter keeps, by its bytecode
//	ecma       values and objects of JavaScript while functions run over the heap
//	library    V8's own functions, in Go
//	eval       runs functions that say how objects look, over the heap
//	embedder   programs that embed V8, and the questions that they answer
//	inspect    values as util.inspect prints them, and as JSON
//	amend      a table of the nearest version, corrected by the heap
//	original   places by source maps
//	leak       known leaks of programs
//	fit        finds V8 in a process, and the layout that fits it
//
// Files: v8.go (Probe, WhatIs), embedder.go (questions to its embedder), suspended.go (calls off the stack),
// among.go, load.go, memory.go (the heaps' memory), externals.go (memory outside of the heaps), origin.go (the page a
// realm belongs to), cause.go, fatal.go and rejection.go (why the process ended).
//
// Versions known: V8 7.4 (Node 12.0) to 14.6 (Node 26), 64-bit; of others what probing
// finds, tried on 9.2 to 15.8, also with pointer compression, and with the sandbox on
// 11.1 to 15.6.
//
// LIMITATIONS: external pointers of the sandbox other than to strings are candidates only (Externals). Before V8 10
// the value of an External is in another object, and unknown. Each room's own limitations are in its package comment.
//
// Sources: V8's own, by file, in the comments.
package v8
