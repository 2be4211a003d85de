package heap

import (
	"fmt"
	"math/bits"

	"coredbg/core"
	"coredbg/runtimes/hotspot/moving"
	"coredbg/runtimes/hotspot/object"
)

// z reads ZGC's pages: ZHeap._page_table has them by granules. Objects of small pages follow one another, objects of
// medium pages begin at multiples of a larger number, and a large page has one object.
func (w *Walker) z(h *Heap) {
	z := w.Colouring()
	if z == nil {
		h.Notes = append(h.Notes, "libjvm's tables do not say how ZGC writes references")
		return
	}
	x := z.Prefix
	table, ok1 := w.Optional(x + "Heap._page_table")
	inner, ok2 := w.Optional(x + "PageTable._map")
	heap := z.HeapAt()
	last := core.Addr(0)
	ok := ok1 && ok2 && heap != 0 && z.Granules(heap.Add(table+inner), x+"GranuleMapForPageTable",
		func(_ uint64, page core.Addr) {
			if page != last && len(h.Spaces) < maxRegions { // a page may have more granules than one
				w.zPage(h, z, page)
				last = page
			}
		})
	if !ok {
		h.Notes = append(h.Notes, "ZGC's table of pages cannot be read")
	}
	if p := z.Problem(); p != "" {
		h.Notes = append(h.Notes, p+": references to objects that have been moved are not followed")
	}
}

// zPage adds a page.
func (w *Walker) zPage(h *Heap, z *moving.Colouring, page core.Addr) {
	x := z.Prefix
	start, size, ok := z.Virtual(page, x+"Page._virtual")
	top := uint64(w.PointerAt(page, x+"Page._top"))
	if !ok || top < start || top-start > size || start%object.Alignment != 0 || top%object.Alignment != 0 {
		h.Notes = append(h.Notes, fmt.Sprintf("the page at %v cannot be", page))
		return
	}
	if top == start {
		return
	}
	at := z.Base | core.Addr(start)
	s := Space{Name: "small page", Begin: at, Top: at + core.Addr(top-start), End: at + core.Addr(size),
		from: z.From(start)}
	c := w.Process.Cursor()
	typ, _ := w.Optional(x + "Page._type")
	kind := int64(c.U8(page.Add(typ)))
	is := func(name string) bool {
		n, ok := w.Constant(x+"PageType"+name, x+"PageType::"+string(name[0]|0x20)+name[1:])
		return ok && n == kind
	}
	switch {
	case c.Err() != nil:
		h.Notes = append(h.Notes, fmt.Sprintf("the page at %v cannot be read", page))
		return
	case is("Medium"):
		s.Name, s.align = "medium page", w.mediumAlignment(size)
	case is("Large"):
		s.Name = "large page"
	}
	h.Spaces = append(h.Spaces, s)
}

// mediumAlignment returns the alignment of objects in a medium page: the size of the largest medium page,
// divided by 2¹³. That page has a 32nd of the heap, and 32 MB at most (share/gc/z/zHeuristics.cpp, JDK 15 to
// 27).
func (w *Walker) mediumAlignment(page uint64) core.Addr {
	heap, _ := w.FlagValue("MaxHeapSize")
	n := min(heap/32, 32<<20)
	return max(core.Addr(1)<<(bits.Len64(max(n, page, 1))-1)>>13, object.Alignment)
}

// moved reports whether an address has the remains of an object that has been moved.
func (h *Heap) moved(s *Space, at core.Addr) bool {
	z := h.w.Colouring()
	if z == nil {
		return h.w.Evacuation().Copy(at) != at
	}
	to, ok := s.from.Moved(uint64(at &^ z.Base))
	return ok && z.Base|core.Addr(to) != at
}
