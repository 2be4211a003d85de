package values

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/core/dwarf"
)

// parts returns those of a tuple: each of its bases std::_Head_base<I, T> has the part with the number I
// (libstdc++, include/std/tuple).
func (c *container) parts() (*items, error) {
	type head struct {
		index int64
		value dwarf.Value
	}
	var heads []head
	var look func(v dwarf.Value, depth int)
	look = func(v dwarf.Value, depth int) {
		t := v.Type.Strip().Complete()
		if t == nil || depth > maxBases {
			return
		}
		list := t.Members()
		for i := range list {
			m := &list[i]
			if m.Inherited {
				look(v.As(t).Member(m), depth+1)
			}
			if slices.Contains(c.paths["head"], m.Name) && strings.HasPrefix(t.Own(), "_Head_base<") {
				if p := t.TemplateParams(); len(p) > 0 && p[0].HasValue {
					heads = append(heads, head{p[0].Value, v.As(t).Member(m)})
				}
			}
		}
	}
	look(c.v, 0)
	slices.SortFunc(heads, func(a, b head) int { return cmp.Compare(a.index, b.index) })
	return &items{int64(len(heads)), func(i int64) (dwarf.Value, error) { return heads[i].value, nil }}, nil
}

// maxBases bounds how deep bases are in bases.
const maxBases = 256

// bitsOf shows truth values that are bits of words, the least significant first
// (libstdc++, bits/stl_bvector.h).
func (w *viewer) bitsOf(c *container) *node {
	begin, err1 := c.number("begin")
	end, err2 := c.number("end")
	rest, err3 := c.number("rest")
	if err := errors.Join(err1, err2, err3); err != nil {
		if errors.Is(err, errNoPart) {
			return nil
		}
		return w.unknownNode(c.n, err)
	}
	if end < begin || end-begin > maxLength/8 || rest > 64 {
		return w.unknownNode(c.n, errors.New("its end is before its beginning"))
	}
	count := int64(end-begin)*8 + int64(rest)
	n := c.n
	n.kind = array
	for i := range min(count, w.limit) {
		b, err := core.ReadBytes(c.v.Frame().Mem, core.Addr(begin)+core.Addr(i/8), 1)
		if err != nil {
			n.list = append(n.list, w.unknownNode(&node{}, err))
			return n
		}
		set := b[0]>>(i%8)&1 != 0
		x := &node{text: "false", json: set}
		if set {
			x.text = "true"
		}
		n.list = append(n.list, x)
	}
	n.more = count - int64(len(n.list))
	return n
}
