package frame

import (
	"coredbg/core"
	"coredbg/runtimes/art/layout"
)

// maxGroupName bounds the name of a java.lang.ThreadGroup, in UTF-16 units.
const maxGroupName = 256

// Group returns the name of a thread's java.lang.ThreadGroup; it reports false
// if the thread has no peer yet, or the peer no group.
func (r *ThreadReader) Group(t *Thread) (string, bool) {
	slot, err := r.Member(t.Peer, "group.name")
	if err != nil {
		return "", false
	}
	at, ok := r.Ref(slot.Addr)
	if !ok || at == 0 {
		return "", false
	}
	s, err := r.String(at, maxGroupName)
	return s.Value, err == nil
}

// Handle returns the pthread_t of a thread (tlsPtr_.pthread_self).
func (r *ThreadReader) Handle(t *Thread) (core.Addr, bool) {
	off := r.Layout.Thread.PthreadSelf
	if off == layout.Unknown {
		return 0, false
	}
	return r.Pointer(t.Addr.Add(int64(off)))
}
