package inspect

import (
	"coredbg/core"
	"coredbg/runtimes/art/frame"
	"coredbg/runtimes/art/object"
	"coredbg/runtimes/java"
)

// An Inspector makes values of objects, with what is inside.
type Inspector struct{ *frame.Decoder }

// NewInspector returns the inspector of a process' objects.
func NewInspector(d *frame.Decoder) *Inspector { return &Inspector{d} }

// Inspect returns the object at an address with what is inside.
func (in *Inspector) Inspect(at core.Addr, o java.Options) *java.Value {
	return java.Inspector{Heap: in.JavaHeap()}.Inspect(at, o)
}

// InspectSlot returns the value of a field or an element.
func (in *Inspector) InspectSlot(s object.Slot, o java.Options) *java.Value {
	return java.Inspector{Heap: in.JavaHeap()}.InspectSlot(s, o)
}

// Throwable returns the throwable at an address with its causes.
func (in *Inspector) Throwable(at core.Addr) (*java.Throwable, error) {
	return java.Reader{Heap: in.JavaHeap()}.Throwable(at)
}
