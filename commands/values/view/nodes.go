package view

import (
	"cmp"
	"errors"

	"coredbg/core"
	"coredbg/core/dwarf"
)

// linked shows the nodes of a list.
func (w *Viewer) linked(c *container) *Node {
	first, ok := c.part("first")
	t := first.Type.Strip()
	if !ok || t == nil || t.Kind != dwarf.Pointer {
		return nil
	}
	var end core.Addr
	if e, ok := c.part("end"); ok {
		end, _ = e.Addr()
	}
	node, err := first.Pointer()
	next := func() (core.Addr, error) {
		link, ok := follow(c.at(t.Elem(), node), c.paths["next"])
		if !ok {
			return 0, errNoPart
		}
		return link.Pointer()
	}
	return w.chain(c, t.Elem(), func() (core.Addr, bool, error) {
		if err != nil || node == 0 || node == end {
			return 0, false, err
		}
		at := node
		node, err = next()
		return at, true, nil
	})
}

// chain shows the elements of nodes, whose values follow what links them. It stops at a node
// that was met before: the memory is damaged.
func (w *Viewer) chain(c *container, links *dwarf.Type, next func() (core.Addr, bool, error)) *Node {
	head, ok := links.DataSize()
	if !ok {
		return nil
	}
	show := w.nodes(c, links, head)
	if show == nil {
		return nil
	}
	n := c.n
	n.Kind = Array
	seen := map[core.Addr]bool{}
	for {
		at, ok, err := next()
		switch {
		case err != nil:
			n.List = append(n.List, w.Leaf.unknownNode(&Node{}, err))
			return n
		case !ok:
			return n
		case seen[at]:
			n.List = append(n.List, w.Leaf.unknownNode(&Node{}, errors.New("its nodes lead in a circle")))
			return n
		case len(seen) >= MaxNodes:
			n.More = -1
			return n
		}
		seen[at] = true
		if int64(len(n.List)) >= w.Limit || c.depth >= w.Depth {
			n.More++
			continue
		}
		n.List = append(n.List, show(at))
	}
}

// element shows an element at an address: a pair as a key with its value.
func (w *Viewer) element(c *container, parts []*dwarf.Type, offs []int64, at core.Addr) *Node {
	first := w.View("", c.at(parts[0], at), c.depth+1)
	if len(parts) == 1 {
		return first
	}
	value := c.at(parts[1], at+core.Addr(offs[1]))
	return &Node{Kind: Pair, List: []*Node{first, w.View("", value, c.depth+1)}, value: &value}
}

// tree shows the nodes of a binary tree in order.
func (w *Viewer) tree(c *container) *Node {
	root, ok := c.part("root")
	t := root.Type.Strip()
	if !ok || t == nil || t.Kind != dwarf.Pointer || !t.Elem().Composite() {
		return nil
	}
	links := t.Elem().Strip().Complete()
	link := func(a core.Addr, part string) (core.Addr, error) {
		x, ok := follow(c.at(links, a), c.paths[part])
		if !ok {
			return 0, errNoPart
		}
		return x.Pointer()
	}
	if _, err := link(0, "left"); errors.Is(err, errNoPart) {
		return nil
	}
	var above []core.Addr // nodes whose left ones are shown first
	down, err := root.Pointer()
	return w.chain(c, links, func() (core.Addr, bool, error) {
		for ; err == nil && down != 0; down, err = link(down, "left") {
			if above = append(above, down); len(above) > maxHeight {
				err = errors.New("the tree is too high")
			}
		}
		if err != nil || len(above) == 0 {
			return 0, false, err
		}
		here := above[len(above)-1]
		above = above[:len(above)-1]
		down, err = link(here, "right")
		return here, true, nil
	})
}

// maxHeight bounds the height of a tree, which need not be balanced.
const maxHeight = 1 << 14

// swiss shows the elements of a table of hashbrown: a byte of control for each bucket, whose
// top bit is 0 if it is full, and before them the buckets, the first one last (hashbrown
// 0.12 to 0.15, src/raw). The part called table is what was made with the elements' type.
func (w *Viewer) swiss(c *container) *Node {
	table, ok := c.part("table")
	if !ok {
		return nil
	}
	made := table.Type.Strip().TemplateParams()
	if len(made) == 0 {
		return nil
	}
	elem := made[0].Type()
	size, ok := elem.Size()
	ctrl, err1 := c.number("ctrl")
	mask, err2 := c.number("mask")
	items, err3 := c.number("items")
	if err := errors.Join(err1, err2, err3); err != nil || !ok {
		return w.Leaf.unknownNode(c.n, cmp.Or(err, errNoPart))
	}
	if mask > maxLength || items > mask+1 {
		return w.Leaf.unknownNode(c.n, errors.New("its numbers do not fit together"))
	}
	n := c.n
	n.Kind = Array
	buf := make([]byte, 1)
	for i := uint64(0); i <= mask && items > 0 && i < maxBuckets; i++ {
		if _, err := c.v.Frame().Mem.ReadAt(buf, core.Addr(ctrl+i)); err != nil {
			n.List = append(n.List, w.Leaf.unknownNode(&Node{}, err))
			return n
		}
		if buf[0]&0x80 != 0 {
			continue
		}
		if int64(len(n.List)) >= w.Limit || c.depth >= w.Depth {
			n.More = int64(items)
			return n
		}
		items--
		n.List = append(n.List, w.tuple(c, c.at(elem, core.Addr(ctrl)-core.Addr((int64(i)+1)*size))))
	}
	return n
}

// tuple shows a key with its value, or the key alone if there is no value.
func (w *Viewer) tuple(c *container, v dwarf.Value) *Node {
	key, ok1 := follow(v, []string{"__0"})
	value, ok2 := follow(v, []string{"__1"})
	if !ok1 || !ok2 {
		return w.View("", v, c.depth+1)
	}
	first := w.View("", key, c.depth+1)
	if size, ok := value.Type.Size(); !c.pairs && ok && size == 0 {
		return first
	}
	return &Node{Kind: Pair, List: []*Node{first, w.View("", value, c.depth+1)}, value: &value}
}

// maxBuckets bounds how many buckets of a table are looked at.
const maxBuckets = 1 << 20
