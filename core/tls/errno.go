package tls

import "coredbg/core"

// musl keeps errno in a thread's descriptor (struct pthread), next to the thread's id: it has no
// variable of that name. The descriptor begins with its own address and further words of the size of a
// pointer. Where blocks lie above the thread pointer, it ends there, else it begins there.
const (
	muslFirstWords  = 4   // self, prev, next, sysinfo
	muslMostWords   = 7   // and dtv, canary_pad, canary
	muslMostOfBelow = 512 // the size of a descriptor, at most
)

// MuslErrno returns where a thread of a program on musl has errno. It reports false if the thread has no
// descriptor of musl.
func MuslErrno(p *core.Process, t *core.Thread) (core.Addr, bool) {
	at, known := placeOf(p)
	if !known || t == nil || t.TLS == 0 || t.TID == 0 {
		return 0, false
	}
	ptr := core.Addr(p.Arch.PtrSize)
	if at.musl > 0 {
		return muslErrnoOf(p, t, t.TLS)
	}
	for self := t.TLS - ptr; self < t.TLS && t.TLS-self <= muslMostOfBelow; self -= ptr {
		if a, ok := muslErrnoOf(p, t, self); ok {
			return a, true
		}
	}
	return 0, false
}

// muslErrnoOf is MuslErrno for the descriptor at an address, if there is one.
func muslErrnoOf(p *core.Process, t *core.Thread, self core.Addr) (core.Addr, bool) {
	c := p.Cursor()
	if c.Pointer(self) != self || c.Err() != nil {
		return 0, false
	}
	for words := core.Addr(muslFirstWords); words <= muslMostWords; words++ {
		at := self + words*core.Addr(p.Arch.PtrSize)
		if id := c.U32(at); c.Err() == nil && id == uint32(t.TID) {
			return at + 4, true
		}
	}
	return 0, false
}
