package heap

import (
	"cmp"
	"slices"
	"strings"

	"coredbg/core"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/page"
)

// A Group is all objects of one shape: the same constructor, and the same
// properties in the same order.
type Group struct {
	Constructor string
	Props       []string // own properties, without V8's own
	// Dictionary is set for objects that keep their properties in a hash
	// table: one row for each map, whatever the properties are.
	Dictionary bool
	// Prototype is set for the object that a function has as its property
	// "prototype", which no constructor made.
	Prototype bool
	// Boilerplate is set for objects that V8 keeps to copy when a literal is evaluated.
	Boilerplate bool
	Count       int
	Bytes       uint64    // of the objects alone, without objects they refer to
	First       core.Addr // the first of them, tagged

	maps []int32
	part []core.Addr // the objects, if they are not all of those maps
}

// Groups returns the objects of JavaScript by shape, ordered as mdb_v8 does:
// by the product of objects and properties, the largest last.
func (h *Snapshot) Groups() []Group { return h.groups() }

// maxGroupProps bounds the properties of a shape.
const maxGroupProps = 1 << 10

func (h *Snapshot) makeGroups() []Group {
	byKey := map[string]*Group{}
	order := slices.Clone(h.Maps.List)
	slices.SortFunc(order, func(a, b *page.MapInfo) int {
		return cmp.Or(cmp.Compare(a.Word, b.Word),
			cmp.Compare(a.ID, b.ID))
	})
	for _, m := range order {
		own := h.Of(m.ID)
		if len(own) == 0 {
			continue
		}
		g := h.describe(m, layout.Tag(own[0]))
		g.Count, g.Bytes, g.First, g.maps = len(own), uint64(len(own)*m.Size),
			layout.Tag(own[0]).TaggedAddr(), []int32{m.ID}
		key := g.Constructor + "\x00" + strings.Join(g.Props, "\x00")
		if g.Prototype {
			key = "p" + key
		}
		if g.Dictionary {
			key = m.Word.TaggedAddr().String()
		}
		if g.Boilerplate {
			key = "b" + key
		}
		if old := byKey[key]; old != nil {
			old.Count, old.Bytes = old.Count+g.Count, old.Bytes+g.Bytes
			old.First, old.maps = min(old.First, g.First), append(old.maps, m.ID)
			continue
		}
		byKey[key] = &g
	}
	out := make([]Group, 0, len(byKey))
	for _, g := range byKey {
		out = append(out, *g)
	}
	slices.SortFunc(out, func(a, b Group) int {
		return cmp.Or(cmp.Compare(a.Count*len(a.Props), b.Count*len(b.Props)), cmp.Compare(a.Count, b.Count),
			cmp.Compare(a.First, b.First))
	})
	return out
}

// Receivers returns the objects of JavaScript on a heap whose instance type is wanted, in
// order of address.
func Receivers(h *Snapshot, want func(typ int) bool) []layout.Tagged {
	var out []layout.Tagged
	for _, m := range h.Maps.List {
		if !m.Receiver || !want(m.Typ) {
			continue
		}
		for _, a := range h.Of(m.ID) {
			out = append(out, layout.Tag(a))
		}
	}
	slices.Sort(out)
	return out
}

// describe gives constructor and properties of the instances of a map by one
// of them.
func (h *Snapshot) describe(m *page.MapInfo, o layout.Tagged) Group {
	hs := h.v
	var g Group
	if m.Typ == hs.Types.JSProxy {
		g.Constructor = "Proxy"
		return g
	}
	c := hs.objects.ClassFor(o)
	g.Constructor = c.Name
	if c.Name == "" {
		g.Constructor = hs.objects.MadeBy(o)
	}
	bits, _ := hs.U32Field(m.Word, hs.Layout.Map.BitField3)
	// A function's prototype has a map of its own from when it is used as one.
	own := bits>>uint(hs.Layout.Map.PrototypeMapShift)&1 == 1
	g.Prototype = hs.isPrototype(o) && (own || h.allPrototypes(m.ID))
	g.Boilerplate = m.Boilerplate
	g.Dictionary = bits>>uint(hs.Layout.Map.DictionaryShift)&1 == 1
	if g.Dictionary && len(h.Of(m.ID)) > 1 {
		return g
	}
	list, _, _ := hs.objects.Properties(o, maxGroupProps)
	for _, p := range list {
		if !p.Native {
			g.Props = append(g.Props, p.Key.String())
		}
	}
	return g
}

// Having returns the objects of a group that have an own property of the given name.
// Objects of one shape all have it or not, but in a dictionary each has its own.
func (h *Snapshot) Having(g *Group, name string) (part Group, ok bool) {
	if !g.Dictionary {
		return *g, slices.Contains(g.Props, name)
	}
	part = *g
	part.part, part.Count, part.Bytes = []core.Addr{}, 0, 0
	for _, id := range g.maps {
		for _, a := range h.Of(id) {
			if h.v.objects.HasOwn(layout.Tag(a), name) {
				part.part = append(part.part, layout.Tag(a).TaggedAddr())
				part.Bytes += uint64(h.Maps.List[id].Size)
			}
		}
	}
	if part.Count = len(part.part); part.Count == 0 {
		return Group{}, false
	}
	slices.Sort(part.part)
	part.First = part.part[0]
	return part, true
}

// isPrototype reports whether o's own property "constructor" is a function
// whose prototype is o.
func (hs *Walker) isPrototype(o layout.Tagged) bool {
	c, ok := hs.objects.OwnProperty(o, "constructor")
	if !ok || !hs.IsFunction(c.Value) {
		return false
	}
	p, ok := hs.objects.FunctionPrototype(c.Value)
	return ok && p == o
}

// allPrototypes reports whether all objects of a map are prototypes of functions.
func (h *Snapshot) allPrototypes(id int32) bool {
	for _, a := range h.Of(id) {
		if !h.v.isPrototype(layout.Tag(a)) {
			return false
		}
	}
	return true
}

// Objects returns the tagged addresses of the objects of a group in order of
// address.
func (h *Snapshot) Objects(g *Group) []core.Addr {
	if g.part != nil {
		return g.part
	}
	out := make([]core.Addr, 0, g.Count)
	for _, id := range g.maps {
		for _, a := range h.Of(id) {
			out = append(out, layout.Tag(a).TaggedAddr())
		}
	}
	slices.Sort(out)
	return out
}

// Part returns each group's reachable objects, or its unreachable ones, and leaves out groups without such
// objects. An object that only words of memory lead to, and that may be left over, is not reachable.
func (h *Snapshot) Part(groups []Group, g *graph.Graph, reachable bool) []Group {
	var out []Group
	has := Reachable(g)
	for _, g := range groups {
		part := Group{Constructor: g.Constructor, Props: g.Props, Dictionary: g.Dictionary, Prototype: g.Prototype,
			Boilerplate: g.Boilerplate, maps: g.maps}
		for _, id := range g.maps {
			for _, a := range h.Of(id) {
				if has(layout.Tag(a)) == reachable && (g.part == nil || contains(g.part, layout.Tag(a).TaggedAddr())) {
					part.part = append(part.part, layout.Tag(a).TaggedAddr())
					part.Bytes += uint64(h.Maps.List[id].Size)
				}
			}
		}
		if part.Count = len(part.part); part.Count > 0 {
			slices.Sort(part.part)
			part.First = part.part[0]
			out = append(out, part)
		}
	}
	return out
}

// Reachable returns what reports whether objects are reachable otherwise than from
// words of memory that may be left over.
func Reachable(g *graph.Graph) func(layout.Tagged) bool {
	return func(o layout.Tagged) bool {
		id, ok := g.ID(o.Addr())
		return ok && g.Reachable(id, graph.Stacked)
	}
}

// contains reports whether a sorted list has an address.
func contains(list []core.Addr, a core.Addr) bool {
	_, ok := slices.BinarySearch(list, a)
	return ok
}

// GroupOf returns the group of the object o.
func (h *Snapshot) GroupOf(o layout.Tagged) (*Group, bool) {
	m, ok := h.v.MapOf(o)
	if !ok {
		return nil, false
	}
	groups := h.Groups()
	for i := range groups {
		for _, id := range groups[i].maps {
			if h.Maps.List[id].Word != m {
				continue
			}
			if _, ok := slices.BinarySearch(h.Of(id), o.Addr()); ok {
				return &groups[i], true
			}
		}
	}
	return nil, false
}
