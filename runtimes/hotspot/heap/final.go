package heap

import (
	"coredbg/core"
	"coredbg/runtimes/hotspot/object"
)

// A final is the offsets of two fields of a class that extends FinalReference, as Finalizer does.
type final struct{ referent, next core.Addr }

// finalOf returns the offsets for a class; nil if it does not extend FinalReference.
func (w *Walker) finalOf(c *object.Class) *final {
	if !w.IsA(c, "java.lang.ref.FinalReference") {
		return nil
	}
	referent, ok := w.ReferentOffset(c)
	next, found := w.InstanceField(c, "next")
	if !ok || !found {
		return nil
	}
	return &final{core.Addr(referent), core.Addr(next.Offset)}
}

// waiting returns the object of a FinalReference that waits to be finalized, 0 if it does not wait. The
// collector sets Reference.next to the FinalReference itself once nothing else refers to the object
// (share/gc/shared/referenceProcessor.cpp). In a queue Reference.next is the next one.
func (f *final) waiting(w *Walker, at core.Addr) core.Addr {
	if next, ok := w.Ref(at + f.next); !ok || next == 0 {
		return 0
	}
	to, _ := w.Ref(at + f.referent)
	return to
}

// finalizable returns the object that o keeps until it is finalized, 0 if there is none.
func (w *Walker) finalizable(o object.Object) core.Addr {
	if f := w.finalOf(o.Class); f != nil {
		return f.waiting(w, o.Addr)
	}
	return 0
}
