package typed

import (
	"cmp"
	"slices"
	"strings"

	"coredbg/core/dwarf"
)

// Bounds of a shape.
const (
	maxDepth  = 32
	maxFields = 4096
	maxArray  = 256     // elements of an array in a type
	maxPlaces = 1 << 18 // members and elements of a type that are looked at
	maxShapes = 1 << 16
)

// shapes makes shapes of types.
type shapes struct {
	word   uint64
	byType map[*dwarf.Type]*shape
	known  map[shapeKey]*shape
	all    []*shape // by number; the first is nil
	led    map[*shape]bool
}

// A shapeKey is what tells shapes apart. Units may have different types of one name.
type shapeKey struct {
	name string
	size uint64
	many bool
	back uint64
}

func newShapes(word uint64) *shapes {
	return &shapes{word: word, byType: map[*dwarf.Type]*shape{}, known: map[shapeKey]*shape{}, all: []*shape{nil},
		led: map[*shape]bool{}}
}

// of returns the shape of a type; nil for one that tells nothing, such as void.
func (x *shapes) of(t *dwarf.Type) *shape {
	if s, ok := x.byType[t]; ok {
		return s
	}
	x.byType[t] = nil // a damaged type may be an array of itself
	s := x.make(t)
	x.byType[t] = s
	return s
}

func (x *shapes) make(t *dwarf.Type) *shape {
	s := t.Strip()
	if s == nil {
		return nil
	}
	s = s.Complete()
	n, ok := s.Size()
	if !ok || n <= 0 || s.Declared {
		return nil
	}
	switch s.Kind {
	case dwarf.Base, dwarf.Enum:
		if n == 1 {
			return nil // bytes may be anything
		}
		return x.add(&shape{name: nameOf(s), size: uint64(n), many: true})
	case dwarf.Pointer:
		return x.add(&shape{name: nameOf(s), size: uint64(n), many: true, fields: []field{{elem: s.Elem()}}})
	case dwarf.Array:
		return x.of(s.Elem())
	case dwarf.Struct, dwarf.Class, dwarf.Union:
		// One type has an entry in each unit.
		out := x.add(&shape{name: nameOf(s), size: uint64(n), many: !openEnded(s)})
		if out.fields == nil {
			out.fields = x.pointers(s, 0)
		}
		return out
	}
	return nil
}

// openEnded reports whether the last member of a struct is an array without a length.
func openEnded(t *dwarf.Type) bool {
	members := t.Members()
	if len(members) == 0 {
		return false
	}
	last := members[len(members)-1].Type().Strip()
	return last != nil && last.Kind == dwarf.Array && last.Len() <= 0
}

// add returns the shape of the same name and size that is known, or adds one. A shape beyond maxShapes has no number.
func (x *shapes) add(s *shape) *shape {
	key := shapeKey{s.name, s.size, s.many, s.back}
	if old := x.known[key]; old != nil {
		return old
	}
	if len(x.all) >= maxShapes {
		return s
	}
	s.number = int32(len(x.all))
	x.all = append(x.all, s)
	x.known[key] = s
	return s
}

// A flattener takes the members of a type apart.
type flattener struct {
	*shapes
	out    []field
	places int
}

// A place is a part of a type: where it is, its path, and the container that it belongs to.
type place struct {
	off   uint64
	path  string
	in    *container
	value *dwarf.Type // that the container holds
	base  uint64      // the offset of the container
	depth int
	inner bool // it is in a class of the standard library, whose members are its own affair
}

// pointers returns the pointers of a type that is at an offset.
func (x *shapes) pointers(t *dwarf.Type, off uint64) []field {
	f := flattener{shapes: x, out: []field{}}
	f.value(t, place{off: off})
	slices.SortStableFunc(f.out, func(a, b field) int { return cmp.Compare(a.off, b.off) })
	return f.agreed()
}

// agreed drops the pointers of unions that are at one place and lead to different types.
func (f *flattener) agreed() []field {
	var out []field
	for i := 0; i < len(f.out); {
		k, same := i+1, true
		for ; k < len(f.out) && f.out[k].off == f.out[i].off; k++ {
			a, b := &f.out[i], &f.out[k]
			same = same && a.to == b.to && (a.elem == b.elem || a.elem.Strip() == b.elem.Strip())
		}
		if same {
			out = append(out, f.out[i])
		}
		i = k
	}
	return out
}

// composite adds the pointers of a struct.
func (f *flattener) composite(t *dwarf.Type, at place) {
	t = t.Strip().Complete()
	if at.depth++; at.depth > maxDepth || len(f.out) >= maxFields {
		return
	}
	if c, value := containerOf(t); c != nil && (at.in == nil || at.in.class != c.class) {
		at.in, at.value, at.base = c, value, at.off
	}
	at.inner = at.inner || strings.HasPrefix(t.Qualified(), "std::") && !strings.HasPrefix(t.Own(), "pair")
	first := len(f.out)
	members := t.Members()
	for i := range members {
		f.member(&members[i], at)
	}
	for _, p := range t.VariantParts() {
		for _, v := range p.Variants {
			for i := range v.Members {
				f.member(&v.Members[i], at)
			}
		}
	}
	f.finish(t, at, first)
}

// finish notes where the part of a buffer that is in use ends.
func (f *flattener) finish(t *dwarf.Type, at place, first int) {
	if at.in == nil || at.in.finish == "" {
		return
	}
	if m, ok := t.Find(at.in.finish); ok {
		for i := range f.out[first:] {
			if x := &f.out[first+i]; x.to != nil && x.until == 0 {
				x.until = at.off + uint64(m.Off) + 1
			}
		}
	}
}

func (f *flattener) member(m *dwarf.Member, at place) {
	t := m.Type().Strip()
	if t == nil || m.Virtual || m.BitSize != 0 || m.Off < 0 {
		return
	}
	at.off += uint64(m.Off)
	if !at.inner && m.Name != "" && !m.Inherited {
		if at.path != "" {
			at.path += "."
		}
		at.path += m.Name
	}
	if at.in != nil && at.in.kind == counting && m.Name == at.in.links[0] {
		in := at
		in.in, in.inner = nil, false
		f.value(at.value, in)
		return
	}
	f.typed(t, m.Name, at)
}

// value adds the pointers of a type that is not a member.
func (f *flattener) value(t *dwarf.Type, at place) {
	if s := t.Strip(); s != nil {
		f.typed(s.Complete(), "", at)
	}
}

func (f *flattener) typed(t *dwarf.Type, name string, at place) {
	if f.places++; f.places > maxPlaces {
		return
	}
	switch t.Kind {
	case dwarf.Pointer, dwarf.Reference, dwarf.RvalueReference:
		f.pointer(t, name, at)
	case dwarf.Struct, dwarf.Class, dwarf.Union:
		f.composite(t, at)
	case dwarf.Array:
		elem := t.Elem().Strip()
		n, ok := elem.Size()
		if !ok || n <= 0 || at.depth > maxDepth {
			return
		}
		at.depth++
		for i := range min(max(t.Len(), 0), maxArray) {
			if f.places > maxPlaces {
				return
			}
			in := at
			in.off += uint64(i * n)
			f.typed(elem, name, in)
		}
	}
}

// pointer adds one.
func (f *flattener) pointer(t *dwarf.Type, name string, at place) {
	if len(f.out) >= maxFields {
		return
	}
	x := field{off: at.off, name: at.path, elem: t.Elem()}
	if c := at.in; c != nil {
		if !slices.Contains(c.links, name) {
			return
		}
		if x.to = f.contained(c, at.value, t.Elem()); x.to == nil {
			return
		}
		x.elem = nil
	}
	f.out = append(f.out, x)
}

// contained returns the shape of the blocks that a pointer of a container leads to.
func (f *flattener) contained(c *container, value, elem *dwarf.Type) *shape {
	label := c.labelFor(value)
	name := nameOf(held(value))
	if c.kind == nodes {
		node := f.node(c, label+" node of "+name, value)
		if e := elem.Strip(); e != nil && e.Kind == dwarf.Pointer {
			return f.add(&shape{name: label + " buckets of " + name, size: f.word, many: true, label: true,
				fields: []field{{to: node}}})
		}
		return node
	}
	n, ok := value.Size()
	if !ok || n <= 0 {
		return nil
	}
	what := label + " buffer of " + name
	if label == "std::string" {
		what = "std::string buffer"
	}
	s := f.add(&shape{name: what, size: uint64(n), many: true, label: true, back: c.back * f.word})
	if s.fields == nil && s.number != 0 {
		s.fields = []field{} // its values may have one like it
		s.fields = f.pointers(value, 0)
	}
	if c.kind == blocks {
		return f.add(&shape{name: label + " map of " + name, size: f.word, many: true, label: true,
			fields: []field{{to: s}}})
	}
	return s
}

// node returns the shape of a container's nodes: pointers to others, then the value.
func (f *flattener) node(c *container, name string, value *dwarf.Type) *shape {
	n, _ := value.Size()
	head := c.head * f.word
	off := head
	if a := alignOf(value, f.word, 0); a > 0 {
		off = (head + a - 1) / a * a
	}
	s := f.add(&shape{name: name, size: off + uint64(max(n, 0)), label: true})
	if s.fields == nil && s.number != 0 {
		s.fields = []field{}
		fields := f.pointers(value, off)
		for i := range c.head {
			s.fields = append(s.fields, field{off: i * f.word, name: "link", to: s})
		}
		s.fields = append(s.fields, fields...)
	}
	return s
}

// alignOf returns the alignment of a type, in bytes.
func alignOf(t *dwarf.Type, word uint64, depth int) uint64 {
	s := t.Strip()
	if s == nil || depth > maxDepth {
		return 1
	}
	s = s.Complete()
	best := uint64(max(s.Align(), 1))
	n, _ := s.Size()
	switch s.Kind {
	case dwarf.Array:
		return max(best, alignOf(s.Elem(), word, depth+1))
	case dwarf.Struct, dwarf.Class, dwarf.Union:
		members := s.Members()
		for i := range members {
			best = max(best, alignOf(members[i].Type(), word, depth+1))
		}
		return best
	case dwarf.Pointer, dwarf.Reference, dwarf.RvalueReference, dwarf.MemberPointer:
		return max(best, word)
	}
	return max(best, min(uint64(max(n, 1)), 2*word))
}
