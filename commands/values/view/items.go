package view

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/core/dwarf"
)

// indexed are the kinds whose elements an index names. One that returns neither items nor an
// error has no such parts.
var indexed = map[string]func(c *container) (*items, error){
	"sequence": (*container).sequence, "deque": (*container).deque, "ring": (*container).ring,
	"tuple":  (*container).parts,
	"blocks": (*container).blocks,
}

// items are the elements that a container has by their index.
type items struct {
	count int64
	get   func(i int64) (dwarf.Value, error)
}

// at returns a value at an address that the container leads to.
func (c *container) at(t *dwarf.Type, a core.Addr) dwarf.Value { return c.v.Frame().At(t, a) }

// chars returns the characters of a text.
func (c *container) chars() (*items, error) {
	p, ok := c.part("ptr")
	length, err := c.number("len")
	if !ok || errors.Is(err, errNoPart) || p.Type.Strip() == nil {
		return nil, nil
	}
	elem := p.Type.Strip().Elem()
	size, known := elem.Size()
	switch {
	case err != nil:
		return nil, err
	case length > maxLength:
		return nil, errLength
	case !known || size <= 0 || size > 4:
		return nil, nil
	}
	if p.Type.Strip().Kind == dwarf.Array {
		return &items{int64(length), p.Index}, nil
	}
	at, err := p.Pointer()
	if err != nil {
		return nil, err
	}
	get := func(i int64) (dwarf.Value, error) { return c.at(elem, at+core.Addr(i*size)), nil }
	return &items{int64(length), get}, nil
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
		return nil, errLength
	}
	return &items{int64(count), func(i int64) (dwarf.Value, error) { return c.at(elem, at+core.Addr(i*size)), nil }},
		nil
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

// blocks returns elements in blocks that an array of pointers leads to, from the one with the number "start" on.
func (c *container) blocks() (*items, error) {
	t := c.made(1)
	size, ok := t.Size()
	table, err1 := c.number("ptr")
	start, err2 := c.number("start")
	length, err3 := c.number("len")
	err := errors.Join(err1, err2, err3)
	switch {
	case errors.Is(err, errNoPart) || !ok || c.block == 0:
		return nil, nil
	case err != nil:
		return nil, err
	case start > maxLength || length > maxLength || size > maxLength:
		return nil, errors.New("its numbers do not fit together")
	}
	per := max(c.block/max(size, 1), c.least)
	ptr := c.v.Frame().Arch.PtrSize
	cur := core.NewCursor(c.v.Frame().Mem, c.v.Frame().Arch.Order, ptr)
	return &items{int64(length), func(i int64) (dwarf.Value, error) {
		i += int64(start)
		b := cur.Pointer(core.Addr(table) + core.Addr(i/per*int64(ptr)))
		return c.at(t, b+core.Addr(i%per*size)), cur.Reset()
	}}, nil
}

// ring returns elements in a buffer that goes on at its beginning (Rust 1.67 and later,
// library/alloc/src/collections/vec_deque).
func (c *container) ring() (*items, error) {
	t := c.made(1)
	size, ok := t.Size()
	ptr, err1 := c.number("ptr")
	capacity, err2 := c.number("cap")
	head, err3 := c.number("head")
	length, err4 := c.number("len")
	if c.paths["end"] != nil && capacity > 0 {
		length, err4 = c.number("end")
		length = (length + capacity - head) % capacity
	}
	err := errors.Join(err1, err2, err3, err4)
	if errors.Is(err, errNoPart) || !ok {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if length > maxLength || size > 0 && (length > capacity || head > capacity || capacity > uint64(maxLength/size)) {
		return nil, errors.New("its numbers do not fit together")
	}
	return &items{int64(length), func(i int64) (dwarf.Value, error) {
		at := head + uint64(i)
		if at >= capacity && capacity > 0 {
			at -= capacity
		}
		return c.at(t, core.Addr(ptr+at*uint64(size))), nil
	}}, nil
}

// parts returns the parts of a tuple. Each of its bases made from the template "base" has, as the member
// "head", the part whose number is the base's first template argument. A part without data need not be there
// (libstdc++, include/std/tuple; libc++, include/tuple).
func (c *container) parts() (*items, error) {
	type head struct {
		index int64
		value dwarf.Value
	}
	path := strings.Split(c.paths["head"][0], ".")
	all, ok := followOne(c.v, path[:len(path)-1])
	if !ok {
		return nil, nil
	}
	name, base := path[len(path)-1], c.paths["base"][0]+"<"
	var heads []head
	var look func(v dwarf.Value, depth int)
	look = func(v dwarf.Value, depth int) {
		t := v.Type.Strip().Complete()
		if t == nil || depth > maxBases {
			return
		}
		if p := t.TemplateParams(); strings.HasPrefix(t.Own(), base) && len(p) > 1 && p[0].HasValue {
			x, ok := followOne(v.As(t), []string{name})
			if !ok {
				x = v.As(p[1].Type())
			}
			heads = append(heads, head{p[0].Value, x})
			return
		}
		list := t.Members()
		for i := range list {
			if m := &list[i]; m.Inherited {
				look(v.As(t).Member(m), depth+1)
			}
		}
	}
	look(all, 0)
	if len(heads) == 0 && len(c.t.TemplateParams()) > 0 {
		return nil, nil
	}
	slices.SortFunc(heads, func(a, b head) int { return cmp.Compare(a.index, b.index) })
	return &items{int64(len(heads)), func(i int64) (dwarf.Value, error) { return heads[i].value, nil }}, nil
}
