package object

import (
	"coredbg/core"
	"coredbg/runtimes/hotspot/moving"
)

// Slot reads a reference outside of the heap that a collector colours, as in an OopStorage. ok is false if the core does not have it.
func (r *Reader) Slot(at core.Addr) (ref core.Addr, ok bool) {
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

// Plain returns the address of the object that a word of a stack or a JNI handle means. With ZGC of one generation these
// are coloured, too.
func (r *Reader) Plain(v uint64) core.Addr {
	if z := r.h.z; z != nil && !z.Generational {
		return z.Address(v)
	}
	return r.settled(core.Addr(v))
}

// Frozen returns the address of the object that a word of a frame in the heap means, if a collection has gone over the frame: it
// colours the references.
func (r *Reader) Frozen(v uint64) core.Addr {
	if z := r.h.z; z != nil {
		return z.Address(v)
	}
	return r.settled(core.Addr(v))
}

// Colouring returns how ZGC writes references; nil if another collector is used, or if it is not known.
func (r *Reader) Colouring() *moving.Colouring { return r.h.z }

// Evacuation returns the collection that moves objects; nil if there is none.
func (r *Reader) Evacuation() *moving.Evacuation { return r.h.evacuation }

// settled returns the address of an object that a reference leads to.
func (r *Reader) settled(at core.Addr) core.Addr { return r.h.evacuation.Copy(at) }
