package view

import (
	"errors"

	"coredbg/core"
	"coredbg/core/dwarf"
)

// goValue returns the node of a map, a channel or an interface of Go; nil for other values.
func (w *Viewer) goValue(n *Node, v dwarf.Value, declared *dwarf.Type, depth int) *Node {
	g, ok := goType(declared)
	switch {
	case !ok:
		return nil
	case g.Kind == goStruct:
		return w.Leaf.goTime(n, v, declared)
	case g.Kind == goInt64:
		return w.Leaf.goDuration(n, v, declared)
	case g.Kind == goFunc:
		return w.Leaf.goFunc(n, v)
	case g.Kind == goInterface:
		return w.goInterface(n, v, depth)
	case (g.Kind == goMap || g.Kind == goChan) && g.Elem != nil:
	default:
		return nil
	}
	head, err := v.Pointer()
	switch {
	case err != nil:
		return w.Leaf.unknownNode(n, err)
	case head == 0:
		n.Text, n.JSON = "nil", nil
		return n
	}
	to := v.As(v.Type.Strip())
	x, err := to.Deref()
	if err != nil {
		return w.Leaf.unknownNode(n, err)
	}
	c := &container{recipe: &recipe{pairs: g.Kind == goMap}, n: n, v: x, t: x.Type.Strip().Complete(), depth: depth}
	if g.Kind == goChan {
		return w.goChan(c, g.Elem)
	}
	if g.Key == nil {
		return nil
	}
	m := &goTable{w: w, c: c, key: g.Key, elem: g.Elem}
	n.Kind = Array
	var count uint64
	if _, ok := follow(x, []string{"dirPtr"}); ok {
		count, err = m.swiss()
	} else {
		count, err = m.hash()
	}
	if err == nil || errors.Is(err, errEnough) {
		err = m.count(count, err == nil)
	}
	switch {
	case errors.Is(err, errNoPart) && len(n.List) == 0:
		n.Kind = Scalar
		return nil
	case err != nil:
		n.List = append(n.List, w.Leaf.unknownNode(&Node{}, err))
	}
	return n
}

// goInterface shows the value in an interface under its own type; nil if that is not known.
func (w *Viewer) goInterface(n *Node, v dwarf.Value, depth int) *Node {
	if w.Leaf.Session == nil {
		return nil
	}
	v, kind, err := goHeld(w.Leaf.Session, v)
	switch {
	case errors.Is(err, errNoPart):
		return nil
	case errors.Is(err, errNilInterface):
		n.Text, n.JSON = "nil", nil
		return n
	case err != nil:
		return w.Leaf.unknownNode(n, err)
	case depth >= w.Depth:
		return nil
	}
	n.prefix = "(" + v.Type.Name() + ")"
	if to := v.Type.Strip().Elem(); kind == goPointer && to != nil {
		if word, err := v.Pointer(); err == nil && word != 0 {
			v, n.prefix = v.Frame().At(to, word), n.prefix+" "+word.String()
		}
	}
	x := w.View(n.Name, v, depth+1)
	x.Type, x.prefix = n.Type, n.prefix
	return x
}

// goChan shows what is in a channel's buffer (runtime/chan.go).
func (w *Viewer) goChan(c *container, elem *dwarf.Type) *Node {
	var numbers [4]uint64
	for i, name := range []string{"buf", "dataqsiz", "recvx", "qcount"} {
		x, ok := follow(c.v, []string{name})
		if !ok {
			return nil
		}
		var err error
		if numbers[i], err = x.Uint(); err != nil {
			return w.Leaf.unknownNode(c.n, err)
		}
	}
	buf, room, first, count := numbers[0], numbers[1], numbers[2], numbers[3]
	size, ok := elem.Size()
	if !ok {
		return nil
	}
	if count > room || room > 0 && first >= room || size > 0 && room > uint64(maxLength/size) {
		return w.Leaf.unknownNode(c.n, errors.New("its numbers do not fit together"))
	}
	return w.elements(c.n, int64(count), c.depth, func(i int64) (dwarf.Value, error) {
		return c.at(elem, core.Addr(buf+(first+uint64(i))%room*uint64(size))), nil
	})
}
