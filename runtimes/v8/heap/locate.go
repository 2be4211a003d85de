package heap

import (
	"context"
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/page"
)

// A Location describes the object or block that contains an address in the heap.
type Location struct {
	Page   *page.Page
	Object layout.Tagged // 0 if the address is in no object
	Type   string        // instance type of the object
	Offset uint64        // of the address from the object's start
	Size   uint64        // of the object
	Unused bool          // the address is in an allocation area, not used yet
	Free   bool          // it is a filler or a free block
}

// Locate finds the page and the object that the address a is in, which may be
// tagged, by walking the page from its start.
func (h *Snapshot) Locate(a core.Addr) (Location, bool) {
	p, ok := PageIndex(h.Pages).At(a)
	if !ok {
		return Location{}, false
	}
	loc := Location{Page: p}
	for start, end := range h.Gaps {
		if a >= start && a < end {
			loc.Unused = true
			return loc, true
		}
	}
	w := page.NewWalker(h.v.Reader, h.Maps, h.Gaps)
	w.Blocks(p, func(at core.Addr, m *page.MapInfo, size int) bool {
		if a >= at+core.Addr(size) {
			return true
		}
		if a >= at {
			loc.Object, loc.Type, loc.Free = layout.Tag(at), h.v.Types.Name(m.Typ), m.Free
			loc.Offset, loc.Size = uint64(a-at), uint64(size)
			if a-at == 1 {
				loc.Offset = 0 // a tagged address
			}
		}
		return false
	})
	return loc, true
}

// SizeOf returns the bytes of the object o, which may be tagged; false if it is in no object.
func (h *Snapshot) SizeOf(o layout.Tagged) (uint64, bool) {
	l, ok := h.Locate(o.Addr())
	return l.Size, ok && l.Object != 0
}

// Inside describes the object that contains the address a, for WhatIs.
func (hs *Walker) Inside(a core.Addr) (string, bool) {
	h, err := hs.Snapshot(context.Background())
	if err != nil {
		return "", false
	}
	l, ok := h.Locate(a)
	if !ok {
		return "", false
	}
	return l.String(), true
}

// String describes the location in a line.
func (l Location) String() string {
	where := l.Page.Space
	switch {
	case l.Page.FromSpace:
		where += " (evacuated)"
	case l.Unused:
		return "not used yet, in " + where
	case l.Object == 0:
		return "no object, in " + where
	case l.Free:
		return "free, in " + where
	}
	return fmt.Sprintf("%v+%#x, %s of %d bytes, in %s", l.Object.TaggedAddr(), l.Offset, l.Type, l.Size, where)
}

// NoObject says why o has no group.
func (hs *Walker) NoObject(o layout.Tagged) error {
	if _, err := hs.TypeOf(o); err != nil {
		return err
	}
	return fmt.Errorf("v8: %v is not an object of JavaScript", core.Addr(o))
}
