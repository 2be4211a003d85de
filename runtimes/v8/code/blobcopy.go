package code

import (
	"bytes"
	"sync"

	"coredbg/core"
)

// A process may run a second copy of the embedded builtins, near its generated code. If the core lists the
// mapped files, the copy is recognized by them. Otherwise (cores of macOS, cores that lost their notes) it is
// recognized by its contents: the pages of the copy begin like the blob's (execution/isolate.cc,
// MaybeRemapEmbeddedBuiltinsIntoCodeRange; heap/code-range.cc, RemapEmbeddedBuiltins).

// blobCopies are the places where copies were looked for.
type blobCopies struct {
	mu    sync.Mutex
	at    []core.Addr        // starts of copies
	tried map[core.Addr]bool // pages that no copy was found around
}

const (
	blobPage    = 4096
	blobHead    = 256 // bytes that a copy must have in common with the blob at its start
	blobSame    = 64  // and around the program counter
	maxBlobTrys = 1 << 12
)

// copiedPC translates a pc in a copy of the blob to the place in the blob.
func (r *Reader) copiedPC(pc core.Addr) (core.Addr, bool) {
	b, c := r.Image.Blob, &r.copies
	size := b.End - b.Start
	if size == 0 || !r.anonymousCode(pc) {
		return 0, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, at := range c.at {
		if pc >= at && pc-at < size {
			return b.Start + (pc - at), true
		}
	}
	page := pc &^ (blobPage - 1)
	if c.tried[page] || len(c.tried) >= maxBlobTrys {
		return 0, false
	}
	if at, ok := r.findCopy(pc); ok {
		c.at = append(c.at, at)
		return b.Start + (pc - at), true
	}
	if c.tried == nil {
		c.tried = map[core.Addr]bool{}
	}
	c.tried[page] = true
	return 0, false
}

// findCopy looks for the start of a copy of the blob that holds pc: where in a page the blob begins, or, if
// it was copied by bytes, where the page does (V8 9 and 10, whose blob may begin anywhere).
func (r *Reader) findCopy(pc core.Addr) (core.Addr, bool) {
	b := r.Image.Blob
	var head, got [blobHead]byte
	if !r.Bytes(head[:], b.Start) {
		return 0, false
	}
	for _, first := range []core.Addr{b.Start % blobPage, 0} {
		at := pc - (pc-first)%blobPage
		for ; at <= pc && pc-at < b.End-b.Start; at -= blobPage {
			if !r.Bytes(got[:], at) {
				break // a copy is in one piece
			}
			if got == head && r.sameCode(pc, b.Start+(pc-at)) {
				return at, true
			}
		}
	}
	return 0, false
}

// sameCode reports whether the bytes around two program counters agree.
func (r *Reader) sameCode(x, y core.Addr) bool {
	var a, b [blobSame]byte
	x, y = x-blobSame/2, y-blobSame/2
	return r.Bytes(a[:], x) && r.Bytes(b[:], y) && bytes.Equal(a[:], b[:])
}
