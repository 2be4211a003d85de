// Package frame decodes frames of the code that V8 generates: it steps out of them,
// names what they run, and finds the values in them.
//
// The object chain of a frame: the frame pointer leads to JSFunction, or to a marker
// that says what else the frame is (frame.go, exit.go); the BytecodeArray and the
// bytecode offset in the frame, or the Code object found by the program counter with
// its tables, give the position. Optimised code stands for several calls: its
// safepoint (safepoint.go) leads to a translation (translation.go) of which the
// inlined functions (deopt.go, construct.go) and their values (deoptvalues.go,
// local.go) are made.
//
// Where a function was interrupted before its frame was made, or after it was left, its
// instructions lead to the caller (walk.Leave), and it has no source-level frame.
//
// V8 builds that keep positions for functions only when one is asked for have none for
// most; those of calls then come from the text, as names of registers do (package source).
//
// Other files: unwind.go and exitchain.go (stepping, V8's own chain of exits),
// arguments.go and locals.go (values and their names), async.go, waiters.go, rejected.go and promises.go
// (functions that await), roots.go (what frames keep alive), wasm.go and wasmcode.go, codeinfo.go.
//
// Upstream: execution/frames.h, execution/frame-constants.h, execution/isolate.cc,
// deoptimizer/, codegen/safepoint-table.h, wasm/wasm-code-manager.h.
// Versions: V8 7.4 to 15.8.
//
// LIMITATIONS: calls that were inlined have no receiver and no values at a pc that
// is not a call, such as that of a crash in optimised code, and in V8 8.7 to 8.9, of
// which Node has no release; of 10.7 and 10.8 (Node 19) the values in functions that
// were inlined are not always found. A builtin that was interrupted while
// it moves its return address from one slot of the stack to another, for a call in place
// of its return, can hide its caller.
package frame
