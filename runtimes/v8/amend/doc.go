// Package amend corrects the table of the nearest version of V8 by the heap of the build at hand:
// fields at other offsets, parts of the sandbox that it has or lacks.
//
// Each correction looks at something that has only one explanation: positions in the script belong to bytes
// where bytecodes begin, a typed array on the heap refers to its elements twice, a closure leads to a
// SharedFunctionInfo, handles lead to texts. The table stays as it is unless another place fits better.
//
// Files:
//
//	functions.go  fields of JSFunction
//	bytecodes.go  where the bytecodes of a BytecodeArray begin
//	arrays.go     the fields of a BytecodeArray that refer to other objects
//	buffers.go    the pointers of typed arrays, the fields of buffers
//	lazy.go       functions that are not compiled
//	code.go       the objects that contain machine code
//	early.go      the sandbox before it had trusted objects
//	markers.go    the numbers of frame types
//
// Versions: 8.5, 8.8, 8.9, 9.0, 9.1, 9.2, 10.3, 10.6 to 11.4, 11.7, 11.8, 11.9, 12.0, 12.1, 12.2, 12.3, 12.6,
// 12.9 and 13.3 are known to need it.
//
// LIMITATIONS: moved fields that nothing else refers to are not found, such as Script's in 11.0, which has one
// less. The parts of the early sandbox were seen in 10.3 to 12.1. If frame types of WebAssembly have moved,
// only the first is known. If markers on stacks refute a table's numbers, a nearer table's are taken.
package amend

import (
	"iter"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// A Build is a V8 whose version has no table of its own, with access to its heap.
type Build struct {
	*layout.Memory
	Objects *object.Reader
	// Closures returns some functions of JavaScript, Samples some objects of an instance type, and
	// ExternalStrings some names and sources of scripts that are external strings.
	Closures        func() []layout.Tagged
	Samples         func(typ int) []layout.Tagged
	ExternalStrings func() []layout.Tagged
	// HeapObjects iterates over objects of the heap whose instance types come after the type of maps, as
	// JavaScript's do.
	HeapObjects iter.Seq[layout.Tagged]
	// IsText reports whether the characters of a string can be at an address.
	IsText func(text layout.Tagged, chars core.Addr) bool
}
