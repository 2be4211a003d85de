// Package frame decodes frames of the code that V8 generates: it steps out of them,
// names what they run, and finds the values in them.
//
// The object chain of a frame: the frame pointer leads to JSFunction, or to a marker for the other kinds of
// frames (frame.go, exit.go). The BytecodeArray and the bytecode offset in the frame, or the Code object found
// by the program counter with its tables, give the position. Optimized code stands for several calls: its
// safepoint (safepoint.go) leads to a translation (translation.go), which gives the inlined functions
// (deopt.go, construct.go) and their values (deoptvalues.go, local.go).
//
// Where a function was interrupted before its frame was made, or after it was left, its
// instructions lead to the caller (walk.Leave), and it has no source-level frame.
//
// Some V8 builds make a function's position table only on demand, so most functions lack one. The positions of
// calls then come from the text, as names of registers do (package source).
//
// Other files: unwind.go and exitchain.go (stepping, V8's own chain of exits),
// arguments.go and locals.go (values and their names), async.go, callers.go, rejected.go and promises.go
// (functions that await), roots.go (what frames keep alive), codeinfo.go.
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
