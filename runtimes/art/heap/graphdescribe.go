package heap

import (
	"slices"

	"coredbg/core"
	"coredbg/runtimes/art/object"
	graph "coredbg/runtimes/heap"
)

// Shown returns the address that users know an object by: its own.
func (s *Source) Shown(at core.Addr) core.Addr { return at }

// Start is the reverse of Shown.
func (s *Source) Start(shown core.Addr) core.Addr { return shown }

// Describe says what an object is in a few words.
func (s *Source) Describe(at core.Addr) string { return s.brief(at) }

var (
	// toClass is how an object refers to its class.
	toClass = graph.Reference{Name: "class"}
	// toDefined is how a class loader refers to the classes that it defined.
	toDefined = graph.Reference{Name: "class table"}
)

// References visits what an object refers to: its class, its fields or elements, of a
// class its static fields, of a class loader what it keeps.
func (s *Source) References(at core.Addr, _ uint64, visit func(graph.Edge)) {
	w := s.h.w
	o, err := w.Object(at)
	if err != nil {
		return
	}
	visit(graph.Edge{Reference: toClass, To: o.Class.Addr})
	weak, isRef := w.ReferentOffset(o.Class)
	_ = w.References(o, func(slot, to core.Addr) bool {
		visit(graph.Edge{Reference: w.slot(o, slot), To: to, Weak: isRef && slot == at+core.Addr(weak)})
		return true
	})
	if o.Class.Flags&object.FlagClassLoader != 0 {
		for _, c := range s.KeptBy(at) {
			visit(graph.Edge{Reference: toDefined, To: c})
		}
	}
}

// between says how an object refers to another, if it does.
func (s *Source) between(from, to core.Addr) (r graph.Reference) {
	w := s.h.w
	o, err := w.Object(from)
	if err != nil {
		return r
	}
	weak, isRef := w.ReferentOffset(o.Class)
	_ = w.References(o, func(slot, at core.Addr) bool {
		if at == to && !(isRef && slot == from+core.Addr(weak)) {
			r = w.slot(o, slot)
		}
		return !r.Known()
	})
	switch {
	case !r.Known() && o.Class.Addr == to:
		return toClass
	case !r.Known() && o.Class.Flags&object.FlagClassLoader != 0 && slices.Contains(s.KeptBy(from), to):
		return toDefined
	}
	return r
}

// Steps says what the objects of a way are, and how each is referred to by the one
// before.
func (s *Source) Steps(path []core.Addr) []graph.Step {
	out := make([]graph.Step, len(path))
	for i, at := range path {
		out[i].Class = "object"
		if o, err := s.h.w.Object(at); err == nil {
			out[i].Class = o.Class.Name
			if o.Class.Flags&object.FlagClass != 0 {
				out[i].Class = "class " + s.h.w.ClassAt(at).Name
			}
		}
		if i == 0 {
			continue
		}
		out[i].Reference = s.between(path[i-1], at)
	}
	return out
}
