package view

import (
	"errors"

	"coredbg/core"
	"coredbg/core/dwarf"
)

// btree shows the elements of a tree of Rust's standard library in order: a node has up to 11 keys
// and values, and one that is not a leaf the edges between them after what a leaf has
// (library/alloc/src/collections/btree/node.rs).
func (w *Viewer) btree(c *container) *Node {
	root, ok := c.part("root")
	if !ok {
		return nil
	}
	if parts := root.Type.Strip().Complete().VariantParts(); len(parts) == 1 {
		found, err := active(root, &parts[0])
		if err != nil {
			return w.Leaf.unknownNode(c.n, err)
		}
		if len(found.Members) == 0 {
			return nil
		}
		root = root.Member(&found.Members[0])
	}
	c.n.Kind = Array
	inner, ok := follow(root, []string{"__0"})
	if !ok { // None
		return c.n
	}
	height, ok1 := follow(inner, []string{"height"})
	leaf, ok2 := follow(inner, []string{"node.pointer"})
	if !ok1 || !ok2 {
		return nil
	}
	h, err1 := height.Uint()
	at, err2 := leaf.Pointer()
	if err := errors.Join(err1, err2); err != nil {
		return w.Leaf.unknownNode(c.n, err)
	}
	if h > maxHeight {
		return w.Leaf.unknownNode(c.n, errors.New("the tree is too high"))
	}
	b := &btreeWalk{w: w, c: c, leaf: leaf.Type.Strip().Elem()}
	if err := b.node(at, h); err != nil {
		c.n.List = append(c.n.List, w.Leaf.unknownNode(&Node{}, err))
	}
	if length, err := c.number("len"); err == nil && length < maxLength {
		c.n.More = max(int64(length)-int64(len(c.n.List)), 0)
	}
	return c.n
}

// A btreeWalk visits the nodes of a B-tree.
type btreeWalk struct {
	w    *Viewer
	c    *container
	leaf *dwarf.Type
}

// node adds the elements of the node at an address, which has a height above the leaves.
func (b *btreeWalk) node(at core.Addr, height uint64) error {
	v := b.c.at(b.leaf, at)
	count, ok := follow(v, []string{"len"})
	if !ok {
		return errNoPart
	}
	n, err := count.Uint()
	if err != nil {
		return err
	}
	if n > maxKeys {
		return errors.New("a node of the tree has more keys than there is room for")
	}
	size, _ := b.leaf.Size()
	ptr := core.Addr(b.c.v.Frame().Arch.PtrSize)
	edges := at + core.Addr(AlignUp(size, int64(ptr)))
	cur := core.NewCursor(b.c.v.Frame().Mem, b.c.v.Frame().Arch.Order, int(ptr))
	for i := uint64(0); ; i++ {
		if int64(len(b.c.n.List)) >= b.w.Limit || b.c.depth >= b.w.Depth {
			return nil
		}
		if height > 0 {
			edge := cur.Pointer(edges + core.Addr(i)*ptr)
			if err := cur.Reset(); err != nil {
				return err
			}
			if err := b.node(edge, height-1); err != nil {
				return err
			}
		}
		if i == n {
			return nil
		}
		if err := b.element(v, int64(i)); err != nil {
			return err
		}
	}
}

// maxKeys is how many keys a node has room for.
const maxKeys = 11

// element adds a key with its value.
func (b *btreeWalk) element(v dwarf.Value, i int64) error {
	if int64(len(b.c.n.List)) >= b.w.Limit {
		return nil
	}
	var both [2]*Node
	var value dwarf.Value
	for k, name := range []string{"keys", "vals"} {
		list, ok := follow(v, []string{name})
		if !ok {
			return errNoPart
		}
		x, err := list.Index(i)
		if err != nil {
			return err
		}
		if k == 1 && !b.c.pairs {
			break
		}
		value = x.As(b.c.made(k + 1))
		both[k] = b.w.View("", value, b.c.depth+1)
	}
	if both[1] == nil {
		b.c.n.List = append(b.c.n.List, both[0])
		return nil
	}
	b.c.n.List = append(b.c.n.List, &Node{Kind: Pair, List: both[:], value: &value})
	return nil
}
