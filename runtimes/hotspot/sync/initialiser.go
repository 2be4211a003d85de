package sync

import (
	"context"

	"coredbg/core"
	"coredbg/runtimes/hotspot/frame"
	"coredbg/runtimes/hotspot/object"
)

// beingInitialised returns the class that a lock belongs to, and the thread that initialises the class:
// InstanceKlass::_init_thread. The lock is an int[] that the class's java.lang.Class refers to
// (java_lang_Class::init_lock). The class is nil if the object is no such lock.
func (an *Analyzer) beingInitialised(lock core.Addr, waiter *frame.Thread) (*object.Class, *frame.Thread) {
	if k := an.ClassOf(lock); k == nil || k.Name != "int[]" || an.o.initThread < 0 {
		return nil, nil
	}
	classes, _ := an.Classes(context.Background())
	threads, _ := an.Threads()
	c := an.Process.Cursor()
	for _, k := range classes {
		if k.State != "being initialized" || !an.refersTo(k.Mirror, lock) {
			continue
		}
		by := c.Pointer(k.Addr.Add(an.o.initThread))
		if c.Reset() != nil {
			continue
		}
		for _, t := range threads {
			if t.Addr == by && t != waiter {
				return k, t
			}
		}
	}
	return nil, nil
}

// refersTo reports whether a word of an object is a reference to another one.
func (an *Analyzer) refersTo(at, to core.Addr) bool {
	o, err := an.Object(at)
	if err != nil {
		return false
	}
	size, err := an.Size(o)
	if err != nil {
		return false
	}
	for off := uint64(8); off < min(size, 1<<16); off += an.RefSize() {
		if ref, ok := an.Ref(at + core.Addr(off)); ok && ref == to {
			return true
		}
	}
	return false
}
