package juc

import (
	"slices"

	"coredbg/core"
)

// maxLocals bounds the thread-local variables of a thread that are looked through.
const maxLocals = 1 << 14

// readers returns the threads that hold the read lock of a ReentrantReadWriteLock: the first one is a field
// of its Sync, each other has a counter in a thread-local variable.
func readers(h heap, sync core.Addr) (list []core.Addr) {
	state, ok := h.int(sync, "state")
	if !ok || uint32(state)>>16 == 0 {
		return nil
	}
	if first, ok := h.ref(sync, "firstReader"); ok && first != 0 {
		if n, ok := h.int(sync, "firstReaderHoldCount"); ok && n > 0 {
			list = append(list, first)
		}
	}
	holds, ok := h.ref(sync, "readHolds")
	if !ok || holds == 0 {
		return list
	}
	for _, t := range h.Peers() {
		counter := local(h, t, holds)
		if n, ok := h.int(counter, "count"); counter != 0 && ok && n > 0 && !slices.Contains(list, t) {
			list = append(list, t)
		}
	}
	return list
}

// local returns what a thread has in a ThreadLocal, 0 if nothing.
func local(h heap, thread, variable core.Addr) core.Addr {
	locals, _ := h.ref(thread, "threadLocals")
	table, _ := h.ref(locals, "table")
	for _, e := range h.elements(table, maxLocals) {
		if key, ok := h.ref(e, "referent"); e != 0 && ok && key == variable {
			value, _ := h.ref(e, "value")
			return value
		}
	}
	return 0
}
