package art

import (
	"context"
	"maps"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/runtimes/art/layout"
	"coredbg/runtimes/art/object"
	"coredbg/runtimes/java"
)

// sampleHeap lays classes and a few objects, and returns what a walk must count.
func sampleHeap(h *heapScene) map[string]int {
	o := h.class["java.lang.Object"]
	h.newClass("app.Node", o, 20, 0)
	h.newClass("app.Big", o, 40, 0)
	h.newArrayClass("int", object.Int)
	h.newArrayClass("long", object.Long)
	h.newArrayClass("java.lang.Object", object.NotPrimitive)
	for range 5 {
		h.newObject("app.Node")
	}
	h.newObject("app.Big")
	h.newArray("int[]", 4, 3)
	h.newArray("long[]", 8, 2)
	h.newArray("java.lang.Object[]", 4, 0)
	h.newString("Größe")
	return map[string]int{
		// Object, String, Node, Big, int, int[], long, long[], Object[]
		"java.lang.Class": 9, "java.lang.String": 11, "java.lang.Object": 1, "app.Node": 5, "app.Big": 1,
		"int[]": 1, "long[]": 1,
		"java.lang.Object[]": 1,
	}
}

func expect(t *testing.T, a *ART, want map[string]int) {
	t.Helper()
	got, w := counts(t, a)
	if !maps.Equal(got, want) || len(w.Bad) > 0 {
		t.Errorf("counts %v, want %v; bad %v, problems %v", got, want, w.Bad, w.Problems)
	}
}

func eachHeap(t *testing.T, test func(t *testing.T, h *heapScene)) {
	eachLayout(t, func(t *testing.T, arch *core.Arch, l *layout.Layout) {
		if arch != core.AMD64 && arch != core.I386 {
			t.Skip("as the other of its pointer size")
		}
		test(t, newHeapScene(t, arch, l))
	})
}

// TestRegions walks regions by their objects, by the bitmap where a region was
// collected in place, and large objects over more than one region.
func TestRegions(t *testing.T) {
	eachHeap(t, func(t *testing.T, h *heapScene) {
		want := sampleHeap(h)
		middle := objectsBase + 0x10000
		// a thread's buffer: the rest is zero
		first := [5]core.Addr{objectsBase, middle, middle, h.never(), allocatedRegion}
		h.next = middle
		live, dead := h.newObject("app.Big"), h.newObject("app.Node")
		moved := h.newObject("app.Big")
		h.u32(moved+4, 3<<30|uint32(live>>3))
		second := [5]core.Addr{middle, middle + 0x1000, h.next, 80, allocatedRegion}
		h.u32(dead, 0xdeadbee8) // overwritten
		h.next = middle + 0x1000
		h.newArray("int[]", 4, 1000)
		large := [5]core.Addr{middle + 0x1000, middle + 0x2000, h.next, h.never(), largeRegion}
		tail := [5]core.Addr{middle + 0x2000, middle + 0x3000, middle + 0x2000, h.never(), tailRegion}
		free := [5]core.Addr{middle + 0x3000, middle + 0x4000, middle + 0x3000, h.never(), freeRegion}
		space := h.regions(middle+0x4000, first, second, large, tail, free)
		h.bitmap(space, h.l.Mirror.RegionSpace.MarkBitmap, objectsBase, live, moved)
		want["app.Big"]++
		want["int[]"]++
		a := h.art()
		expect(t, a, want)
		if _, w := counts(t, a); w.Moved != 1 {
			t.Errorf("%d moved objects, want 1", w.Moved)
		}
		heap, _ := a.Heap()
		for _, at := range []core.Addr{live, live + 12} {
			if o, ok := heap.Find(at); !ok || o.Addr != live || o.Class.Name != "app.Big" {
				t.Errorf("Find(%v) = %v, %v", at, o, ok)
			}
		}
		if o, ok := heap.Find(objectsBase + 0xf000); ok {
			t.Errorf("Find in the rest of a buffer: %v", o)
		}
	})
}

// TestMallocSpaces walks spaces by their bitmap and the allocation stacks.
func TestMallocSpaces(t *testing.T) {
	eachHeap(t, func(t *testing.T, h *heapScene) {
		sampleHeap(h)
		marked, both, fresh := h.newObject("app.Node"), h.newObject("app.Big"), h.newArray("int[]", 4, 2)
		h.newObject("app.Node") // dead
		unborn := h.next
		space := h.space("non moving space", false, objectsBase, h.next+64, objectsBase+objectsSize)
		h.bitmap(space, h.l.Mirror.Space.LiveBitmap, objectsBase, marked, both)
		h.stack(0, "live stack", both)
		h.stack(1, "allocation stack", 0, fresh, unborn)
		expect(t, h.art(), map[string]int{"app.Node": 1, "app.Big": 1, "int[]": 1})
	})
}

// TestImageSpace walks the objects of an image, which lie after its header.
func TestImageSpace(t *testing.T) {
	eachHeap(t, func(t *testing.T, h *heapScene) {
		sampleHeap(h)
		begin := (h.next + 0xfff) &^ 0xfff
		h.next = begin + core.Addr(h.l.Mirror.ImageHeader.Size)
		h.newObject("app.Big")
		h.newArray("int[]", 4, 5)
		h.space("/system/framework/arm64/boot.art", false, begin, h.next, h.next+0x1000)
		expect(t, h.art(), map[string]int{"app.Big": 1, "int[]": 1})
	})
}

// TestBumpPointer walks a main block that ends early and blocks of threads.
func TestBumpPointer(t *testing.T) {
	eachHeap(t, func(t *testing.T, h *heapScene) {
		l := &h.l.Mirror.BumpPointer
		if l.MainBlockSize == layout.Unknown {
			t.Skip("not known of this version")
		}
		want := sampleHeap(h)
		main := (h.next - objectsBase + 0xfff) &^ 0xfff
		h.next = objectsBase + main
		header := core.Addr(0)
		if l.BlockSizes == layout.Unknown {
			header = core.Addr(2 * h.l.PtrSize)
		}
		sizes := []core.Addr{0x200, 0x400}
		for i, n := range sizes {
			begin := h.next
			if header > 0 {
				h.ptr(begin, n)
				h.next += header
			}
			for range i + 1 {
				h.newObject("app.Node")
				want["app.Node"]++
			}
			h.next = begin + header + n
		}
		at := h.space("Bump pointer space 1", false, objectsBase, h.next, objectsBase+objectsSize)
		h.ptr(off(at, l.MainBlockSize), main)
		if header > 0 {
			h.ptr(off(at, l.NumBlocks), core.Addr(len(sizes)))
		} else {
			h.deque(off(at, l.BlockSizes), sizes)
		}
		expect(t, h.art(), want)
	})
}

// TestLargeObjects walks the map and the list of large objects.
func TestLargeObjects(t *testing.T) {
	eachHeap(t, func(t *testing.T, h *heapScene) {
		sampleHeap(h)
		l, w := &h.l.Mirror.LargeObject, core.Addr(h.l.PtrSize)
		h.next = objectsBase + 0x10000
		objects := []core.Addr{h.newArray("int[]", 4, 10), h.newArray("int[]", 4, 20), h.newObject("app.Big")}
		at := h.space("mem map large object space", true, objectsBase, h.next, 0)
		// The middle one is the root.
		var nodes []core.Addr
		for _, o := range objects {
			n := h.nativeAlloc(16 * w)
			h.ptr(n+4*w, o)
			nodes = append(nodes, n)
		}
		root, left, right := off(at, l.Map)+w, core.Addr(0), w
		if h.l.Library == layout.LibStdCxx {
			root, left, right = off(at, l.Map)+2*w, 2*w, 3*w
		}
		h.ptr(root, nodes[1])
		h.ptr(nodes[1]+left, nodes[0])
		h.ptr(nodes[1]+right, nodes[2])

		h.next = objectsBase + 0x20000
		h.newArray("long[]", 8, 700) // two pages
		h.next = objectsBase + 0x23000
		h.newArray("long[]", 8, 5)
		list := h.space("free list large object space", true, objectsBase+0x20000, objectsBase+0x26000, 0)
		infos := h.nativeAlloc(64)
		for _, x := range [][2]uint32{{0, 2}, {2, 1 | 1<<31}, {3, 1 | 1<<30}} {
			h.u32(infos+8*core.Addr(x[0])+4, x[1])
		}
		h.ptr(off(list, l.AllocationInfo), infos)
		h.ptr(off(list, l.FreeEnd), 0x2000)
		a := h.art()
		expect(t, a, map[string]int{"int[]": 2, "app.Big": 1, "long[]": 2})

		// A tree that leads back to itself ends.
		h.ptr(nodes[0]+left, nodes[1])
		if _, walked := counts(t, h.art()); len(walked.Problems) == 0 {
			t.Error("a circle in the map is not a problem")
		}
	})
}

// TestBadObjects walks over what is not an object: each is reported with its place, and
// the rest of the other regions is still found.
func TestBadObjects(t *testing.T) {
	l := layout.NewLayout(34, 8, layout.LibCxx)
	bad := map[string]func(h *heapScene, at core.Addr){
		"its class would be at 0x12345678": func(h *heapScene, at core.Addr) { h.u32(at, 0x12345678) },
		"cannot have the size": func(h *heapScene,
			at core.Addr) {
			h.u32(at, uint32(h.class["int[]"]))
			h.u32(at+8, 0xffffffff)
		},
		"would reach over": func(h *heapScene,
			at core.Addr) {
			h.u32(at, uint32(h.class["int[]"]))
			h.u32(at+8, 0x7fffffff)
		},
	}
	for reason, spoil := range bad {
		h := newHeapScene(t, core.AMD64, l)
		sampleHeap(h)
		victim := h.newObject("app.Big")
		spoil(h, victim)
		end := objectsBase + 0x8000
		h.next = end
		h.newObject("app.Node")
		h.regions(end+0x1000, [5]core.Addr{objectsBase, end, end, h.never(), allocatedRegion},
			[5]core.Addr{end, end + 0x1000, h.next, h.never(), allocatedRegion})
		got, w := counts(t, h.art())
		if len(w.Bad) != 1 || w.Bad[0].Addr != victim || !strings.Contains(w.Bad[0].Reason, reason) {
			t.Errorf("%s: bad %v", reason, w.Bad)
		}
		if got["app.Node"] != 6 {
			t.Errorf("%s: %d Nodes", reason, got["app.Node"])
		}
	}
}

// TestOverlaps walks nothing twice: regions that overlap, and spaces that do, are
// faults.
func TestOverlaps(t *testing.T) {
	h := newHeapScene(t, core.AMD64, layout.NewLayout(34, 8, layout.LibCxx))
	want := sampleHeap(h)
	end := objectsBase + 0x10000
	r := [5]core.Addr{objectsBase, end, end, h.never(), allocatedRegion}
	h.regions(end, r, r, r)
	h.space("Bump pointer space 1", false, objectsBase, end, end)
	h.spaces = append(h.spaces, h.spaces[0], h.spaces[0])
	got, w := counts(t, h.art())
	if !maps.Equal(got, want) || len(w.Problems) != 3 {
		t.Errorf("counts %v, want %v; problems %q", got, want, w.Problems)
	}
}

// TestObjects reads sizes, strings, arrays and chains of super classes.
func TestObjects(t *testing.T) {
	eachHeap(t, func(t *testing.T, h *heapScene) {
		sampleHeap(h)
		sizes := map[core.Addr]uint64{
			h.newObject("app.Node"):                  24,
			h.newArray("int[]", 4, 3):                24,
			h.newArray("long[]", 8, 1):               24,
			h.newString("abcde"):                     24,
			h.newString("größe"):                     32,
			h.newArray("java.lang.Object[]", 4, 100): 416,
			h.class["app.Node"]:                      128,
		}
		ascii, wide := h.newString("plain"), h.newString("日本 😀")
		h.u32(off(h.class["app.Big"], h.l.Class.SuperClass), uint32(h.class["app.Node"]))
		h.u32(off(h.class["app.Node"], h.l.Class.SuperClass), uint32(h.class["app.Big"])) // a circle
		big := h.newObject("app.Big")
		a := h.art()
		for at, want := range sizes {
			o, err := a.Object(at)
			if err != nil {
				t.Fatal(err)
			}
			if n, err := a.Size(o); n != want || err != nil {
				t.Errorf("size of a %s is %d, %v, want %d", o.Class.Name, n, err, want)
			}
		}
		for at, want := range map[core.Addr]object.String{ascii: {Value: "plain", Length: 5, Read: 5},
			wide: {Value: "日本 😀", Length: 5, Read: 5}} {
			if s, err := a.String(at, 100); s != want || err != nil {
				t.Errorf("string %+v, %v, want %+v", s, err, want)
			}
		}
		if s, err := a.String(ascii, 2); s.Value != "pl" || !s.Cut() || err != nil {
			t.Errorf("cut string %+v, %v", s, err)
		}
		k := a.ClassOf(big)
		if n := len(a.Supers(k)); n != 1 {
			t.Errorf("a circle of super classes has %d", n)
		}
		if v := a.Inspect(big, java.Default()); v.Kind != java.ValueObject {
			t.Errorf("%v", v)
		}
	})
}

// TestClassWithoutThreads finds java.lang.Class by the Runtime's sentinel where
// no thread has a peer.
func TestClassWithoutThreads(t *testing.T) {
	eachHeap(t, func(t *testing.T, h *heapScene) {
		sampleHeap(h)
		h.ptr(off(h.self[101], h.l.Thread.Peer), 0)
		h.u32(off(sceneRuntime, h.l.Runtime.IMTUnimplemented+h.l.PtrSize), uint32(h.newObject("java.lang.Object")))
		if a := h.art(); !a.IsClass(h.class["app.Node"]) || a.IsClass(objectsBase+0x8000) {
			t.Error("classes are not told")
		}
	})
}

// TestHistogram counts with bytes, the most first.
func TestHistogram(t *testing.T) {
	h := newHeapScene(t, core.AMD64, layout.NewLayout(30, 8, layout.LibStdCxx))
	sampleHeap(h)
	h.regions(objectsBase+0x10000, [5]core.Addr{objectsBase, objectsBase + 0x10000, objectsBase + 0x10000, h.never(),
		allocatedRegion})
	heap, err := h.art().Heap()
	if err != nil {
		t.Fatal(err)
	}
	rows, _, err := heap.Histogram(context.Background())
	if err != nil || rows[0].Class.Name != "java.lang.Class" || rows[0].Bytes != 9*128 || rows[0].Objects != 9 {
		t.Errorf("%+v, %v", rows[0], err)
	}
	for _, r := range rows {
		if r.Class.Name == "app.Node" && (r.Objects != 5 || r.Bytes != 120) {
			t.Errorf("app.Node: %d objects, %d bytes", r.Objects, r.Bytes)
		}
	}
}

// FuzzHeap walks and shows a heap with some wrong bytes: everything ends, and nothing panics.
func FuzzHeap(f *testing.F) {
	f.Add(uint32(0), uint64(0), uint8(0))
	f.Add(uint32(0x2000), uint64(0xffffffffffffffff), uint8(1))
	f.Add(uint32(objectsSize+0x1000), uint64(0x13000000), uint8(2))
	f.Add(uint32(objectsSize+0x1a00), uint64(1), uint8(3))
	f.Fuzz(func(t *testing.T, at uint32, v uint64, kind uint8) {
		sdk := layout.OldestSDK + int(kind)%(layout.NewestSDK-layout.OldestSDK+1)
		arch := []*core.Arch{core.AMD64, core.I386}[kind>>4&1]
		h := newHeapScene(t, arch, layout.NewLayout(sdk, arch.PtrSize,
			[]layout.Library{layout.LibCxx, layout.LibStdCxx}[kind>>5&1]))
		sampleHeap(h)
		s := h.regions(objectsBase+0x10000, [5]core.Addr{objectsBase, objectsBase + 0x10000, objectsBase + 0x10000,
			h.never(), allocatedRegion})
		h.bitmap(s, h.l.Mirror.RegionSpace.MarkBitmap, objectsBase, objectsBase+8)
		h.space("Bump pointer space 1", false, objectsBase, objectsBase+0x1000, objectsBase+0x2000)
		h.space("mem map large object space", true, objectsBase, objectsBase+0x1000, 0)
		h.space("free list large object space", true, objectsBase, objectsBase+0x1000, 0)
		a := h.art()
		where := objectsBase + core.Addr(at)
		if at >= objectsSize {
			where = nativesBase + core.Addr(at-objectsSize)%nativesSize
		}
		b := h.mem[objectsBase]
		if where >= nativesBase {
			b = h.mem[nativesBase]
			where -= nativesBase
		} else {
			where -= objectsBase
		}
		for i := range min(8, len(b)-int(where)) {
			b[int(where)+i] = byte(v >> (8 * i))
		}
		heap, err := a.Heap()
		if err != nil {
			return
		}
		n := 0
		_, _ = heap.Walk(context.Background(), func(o object.Object, _ uint64) bool {
			n++
			a.Inspect(o.Addr, java.Options{Depth: 3, MaxItems: 10, MaxString: 10, MaxValues: 100})
			_ = a.References(o, func(_, _ core.Addr) bool { return true })
			_, _ = a.Monitor(o.Addr)
			return n < 1000
		})
		a.WhatIs(objectsBase + core.Addr(at)%objectsSize)
		_, _ = a.Classes(context.Background())
		_, _ = a.Backlogs(context.Background())
		_, _ = a.Loaders(context.Background())
		_, _ = a.JNIGlobals()
	})
}
