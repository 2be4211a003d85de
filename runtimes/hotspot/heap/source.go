package heap

import (
	"fmt"
	"slices"
	"sync"

	"coredbg/core"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/hotspot/object"
	"coredbg/runtimes/java/query"
)

// A Source is the Java heap as a graph: an object's type is its class.
//
// An object has an edge to its class, a java.lang.Class, unless the virtual machine itself has loaded that:
// such classes are roots. A class has edges to the objects of its static fields, and to the constants of its
// code; a class loader to the classes that it has loaded. The referent of a java.lang.ref.Reference is no
// edge: soft ones are let go before memory runs out. An object that waits to be finalized is an edge of its
// Finalizer.
type Source struct {
	h     *Heap
	brief func(core.Addr) string
	parts []Space
	total uint64 // bytes of the parts

	kinds graph.Types[*object.Class, kind]

	mu               sync.Mutex
	missing, skipped uint64
	notes            []string
}

// Source returns the heap for building a graph; brief describes an object in a few words.
func (h *Heap) Source(brief func(core.Addr) string) *Source {
	s := &Source{h: h, brief: brief, notes: slices.Clone(h.Notes)}
	w := &walk{h: h}
	for _, space := range h.Spaces {
		s.parts = append(s.parts, w.split(space)...)
		s.total += uint64(space.Top - space.Begin)
	}
	return s
}

// partSize is about how large the parts are that one processor walks at a time.
const partSize = 1 << 20

// split returns a space in parts that begin where a walk passes by.
func (w *walk) split(s Space) (out []Space) {
	begin, next := s.Begin, s.Begin+partSize
	w.objects(s.Begin, s.Top, func(at core.Addr, _ uint64, _ *object.Class) {
		if at >= next {
			out = append(out, Space{Name: s.Name, Begin: begin, Top: at})
			begin, next = at, at+partSize
		}
	})
	w.missing, w.skipped, w.notes = 0, 0, nil // what the reader of the part notes
	return append(out, Space{Name: s.Name, Begin: begin, Top: s.Top})
}

// Spans returns the parts of the heap that objects are in.
func (s *Source) Spans() []graph.Span {
	out := make([]graph.Span, len(s.parts))
	for i, p := range s.parts {
		out[i] = graph.Span{Start: p.Begin, End: p.Top}
	}
	return out
}

// Type describes the class with number t.
func (s *Source) Type(t int32, _ core.Addr) graph.Type {
	k := s.kinds.Of(t)
	if k == nil {
		return graph.Type{}
	}
	return graph.Type{Class: k.class.Name, Internal: k.internal()}
}

// Damage counts the bytes that could not be walked.
func (s *Source) Damage() *graph.Damage {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.skipped == 0 && s.missing == 0 && len(s.notes) == 0 {
		return nil
	}
	return &graph.Damage{Missing: s.missing, Skipped: s.skipped, Total: s.total, Notes: slices.Clone(s.notes)}
}

// lack notes that roots could not be read, which makes unreachable what they keep.
func (s *Source) lack(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.notes) < maxNotes {
		s.notes = append(s.notes, "roots are missing: "+fmt.Sprintf(format, args...))
	}
}

// A kind is a class with its number and its references.
type kind struct {
	class  *object.Class
	number int32
	strong []uint32 // offsets of references
	array  bool     // of references
	rooted bool     // the virtual machine itself has loaded the class
	loader bool     // its objects are class loaders
	direct *direct  // its objects may own memory outside of the heap
	final  *final   // its objects keep what waits to be finalized
}

// internal reports whether the class is the virtual machine's own: what it fills gaps with, and java.lang.Class.
func (k *kind) internal() bool {
	switch k.class.Name {
	case "java.lang.Class", "jdk.internal.vm.FillerObject", "jdk.internal.vm.FillerElement[]":
		return true
	}
	return false
}

// newKind describes the objects of a class.
func (w *Walker) newKind(c *object.Class, number int32) *kind {
	n := &kind{class: c, number: number, strong: w.RefOffsets(c)}
	n.array = c.IsArray() && c.Primitive == 0
	n.rooted = c.Loader == 0 && !c.Own
	n.direct, n.final = w.directOf(c), w.finalOf(c)
	n.loader = w.IsA(c, "java.lang.ClassLoader")
	return n
}

// A reader reads objects of parts, for one goroutine.
type reader struct {
	s     *Source
	w     *walk
	near  map[*object.Class]*kind
	kinds graph.TypeView[*object.Class, kind]
	query.Fields
}

// Reader returns a reader of parts.
func (s *Source) Reader() graph.Reader {
	return &reader{s: s, w: &walk{h: s.h}, near: map[*object.Class]*kind{},
		kinds:  graph.TypeView[*object.Class, kind]{Types: &s.kinds},
		Fields: query.Fields{Heap: s.h.w.JavaHeap()}}
}

// Objects visits the objects of a part.
func (r *reader) Objects(span int, visit func(core.Addr, uint64, int32)) {
	p, w := &r.s.parts[span], r.w
	w.missing, w.skipped, w.notes = 0, 0, nil
	var last *kind
	w.objects(p.Begin, p.Top, func(at core.Addr, size uint64, c *object.Class) {
		if last == nil || last.class != c {
			last = r.kind(c)
		}
		visit(at, size, last.number)
	})
	if w.missing == 0 && w.skipped == 0 {
		return
	}
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	r.s.missing += w.missing
	r.s.skipped += w.skipped
	r.s.notes = append(r.s.notes, w.notes[:min(len(w.notes), maxNotes-min(len(r.s.notes), maxNotes))]...)
}

func (r *reader) kind(c *object.Class) *kind {
	k := r.near[c]
	if k == nil {
		k = r.s.kinds.Get(c, func(n int32) *kind { return r.s.h.w.newKind(c, n) })
		r.near[c] = k
	}
	return k
}

// External returns the memory that a direct buffer owns outside of the heap, 0 for other objects.
func (r *reader) External(at core.Addr, typ int32) uint64 {
	k := r.kinds.Of(typ)
	if k == nil || k.direct == nil {
		return 0
	}
	return k.direct.bytes(r.s.h.w, at)
}

// Edges visits what an object refers to strongly, its class first, unless that is a root anyway.
func (r *reader) Edges(at core.Addr, size uint64, typ int32, visit func(from, to core.Addr)) {
	k := r.kinds.Of(typ)
	if k == nil {
		return
	}
	if !k.rooted && k.class.Mirror != 0 {
		visit(at, k.class.Mirror)
	}
	w := r.s.h.w
	if k.array {
		r.elements(k.class, at, size, visit)
		return
	}
	for _, off := range k.strong {
		if to := r.ref(at + core.Addr(off)); to != 0 {
			visit(at, to)
		}
	}
	if k.final != nil {
		if to := k.final.waiting(w, at); to != 0 {
			visit(at, to)
		}
	}
	if k.class.IsMirror() {
		w.mirrorEdges(at, func(_ graph.Reference, to core.Addr) { visit(at, to) })
	}
	if k.loader {
		for _, to := range w.loadedBy(at) {
			visit(at, to)
		}
	}
}

// ref reads a reference; 0 if the core does not have it.
func (r *reader) ref(at core.Addr) core.Addr {
	b := r.w.from(at)
	return r.s.h.w.RefIn(b)
}

// elements visits the references of an array.
func (r *reader) elements(c *object.Class, at core.Addr, size uint64, visit func(from, to core.Addr)) {
	length, ok := r.s.h.w.LengthIn(r.w.from(at))
	if !ok {
		return
	}
	a := object.Array{Object: object.Object{Addr: at, Class: c}, Length: length}
	begin, end := a.At(0), min(a.At(a.Length), at+core.Addr(size))
	for p := begin; p < end; p += core.Addr(c.ElementSize) {
		if to := r.ref(p); to != 0 {
			visit(at, to)
		}
	}
}

// mirrorEdges visits the objects of static fields and the constants of code, which a java.lang.Class keeps.
func (w *Walker) mirrorEdges(at core.Addr, visit func(r graph.Reference, to core.Addr)) {
	o, err := w.Object(at)
	if err != nil {
		return
	}
	k, _, _ := w.Mirrored(o)
	if k == nil {
		return
	}
	for _, f := range w.StaticRefs(k) {
		if to, ok := w.Ref(at + core.Addr(f.Offset)); ok && to != 0 {
			visit(graph.Reference{Kind: graph.StaticField, Name: f.Name, Class: k.Name}, to)
		}
	}
	if to := w.ResolvedReferences(k); to != 0 {
		visit(graph.Reference{Name: "constants"}, to)
	}
}
