package values

import (
	"cmp"
	"encoding/binary"
	"errors"
	"strings"
	"unicode/utf16"

	"coredbg/core"
	"coredbg/core/dwarf"
)

// follow returns the part of a value that the first path names which there is. Pointers on
// the way are followed.
func follow(v dwarf.Value, paths []string) (dwarf.Value, bool) {
	for _, p := range paths {
		path, opaque := strings.CutSuffix(p, "@")
		x, ok := followOne(v, strings.Split(path, "."))
		if t := x.Type.Strip().Complete(); ok && (!opaque || t != nil && t.Declared) {
			return x, true
		}
	}
	return dwarf.Value{}, false
}

func followOne(v dwarf.Value, names []string) (dwarf.Value, bool) {
	for _, name := range names {
		t := v.Type.Strip()
		if t != nil && t.Kind == dwarf.Pointer {
			x, err := v.Deref()
			if err != nil {
				return v, false
			}
			v, t = x, x.Type.Strip()
		}
		t = t.Complete()
		if t == nil {
			return v, false
		}
		m, ok := t.Find(name)
		if !ok {
			return v, false
		}
		v = v.As(t).Member(&m)
	}
	return v, true
}

// linked shows the nodes of a list.
func (w *viewer) linked(c *container) *node {
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
func (w *viewer) chain(c *container, links *dwarf.Type, next func() (core.Addr, bool, error)) *node {
	head, ok := links.Size()
	if !ok {
		return nil
	}
	show := w.nodes(c, links, head)
	if show == nil {
		return nil
	}
	n := c.n
	n.kind = array
	seen := map[core.Addr]bool{}
	for {
		at, ok, err := next()
		switch {
		case err != nil:
			n.list = append(n.list, w.unknownNode(&node{}, err))
			return n
		case !ok:
			return n
		case seen[at]:
			n.list = append(n.list, w.unknownNode(&node{}, errors.New("its nodes lead in a circle")))
			return n
		case len(seen) >= maxNodes:
			n.more = -1
			return n
		}
		seen[at] = true
		if int64(len(n.list)) >= w.limit || c.depth >= w.depth {
			n.more++
			continue
		}
		n.list = append(n.list, show(at))
	}
}

// pair returns the types of an element, one or a key's and a value's, and where they are in it.
func (c *container) pair() (parts []*dwarf.Type, offs []int64) {
	at := int64(0)
	for _, i := range c.of {
		t := c.made(i)
		size, ok := t.Size()
		if !ok {
			return nil, nil
		}
		at = up(at, alignOf(t, 0))
		parts, offs = append(parts, t), append(offs, at)
		at += size
	}
	return parts, offs
}

// element shows an element at an address: a pair as a key with its value.
func (w *viewer) element(c *container, parts []*dwarf.Type, offs []int64, at core.Addr) *node {
	first := w.view("", c.at(parts[0], at), c.depth+1)
	if len(parts) == 1 {
		return first
	}
	value := c.at(parts[1], at+core.Addr(offs[1]))
	return &node{kind: pair, list: []*node{first, w.view("", value, c.depth+1)}, value: &value}
}

// up rounds n up to a multiple of align.
func up(n, align int64) int64 {
	if align <= 1 {
		return n
	}
	return (n + align - 1) / align * align
}

// alignOf returns the alignment that ABIs give a type, in bytes: that of its largest part.
func alignOf(t *dwarf.Type, depth int) int64 {
	t = t.Strip().Complete()
	if t == nil || depth > 16 {
		return 1
	}
	switch t.Kind {
	case dwarf.Struct, dwarf.Class, dwarf.Union:
		most := int64(1)
		for _, m := range t.Members() {
			most = max(most, alignOf(m.Type(), depth+1))
		}
		for _, p := range t.VariantParts() {
			for _, v := range p.Variants {
				for _, m := range v.Members {
					most = max(most, alignOf(m.Type(), depth+1))
				}
			}
		}
		return most
	case dwarf.Array:
		return alignOf(t.Elem(), depth+1)
	}
	size, _ := t.Size()
	for n := int64(16); n > 1; n /= 2 {
		if size >= n {
			return n
		}
	}
	return 1
}

// tree shows the nodes of a red-black tree of libstdc++ in order: a head whose parent is the
// root and whose left is the first node (bits/stl_tree.h).
func (w *viewer) tree(c *container) *node {
	head, ok := c.part("head")
	if !ok {
		return nil
	}
	end, ok := head.Addr()
	links := head.Type.Strip()
	if m, found := links.Find("_M_left"); found && ok { // _Rb_tree_header has a base or a member with them
		if p := m.Type().Strip(); p.Kind == dwarf.Pointer {
			links = p.Elem().Strip()
		}
	}
	if !ok {
		return nil
	}
	link := func(a core.Addr, name string) (core.Addr, error) {
		x, ok := follow(c.at(links, a), []string{name})
		if !ok {
			return 0, errNoPart
		}
		return x.Pointer()
	}
	at, err := link(end, "_M_left")
	if errors.Is(err, errNoPart) {
		return nil
	}
	return w.chain(c, links, func() (core.Addr, bool, error) {
		if err != nil || at == end || at == 0 {
			return 0, false, err
		}
		here := at
		at, err = successor(at, link)
		return here, true, nil
	})
}

// maxHeight bounds the height of a balanced tree.
const maxHeight = 128

// successor returns the node of a binary tree that comes after one.
func successor(at core.Addr, link func(core.Addr, string) (core.Addr, error)) (core.Addr, error) {
	right, err := link(at, "_M_right")
	if err != nil {
		return 0, err
	}
	if right != 0 {
		for range maxHeight {
			left, err := link(right, "_M_left")
			if err != nil || left == 0 {
				return right, err
			}
			right = left
		}
		return 0, errors.New("the tree is too high")
	}
	for range maxHeight {
		parent, err := link(at, "_M_parent")
		if err != nil {
			return 0, err
		}
		right, err := link(parent, "_M_right")
		if err != nil {
			return 0, err
		}
		if right != at {
			if right, err = link(at, "_M_right"); right == parent {
				return at, err // the head, whose parent is the root and whose right the last node
			}
			return parent, err
		}
		at = parent
	}
	return 0, errors.New("the tree is too high")
}

// deque returns elements in blocks of 512 bytes, or of one element that is larger
// (bits/stl_deque.h): iterators have the current element, their block's bounds, and its
// place in the map of blocks.
func (c *container) deque() (*items, error) {
	t := c.made(1)
	size, ok := t.Size()
	first, ok1 := c.part("first")
	last, ok2 := c.part("last")
	if !ok || !ok1 || !ok2 || size <= 0 {
		return nil, nil
	}
	var f, l [3]core.Addr // _M_cur, _M_last or _M_first, _M_node
	for i, names := range [][2]string{{"_M_cur", "_M_cur"}, {"_M_last", "_M_first"}, {"_M_node", "_M_node"}} {
		a, ok := follow(first, names[:1])
		b, is := follow(last, names[1:])
		if !ok || !is {
			return nil, nil
		}
		var e1, e2 error
		f[i], e1 = a.Pointer()
		l[i], e2 = b.Pointer()
		if e1 != nil || e2 != nil {
			return nil, errors.Join(e1, e2)
		}
	}
	block := max(512/size, 1)
	ptr := int64(c.v.Frame().Arch.PtrSize)
	blocks := (int64(l[2]) - int64(f[2])) / ptr
	inFirst := (int64(f[1]) - int64(f[0])) / size
	count := (blocks-1)*block + inFirst + (int64(l[0])-int64(l[1]))/size
	if blocks < 0 || blocks > maxLength || inFirst < 0 || inFirst > block || count < 0 {
		return nil, errors.New("its iterators do not fit together")
	}
	cur := core.NewCursor(c.v.Frame().Mem, c.v.Frame().Arch.Order, int(ptr))
	return &items{count, func(i int64) (dwarf.Value, error) {
		if i < inFirst {
			return c.at(t, f[0]+core.Addr(i*size)), nil
		}
		i -= inFirst
		b := cur.Pointer(f[2] + core.Addr((1+i/block)*ptr))
		return c.at(t, b+core.Addr(i%block*size)), cur.Reset()
	}}, nil
}

// swiss shows the elements of a table of hashbrown: a byte of control for each bucket, whose
// top bit is 0 if it is full, and before them the buckets, the first one last (hashbrown
// 0.12 to 0.15, src/raw). The part called table is what was made with the elements' type.
func (w *viewer) swiss(c *container) *node {
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
		return w.unknownNode(c.n, cmp.Or(err, errNoPart))
	}
	if mask > maxLength || items > mask+1 {
		return w.unknownNode(c.n, errors.New("its numbers do not fit together"))
	}
	n := c.n
	n.kind = array
	buf := make([]byte, 1)
	for i := uint64(0); i <= mask && items > 0 && i < maxBuckets; i++ {
		if _, err := c.v.Frame().Mem.ReadAt(buf, core.Addr(ctrl+i)); err != nil {
			n.list = append(n.list, w.unknownNode(&node{}, err))
			return n
		}
		if buf[0]&0x80 != 0 {
			continue
		}
		if int64(len(n.list)) >= w.limit || c.depth >= w.depth {
			n.more = int64(items)
			return n
		}
		items--
		n.list = append(n.list, w.tuple(c, c.at(elem, core.Addr(ctrl)-core.Addr((int64(i)+1)*size))))
	}
	return n
}

// tuple shows a key with its value, or the key alone if there is no value.
func (w *viewer) tuple(c *container, v dwarf.Value) *node {
	key, ok1 := follow(v, []string{"__0"})
	value, ok2 := follow(v, []string{"__1"})
	if !ok1 || !ok2 {
		return w.view("", v, c.depth+1)
	}
	first := w.view("", key, c.depth+1)
	if size, ok := value.Type.Size(); !c.pairs && ok && size == 0 {
		return first
	}
	return &node{kind: pair, list: []*node{first, w.view("", value, c.depth+1)}, value: &value}
}

// maxBuckets bounds how many buckets of a table are looked at.
const maxBuckets = 1 << 20

// decodeWide returns characters of UTF-16 or UTF-32 as text.
func decodeWide(b []byte, size int, order binary.ByteOrder) string {
	var out []rune
	var half []uint16
	for i := 0; i+size <= len(b); i += size {
		if size == 2 {
			half = append(half, order.Uint16(b[i:]))
			continue
		}
		out = append(out, rune(order.Uint32(b[i:])))
	}
	if size == 2 {
		out = utf16.Decode(half)
	}
	return string(out)
}
