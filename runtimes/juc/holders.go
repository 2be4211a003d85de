package juc

import (
	"slices"

	"coredbg/core"
)

// maxLocals bounds the thread-local variables of a thread that are looked through.
const maxLocals = 1 << 14

// readers returns the threads that hold the read lock of a ReentrantReadWriteLock: the first one is a field of its Sync,
// each other has a counter in a thread-local variable.
func readers(h Heap, sync core.Addr) (list []core.Addr) {
	state, ok := h.Int(sync, "state")
	if !ok || uint32(state)>>16 == 0 {
		return nil
	}
	if first, ok := h.Ref(sync, "firstReader"); ok && first != 0 {
		if n, ok := h.Int(sync, "firstReaderHoldCount"); ok && n > 0 {
			list = append(list, first)
		}
	}
	holds, ok := h.Ref(sync, "readHolds")
	if !ok || holds == 0 {
		return list
	}
	for _, t := range h.Threads() {
		counter := local(h, t, holds)
		if n, ok := h.Int(counter, "count"); counter != 0 && ok && n > 0 && !slices.Contains(list, t) {
			list = append(list, t)
		}
	}
	return list
}

// local returns what a thread has in a ThreadLocal, 0 if nothing.
func local(h Heap, thread, variable core.Addr) core.Addr {
	locals, _ := h.Ref(thread, "threadLocals")
	table, _ := h.Ref(locals, "table")
	for _, e := range h.Elements(table, maxLocals) {
		if key, ok := h.Ref(e, "referent"); e != 0 && ok && key == variable {
			value, _ := h.Ref(e, "value")
			return value
		}
	}
	return 0
}
