package art

import (
	"context"
	"testing"
	"unicode/utf16"

	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/runtimes"
	"coredbg/runtimes/art/heap"
	"coredbg/runtimes/art/layout"
	"coredbg/runtimes/art/object"
)

// States of regions (runtime/gc/space/region_space.h).
const (
	freeRegion = iota
	allocatedRegion
	largeRegion
	tailRegion
)

// A heapScene is a scene with objects, laid one after the other, and a
// gc::Heap with spaces.
type heapScene struct {
	*scene
	next   core.Addr // where the next object goes
	native core.Addr // where the next native object goes
	spaces []core.Addr
	large  []core.Addr
	class  map[string]core.Addr
}

// Where the parts of a heapScene are.
const (
	objectsBase core.Addr = 0x13000000
	objectsSize           = 0x40000
	nativesBase core.Addr = 0x51000000
	nativesSize           = 0x40000
	sceneHeapAt           = nativesBase // gc::Heap
)

func newHeapScene(t testing.TB, arch *core.Arch, l *layout.Layout) *heapScene {
	h := &heapScene{scene: newScene(t, arch, l), next: objectsBase, native: nativesBase + 0x1000,
		class: map[string]core.Addr{}}
	h.mem[objectsBase], h.mem[nativesBase] = make([]byte, objectsSize), make([]byte, nativesSize)
	h.ptr(off(sceneRuntime, l.Runtime.Heap), sceneHeapAt)
	m := &l.Mirror.Class
	h.u32(off(javaLangClass, m.ClassFlags), object.FlagClass)
	h.u32(off(javaLangClass, m.ClassSize), 0x100)
	h.class["java.lang.Class"] = javaLangClass
	o := h.newClass("java.lang.Object", 0, 8, 0)
	h.newClass("java.lang.String", o, 0, object.FlagString)
	// Names, now that there is a class of strings.
	for name, c := range h.class {
		h.u32(off(c, m.Name), uint32(h.newString(name)))
	}
	main := h.thread(101, "main", "Native")
	h.ptr(off(main, l.Thread.Peer), h.newObject("java.lang.Object"))
	return h
}

// alloc returns the place of an object of n bytes.
func (h *heapScene) alloc(class core.Addr, n uint64) core.Addr {
	at := h.next
	h.next += core.Addr((n + 7) &^ 7)
	h.u32(at, uint32(class))
	return at
}

func (h *heapScene) newClass(name string, super core.Addr, size, flags uint32) core.Addr {
	m, at := &h.l.Mirror.Class, h.alloc(javaLangClass, 128)
	h.u32(off(at, m.ClassSize), 128)
	h.u32(off(at, m.ObjectSize), size)
	h.u32(off(at, m.ClassFlags), flags)
	h.u32(off(at, h.l.Class.SuperClass), uint32(super))
	if h.class["java.lang.String"] != 0 {
		h.u32(off(at, m.Name), uint32(h.newString(name)))
	}
	h.class[name] = at
	return at
}

// newArrayClass makes the class of arrays of a primitive type or, with
// NotPrimitive, of objects.
func (h *heapScene) newArrayClass(element string, p object.Primitive) core.Addr {
	m := &h.l.Mirror.Class
	component := h.class[element]
	if component == 0 {
		component = h.newClass(element, 0, 0, 0)
		h.u32(off(component, m.PrimitiveType), uint32(p))
	}
	at := h.newClass(element+"[]", h.class["java.lang.Object"], 0, 0)
	h.u32(off(at, m.ComponentType), uint32(component))
	return at
}

func (h *heapScene) newObject(class string) core.Addr {
	c := h.class[class]
	size := uint64(8)
	for start, b := range h.mem {
		if at := off(c, h.l.Mirror.Class.ObjectSize) - start; at < core.Addr(len(b)) {
			size = uint64(h.arch.Order.Uint32(b[at:]))
		}
	}
	return h.alloc(c, size)
}

func (h *heapScene) newString(text string) core.Addr {
	units := utf16.Encode([]rune(text))
	wide := uint32(0)
	for _, u := range units {
		if u > 0x7f || u == 0 {
			wide = 1
		}
	}
	at := h.alloc(h.class["java.lang.String"], 16+uint64(len(units))<<wide)
	h.u32(at+8, uint32(len(units))<<1|wide)
	for i, u := range units {
		h.put(at+16+core.Addr(i)<<wide, 1<<wide, uint64(u))
	}
	return at
}

func (h *heapScene) newArray(class string, element uint64, length int) core.Addr {
	at := h.alloc(h.class[class], uint64(object.ArrayData(element))+uint64(length)*element)
	h.u32(at+8, uint32(length))
	return at
}

// nativeAlloc returns the place of a native object of n bytes.
func (h *heapScene) nativeAlloc(n core.Addr) core.Addr {
	at := h.native
	h.native += (n + 15) &^ 15
	return at
}

// space lays a Space of the heap, which is continuous unless it is for large
// objects; what its class has besides is the test's to lay.
func (h *heapScene) space(name string, large bool, begin, end, limit core.Addr) core.Addr {
	l, at := &h.l.Mirror, h.nativeAlloc(0x800)
	text := h.nativeAlloc(core.Addr(len(name)))
	w := core.Addr(h.l.PtrSize)
	s := off(at, l.Space.Name)
	if h.l.Library == layout.LibStdCxx {
		h.ptr(s, text)
	} else {
		h.ptr(s, 1|64)
		h.ptr(s+2*w, text)
	}
	h.ptr(s+w, core.Addr(len(name)))
	h.text(text, name)
	list := &h.spaces
	if large {
		h.ptr(off(at, l.LargeObject.Begin), begin)
		h.ptr(off(at, l.LargeObject.End), end)
		list = &h.large
	} else {
		h.ptr(off(at, l.Space.Begin), begin)
		h.ptr(off(at, l.Space.End), end)
		h.ptr(off(at, l.Space.Limit), limit)
	}
	*list = append(*list, at)
	return at
}

// regions lays a RegionSpace; each region is {begin, end, top, live, state}.
func (h *heapScene) regions(limit core.Addr, regions ...[5]core.Addr) core.Addr {
	l := &h.l.Mirror
	at := h.space("main space (region space)", false, objectsBase, limit, limit)
	array := h.nativeAlloc(core.Addr(len(regions) * l.Region.Size))
	h.ptr(off(at, l.RegionSpace.NumRegions), core.Addr(len(regions)))
	h.ptr(off(at, l.RegionSpace.Regions), array)
	for i, r := range regions {
		e := off(array, i*l.Region.Size)
		h.ptr(off(e, l.Region.Begin), r[0])
		h.ptr(off(e, l.Region.End), r[1])
		h.ptr(off(e, l.Region.Top), r[2])
		h.ptr(off(e, l.Region.LiveBytes), r[3])
		h.put(off(e, l.Region.State), 1, uint64(r[4]))
	}
	return at
}

// never is live_bytes_ of a region that was never collected.
func (h *heapScene) never() core.Addr { return core.Addr(uint64(1)<<(8*h.l.PtrSize-1)<<1 - 1) }

// bitmap lays a SpaceBitmap for a space, with the bits of some objects.
func (h *heapScene) bitmap(space core.Addr, member int, begin core.Addr, objects ...core.Addr) {
	l := &h.l.Mirror.Bitmap
	at := off(space, member)
	if l.Inline == 0 {
		b := h.nativeAlloc(0x200)
		h.ptr(at, b)
		at = b
	}
	const size = objectsSize / 8 / 8
	words := h.nativeAlloc(size)
	h.ptr(off(at, l.Begin), words)
	h.ptr(off(at, l.Size), size)
	h.ptr(off(at, l.HeapBegin), begin)
	for _, o := range objects {
		bit := (o - begin) / 8
		b := h.mem[nativesBase]
		b[words-nativesBase+bit/8] |= 1 << (bit % 8)
	}
}

// stack lays an AtomicStack of the heap.
func (h *heapScene) stack(slot core.Addr, name string, objects ...core.Addr) {
	l := &h.l.Mirror.AtomicStack
	at := h.nativeAlloc(0x200)
	h.ptr(sceneHeapAt+0x200+slot*core.Addr(h.l.PtrSize), at)
	text, w := h.nativeAlloc(32), core.Addr(h.l.PtrSize)
	if h.l.Library == layout.LibStdCxx {
		h.ptr(at, text)
	} else {
		h.ptr(at, 1|64)
		h.ptr(at+2*w, text)
	}
	h.ptr(at+w, core.Addr(len(name)))
	h.text(text, name)
	entries := h.nativeAlloc(core.Addr(4*len(objects) + 4))
	h.u32(off(at, l.Back), uint32(len(objects)))
	h.ptr(off(at, l.Begin), entries)
	for i, o := range objects {
		h.u32(entries+core.Addr(4*i), uint32(o))
	}
}

// art returns the decoder, with the layout that the scene was laid by.
func (h *heapScene) art() *ART {
	for i, list := range [][]core.Addr{h.spaces, h.large} {
		v := off(sceneHeapAt, []int{h.l.Mirror.Heap.Continuous, h.l.Mirror.Heap.Discontinuous}[i])
		array := h.nativeAlloc(core.Addr(len(list) * h.l.PtrSize))
		for k, s := range list {
			h.ptr(off(array, k*h.l.PtrSize), s)
		}
		h.ptr(v, array)
		h.ptr(off(v, h.l.PtrSize), off(array, len(list)*h.l.PtrSize))
	}
	p := h.open()
	a := newART(runtimes.Target{Process: p, Symbols: sym.NewTable(p)}, nil)
	a.use(fit{layout: h.l, runtime: sceneRuntime})
	return a
}

// counts walks the heap and returns how many objects each class has.
func counts(t testing.TB, a *ART) (map[string]int, *heap.Walked) {
	t.Helper()
	h, err := a.Heap()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	w, err := h.Walk(context.Background(), func(o object.Object, _ uint64) bool {
		got[o.Class.Name]++
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return got, w
}

// deque lays a std::deque whose elements begin in the middle of a page.
func (h *heapScene) deque(at core.Addr, values []core.Addr) {
	w := core.Addr(h.l.PtrSize)
	perPage, first := 4096/w, 4096/w-1
	if h.l.Library == layout.LibStdCxx {
		perPage, first = 512/w, 512/w-1
	}
	pages := h.nativeAlloc(4 * w)
	var page [2]core.Addr
	for i := range page {
		page[i] = h.nativeAlloc(perPage * w)
		h.ptr(pages+core.Addr(i)*w, page[i])
	}
	for i, v := range values {
		n := first + core.Addr(i)
		h.ptr(page[n/perPage]+n%perPage*w, v)
	}
	last := first + core.Addr(len(values))
	if h.l.Library == layout.LibCxx {
		h.ptr(at+w, pages)
		h.ptr(at+4*w, first)
		h.ptr(at+5*w, core.Addr(len(values)))
		return
	}
	h.ptr(at, pages)
	for i, n := range []core.Addr{first, last} {
		it := at + core.Addr(2+4*i)*w
		h.ptr(it, page[n/perPage]+n%perPage*w)
		h.ptr(it+w, page[n/perPage])
		h.ptr(it+3*w, pages+n/perPage*w)
	}
}
