package frame

import (
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// A Local is a variable of a frame.
type Local struct {
	// Name is the variable's, if closures share the variable: V8 keeps no other names. Registers of the
	// interpreter are r0, r1 …: variables first, in the order of their declarations, then temporaries of
	// expressions.
	Name string
	Slot object.Slot
	// Missing says why the value is not known; "" if it is.
	Missing string
	unmade  layout.Tagged // the map of an object that was never made
}

// Known reports whether the value is known.
func (l *Local) Known() bool { return l.Missing == "" }

// Why a value is not known.
const (
	missingOptimised = "optimised out"
	missingObject    = "optimised out: an object that was never made"
	missingRegister  = "in a register, which the call did not keep"
	missingMemory    = "not in the core"
	missingFrame     = "not kept by the frame"
)
