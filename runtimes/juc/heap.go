package juc

import (
	"coredbg/core"
	"coredbg/runtimes/java"
)

// A heap reads objects by their addresses. A field or an object that cannot be read is 0 and false.
type heap struct {
	Machine
	r java.Reader
}

func newHeap(m Machine) heap { return heap{m, java.Reader{Heap: m.JavaHeap()}} }

// ref returns the reference in an instance field, an inherited one, too.
func (h heap) ref(at core.Addr, field string) (core.Addr, bool) {
	o, err := h.r.Object(at)
	if err != nil {
		return 0, false
	}
	return h.r.RefField(o, field)
}

// int returns the number in an instance field, an inherited one, too.
func (h heap) int(at core.Addr, field string) (int64, bool) {
	o, err := h.r.Object(at)
	if err != nil {
		return 0, false
	}
	return h.r.IntField(o, field)
}

// isA reports whether an object has a class or a subclass of it.
func (h heap) isA(at core.Addr, class string) bool {
	o, err := h.r.Object(at)
	return err == nil && o.Class.IsA(class)
}

// class returns the name of an object's class, "" if no object is there.
func (h heap) class(at core.Addr) string {
	o, err := h.r.Object(at)
	if err != nil {
		return ""
	}
	return o.Class.Name
}

// elements returns at most max references of an array.
func (h heap) elements(array core.Addr, max int) []core.Addr {
	list, _ := h.r.ArrayRefs(array, max) // what cannot be read leads to nothing
	return list
}

// blocker returns the object that a thread is parked for, 0 if there is none.
func (h heap) blocker(thread core.Addr) core.Addr {
	at, _ := h.ref(thread, "parkBlocker")
	return at
}
