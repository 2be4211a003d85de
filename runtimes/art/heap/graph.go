package heap

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"coredbg/core"
	"coredbg/runtimes/art/object"
	graph "coredbg/runtimes/heap"
)

// A Source is the Java heap as a graph: an object's type is its class.
//
// Each object has an edge to its class, unless the class is on the boot class path, whose classes are roots. A
// class has edges to the targets of its static fields, and a class loader to the classes that it defined, as
// its class table has them. The referent of a java.lang.ref.Reference is not an edge, of whichever kind: soft
// references are cleared before memory runs out, so an object that only they lead to counts as garbage that may
// be kept for a while. Objects that wait to be finalized hang on the zombie field of a FinalizerReference, and
// are kept by that.
type Source struct {
	h     *Heap
	brief func(core.Addr) string
	parts []part
	total uint64 // bytes of the parts

	kinds   graph.Types[core.Addr, kind] // by the address of the class
	moved   atomic.Bool                  // a collection under way had moved objects
	mu      sync.Mutex
	walked  Walked
	skipped uint64
	missing uint64
	classes []core.Addr // all that are in the heap

	loading  sync.Once
	byLoader map[core.Addr][]core.Addr // the classes that class loaders defined
	keeping  sync.Mutex
	kept     map[core.Addr][]core.Addr // objects that the requested class loaders keep
}

// Source returns the heap as the source of a graph; brief describes an object in a few words.
func (h *Heap) Source(brief func(core.Addr) string) *Source {
	s := &Source{h: h, brief: brief}
	w := h.newWalk(context.Background(), nil)
	for _, space := range h.Spaces {
		for _, p := range w.parts(space) {
			s.parts = w.split(s.parts, p)
		}
	}
	slices.SortStableFunc(s.parts, func(x, y part) int { return cmp.Compare(x.start, y.start) })
	// Spaces of a damaged heap may overlap.
	end := core.Addr(0)
	s.parts = slices.DeleteFunc(s.parts, func(p part) bool {
		if p.start < end || p.end <= p.start {
			return true
		}
		end = p.end
		return false
	})
	for _, p := range s.parts {
		s.total += uint64(p.end - p.start)
	}
	s.walked = w.Walked
	return s
}

// partSize is about how large the parts are that one processor walks at a time: a region.
const partSize = 256 << 10

// split adds a part to a list, in pieces if it is large. Where objects follow one
// another the pieces begin where a walk passes by.
func (w *heapWalk) split(out []part, p part) []part {
	if p.end-p.start <= partSize+partSize/2 || p.kind == onePart {
		return append(out, p)
	}
	for at := p.start; at < p.end; {
		piece := p
		piece.start, piece.end = at, min(at+partSize, p.end)
		if p.kind == runPart {
			piece.end = w.skip(at, piece.end, p.end)
			piece.limit = piece.end
		}
		out = append(out, piece)
		at = piece.end
	}
	return out
}

// skip returns the address of the first object at or after to, in a run of objects from an address on; end if
// the run ends before.
func (w *heapWalk) skip(at, to, end core.Addr) core.Addr {
	for at < to {
		n := w.sizeAt(at)
		if n == 0 || n > uint64(end-at) {
			return end
		}
		at += core.Addr(n)
	}
	return at
}

// Spans returns the parts of the heap that objects are in.
func (s *Source) Spans() []graph.Span {
	out := make([]graph.Span, len(s.parts))
	for i, p := range s.parts {
		out[i] = graph.Span{Start: p.start, End: p.end}
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

// Damage says which parts of the heap could not be walked.
func (s *Source) Damage() *graph.Damage {
	if s.skipped == 0 && s.missing == 0 && len(s.walked.Bad) == 0 && len(s.walked.Problems) == 0 {
		return nil
	}
	d := &graph.Damage{Missing: s.missing, Skipped: s.skipped, Total: s.total, Notes: slices.Clone(s.walked.Problems)}
	for _, b := range s.walked.Bad {
		d.Notes = append(d.Notes, "no object at "+b.Addr.String()+": "+b.Reason)
	}
	return d
}

// A kind describes the objects of a class.
type kind struct {
	class  *object.Class
	number int32
	// strong are the offsets of references, without that to the class and without a
	// referent, which is at weak; 0 if there is none.
	strong []uint32
	weak   uint32
	array  bool // of references
	rooted bool // the class is on the boot class path
	has    bool // whether there are references besides that to the class
}

// internal reports whether the class is one of the runtime's own.
func (k *kind) internal() bool {
	return k.class.Flags&(object.FlagClass|object.FlagDexCache) != 0 || k.class.Name == "dalvik.system.ClassExt"
}

// Classes returns the classes that objects of the graph have.
func (s *Source) Classes() []*object.Class {
	var out []*object.Class
	for _, k := range s.kinds.All() {
		out = append(out, k.class)
	}
	slices.SortFunc(out, func(x, y *object.Class) int { return cmp.Compare(x.Addr, y.Addr) })
	return out
}

// newKind describes the objects of a class.
func (w *Walker) newKind(c *object.Class, number int32) *kind {
	n := &kind{class: c, number: number}
	n.strong = slices.Clone(w.ReferenceOffsets(c))
	if off, ok := w.ReferentOffset(c); ok {
		n.weak = off
		n.strong = slices.DeleteFunc(n.strong, func(o uint32) bool { return o == off })
	}
	n.array = c.IsArray() && c.ElementSize == 4 && w.elementType(c) == object.NotPrimitive
	n.rooted = c.Loader == 0 && c.Status != "Retired"
	n.has = n.array || len(n.strong) > 0 || c.Flags&(object.FlagClass|object.FlagClassLoader) != 0
	return n
}

// KeptBy returns the objects that a class loader keeps, in order of address: the classes that it defined, and
// the other entries of its class table, such as classes that it found with another loader; 0 is the boot class
// path. Classes that were replaced by a copy are in no table.
func (s *Source) KeptBy(loader core.Addr) []core.Addr {
	s.loading.Do(func() {
		s.byLoader, s.kept = map[core.Addr][]core.Addr{}, map[core.Addr][]core.Addr{}
		for _, at := range s.classes {
			if c := s.h.w.ClassAt(at); c.Status != "Retired" {
				s.byLoader[c.Loader] = append(s.byLoader[c.Loader], at)
			}
		}
	})
	s.keeping.Lock()
	defer s.keeping.Unlock()
	out, ok := s.kept[loader]
	if ok {
		return out
	}
	out = slices.Clone(s.byLoader[loader])
	t, ok := s.h.w.bootClassTable()
	if loader != 0 {
		t, ok = s.h.w.classTableOf(loader)
	}
	if ok {
		out = append(append(out, s.h.w.tableClasses(t)...), s.h.w.strongRoots(t)...)
	}
	slices.Sort(out)
	out = slices.Compact(out)
	s.kept[loader] = out
	return out
}
