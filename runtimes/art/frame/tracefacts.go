package frame

import (
	"coredbg/core"
	"coredbg/runtimes/art/layout"
)

// maxGroupName bounds the name of a java.lang.ThreadGroup, in UTF-16 units.
const maxGroupName = 256

// Group returns the name of a thread's java.lang.ThreadGroup; it reports false
// if the thread has no peer yet, or the peer no group.
func (a *Decoder) Group(t *Thread) (string, bool) {
	slot, err := a.Member(t.Peer, "group.name")
	if err != nil {
		return "", false
	}
	at, ok := a.Ref(slot.Addr)
	if !ok || at == 0 {
		return "", false
	}
	s, err := a.String(at, maxGroupName)
	return s.Value, err == nil
}

// Handle returns the pthread_t of a thread (tlsPtr_.pthread_self).
func (a *Decoder) Handle(t *Thread) (core.Addr, bool) {
	off := a.Layout.Thread.PthreadSelf
	if off == layout.Unknown {
		return 0, false
	}
	return a.Pointer(t.Addr.Add(int64(off)))
}
