package heap

import (
	"context"
	"fmt"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/hotspot/object"
)

// A walk goes over objects, for one goroutine.
type walk struct {
	h    *Heap
	near object.Near
	b    []byte // memory from at on, as far as it is in one piece
	at   core.Addr

	// Bytes without an object: the core does not have them, or no class is known there.
	missing, skipped uint64
	notes            []string
}

// maxNotes bounds the notes of a walk.
const maxNotes = 16

// from returns the memory from an address on; empty if the core does not have it.
func (w *walk) from(at core.Addr) []byte {
	if off := at - w.at; at >= w.at && uint64(off)+object.HeaderBytes <= uint64(len(w.b)) {
		return w.b[off:]
	}
	b, err := w.h.w.Process.Space.Window(at)
	if err != nil {
		return nil
	}
	if len(b) < object.HeaderBytes {
		whole, _ := w.h.w.Process.Space.Slice(at, object.HeaderBytes)
		return whole
	}
	w.b, w.at = b, at
	return b
}

// objects visits the objects that begin from begin on and end at end at most.
func (w *walk) objects(begin, end core.Addr, visit func(at core.Addr, size uint64, k *object.Class)) {
	at, align, s := begin, core.Addr(object.Alignment), w.h.Space(begin)
	if s != nil && s.align != 0 {
		align = s.align
	}
	for at < end {
		if to, ok := w.h.Gaps[at]; ok && to > at {
			if h := w.h.w.Header(w.from(at), at, &w.near); h.Size != uint64(to-at) {
				at = min(to, end)
				continue
			}
		}
		if s != nil && s.marks != nil && at < s.marks.top {
			if to := s.marks.next(at, end); to > at {
				at = to
				continue
			}
		}
		if s != nil && s.chunks != nil {
			if n := s.chunks.at(w, at); n > 0 && n <= end-at {
				at += n
				continue
			}
		}
		h := w.h.w.Header(w.from(at), at, &w.near)
		if h.Size == 0 || h.Size > uint64(end-at) {
			at = w.resume(at, end, align)
			continue
		}
		if s == nil || s.from == nil && !s.left || !w.h.moved(s, at) {
			visit(at, h.Size, h.Class)
		}
		if s != nil && s.chunks != nil {
			h.Size = max(h.Size, s.chunks.least)
		}
		at += (core.Addr(h.Size) + align - 1) &^ (align - 1)
	}
}

// problems returns the parts of the heap that were not found, and the bytes in the others that had no object.
func (w *walk) problems() []string {
	all := slices.Clone(w.h.Notes)
	if bytes := w.missing + w.skipped; bytes > 0 {
		all = append(all, fmt.Sprintf("%d bytes could not be read or told apart; %s", bytes, w.notes[0]))
	}
	return all
}

// Find returns the object that has an address; ok is false if no object has it.
func (h *Heap) Find(at core.Addr) (o object.Object, ok bool) {
	s := h.Space(at)
	if s == nil {
		return o, false
	}
	w := &walk{h: h}
	w.objects(s.Begin, s.Top, func(begin core.Addr, size uint64, k *object.Class) {
		if begin <= at && uint64(at-begin) < size {
			o, ok = object.Object{Addr: begin, Class: k}, true
		}
	})
	return o, ok
}

// Walk visits all objects in order of address until visit returns false.
func (h *Heap) Walk(ctx context.Context, visit func(o object.Object, size uint64) bool) error {
	return h.walk(ctx, &walk{h: h}, visit)
}

func (h *Heap) walk(ctx context.Context, w *walk, visit func(o object.Object, size uint64) bool) error {
	for i := range h.Spaces {
		going := true
		w.objects(h.Spaces[i].Begin, h.Spaces[i].Top, func(at core.Addr, size uint64, k *object.Class) {
			going = going && visit(object.Object{Addr: at, Class: k}, size)
		})
		if err := ctx.Err(); err != nil || !going {
			return err
		}
	}
	return nil
}
