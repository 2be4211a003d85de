package object

import (
	"coredbg/core"
	"coredbg/runtimes/hotspot/moving"
	"coredbg/runtimes/hotspot/vmstructs"
)

// Alignment is what the addresses of objects are multiples of at least.
const Alignment = 8

// References reads how references to objects and pointers to classes are written, and what they lead to.
type References struct {
	*vmstructs.Tables
	h heapOffsets
}

func newReferences(t *vmstructs.Tables) *References { return &References{t, newHeapOffsets(t)} }

// Slot reads a reference outside of the heap that a collector colours, as in an OopStorage. ok is false if
// the core does not have it.
func (r *References) Slot(at core.Addr) (ref core.Addr, ok bool) {
	c := r.Process.Cursor()
	v := c.U64(at)
	if c.Err() != nil {
		return 0, false
	}
	if r.h.z != nil {
		return r.h.z.Address(v), true
	}
	return r.settled(core.Addr(v)), true
}

// Plain returns the address of the object that a word of a stack or a JNI handle means. With ZGC of one
// generation these are coloured, too.
func (r *References) Plain(v uint64) core.Addr {
	if z := r.h.z; z != nil && !z.Generational {
		return z.Address(v)
	}
	return r.settled(core.Addr(v))
}

// Frozen returns the address of the object that a word of a frame in the heap means, if a collection has gone
// over the frame: it colours the references.
func (r *References) Frozen(v uint64) core.Addr {
	if z := r.h.z; z != nil {
		return z.Address(v)
	}
	return r.settled(core.Addr(v))
}

// Colouring returns how ZGC writes references; nil if another collector is used, or if it is not known.
func (r *References) Colouring() *moving.Colouring { return r.h.z }

// Evacuation returns the collection that moves objects; nil if there is none.
func (r *References) Evacuation() *moving.Evacuation { return r.h.evacuation }

// settled returns the address of an object that a reference leads to.
func (r *References) settled(at core.Addr) core.Addr { return r.h.evacuation.Copy(at) }

// Narrow returns the address of an object that 32 bits mean, where references have as many.
func (r *References) Narrow(narrow uint32) core.Addr {
	if narrow == 0 {
		return 0
	}
	return r.settled(core.Addr(r.h.oopBase + uint64(narrow)<<r.h.oopShift))
}

// RefIn returns the reference that memory begins with; 0 if it is too short.
func (r *References) RefIn(b []byte) core.Addr {
	order := r.Process.Arch.Order
	switch {
	case r.h.narrowOop && len(b) >= 4:
		return r.Narrow(order.Uint32(b))
	case r.h.z != nil && len(b) >= 8:
		return r.h.z.Address(order.Uint64(b))
	case !r.h.narrowOop && len(b) >= 8:
		return r.settled(core.Addr(order.Uint64(b)))
	}
	return 0
}

// RefSize returns the bytes of a reference in an object.
func (r *References) RefSize() uint64 {
	if r.h.narrowOop {
		return 4
	}
	return 8
}

// klassAt reads the address of the Klass of an object.
func (r *References) klassAt(c *core.Cursor, at core.Addr) core.Addr {
	h := &r.h
	switch {
	case h.compactHeaders:
		return r.klassOf(uint32(c.U64(at.Add(h.mark)) >> h.klassShift))
	case h.narrowKlass:
		return r.klassOf(c.U32(at.Add(h.klass)))
	}
	return c.Pointer(at.Add(h.klass))
}

// klassOf returns the address of a class that 32 bits mean.
func (r *References) klassOf(narrow uint32) core.Addr {
	if narrow == 0 {
		return 0
	}
	return core.Addr(r.h.klassBase + uint64(narrow)<<r.h.classShift)
}

// Handle returns the object that an OopHandle at an address leads to: a pointer to a place outside of the
// heap that has the whole address, as a jobject is. A field of the type oop (JDK 8) has the address itself.
func (r *References) Handle(at core.Addr, typ string) (ref core.Addr, ok bool) {
	c := r.Process.Cursor()
	ref = c.Pointer(at)
	if (typ == "OopHandle" || typ == "jobject") && ref != 0 && c.Err() == nil {
		return r.Slot(ref)
	}
	return ref, c.Err() == nil
}

// Ref reads the reference at an address in an object; 0 is null. ok is false if the core does not have it.
func (r *References) Ref(at core.Addr) (ref core.Addr, ok bool) {
	c := r.Process.Cursor()
	if !r.h.narrowOop {
		return r.Slot(at)
	}
	narrow := c.U32(at)
	return r.Narrow(narrow), c.Err() == nil
}
