package art

import (
	"bytes"
	"context"
	"encoding/binary"
	"testing"

	"coredbg/core"
	"coredbg/runtimes/art/layout"
	"coredbg/runtimes/art/object"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/java"
)

// fields sets the number of references that instances of a class have in addition to its super class's.
func (h *heapScene) fields(class core.Addr, n uint32) {
	h.u32(off(class, h.l.Mirror.Class.NumRefInstance), n)
}

// A graphScene is a set of objects that refer to one another: a JNI global reference leads to head, and head to
// the others, except for dead, and for weak, which a WeakReference leads to.
type graphScene struct {
	head, next, array, element, ref, weak, dead core.Addr
	old, moved                                  core.Addr // an object's place before it was moved, and its new one
	loader, plug                                core.Addr // a class loader, and a class of its
}

func layGraph(h *heapScene) (s graphScene) {
	o := h.class["java.lang.Object"]
	h.fields(h.newClass("app.Node", o, 20, 0), 3)
	h.fields(h.newClass("java.lang.ref.Reference", o, 24, object.FlagWeak), 3)
	h.newClass("java.lang.ref.WeakReference", h.class["java.lang.ref.Reference"], 24, object.FlagWeak)
	h.newClass("java.lang.ClassLoader", o, 16, object.FlagClassLoader)
	h.newArrayClass("java.lang.Object", object.NotPrimitive)
	s.plug = h.newClass("app.Plug", o, 8, 0)
	node := func() core.Addr { return h.newObject("app.Node") }
	s.head, s.next, s.element, s.weak, s.dead = node(), node(), node(), node(), node()
	s.array, s.ref = h.newArray("java.lang.Object[]", 4, 3), h.newObject("java.lang.ref.WeakReference")
	s.old, s.moved, s.loader = node(), node(), h.newObject("java.lang.ClassLoader")
	h.u32(s.old+4, 3<<30|uint32(s.moved>>3))
	h.u32(off(s.plug, h.l.Mirror.Class.ClassLoader), uint32(s.loader))
	refs := func(at core.Addr, to ...core.Addr) {
		for i, r := range to {
			h.u32(at+core.Addr(4*i), uint32(r))
		}
	}
	refs(s.head+8, s.next, s.array, s.loader)
	refs(s.next+8, s.head, s.ref)
	refs(s.array+12, 0, s.element, s.old)
	refs(s.element+8, s.next)
	refs(s.ref+20, s.weak)
	refs(s.dead+8, s.head)
	h.ptr(off(sceneRuntime, h.l.Runtime.JavaVM), sceneVM)
	h.irt(off(sceneVM, h.l.Mirror.JNI.Globals), [2]core.Addr{0, 0}, [2]core.Addr{s.head, 1})
	end := (h.next + 0xfff) &^ 0xfff
	h.regions(end, [5]core.Addr{objectsBase, end, h.next, h.never(), allocatedRegion})
	return s
}

// TestGraph checks which objects are kept, their keepers, and their retained sizes.
func TestGraph(t *testing.T) {
	eachHeap(t, func(t *testing.T, h *heapScene) {
		s := layGraph(h)
		a := h.art()
		g, err := a.Graph(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if again, _ := a.Graph(context.Background()); again != g {
			t.Error("the graph is built twice")
		}
		id := func(at core.Addr) graph.ID {
			n, ok := g.ID(at)
			if !ok {
				t.Fatalf("%v is not in the graph", at)
			}
			return n
		}
		for at, want := range map[core.Addr]bool{s.head: true, s.next: true, s.array: true, s.element: true,
			s.ref: true, s.moved: true,
			s.loader: true, s.plug: true, s.weak: false, s.dead: false, h.class["app.Node"]: true} {
			if got := g.Reachable(id(at), graph.Certain); got != want {
				t.Errorf("%s at %v: kept %v, want %v", java.Inspector{Heap: a.JavaHeap()}.Brief(at), at, got, want)
			}
		}
		if _, ok := g.ID(s.old); ok {
			t.Error("an object that was moved is in the graph at both places")
		}
		for at, want := range map[core.Addr]core.Addr{s.next: s.head, s.array: s.head, s.element: s.array,
			s.moved: s.array, s.ref: s.next, s.plug: s.loader} {
			if got, ok := g.Tree().Dominator(id(at)); !ok || g.Addr(got) != want {
				t.Errorf("%v is dominated by %d, want %v", at, got, want)
			}
		}
		// Four nodes of 24 bytes, an array of 24, a WeakReference of 24, a loader of 16
		// with a class of 128.
		if got, want := g.Tree().Retained(id(s.head)), uint64(4*24+24+24+16+128); got != want {
			t.Errorf("the first node retains %d bytes, want %d", got, want)
		}
		roots := g.Roots(id(s.head))
		if len(roots) != 1 || roots[0].Kind != "JNI global" || roots[0].Name != "1" ||
			roots[0].Strength != graph.Certain {
			t.Errorf("roots of the first node: %+v", roots)
		}
		if d := g.Damage(); d != nil && d.Skipped+d.Missing > 0 {
			t.Errorf("damage %+v", d)
		}
		describesGraph(t, a, g, s)
	})
}

// TestStackWords leaves the address of a dead object on the stack of a thread, and another in a register of it. They
// may be references while the thread is Runnable, and if what its frames hold cannot be read. Otherwise a collection
// would free the objects.
func TestStackWords(t *testing.T) {
	for _, c := range []struct {
		name string
		lay  func(*heapScene)
		kept bool
	}{
		{"native", func(*heapScene) {}, false},
		{"runnable", func(h *heapScene) { h.state(h.self[101], "Runnable") }, true},
		{"interpreted", func(h *heapScene) { h.shadowFrame(h.sp[101]+0x200, 12) }, false},
		{"cut off", func(h *heapScene) { h.shadowFrame(h.sp[101]+0x200, 0x8000) }, true},
		{"nowhere", func(h *heapScene) { h.shadowFrame(0x7ffff000, 0) }, true},
		{"handle scopes", func(h *heapScene) { h.topScope(h.scope(h.scope(0, 1), 2)) }, false},
		{"a scope that grows", func(h *heapScene) { h.topScope(h.growing(h.scope(0, 1))) }, false},
		{"a scope that grows in another", func(h *heapScene) { h.topScope(h.growing(h.growing(0))) }, true},
		{"scopes that loop", func(h *heapScene) {
			inner := h.scope(0, 1)
			h.ptr(inner, h.scope(inner, 1))
			h.topScope(inner)
		}, true},
		{"a scope whose list is nowhere", func(h *heapScene) { h.topScope(h.growing(0x7ffff000)) }, true},
		{"a scope of too many", func(h *heapScene) { h.topScope(h.scope(0, 1<<12+1)) }, true},
		{"a scope of too many that begins with null", func(h *heapScene) {
			at := h.scope(0, 1<<12+1)
			h.u32(at+core.Addr(h.l.PtrSize)+4, 0)
			h.topScope(at)
		}, true},
		{"JNI references of too many", func(h *heapScene) {
			l := &h.l.Mirror.JNI
			top := l.TopIndex
			if l.LRTTables != layout.Unknown {
				top = l.LRTTop
			}
			h.u32(off(sceneEnvs, l.Locals+top), 0xffffffff)
		}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			eachHeap(t, func(t *testing.T, h *heapScene) {
				s := layGraph(h)
				c.lay(h)
				h.keptByWords(t, s, c.kept)
			})
		})
	}
}

// TestStackWordsOfFrames has a frame of a native method, which names where its caller has the arguments, and one of
// compiled code, whose references a stack map would name.
func TestStackWordsOfFrames(t *testing.T) {
	for _, c := range []struct {
		name string
		lay  func(*heapScene)
		kept bool
	}{
		{"native", func(h *heapScene) { h.quickFrame("bare", 1) }, false},
		{"native without a signature", func(h *heapScene) {
			h.quickFrame("bare", 1)
			delete(h.mem, sceneDex)
		}, true},
		{"compiled without a stack map", func(h *heapScene) {
			h.compiled("mixed")
			h.quickFrame("mixed", 0)
		}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHeapScene(t, core.AMD64, layout.NewLayout(34, 8, layout.LibCxx))
			s := layGraph(h)
			c.lay(h)
			h.keptByWords(t, s, c.kept)
		})
	}
}

// keptByWords leaves the addresses of two objects on a thread's stack and in a register of it, and checks whether they
// keep the objects.
func (h *heapScene) keptByWords(t *testing.T, s graphScene, kept bool) {
	t.Helper()
	h.u32(h.sp[101]+0x40, uint32(s.dead))
	a := h.art()
	a.Process.Thread(101).Regs.Set(2, uint64(s.weak))
	g, err := a.Graph(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []core.Addr{s.dead, s.weak} {
		if id, ok := g.ID(at); !ok || g.Reachable(id, graph.Certain) || g.Reachable(id, graph.Stacked) != kept {
			t.Errorf("the object at %v: kept by a word %v, want %v", at, !kept, kept)
		}
	}
}

// topScope gives the thread a HandleScope.
func (h *heapScene) topScope(at core.Addr) { h.ptr(off(h.self[101], h.l.Thread.TopHandleScope), at) }

// scope lays a HandleScope with room for n references. The first is in use.
func (h *heapScene) scope(link core.Addr, n uint32) core.Addr {
	word := core.Addr(h.l.PtrSize)
	at := h.nativeAlloc(word + 4 + 4*core.Addr(n))
	h.ptr(at, link)
	h.u32(at+word, n)
	h.u32(at+word+4, uint32(h.class["app.Node"]))
	return at
}

// growing lays a HandleScope that grows: a list of others.
func (h *heapScene) growing(list core.Addr) core.Addr {
	word := core.Addr(h.l.PtrSize)
	at := h.nativeAlloc(4 * word)
	h.u32(at+word, 0xffffffff)
	h.ptr(at+2*word, h.self[101])
	h.ptr(at+3*word, list)
	return at
}

// quickFrame gives the thread a quick frame of a method, with the tag that its ManagedStack has.
func (h *heapScene) quickFrame(method string, tag core.Addr) {
	at := h.sp[101] + 0x400
	h.ptr(at, h.methodAt(method))
	h.fragment(off(h.self[101], h.l.Thread.ManagedStack), at|tag, 0, 0)
}

// compiled gives a method code of the JIT with a frame of 48 bytes and no stack maps; see TestSharedStub.
func (h *heapScene) compiled(method string) {
	const jit, entry = core.Addr(0x20000000), core.Addr(0x20000100)
	code := make([]byte, 0x1000)
	copy(code[0x80:], []byte{0xc0, 0x03, 0, 0, 0x04})
	binary.LittleEndian.PutUint32(code[0xfc:], 0x80|1<<30)
	h.mem[jit] = code
	h.ptr(off(h.methodAt(method), h.l.ArtMethod.EntryPoint), entry)
}

// shadowFrame gives the thread a ShadowFrame of a method with a number of registers; without any the frame is not laid.
func (h *heapScene) shadowFrame(at core.Addr, registers uint32) {
	h.fragment(off(h.self[101], h.l.Thread.ManagedStack), 0, 0, at)
	if registers != 0 {
		h.shadow(at, 0, "mixed", pcMixed)
		h.u32(off(at, h.l.ShadowFrame.NumVRegs), registers)
	}
}

// describesGraph checks the texts for objects and paths.
func describesGraph(t *testing.T, a *ART, g *graph.Graph, s graphScene) {
	t.Helper()
	src := g.Source()
	for at, want := range map[core.Addr]string{s.array: "java.lang.Object[3]", s.plug: "class app.Plug",
		s.head: "app.Node"} {
		if got := src.Describe(at); got != want {
			t.Errorf("Describe(%v) = %q, want %q", at, got, want)
		}
	}
	steps := src.Steps([]core.Addr{s.head, s.array, s.element})
	if len(steps) != 3 || steps[0].Class != "app.Node" || steps[1].Reference.String() != "field +0xc" ||
		steps[2].Reference.String() != "element 1" {
		t.Errorf("steps %+v", steps)
	}
	if steps := src.Steps([]core.Addr{s.loader, s.plug}); steps[1].Reference.String() != "class table" ||
		steps[1].Class != "class app.Plug" {
		t.Errorf("steps %+v", steps)
	}
	weak := 0
	src.References(s.ref, 24, func(r graph.Edge) {
		if r.To == s.weak && r.Weak {
			weak++
		}
	})
	if weak != 1 {
		t.Errorf("%d weak references in a WeakReference", weak)
	}
}

// TestGraphParts walks a long run of objects in parts.
func TestGraphParts(t *testing.T) {
	eachHeap(t, func(t *testing.T, h *heapScene) {
		sampleHeap(h)
		const size = 0x180000
		begin := objectsBase + objectsSize
		h.mem[begin] = make([]byte, size)
		h.next = begin + core.Addr((h.l.Mirror.ImageHeader.Size+7)&^7)
		want := 0
		for h.next < begin+size-0x8000 {
			h.newObject("app.Node")
			h.newArray("int[]", 4, 1000+want%1000)
			want += 2
		}
		h.space("/system/framework/arm64/boot.art", false, begin, h.next, h.next+0x1000)
		a := h.art()
		g, err := a.Graph(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if g.Len() != want || g.Kept(graph.Certain) != want || len(g.Source().Spans()) < 5 {
			t.Errorf("%d objects in %d parts, %d kept, want %d", g.Len(), len(g.Source().Spans()),
				g.Kept(graph.Certain), want)
		}
	})
}

// TestDamagedGraph spoils an object in the middle of a region.
func TestDamagedGraph(t *testing.T) {
	eachHeap(t, func(t *testing.T, h *heapScene) {
		s := layGraph(h)
		h.u32(s.ref, 0xdeadbee8)
		g, err := h.art().Graph(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		d := g.Damage()
		if d == nil || d.Skipped == 0 || d.Total <= d.Skipped || len(d.Notes) == 0 {
			t.Errorf("damage %+v", d)
		}
		if _, ok := g.ID(s.head); !ok {
			t.Error("the objects before are lost")
		}
	})
}

// TestHprof reads what is written of a heap.
func TestHprof(t *testing.T) {
	eachHeap(t, func(t *testing.T, h *heapScene) {
		s := layGraph(h)
		a := h.art()
		var out bytes.Buffer
		if err := a.WriteHprof(context.Background(), &out); err != nil {
			t.Fatal(err)
		}
		f, err := ReadHprof(out.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		x := f.Objects[uint32(s.array)]
		if x == nil || len(x.Objects) != 3 || x.Objects[1] != uint32(s.element) ||
			f.Names[x.Class] != "java.lang.Object[]" {
			t.Errorf("the array is %+v", x)
		}
		if c := f.Classes[uint32(s.plug)]; c == nil || c.Loader != uint32(s.loader) ||
			c.Super != uint32(h.class["java.lang.Object"]) {
			t.Errorf("the class of the loader is %+v", c)
		}
		if kept := f.Objects[uint32(s.loader)+4]; kept == nil || len(kept.Objects) != 1 ||
			kept.Objects[0] != uint32(s.plug) {
			t.Errorf("the class loader keeps %+v", kept)
		}
		if got := f.Roots[0x01]; len(got) != 1 || got[0] != uint32(s.head) {
			t.Errorf("JNI global references %#x", got)
		}
		// without the first class, which has no class here, and the loader's
		if n := len(f.Roots[0x05]); n != len(h.class)-2 {
			t.Errorf("%d classes of the boot class path, want %d", n, len(h.class)-2)
		}
		if err := a.WriteHprof(context.Background(), failing{}); err == nil {
			t.Error("a failure to write is lost")
		}
	})
}

// failing takes no bytes.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, context.DeadlineExceeded }
