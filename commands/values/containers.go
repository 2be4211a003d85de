package values

import (
	"cmp"
	"errors"
	"iter"

	"coredbg/core"
	"coredbg/core/dwarf"
)

// kinds are how the kinds of recipes make a node. One that returns nil leaves the value as the
// struct that it is: it has no such parts.
var kinds map[string]func(w *viewer, c *container) *node

// indexed are the kinds whose elements an index names. One that returns neither items nor an
// error has no such parts.
var indexed = map[string]func(c *container) (*items, error){
	"sequence": (*container).sequence, "deque": (*container).deque, "ring": (*container).ring, "tuple": (*container).parts,
}

func init() {
	kinds = map[string]func(w *viewer, c *container) *node{
		"string": (*viewer).stringOf, "list": (*viewer).linked, "tree": (*viewer).tree, "swiss": (*viewer).swiss,
		"pointer": (*viewer).smart, "maybe": (*viewer).maybe, "variant": (*viewer).alternatives, "bits": (*viewer).bitsOf,
		"btree": (*viewer).btree, "buckets": (*viewer).buckets, "slots": (*viewer).slots, "box": (*viewer).box, "alias": (*viewer).alias,
	}
	for kind, of := range indexed {
		kinds[kind] = func(w *viewer, c *container) *node {
			x, err := of(c)
			switch {
			case err != nil:
				return w.unknownNode(c.n, err)
			case x == nil:
				return nil
			}
			return w.elements(c.n, x.count, c.depth, x.get)
		}
	}
}

// items are the elements that a container has by their index.
type items struct {
	count int64
	get   func(i int64) (dwarf.Value, error)
}

// A container is a value that a recipe is for.
type container struct {
	*recipe
	n     *node
	v     dwarf.Value
	t     *dwarf.Type
	depth int
}

// recipe returns the node of a value whose type a recipe is for; nil if none fits.
func (w *viewer) recipe(n *node, v dwarf.Value, t *dwarf.Type, depth int) *node {
	for c := range containersOf(w.rows, v, t) {
		c.n, c.depth = n, depth
		if done := kinds[c.kind](w, c); done != nil {
			return done
		}
	}
	return nil
}

// containersOf yields what recipes make of a value with a type, in the table's order.
func containersOf(rows *Recipes, v dwarf.Value, t *dwarf.Type) iter.Seq[*container] {
	return func(yield func(*container) bool) {
		name := t.Qualified()
		if g, ok := goType(t); ok {
			name = cmp.Or(goRecipes[g.Kind], name)
		}
		for _, r := range rows.of(name) {
			if len(r.when) > 0 {
				if x, ok := follow(v, r.when); !ok {
					continue
				} else if u, err := x.Uint(); err != nil || u == 0 {
					continue
				}
			}
			if !yield(&container{recipe: r, v: v, t: t}) {
				return
			}
		}
	}
}

// part returns a part of the container.
func (c *container) part(name string) (dwarf.Value, bool) {
	if c.paths[name] == nil {
		return dwarf.Value{}, false
	}
	return follow(c.v, c.paths[name])
}

// number returns a part that is a number or a pointer.
func (c *container) number(name string) (uint64, error) {
	x, ok := c.part(name)
	if !ok {
		return 0, errNoPart
	}
	return x.Uint()
}

var errNoPart = errors.New("it has no such part")

// has reports whether the value has parts of these names.
func (c *container) has(names ...string) bool {
	for _, n := range names {
		if _, ok := c.part(n); !ok {
			return false
		}
	}
	return true
}

// elem returns the type of the elements: that which the container was made with, or
// what a pointer part has; nil if it is not known.
func (c *container) elem(pointer string) *dwarf.Type {
	if len(c.of) == 1 {
		return c.made(c.of[0])
	}
	x, ok := c.part(pointer)
	if !ok {
		return nil
	}
	t := x.Type.Strip()
	if t == nil || t.Kind != dwarf.Pointer {
		return nil
	}
	return t.Elem()
}

// made returns the i-th type that the container was made with, from 1.
func (c *container) made(i int) *dwarf.Type {
	list := c.t.TemplateParams()
	if i > len(list) {
		return nil
	}
	return list[i-1].Type()
}

// stringOf shows characters with a length.
func (w *viewer) stringOf(c *container) *node {
	if !c.has("ptr", "len") {
		return nil
	}
	p, _ := c.part("ptr")
	length, err := c.number("len")
	if err != nil {
		return w.unknownNode(c.n, err)
	}
	var at core.Addr
	size := int64(1)
	if t := p.Type.Strip(); t.Kind == dwarf.Array {
		at, _ = p.Addr()
		size, _ = t.Elem().Size()
	} else {
		if t.Kind == dwarf.Pointer {
			size, _ = t.Elem().Size()
		} else if size, _ = c.made(1).Size(); !t.Declared {
			return nil
		}
		if at, err = p.Pointer(); err != nil {
			return w.unknownNode(c.n, err)
		}
	}
	if length > maxLength || at == 0 && length > 0 {
		return w.unknownNode(c.n, errors.New("its length cannot be right"))
	}
	if size != 1 {
		return w.wideString(c, at, size, int64(length))
	}
	take := min(int64(length), maxString)
	b, err := core.ReadBytes(c.v.Frame().Mem, at, uint64(take))
	if err != nil {
		return w.unknownNode(c.n, err)
	}
	c.n.kind, c.n.text, c.n.more = text, string(b), int64(length)-take
	return c.n
}

// maxLength bounds what can be the length of anything.
const maxLength = 1 << 40

// wideString shows characters of 2 or 4 bytes.
func (w *viewer) wideString(c *container, at core.Addr, size, length int64) *node {
	if size != 2 && size != 4 {
		return nil
	}
	take := min(length, maxString)
	b, err := core.ReadBytes(c.v.Frame().Mem, at, uint64(take*size))
	if err != nil {
		return w.unknownNode(c.n, err)
	}
	c.n.kind, c.n.text, c.n.more = text, decodeWide(b, int(size), c.v.Frame().Arch.Order), length-take
	return c.n
}

// sequence returns elements that lie one after the other.
func (c *container) sequence() (*items, error) {
	from := "ptr"
	if c.paths["begin"] != nil {
		from = "begin"
	}
	first, ok := c.part(from)
	elem := c.elem(from)
	size, known := elem.Size()
	if !ok || elem == nil || !known {
		return nil, nil
	}
	at, err := first.Pointer()
	if err != nil {
		return nil, err
	}
	var count uint64
	if from == "begin" {
		end, err := c.number("end")
		if err != nil {
			return nil, err
		}
		if size == 0 || end < uint64(at) || (end-uint64(at))%uint64(size) != 0 {
			return nil, errors.New("its end is before its beginning, or within an element")
		}
		count = (end - uint64(at)) / uint64(size)
	} else if count, err = c.number("len"); err != nil {
		return nil, err
	}
	if count > maxLength || size > 0 && count > uint64(maxLength/size) {
		return nil, errors.New("its length cannot be right")
	}
	return &items{int64(count), func(i int64) (dwarf.Value, error) { return c.at(elem, at+core.Addr(i*size)), nil }}, nil
}

// at returns a value at an address that the container leads to.
func (c *container) at(t *dwarf.Type, a core.Addr) dwarf.Value { return c.v.Frame().At(t, a) }

// smart shows where a smart pointer leads to.
func (w *viewer) smart(c *container) *node {
	to, ok := c.part("to")
	if !ok {
		return nil
	}
	return w.pointee(c, to)
}

// box shows a pointer with what it leads to.
func (w *viewer) box(c *container) *node {
	if c.t.Kind != dwarf.Pointer {
		return nil // of a trait object, which is two pointers
	}
	x := *c
	x.depth++ // Boxes lead to each other
	return w.pointee(&x, c.v.As(c.t.Elem().PointerTo()))
}

// pointee shows a pointer with what it leads to.
func (w *viewer) pointee(c *container, to dwarf.Value) *node {
	x := w.instead(c, to)
	if to.Type.Strip().Kind != dwarf.Pointer || x.kind != scalar || x.json == nil || c.depth >= w.depth {
		return x
	}
	v, err := to.Deref()
	if err != nil {
		return x
	}
	if e := v.Type.Strip(); e == nil || e.Kind == dwarf.Function || x.has {
		return x
	}
	inner := w.instead(c, v)
	inner.prefix = x.text
	return inner
}

// alias shows a part instead of the whole.
func (w *viewer) alias(c *container) *node {
	v, ok := c.part("value")
	if !ok {
		return nil
	}
	return w.instead(c, v)
}

// instead shows a part in the place of its container, under the container's type.
func (w *viewer) instead(c *container, v dwarf.Value) *node {
	x := w.view(c.n.name, v, c.depth+1)
	x.typ = c.n.typ
	return x
}

// maybe shows a value that need not be there.
func (w *viewer) maybe(c *container) *node {
	set, err := c.number("set")
	if errors.Is(err, errNoPart) {
		return nil
	} else if err != nil {
		return w.unknownNode(c.n, err)
	}
	if set == 0 {
		c.n.text, c.n.json = "(none)", nil
		return c.n
	}
	v, ok := c.part("value")
	if !ok {
		return nil
	}
	return w.instead(c, v)
}

// alternatives shows the one of several types that a std::variant has.
func (w *viewer) alternatives(c *container) *node {
	i, err := c.number("index")
	if err != nil {
		return nil
	}
	index, _ := c.part("index")
	if size, _ := index.Type.Size(); i == 1<<(8*size)-1 {
		c.n.text = "(valueless)"
		return c.n
	}
	t := c.variantType(int(min(i, 1<<10)))
	u, ok := c.part("value")
	if t == nil || !ok {
		return nil
	}
	return w.instead(c, u.As(t)) // each of its storages begins where the union does
}

// variantType returns the i-th type of a parameter pack.
func (c *container) variantType(i int) *dwarf.Type { return c.made(i + 1) }
