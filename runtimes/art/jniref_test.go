package art

import (
	"slices"
	"testing"

	"coredbg/core"
	"coredbg/runtimes/art/heap"
	"coredbg/runtimes/art/layout"
)

// TestJNIReferences lays the tables of each version: global and weak ones with
// holes, serials and a cleared reference, local ones in small and large tables.
func TestJNIReferences(t *testing.T) {
	eachHeap(t, func(t *testing.T, h *heapScene) {
		l := h.l
		first, second, sentinel := h.newObject("java.lang.Object"), h.newObject("java.lang.Object"),
			h.newObject("java.lang.Object")
		h.u32(off(sceneRuntime, l.Runtime.IMTUnimplemented+l.PtrSize), uint32(sentinel))
		h.ptr(off(sceneRuntime, l.Runtime.JavaVM), sceneVM)
		globals, weaks := off(sceneVM, l.Mirror.JNI.Globals), off(sceneVM, l.Mirror.JNI.WeakGlobals)
		h.irt(globals, [2]core.Addr{first, 1}, [2]core.Addr{0, 0}, [2]core.Addr{second, 2})
		h.irt(weaks, [2]core.Addr{sentinel, 0}, [2]core.Addr{first, 1})
		env := sceneEnvs
		locals := off(env, l.Mirror.JNI.Locals)
		if l.Mirror.JNI.LRTTables == layout.Unknown {
			h.irt(locals, [2]core.Addr{second, 1})
		} else {
			table := h.nativeAlloc(64)
			h.u32(table, uint32(second))
			h.u32(table+4, 1|8<<2)          // free
			h.u32(table+8, uint32(first))   //
			h.u32(table+16, 2|3<<2)         // a chunk of CheckJNI: the third reference lives
			h.u32(table+28, uint32(second)) //
			h.ptr(off(locals, l.Mirror.JNI.LRTSmall), table)
			h.u32(off(locals, l.Mirror.JNI.LRTTop), 8)
		}
		a := h.art()
		got, err := a.JNIGlobals()
		if err != nil {
			t.Fatal(err)
		}
		var objects []core.Addr
		for _, r := range got {
			objects = append(objects, r.Object)
		}
		if !slices.Equal(objects, []core.Addr{first, second, sentinel, first}) || got[0].Kind != heap.JNIGlobal ||
			got[3].Kind != heap.JNIWeak {
			t.Errorf("globals %+v", got)
		}
		if !got[2].Cleared || got[3].Cleared || got[0].Cleared {
			t.Errorf("cleared: %+v", got)
		}
		threads, _ := a.Threads()
		refs, err := a.JNILocals(threads[0])
		if err != nil {
			t.Fatal(err)
		}
		objects = nil
		for _, r := range refs {
			objects = append(objects, r.Object)
		}
		want := []core.Addr{second}
		if l.Mirror.JNI.LRTTables != layout.Unknown {
			want = []core.Addr{second, first, second}
		}
		if !slices.Equal(objects, want) {
			t.Errorf("locals %+v, want %v", refs, want)
		}
	})
}

// irt lays an IndirectReferenceTable of {object, serial}.
func (h *heapScene) irt(at core.Addr, refs ...[2]core.Addr) {
	l := &h.l.Mirror.JNI
	table := h.nativeAlloc(core.Addr(len(refs) * l.EntrySize))
	h.ptr(off(at, l.Table), table)
	h.u32(off(at, l.TopIndex), uint32(len(refs)))
	for i, r := range refs {
		e := off(table, i*l.EntrySize)
		h.u32(e, uint32(r[1]))
		slot := r[1]
		if l.EntrySize == 8 {
			slot = 0
		}
		h.u32(e+4+4*slot, uint32(r[0]))
	}
}

// TestLocalTables goes through the tables of a LocalReferenceTable that grew.
func TestLocalTables(t *testing.T) {
	h := newHeapScene(t, core.AMD64, layout.NewLayout(35, 8, layout.LibCxx))
	l := &h.l.Mirror.JNI
	o := h.newObject("java.lang.Object")
	at := off(sceneEnvs, l.Locals)
	tables := h.nativeAlloc(64)
	h.ptr(off(at, l.LRTTables), tables)
	for i, n := range []core.Addr{128, 128, 256} {
		table := h.nativeAlloc(4 * n)
		h.ptr(tables+core.Addr(8*i), table)
		for k := range n {
			h.u32(table+4*k, uint32(o))
		}
	}
	h.u32(off(at, l.LRTTop), 300)
	a := h.art()
	threads, _ := a.Threads()
	refs, err := a.JNILocals(threads[0])
	if err != nil || len(refs) != 300 || refs[299].Index != 299 {
		t.Errorf("%d references, %v", len(refs), err)
	}
	h.u32(off(at, l.LRTTop), 0xffffffff)
	if _, err := h.art().JNILocals(threads[0]); err == nil {
		t.Error("four thousand million references are not an error")
	}
}
