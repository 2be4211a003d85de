// Package amend corrects the table of the nearest version of V8 by the heap of the build at hand:
// fields at other offsets, parts of the sandbox that it has or lacks.
//
// Each correction looks at what can be only one thing: positions in the script are of bytes where bytecodes begin, a typed
// array on the heap refers to its elements twice, a closure leads to a SharedFunctionInfo, handles lead to texts. Where
// nothing is more so elsewhere, the table stays as it is.
//
// Files:
//
//	functions.go  fields of JSFunction
//	bytecodes.go  where the bytecodes of a BytecodeArray begin
//	arrays.go     the fields of a BytecodeArray that refer to other objects
//	buffers.go    the pointers of typed arrays, the fields of buffers
//	lazy.go       functions that are not compiled
//	code.go       which objects machine code lies in
//	early.go      the sandbox before it had trusted objects
//	markers.go    the numbers of frame types
//
// Versions: 8.5, 8.8, 8.9, 9.0, 9.1, 9.2, 10.3, 10.6 to 11.4, 11.7, 11.8, 11.9, 12.0, 12.1, 12.2, 12.3, 12.6, 12.9 and 13.3 are known to need it.
//
// LIMITATIONS: fields that are moved and that nothing else refers to are not found, such as Script's in 11.0, which has one
// less. The parts of the early sandbox were seen in 10.3 to 12.1. Numbers of frame types of WebAssembly but the first are not known where others have moved; those of a nearer table are taken if markers on stacks refute them.
package amend

import (
	"iter"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// A Build is a V8 whose version has no table of its own, and what can be had of it.
type Build struct {
	*layout.Memory
	Objects *object.Reader
	// Closures returns some functions of JavaScript, Samples some objects of an instance type, and
	// ExternalStrings some names and sources of scripts that are external strings.
	Closures        func() []layout.Tagged
	Samples         func(typ int) []layout.Tagged
	ExternalStrings func() []layout.Tagged
	// HeapObjects goes through objects of the heap whose instance types come after that of maps, as those of JavaScript do.
	HeapObjects iter.Seq[layout.Tagged]
	// IsText reports whether the characters of a string can be at an address.
	IsText func(text layout.Tagged, chars core.Addr) bool
}
