package tls

import (
	"bytes"

	"coredbg/core"
)

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

// The instructions of glibc's __errno_location on x86-64 (2.31 to 2.41): the distance of errno from the
// thread pointer is in a word of the library, whose distance from the second instruction is in the first.
var (
	endbr64   = []byte{0xf3, 0x0f, 0x1e, 0xfa}
	loadWord  = []byte{0x48, 0x8b, 0x05}                               // mov N(%rip),%rax
	addThread = []byte{0x64, 0x48, 0x03, 0x04, 0x25, 0, 0, 0, 0, 0xc3} // add %fs:0,%rax; ret
	maxLocate = len(endbr64) + len(loadWord) + 4 + len(addThread)
)

// ErrnoBy returns where a thread has errno by the code of __errno_location, which is at an address. It
// reports false for code that it does not know.
func ErrnoBy(p *core.Process, t *core.Thread, function core.Addr) (core.Addr, bool) {
	if t == nil || t.TLS == 0 || p.Arch != core.AMD64 || p.OS != "linux" {
		return 0, false
	}
	code, err := core.ReadBytes(p.Space, function, uint64(maxLocate))
	if err != nil {
		return 0, false
	}
	if rest, ok := bytes.CutPrefix(code, endbr64); ok {
		code, function = rest, function+core.Addr(len(endbr64))
	}
	rest, ok := bytes.CutPrefix(code, loadWord)
	if !ok || !bytes.HasPrefix(rest[4:], addThread) {
		return 0, false
	}
	next := function + core.Addr(len(loadWord)+4)
	c := p.Cursor()
	distance := c.Pointer(next + core.Addr(int32(p.Arch.Order.Uint32(rest))))
	at := distant(p, t, distance)
	return at, c.Err() == nil && mapped(p, at)
}
