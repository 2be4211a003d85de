package inspect

import (
	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/layout"
)

// An inspector makes one tree of values.
type tree struct {
	v    *Inspector
	o    InspectOptions
	left int             // values that may still be made
	path []layout.Tagged // objects that are open, outermost first

	steps   int             // that functions of the program may still do
	running []layout.Tagged // objects whose functions run
	machine *ecma.Machine   // runs the function that asks for this tree; nil without one
	typed   bool            // an expression asks, and no function of the program
}
