package object

import (
	"testing"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/v8test"
)

// TestInternalFieldsUnknown: where a table does not say where internal fields begin there are none, and nothing
// before the object is taken for one.
func TestInternalFieldsUnknown(t *testing.T) {
	h := v8test.NewHeap(t, layout.V(13, 6))
	o := h.Object("JS_OBJECT", 0, 0, 0x1000, 0x2000)
	r := New(h.Memory(), nil)
	r.Layout.JSObject.InternalFields = layout.Unknown
	if list, err := r.InternalFields(o); len(list) > 0 || err != nil {
		t.Errorf("%x, %v", list, err)
	}
	for a := range r.InternalPointers(o) {
		t.Fatalf("an internal field leads to %v", a)
	}
}
