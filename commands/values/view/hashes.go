package view

import (
	"errors"
	"strings"

	"coredbg/core"
	"coredbg/core/dwarf"
)

// nodes returns what shows a node at an address, which has links of a type and size first; nil if the container
// lacks what says where the value is.
func (w *Viewer) nodes(c *container, links *dwarf.Type, head int64) func(at core.Addr) *Node {
	switch {
	case c.paths["hook"] != nil:
		elem := c.made(c.of[0])
		hook, ok := follow(c.at(elem, 0), c.paths["hook"])
		off, inMemory := hook.Addr()
		if !ok || !inMemory {
			return nil
		}
		return func(at core.Addr) *Node { return w.View("", c.at(elem, at-off), c.depth+1) }
	case len(c.of) == 0:
		return func(at core.Addr) *Node { return w.cell(c, c.at(links, at)) }
	}
	parts, offs := c.pair()
	if parts == nil {
		return nil
	}
	at, ok := c.valueInNode(offs)
	if !ok {
		align := AlignOf(c.v.Frame().Arch, parts[0], 0)
		if len(parts) > 1 {
			align = max(align, AlignOf(c.v.Frame().Arch, parts[1], 0))
		}
		at = AlignUp(head+c.skipped(c.v.Frame().Arch.PtrSize), align)
	}
	return func(a core.Addr) *Node { return w.element(c, parts, offs, a+core.Addr(at)) }
}

// cell shows what a node or a slot has in its members that are a key and a value, or all of it if these
// are not named.
func (w *Viewer) cell(c *container, v dwarf.Value) *Node {
	if c.paths["value"] == nil {
		return w.View("", v, c.depth+1)
	}
	value, ok := follow(v, c.paths["value"])
	if !ok {
		return w.Leaf.unknownNode(&Node{}, errNoPart)
	}
	if c.paths["key"] == nil {
		return w.View("", value, c.depth+1)
	}
	key, ok := follow(v, c.paths["key"])
	if !ok {
		return w.Leaf.unknownNode(&Node{}, errNoPart)
	}
	return &Node{Kind: Pair, List: []*Node{w.View("", key, c.depth+1), w.View("", value, c.depth+1)}, value: &value}
}

// table returns the address of an array that a pointer leads to, its element type, and the number of elements.
func (c *container) table() (at core.Addr, elem *dwarf.Type, size, count int64, err error) {
	elem = c.elem("ptr")
	if p, _ := c.part("ptr"); p.Type.Strip().Complete() != nil && p.Type.Strip().Kind == dwarf.Array {
		elem = p.Type.Strip().Elem()
		if at, _ = p.Addr(); at == 0 {
			err = errNoPart
		}
	} else {
		var n uint64
		n, err = c.number("ptr")
		at = core.Addr(n)
	}
	length, err2 := c.number("len")
	size, ok := elem.Size()
	switch {
	case err != nil || err2 != nil:
		return 0, nil, 0, 0, errors.Join(err, err2)
	case elem == nil || !ok || size <= 0:
		return 0, nil, 0, 0, errNoPart
	case length > maxBuckets || at == 0 && length > 0:
		return 0, nil, 0, 0, errors.New("its length cannot be right")
	}
	return at, elem, size, int64(length), nil
}

// buckets shows a table of pointers to nodes that lead to each other.
func (w *Viewer) buckets(c *container) *Node {
	at, elem, size, count, err := c.table()
	if errors.Is(err, errNoPart) || err == nil && (elem.Strip() == nil || elem.Strip().Kind != dwarf.Pointer) {
		return nil
	}
	if err != nil {
		return w.Leaf.unknownNode(c.n, err)
	}
	links := elem.Strip().Elem()
	bucket, node := int64(0), core.Addr(0)
	var failed error
	return w.chain(c, links, func() (core.Addr, bool, error) {
		for node == 0 && bucket < count && failed == nil {
			node, failed = c.at(elem, at+core.Addr(bucket*size)).Pointer()
			bucket++
		}
		if failed != nil || node == 0 {
			return 0, false, failed
		}
		found := node
		link, ok := follow(c.at(links, node), c.paths["next"])
		if node, failed = 0, errNoPart; ok {
			node, failed = link.Pointer()
		}
		return found, true, nil
	})
}

// slots shows the used slots of an array.
func (w *Viewer) slots(c *container) *Node {
	at, elem, size, count, err := c.table()
	if errors.Is(err, errNoPart) {
		return nil
	}
	if err != nil {
		return w.Leaf.unknownNode(c.n, err)
	}
	n := c.n
	n.Kind = Array
	for i := range count {
		v := c.at(elem, at+core.Addr(i*size))
		if c.paths["used"] != nil {
			x, ok := follow(v, c.paths["used"])
			if !ok {
				return nil
			}
			u, err := x.Uint()
			if err != nil {
				n.List = append(n.List, w.Leaf.unknownNode(&Node{}, err))
				return n
			}
			if c.used < 0 && u == 0 || c.used >= 0 && u != uint64(c.used) {
				continue
			}
		}
		if int64(len(n.List)) >= w.Limit || c.depth >= w.Depth {
			n.More++
			continue
		}
		n.List = append(n.List, w.cell(c, v))
	}
	return n
}

// The layout of an associative array of D (druntime, rt/aaA.d since 2.068), for words of w bytes: a slice of
// buckets at 0, the numbers of used and of deleted entries from 2w on, an address at 2w+8, and at 3w+8 four
// uints: the first used bucket, the size of a key, the size of a value, and where in an entry the value is. A
// bucket is a hash, whose upper bit is set if it is filled, and the address of its entry.
const (
	aaCounts = 2
	aaSizes  = 3
)

// associative shows an associative array of D, a record called "V[K]" with one address. It returns nil for other
// records, and if the types of its keys and values are not known.
func (w *Viewer) associative(n *Node, v dwarf.Value, t *dwarf.Type, depth int) *Node {
	list := t.Members()
	name := t.Own()
	i := keyStart(name)
	if w.Leaf.Session == nil || len(list) != 1 || list[0].Name != "ptr" || i <= 0 {
		return nil
	}
	at, err := v.Member(&list[0]).Pointer()
	if err != nil {
		return nil
	}
	if at == 0 {
		n.Kind = Array
		return n
	}
	key, frame := dType(w.Leaf.Session, name[i+1:len(name)-1])
	value, _ := dType(w.Leaf.Session, name[:i])
	if key == nil || value == nil {
		return nil
	}
	c := core.NewCursor(frame.Mem, frame.Arch.Order, frame.Arch.PtrSize)
	word := core.Addr(frame.Arch.PtrSize)
	slots, first := c.Word(at), c.Pointer(at+word)
	used := int64(c.U32(at+aaCounts*word)) - int64(c.U32(at+aaCounts*word+4))
	sizes := at + aaSizes*word + 8
	keySize, valueSize, offset := c.U32(sizes+4), c.U32(sizes+8), c.U32(sizes+12)
	if err := c.Reset(); err != nil {
		return w.Leaf.unknownNode(n, err)
	}
	k, _ := key.Size()
	e, _ := value.Size()
	if int64(keySize) != k || int64(valueSize) != e || used < 0 || offset < keySize {
		return nil
	}
	n.Kind = Array
	for i := range core.Addr(min(slots, maxSlots)) {
		if int64(len(n.List)) == min(used, w.Limit) || depth >= w.Depth || w.Left < 0 {
			break
		}
		hash, entry := c.Word(first+2*i*word), c.Pointer(first+(2*i+1)*word)
		if err := c.Reset(); err != nil {
			n.List = append(n.List, w.Leaf.unknownNode(&Node{}, err))
			return n
		}
		if hash>>(8*word-1) == 0 {
			continue
		}
		x := frame.At(value, entry+core.Addr(offset))
		n.List = append(n.List, &Node{Kind: Pair, List: []*Node{w.View("", frame.At(key, entry), depth+1),
			w.View("", x, depth+1)}, value: &x})
	}
	n.More = max(used-int64(len(n.List)), 0)
	return n
}

// maxSlots bounds the buckets that are looked at.
const maxSlots = 1 << 20

// keyStart returns the index of the bracket before the type of the keys in the name of an associative array, -1 if
// there is none.
func keyStart(name string) int {
	if !strings.HasSuffix(name, "]") {
		return -1
	}
	depth := 0
	for i := len(name) - 1; i > 0; i-- {
		switch name[i] {
		case ']':
			depth++
		case '[':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}
