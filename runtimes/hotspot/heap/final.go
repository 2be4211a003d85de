package heap

import (
	"coredbg/core"
	"coredbg/runtimes/hotspot/object"
)

// A final is where the objects of a class have their referent and the next one of their queue: of FinalReference, as Finalizer is.
type final struct{ referent, next core.Addr }

// finalOf returns nil for other classes.
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

// waiting returns the object that waits to be finalized, 0 if there is none. The collector lets Reference.next lead to the
// FinalReference itself once only that has the object (share/gc/shared/referenceProcessor.cpp); in a queue the next one is there.
func (f *final) waiting(w *Walker, at core.Addr) core.Addr {
	if next, ok := w.Ref(at + f.next); !ok || next == 0 {
		return 0
	}
	to, _ := w.Ref(at + f.referent)
	return to
}

// finalizable returns the object that a FinalReference keeps until it is finalized, 0 if there is none.
func (w *Walker) finalizable(o object.Object) core.Addr {
	if f := w.finalOf(o.Class); f != nil {
		return f.waiting(w, o.Addr)
	}
	return 0
}
