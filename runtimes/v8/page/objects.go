package page

import (
	"coredbg/core"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// ObjectBefore returns the object of a page that ends where an address is, or nothing.
func (w *Walker) ObjectBefore(p *Page, end core.Addr) (last layout.Area) {
	w.Blocks(p, func(a core.Addr, m *MapInfo, size int) bool {
		last = layout.Area{}
		if to := a + core.Addr(size); to == end && !m.Free {
			last = layout.Area{Start: a, End: to}
		}
		return a+core.Addr(size) < end
	})
	return last
}

// GoesOn reports whether objects follow one another from start past end, with one
// across it and some after.
func (w *Walker) GoesOn(p *Page, start, end core.Addr) bool {
	data, err := w.v.Space.Slice(start, int(p.AreaEnd-start))
	if err != nil {
		return false
	}
	off := 0
	for limit := int(end - start); off < limit; {
		m := w.MapAt(w.v.Tagged(data[off:], start))
		if m == nil {
			return false
		}
		n := w.SizeOf(m, data[off:])
		if n == 0 || n > len(data)-off || off+n == limit {
			return false
		}
		off += n
	}
	return w.Follow(start, data, off)
}

// Fills reports whether the first object of data leaves less than a page of memory.
func (w *Walker) Fills(p *Page, data []byte) bool {
	m := w.MapAt(w.v.Tagged(data, p.AreaStart))
	return m == nil || w.SizeOf(m, data) > len(data)-layout.PageSize
}

// Uninitialized reports whether the first property of a plain object holds the
// uninitialized value, which no program can store: it is a boilerplate
// (Runtime_CreateObjectLiteral, runtime/runtime-literals.cc), even if the
// AllocationSite that it was made for is gone.
func (w *Walker) Uninitialized(m *MapInfo, data []byte, constants layout.Area) bool {
	if m.Typ != w.v.Types.JSObject || m.inObject == 0 || m.inObject+w.v.SlotSize() > len(data) {
		return false
	}
	value := w.v.Tagged(data[m.inObject:], m.Word.Addr())
	if !value.IsHeap() || value.Addr() < constants.Start || value.Addr() >= constants.End {
		return false
	}
	hole, ok := w.holes[value]
	if !ok && len(w.holes) < maxKnownConstants {
		hole = w.v.objects.OddballKind(value) == object.KindHole
		w.holes[value] = hole
	}
	return hole
}

// maxKnownConstants bounds the constants that a walker remembers.
const maxKnownConstants = 1 << 16
