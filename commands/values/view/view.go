// Package view decides how a value of a program looks, as text and as JSON. A Viewer makes a Node of a value: the
// leaves (scalar.go, chars.go), the members of structures and the elements of arrays (view.go), and the contents of
// containers, which recipes describe (recipes.go). A Step leads from a value to a part of it (path.go).
package view

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

// A Viewer makes nodes of values.
type Viewer struct {
	Leaf  Leaf
	rows  *Recipes
	Depth int   // of members that are shown
	Limit int64 // of elements of an array
	Left  int   // nodes that may still be made
	Opens bool  // pointers to structures are opened, if they are not in other values
}

// The default limits of a shown value.
const (
	DefaultDepth = 8
	DefaultLimit = 32
	MaxNodes     = 20000
)

// New returns a viewer with the defaults. Without a session what pointers lead to has no names.
func New(s *commands.Session) *Viewer {
	return &Viewer{Leaf: Leaf{Session: s}, rows: recipesOf(s), Depth: DefaultDepth, Limit: DefaultLimit, Left: MaxNodes}
}

// View returns the node of a value.
func (w *Viewer) View(name string, v dwarf.Value, depth int) *Node {
	n := &Node{Name: name, Type: v.Type.Name()}
	n.Addr, _ = v.Addr()
	if w.Left--; w.Left < 0 {
		n.Kind, n.Text = Unknown, "left out, after too many values"
		return n
	}
	declared := v.Type
	t := declared.Strip().Complete()
	if t == nil {
		return w.Leaf.unknownNode(n, errors.New("a value of type void"))
	}
	v, err := v.As(t).Shaped()
	switch {
	case errors.Is(err, dwarf.ErrNotAllocated), errors.Is(err, dwarf.ErrNotAssociated):
		n.Text = "<" + err.Error() + ">" // known: there are no elements
		return n
	case err != nil:
		return w.Leaf.unknownNode(n, err)
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
			return w.Leaf.wideScalar(n, v, t)
		}
		return w.Leaf.goConstant(w.Leaf.base(n, v, t), v, declared)
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
			return w.Leaf.goFunc(n, v)
		}
		if t.Lang().Pascal() { // a variable of a procedural type has an address
			return w.pointer(n, v.As(t.PointerTo()), t.PointerTo(), depth)
		}
	}
	return w.rare(n, v, t)
}

// composite sets a node to a struct: as its language or a recipe shows it, or with its members.
func (w *Viewer) composite(n *Node, v dwarf.Value, t *dwarf.Type, depth int) *Node {
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
func (w *Viewer) rare(n *Node, v dwarf.Value, t *dwarf.Type) *Node {
	switch t.Kind {
	case dwarf.Enum:
		return w.Leaf.enum(n, v, t)
	case dwarf.String:
		return w.Leaf.bytes(n, v)
	case dwarf.Set:
		return w.Leaf.set(n, v, t)
	case dwarf.MemberPointer:
		size, _ := t.Size()
		if size > 8 {
			return w.Leaf.raw(n, v)
		}
		// Itanium C++ ABI 2.3.1: 0 is the first member
		if u, err := v.Uint(); err == nil && size > 0 && u == ^uint64(0)>>(64-8*size) {
			n.Text, n.JSON = "NULL", nil
			return n
		}
		return w.Leaf.Number(n, v, true)
	case dwarf.Unspecified:
		if t.Own() == "decltype(nullptr)" {
			n.Text = "NULL"
			return n
		}
		return w.Leaf.raw(n, v)
	}
	return w.Leaf.unknownNode(n, errors.New("a value of type "+t.Name()))
}

// pointer sets a node to an address, with its target if that is text or has a name.
func (w *Viewer) pointer(n *Node, v dwarf.Value, t *dwarf.Type, depth int) *Node {
	a, err := v.Pointer()
	if err != nil {
		to, e := v.Deref() // it may lead to a value that has no address
		if e != nil {
			return w.Leaf.unknownNode(n, err)
		}
		if s, ok := charsAt(to); ok {
			n.Kind, n.Text = Text, s
			return n
		}
		n.Kind, n.List = Object, []*Node{w.View("*", to, depth+1)}
		return n
	}
	elem := t.Elem()
	if t.Kind != dwarf.Pointer && a != 0 && depth < w.Depth {
		return w.referred(n, v.To(elem, a), depth)
	}
	n.Text, n.JSON = a.String(), a.String()
	if a == 0 {
		if n.Text, n.JSON = "NULL", nil; t.Lang() == dwarf.LangGo {
			n.Text = "nil"
		}
		return n
	}
	return w.target(n, v, elem, a, depth)
}

// referred returns the node of the target of a reference: the whole object, if that is known.
func (w *Viewer) referred(n *Node, to dwarf.Value, depth int) *Node {
	whole, is := Dynamic(w.Leaf.Session, to)
	if is {
		to = whole
	}
	x := w.View(n.Name, to, depth)
	if x.Type = n.Type; is {
		x.prefix = "(" + sym.Clean(whole.Type.Name()) + ")"
	}
	return x
}

// target adds what the pointer v leads to at a: text, a symbol, or an object's type and members.
func (w *Viewer) target(n *Node, v dwarf.Value, elem *dwarf.Type, a core.Addr, depth int) *Node {
	e := elem.Strip()
	size, wide := wideChar(elem)
	switch {
	case e != nil && e.Kind == dwarf.Base && isText(e):
		s, err := core.Text(v.Frame().Mem, a, maxString+1)
		long := len(s) > maxString
		if long {
			err = nil
		}
		w.Leaf.pointed(n, a, s[:min(len(s), maxString)], long, err)
	case wide && elem.Lang() != dwarf.LangRust: // in Rust that is one character
		s, cut, err := wideAt(v, a, size)
		w.Leaf.pointed(n, a, s, cut, err)
	case e != nil && e.Kind == dwarf.String:
		s, err := v.To(e, a).Shaped() // of Fortran, whose length may be deferred
		if err != nil {
			return w.Leaf.unknownNode(n, err)
		}
		if size, ok := s.Type.Size(); ok && size > 0 {
			return w.Leaf.bytes(n, s)
		}
	default:
		n.Note = w.Leaf.symbol(a, e != nil && e.Kind == dwarf.Function)
		if !e.Composite() {
			return n
		}
		to := v.To(elem, a)
		if n.Note == "" {
			if whole, ok := Dynamic(w.Leaf.Session, to); ok {
				n.Note, to = whole.Type.Name(), whole
			}
		}
		if w.Opens && depth == 0 {
			w.open(n, to)
		}
	}
	return n
}

// open adds to a pointer the structure that it leads to, with the members of it but not theirs. One that cannot
// be read, or is not defined, is left out: the pointer is known.
func (w *Viewer) open(n *Node, to dwarf.Value) {
	lost := w.Leaf.Lost
	x := w.View("", to, max(w.Depth-1, 0))
	if unread := x.Kind == Unknown || len(x.List) > 0 && !slices.ContainsFunc(x.List,
		func(m *Node) bool { return m.Kind != Unknown }); unread {
		w.Leaf.Lost = lost
		return
	}
	x.prefix = n.Text
	if n.Note != "" {
		x.prefix += " (" + sym.Clean(n.Note) + ")"
	}
	n.opened = x
}

// array sets a node to the elements of an array, or to the string that they are.
func (w *Viewer) array(n *Node, v dwarf.Value, t *dwarf.Type, depth int) *Node {
	count := v.Len()
	elem := t.Elem().Strip()
	if elem != nil && elem.Kind == dwarf.Base && isText(elem) && count >= 0 {
		return w.Leaf.chars(n, v, count)
	}
	if size, ok := wideChar(t.Elem()); ok && count >= 0 {
		return w.Leaf.wideChars(n, v, count, size)
	}
	if count < 0 {
		n.Kind, n.Text = Unknown, "how many elements it has is not recorded"
		return n
	}
	return w.elements(n, count, depth, func(i int64) (dwarf.Value, error) { return v.Index(i) })
}

// elements adds the first of some elements to a node.
func (w *Viewer) elements(n *Node, count int64, depth int, get func(i int64) (dwarf.Value, error)) *Node {
	n.Kind = Array
	shown := min(count, w.Limit)
	if depth >= w.Depth {
		shown = 0
	}
	for i := range shown {
		x, err := get(i)
		if err != nil {
			n.List = append(n.List, w.Leaf.unknownNode(&Node{}, err))
			break
		}
		n.List = append(n.List, w.View("", x, depth+1))
		if w.Left < 0 {
			break
		}
	}
	if left := count - int64(len(n.List)); left > 0 {
		n.More = left
	}
	return n
}

// members adds the members of a struct, class or union to a node.
func (w *Viewer) members(n *Node, v dwarf.Value, t *dwarf.Type, depth int) *Node {
	n.Kind = Object
	if t.Declared {
		return w.Leaf.unknownNode(n, t.Undefined())
	}
	if depth >= w.Depth {
		n.More = int64(len(t.Members()))
		return n
	}
	list := t.Members()
	for i := range list {
		m := &list[i]
		name := m.Name
		if m.Inherited {
			name = m.Type().Name()
		}
		x := w.View(name, v.Member(m), depth+1)
		if l := t.Lang(); l.Ada() && adaMember(n, x) || l.Fortran() && w.deferred(n, v, m) {
			continue
		}
		if m.Inherited && x.Kind == Object && len(x.List) == 0 && x.More == 0 {
			continue // an empty base
		}
		n.List = append(n.List, x)
		if w.Left < 0 {
			return n
		}
	}
	for _, p := range t.VariantParts() {
		if d := p.Discr; d != nil && d.Name != "" && !d.Artificial &&
			!slices.ContainsFunc(list, func(m dwarf.Member) bool { return m.Name == d.Name }) {
			n.List = append(n.List, w.View(d.Name, v.Member(d), depth+1))
		}
		w.variant(n, v, &p, depth)
	}
	n.round()
	return n
}

// FirstBytes is a node of the first bytes of a symbol.
func (w *Viewer) FirstBytes(at core.Addr, size uint64) *Node {
	n := &Node{Kind: Array, Addr: at}
	b, err := core.ReadBytes(w.Leaf.Session.Process.Space, at, min(size, uint64(max(w.Limit, 0)), MaxElements))
	if err != nil {
		return w.Leaf.unknownNode(n, err)
	}
	for i, c := range b {
		n.List = append(n.List, &Node{Addr: at + core.Addr(i), Text: fmt.Sprintf("%02x", c), JSON: uint64(c)})
	}
	n.More = int64(min(size-uint64(len(b)), math.MaxInt64))
	return n
}

// variant adds to a node the members of the variant that is there.
func (w *Viewer) variant(n *Node, v dwarf.Value, p *dwarf.VariantPart, depth int) {
	found, err := active(v, p)
	if err != nil {
		n.List = append(n.List, w.Leaf.unknownNode(&Node{Name: "variant"}, err))
		return
	}
	for i := range found.Members {
		m := &found.Members[i]
		inner := w.View(m.Name, v.Member(m), depth+1)
		if len(found.Members) == 1 && len(n.List) == 0 && (inner.Kind == Object || inner.Tuple) {
			n.Kind, n.Tuple = inner.Kind, inner.Tuple
			// Rust's enum: the variant's name, and its contents.
			n.Tag, n.List, n.More = m.Name, inner.List, inner.More
			return
		}
		n.List = append(n.List, inner)
	}
}

// trait shows what a trait object leads to; nil for other values.
func (w *Viewer) trait(n *Node, v dwarf.Value, skip int64, depth int) *Node {
	if depth >= w.Depth {
		return nil
	}
	to, ok := behind(w.Leaf.Session, v, skip)
	if !ok {
		return nil
	}
	x := w.View(n.Name, to, depth+1)
	at, _ := to.Addr()
	x.Type, x.prefix = n.Type, at.String()+" ("+sym.Clean(to.Type.Name())+")"
	return x
}

// MaxElements bounds an array.
const MaxElements = 1 << 20
