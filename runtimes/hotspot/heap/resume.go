package heap

import (
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/hotspot/object"
)

// resume returns where the next object begins, after an address without one. The rest of an object may have words
// that look like a header, above all where a header is one word. So the next object is an unlocked one, and
// that another one follows, or the end.
func (w *walk) resume(at, end, align core.Addr) core.Addr {
	begin, missing := at, uint64(0)
	for at < end {
		b := w.from(at)
		if len(b) < object.Alignment {
			next := min((at+core.TracePage)&^(core.TracePage-1), end)
			missing += uint64(next - at)
			at = next
			continue
		}
		if at > begin && w.h.w.Unlocked(b) {
			if n := w.believable(at, end); n > 0 && w.follows((at+core.Addr(n)+align-1)&^(align-1), end) {
				break
			}
		}
		at += align
	}
	w.missing += missing
	w.skipped += uint64(at-begin) - missing
	if len(w.notes) < maxNotes {
		w.notes = append(w.notes, fmt.Sprintf("no object at %v, the next one is at %v", begin, at))
	}
	return at
}

// follows reports whether an object begins at an address, or nothing more is there.
func (w *walk) follows(at, end core.Addr) bool {
	if _, gap := w.h.Gaps[at]; gap || at == end {
		return true
	}
	return w.believable(at, end) > 0
}

// believable returns the bytes of the object at an address; 0 if none that ends before end can be there.
func (w *walk) believable(at, end core.Addr) uint64 {
	h := w.h.w.Header(w.from(at), at, &w.near)
	if h.Size == 0 || h.Size > uint64(end-at) || !h.Class.HasObjects() {
		return 0
	}
	return h.Size
}
