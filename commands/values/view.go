package values

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/dwarf"
	"coredbg/core/sym"
)

// A viewer makes nodes of values.
type viewer struct {
	leaf  leafViewer
	rows  *Recipes
	depth int   // of members that are shown
	limit int64 // of elements of an array
	left  int   // nodes that may still be made
	opens bool  // pointers to structures are opened, if they are not in other values
}

// The default limits of a shown value.
const (
	defaultDepth = 8
	defaultLimit = 32
	maxNodes     = 20000
)

// newViewer returns a viewer with the defaults. Without a session what pointers lead to has no names.
func newViewer(s *commands.Session) *viewer {
	return &viewer{leaf: leafViewer{s: s}, rows: recipesOf(s), depth: defaultDepth, limit: defaultLimit, left: maxNodes}
}

// view returns the node of a value.
func (w *viewer) view(name string, v dwarf.Value, depth int) *node {
	n := &node{name: name, typ: v.Type.Name()}
	n.addr, _ = v.Addr()
	if w.left--; w.left < 0 {
		n.kind, n.text = unknown, "left out, after too many values"
		return n
	}
	declared := v.Type
	t := declared.Strip().Complete()
	if t == nil {
		return w.leaf.unknownNode(n, errors.New("a value of type void"))
	}
	v, err := v.As(t).Shaped()
	switch {
	case errors.Is(err, dwarf.ErrNotAllocated), errors.Is(err, dwarf.ErrNotAssociated):
		n.text = "<" + err.Error() + ">" // known: there are no elements
		return n
	case err != nil:
		return w.leaf.unknownNode(n, err)
	}
	t = v.Type.Strip()
	if declared.Lang() == dwarf.LangGo {
		if x := w.goValue(n, v, declared, depth); x != nil {
			return x
		}
	}
	switch t.Kind {
	case dwarf.Base:
		if _, ok := wideChar(declared); ok {
			return w.leaf.wideScalar(n, v, t)
		}
		return w.leaf.goConstant(w.leaf.base(n, v, t), v, declared)
	case dwarf.Struct, dwarf.Class, dwarf.Union:
		return w.composite(n, v, t, depth)
	case dwarf.Array:
		return w.array(n, v, t, depth)
	case dwarf.Pointer, dwarf.Reference, dwarf.RvalueReference:
		if t.Own() != "" {
			if r := w.recipe(n, v, t, depth); r != nil {
				return r
			}
		}
		return w.pointer(n, v, t, depth)
	case dwarf.Function:
		if t.Lang() == dwarf.LangGo {
			return w.leaf.goFunc(n, v)
		}
		if t.Lang().Pascal() { // a variable of a procedural type has an address
			return w.pointer(n, v.As(t.PointerTo()), t.PointerTo(), depth)
		}
	}
	return w.rare(n, v, t)
}

// composite sets a node to a struct: as its language or a recipe shows it, or with its members.
func (w *viewer) composite(n *node, v dwarf.Value, t *dwarf.Type, depth int) *node {
	if r := w.native(n, v, t, depth); r != nil {
		return r
	}
	if r := w.recipe(n, v, t, depth); r != nil {
		return r
	}
	if r := w.trait(n, v, 0, depth); r != nil {
		return r
	}
	return w.members(n, v, t, depth)
}

// rare sets a node to a value whose kind has neither members nor a target.
func (w *viewer) rare(n *node, v dwarf.Value, t *dwarf.Type) *node {
	switch t.Kind {
	case dwarf.Enum:
		return w.leaf.enum(n, v, t)
	case dwarf.String:
		return w.leaf.bytes(n, v)
	case dwarf.Set:
		return w.leaf.set(n, v, t)
	case dwarf.MemberPointer:
		size, _ := t.Size()
		if size > 8 {
			return w.leaf.raw(n, v)
		}
		// Itanium C++ ABI 2.3.1: 0 is the first member
		if u, err := v.Uint(); err == nil && size > 0 && u == ^uint64(0)>>(64-8*size) {
			n.text, n.json = "NULL", nil
			return n
		}
		return w.leaf.number(n, v, true)
	case dwarf.Unspecified:
		if t.Own() == "decltype(nullptr)" {
			n.text = "NULL"
			return n
		}
		return w.leaf.raw(n, v)
	}
	return w.leaf.unknownNode(n, errors.New("a value of type "+t.Name()))
}

// pointer sets a node to an address, with its target if that is text or has a name.
func (w *viewer) pointer(n *node, v dwarf.Value, t *dwarf.Type, depth int) *node {
	a, err := v.Pointer()
	if err != nil {
		to, e := v.Deref() // it may lead to a value that has no address
		if e != nil {
			return w.leaf.unknownNode(n, err)
		}
		if s, ok := charsAt(to); ok {
			n.kind, n.text = text, s
			return n
		}
		n.kind, n.list = object, []*node{w.view("*", to, depth+1)}
		return n
	}
	elem := t.Elem()
	if t.Kind != dwarf.Pointer && a != 0 && depth < w.depth {
		return w.referred(n, v.To(elem, a), depth)
	}
	n.text, n.json = a.String(), a.String()
	if a == 0 {
		if n.text, n.json = "NULL", nil; t.Lang() == dwarf.LangGo {
			n.text = "nil"
		}
		return n
	}
	return w.target(n, v, elem, a, depth)
}

// referred returns the node of the target of a reference: the whole object, if that is known.
func (w *viewer) referred(n *node, to dwarf.Value, depth int) *node {
	whole, is := dynamic(w.leaf.s, to)
	if is {
		to = whole
	}
	x := w.view(n.name, to, depth)
	if x.typ = n.typ; is {
		x.prefix = "(" + sym.Clean(whole.Type.Name()) + ")"
	}
	return x
}

// target adds what the pointer v leads to at a: text, a symbol, or an object's type and members.
func (w *viewer) target(n *node, v dwarf.Value, elem *dwarf.Type, a core.Addr, depth int) *node {
	e := elem.Strip()
	size, wide := wideChar(elem)
	switch {
	case e != nil && e.Kind == dwarf.Base && isText(e):
		s, err := core.Text(v.Frame().Mem, a, maxString+1)
		long := len(s) > maxString
		if long {
			err = nil
		}
		w.leaf.pointed(n, a, s[:min(len(s), maxString)], long, err)
	case wide && elem.Lang() != dwarf.LangRust: // in Rust that is one character
		s, cut, err := wideAt(v, a, size)
		w.leaf.pointed(n, a, s, cut, err)
	case e != nil && e.Kind == dwarf.String:
		s, err := v.To(e, a).Shaped() // of Fortran, whose length may be deferred
		if err != nil {
			return w.leaf.unknownNode(n, err)
		}
		if size, ok := s.Type.Size(); ok && size > 0 {
			return w.leaf.bytes(n, s)
		}
	default:
		n.note = w.leaf.symbol(a, e != nil && e.Kind == dwarf.Function)
		if !e.Composite() {
			return n
		}
		to := v.To(elem, a)
		if n.note == "" {
			if whole, ok := dynamic(w.leaf.s, to); ok {
				n.note, to = whole.Type.Name(), whole
			}
		}
		if w.opens && depth == 0 {
			w.open(n, to)
		}
	}
	return n
}

// open adds to a pointer the structure that it leads to, with the members of it but not theirs. One that cannot
// be read, or is not defined, is left out: the pointer is known.
func (w *viewer) open(n *node, to dwarf.Value) {
	lost := w.leaf.lost
	x := w.view("", to, max(w.depth-1, 0))
	if unread := x.kind == unknown || len(x.list) > 0 && !slices.ContainsFunc(x.list,
		func(m *node) bool { return m.kind != unknown }); unread {
		w.leaf.lost = lost
		return
	}
	x.prefix = n.text
	if n.note != "" {
		x.prefix += " (" + sym.Clean(n.note) + ")"
	}
	n.opened = x
}

// array sets a node to the elements of an array, or to the string that they are.
func (w *viewer) array(n *node, v dwarf.Value, t *dwarf.Type, depth int) *node {
	count := v.Len()
	elem := t.Elem().Strip()
	if elem != nil && elem.Kind == dwarf.Base && isText(elem) && count >= 0 {
		return w.leaf.chars(n, v, count)
	}
	if size, ok := wideChar(t.Elem()); ok && count >= 0 {
		return w.leaf.wideChars(n, v, count, size)
	}
	if count < 0 {
		n.kind, n.text = unknown, "how many elements it has is not recorded"
		return n
	}
	return w.elements(n, count, depth, func(i int64) (dwarf.Value, error) { return v.Index(i) })
}

// elements adds the first of some elements to a node.
func (w *viewer) elements(n *node, count int64, depth int, get func(i int64) (dwarf.Value, error)) *node {
	n.kind = array
	shown := min(count, w.limit)
	if depth >= w.depth {
		shown = 0
	}
	for i := range shown {
		x, err := get(i)
		if err != nil {
			n.list = append(n.list, w.leaf.unknownNode(&node{}, err))
			break
		}
		n.list = append(n.list, w.view("", x, depth+1))
		if w.left < 0 {
			break
		}
	}
	if left := count - int64(len(n.list)); left > 0 {
		n.more = left
	}
	return n
}

// members adds the members of a struct, class or union to a node.
func (w *viewer) members(n *node, v dwarf.Value, t *dwarf.Type, depth int) *node {
	n.kind = object
	if t.Declared {
		return w.leaf.unknownNode(n, t.Undefined())
	}
	if depth >= w.depth {
		n.more = int64(len(t.Members()))
		return n
	}
	list := t.Members()
	for i := range list {
		m := &list[i]
		name := m.Name
		if m.Inherited {
			name = m.Type().Name()
		}
		x := w.view(name, v.Member(m), depth+1)
		if l := t.Lang(); l.Ada() && adaMember(n, x) || l.Fortran() && w.deferred(n, v, m) {
			continue
		}
		if m.Inherited && x.kind == object && len(x.list) == 0 && x.more == 0 {
			continue // an empty base
		}
		n.list = append(n.list, x)
		if w.left < 0 {
			return n
		}
	}
	for _, p := range t.VariantParts() {
		if d := p.Discr; d != nil && d.Name != "" && !d.Artificial &&
			!slices.ContainsFunc(list, func(m dwarf.Member) bool { return m.Name == d.Name }) {
			n.list = append(n.list, w.view(d.Name, v.Member(d), depth+1))
		}
		w.variant(n, v, &p, depth)
	}
	n.round()
	return n
}

// firstBytes is a node of the first bytes of a symbol.
func (w *viewer) firstBytes(at core.Addr, size uint64) *node {
	n := &node{kind: array, addr: at}
	b, err := core.ReadBytes(w.leaf.s.Process.Space, at, min(size, uint64(max(w.limit, 0)), maxElements))
	if err != nil {
		return w.leaf.unknownNode(n, err)
	}
	for i, c := range b {
		n.list = append(n.list, &node{addr: at + core.Addr(i), text: fmt.Sprintf("%02x", c), json: uint64(c)})
	}
	n.more = int64(min(size-uint64(len(b)), math.MaxInt64))
	return n
}

// variant adds to a node the members of the variant that is there.
func (w *viewer) variant(n *node, v dwarf.Value, p *dwarf.VariantPart, depth int) {
	found, err := active(v, p)
	if err != nil {
		n.list = append(n.list, w.leaf.unknownNode(&node{name: "variant"}, err))
		return
	}
	for i := range found.Members {
		m := &found.Members[i]
		inner := w.view(m.Name, v.Member(m), depth+1)
		if len(found.Members) == 1 && len(n.list) == 0 && (inner.kind == object || inner.tuple) {
			n.kind, n.tuple = inner.kind, inner.tuple
			// Rust's enum: the variant's name, and its contents.
			n.tag, n.list, n.more = m.Name, inner.list, inner.more
			return
		}
		n.list = append(n.list, inner)
	}
}

// trait shows what a trait object leads to; nil for other values.
func (w *viewer) trait(n *node, v dwarf.Value, skip int64, depth int) *node {
	if depth >= w.depth {
		return nil
	}
	to, ok := behind(w.leaf.s, v, skip)
	if !ok {
		return nil
	}
	x := w.view(n.name, to, depth+1)
	at, _ := to.Addr()
	x.typ, x.prefix = n.typ, at.String()+" ("+sym.Clean(to.Type.Name())+")"
	return x
}
