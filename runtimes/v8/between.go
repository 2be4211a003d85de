package v8

import "strings"

// Between says how step i of a way refers to the next one, in a word or two: through
// a store of V8's own as what it is to the object that owns the store. It is "" if
// the words of the object do not tell.
func (h *Heap) Between(path []Tagged, i int) string {
	first, ok := h.hitBetween(path[i], path[i+1])
	switch {
	case !ok:
		return ""
	case first.offset == 0:
		return "map"
	}
	if i > 0 && first.typ < h.v.types.firstReceiver {
		if x, ok := h.hitBetween(path[i-1], path[i]); ok && x.typ >= h.v.types.firstReceiver {
			if r, ok := h.explain(x, first, path[i:i+1]); ok && r.Kind != "internal" {
				return strings.TrimSpace(r.Kind + " " + r.Name)
			}
		}
	}
	if r, ok := h.explain(first, first, nil); ok && r.Kind != "internal" {
		return strings.TrimSpace(r.Kind + " " + r.Name)
	}
	return h.place(first)
}

// hitBetween finds the first word of an object that refers to another.
func (h *Heap) hitBetween(from, to Tagged) (hit, bool) {
	v := h.v
	typ, ok := v.instanceType(from)
	l, found := h.Locate(from.Addr())
	if !ok || !found || l.Object == 0 {
		return hit{}, false
	}
	for off := 0; off+8 <= int(min(l.Size, maxBetween)); off += 8 {
		if w, ok := v.field(from, off); ok && w.IsHeap() && w&^2 == to&^2 {
			return hit{holder: from, offset: off, typ: typ, target: to, weak: w&2 != 0}, true
		}
	}
	return hit{}, false
}

// maxBetween bounds the bytes of an object that are looked at for a reference.
const maxBetween = 64 << 20
