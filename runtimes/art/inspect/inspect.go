package inspect

import (
	"coredbg/core"
	"coredbg/runtimes/art/frame"
	"coredbg/runtimes/java"
)

// An Inspector makes values of objects and registers.
type Inspector struct{ *frame.Decoder }

// NewInspector returns the inspector of a process' objects.
func NewInspector(d *frame.Decoder) *Inspector { return &Inspector{d} }

// Inspect returns the value of the object at an address.
func (in *Inspector) Inspect(at core.Addr, o java.Options) *java.Value {
	return java.Inspector{Heap: in.JavaHeap()}.Inspect(at, o)
}

// Throwable returns the throwable at an address with its causes.
func (in *Inspector) Throwable(at core.Addr) (*java.Throwable, error) {
	return java.Reader{Heap: in.JavaHeap()}.Throwable(at)
}
