package heap

import (
	"coredbg/core"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/hotspot/object"
)

// Shown returns the address that users know: the object's own.
func (s *Source) Shown(at core.Addr) core.Addr { return at }

// Start is the reverse of Shown.
func (s *Source) Start(shown core.Addr) core.Addr { return shown }

// Describe says what an object is in a few words.
func (s *Source) Describe(at core.Addr) string { return s.brief(at) }

// maxElements bounds the references of one array that are shown.
const maxElements = 1 << 24

// References visits what an object refers to: its class, its fields or elements, of a class its static fields
// and constants, of a class loader its classes.
func (s *Source) References(at core.Addr, _ uint64, visit func(graph.Edge)) {
	w := s.h.w
	o, err := w.Object(at)
	if err != nil {
		return
	}
	if o.Class.Mirror != 0 {
		visit(graph.Edge{Reference: toClass, To: o.Class.Mirror})
	}
	s.fields(o, visit)
	if o.Class.IsMirror() {
		w.mirrorEdges(at, func(r graph.Reference, to core.Addr) { visit(graph.Edge{Reference: r, To: to}) })
	}
	if w.IsA(o.Class, "java.lang.ClassLoader") {
		for _, to := range w.loadedBy(at) {
			visit(graph.Edge{Reference: graph.Reference{Name: "loaded class"}, To: to})
		}
	}
}

// fields visits the references in an object's own memory.
func (s *Source) fields(o object.Object, visit func(graph.Edge)) {
	w := s.h.w
	if o.Class.IsArray() {
		a, err := w.Array(o.Addr)
		if err != nil || a.Element != 0 {
			return
		}
		for i := range min(a.Length, maxElements) {
			if to, ok := w.Ref(a.At(i)); ok && to != 0 {
				visit(graph.Edge{Reference: w.slot(o, a.At(i)), To: to})
			}
		}
		return
	}
	for _, off := range w.RefOffsets(o.Class) {
		slot := o.Addr + core.Addr(off)
		if to, ok := w.Ref(slot); ok && to != 0 {
			visit(graph.Edge{Reference: w.slot(o, slot), To: to})
		}
	}
	if off, ok := w.ReferentOffset(o.Class); ok {
		if to, ok := w.Ref(o.Addr + core.Addr(off)); ok && to != 0 {
			r := graph.Reference{Kind: graph.Field, Name: "referent"}
			visit(graph.Edge{Reference: r, To: to, Weak: to != w.finalizable(o)})
		}
	}
}

// Steps says what the objects of a way are, and how each is referred to by the one before.
func (s *Source) Steps(path []core.Addr) []graph.Step {
	w := s.h.w
	out := make([]graph.Step, len(path))
	for i, at := range path {
		out[i].Class = "object"
		if o, err := w.Object(at); err == nil {
			out[i].Class = o.Class.Name
			if k, primitive, ok := w.Mirrored(o); ok && k != nil {
				out[i].Class = "class " + k.Name
			} else if ok {
				out[i].Class = "class " + primitive
			}
		}
		if i > 0 {
			out[i].Reference = s.between(path[i-1], at)
		}
	}
	return out
}

// toClass is how an object refers to its class.
var toClass = graph.Reference{Name: "class"}

// between says how an object refers to another, if it does. The class of an object counts last.
func (s *Source) between(from, to core.Addr) (r graph.Reference) {
	s.References(from, 0, func(e graph.Edge) {
		if e.To == to && !e.Weak && (!r.Known() || r == toClass) {
			r = e.Reference
		}
	})
	return r
}
