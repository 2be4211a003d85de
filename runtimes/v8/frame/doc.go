// Package frame decodes frames of the code that V8 generates: it steps out of them,
// names what they run, and finds the values in them.
//
// The object chain of a frame: the frame pointer leads to JSFunction, or to a marker for the other kinds of
// frames. The BytecodeArray and the bytecode offset in the frame, or the Code object found by the program
// counter with its tables, give the position. Optimized code stands for several calls: its safepoint leads to
// a translation, which gives the inlined functions and their values.
//
// Where a function was interrupted before its frame was made, or after it was left, its
// instructions lead to the caller (walk.Leave), and it has no source-level frame.
//
// Some V8 builds make a function's position table only on demand, so most functions lack one. The positions of
// calls then come from the text, as names of registers do (package source).
//
// Files, from the lowest up. Data of the deoptimizer, which optimized code keeps:
//
//	deopt.go        its data
//	safepoint.go    calls
//	translation.go  operations
//	local.go        a value, or why it is not known
//	deoptvalues.go  frames and values by a translation
//	inlined.go      the calls that a place of optimized code stands for
//	codeinfo.go     machine code, described
//
// Frames:
//
//	exitchain.go    V8's own chain of exits
//	decoder.go      the decoder
//	activation.go   a frame, taken apart
//	sourceframe.go  the place of a function in its source
//	optimised.go    a frame of optimized code as calls
//	construct.go    which functions were called with new
//	exitwords.go, exit.go  builtins in C++ and callbacks
//	arguments.go    what functions were called with
//	callers.go, async.go  functions that await
//	frame.go        Decode
//	unwind.go       stepping
//	locals.go       variables
//	promises.go, rejected.go  promises
//	roots.go        what frames keep alive
//
// Upstream: execution/frames.h, execution/frame-constants.h, execution/isolate.cc,
// deoptimizer/, codegen/safepoint-table.h, wasm/wasm-code-manager.h.
// Versions: V8 7.4 to 15.8.
//
// LIMITATIONS: inlined calls have no receiver and no values at a pc that is not a call, such as the pc of a
// crash in optimized code, and in V8 8.7 to 8.9, which no release of Node has. In V8 10.7 and 10.8 (Node 19)
// the values in inlined functions are not always found. A builtin that was interrupted while it moves its
// return address from one slot of the stack to another, for a tail call, can hide its caller.
package frame
