package view

import (
	"strings"

	"coredbg/core"
	"coredbg/core/dwarf"
)

// pair returns the types of an element, one or a key's and a value's, and where they are in it.
func (c *container) pair() (parts []*dwarf.Type, offs []int64) {
	at := int64(0)
	for _, i := range c.of {
		t := c.made(i)
		size, ok := t.Size()
		if !ok {
			return nil, nil
		}
		at = AlignUp(at, AlignOf(c.v.Frame().Arch, t, 0))
		parts, offs = append(parts, t), append(offs, at)
		at += size
	}
	return parts, offs
}

// valueInNode returns the offset of the value in a node, if the type of nodes is known. "node" is the type's
// name, and "at" the member that is the value or has room for it. It also corrects the offsets of a key and its
// value by the type of the pair that the node was made with.
func (c *container) valueInNode(offs []int64) (at int64, ok bool) {
	if c.node == "" {
		return 0, false
	}
	t := c.nodeType()
	if t == nil {
		return 0, false
	}
	room, ok := follow(c.at(t, 0), c.paths["at"])
	off, inMemory := room.Addr()
	if !ok || !inMemory {
		return 0, false
	}
	if elem := madeWith(t, 1).Strip().Complete(); elem != nil && len(offs) == 2 {
		for i, name := range []string{"first", "second"} {
			if m, found := elem.Find(name); found {
				offs[i] = m.Off
			}
		}
	}
	return int64(off), true
}

// maxSought bounds the types searched for the type of nodes.
const maxSought = 256

// nodeType returns the type of nodes: what a part of the container, or a part of that, was made with.
func (c *container) nodeType() *dwarf.Type {
	list := []*dwarf.Type{c.t}
	seen := map[*dwarf.Type]bool{}
	add := func(t *dwarf.Type) {
		if t = t.Strip().Complete(); t.Composite() && !seen[t] {
			seen[t] = true
			list = append(list, t)
		}
	}
	for i := 0; i < len(list) && i < maxSought; i++ {
		t := list[i]
		if strings.HasPrefix(t.Own(), c.node+"<") && !t.Declared {
			return t
		}
		if i > 0 { // not in what its elements are made of
			for _, p := range t.TemplateParams() {
				add(p.Type())
			}
		}
		for _, m := range t.Members() {
			add(m.Type())
		}
	}
	return nil
}

// AlignUp rounds n up to a multiple of align.
func AlignUp(n, align int64) int64 {
	if align <= 1 {
		return n
	}
	return (n + align - 1) / align * align
}

// AlignOf returns the alignment that the ABI of an architecture gives a type, in bytes: its largest part's,
// unless the source asks for another.
func AlignOf(arch *core.Arch, t *dwarf.Type, depth int) int64 {
	t = t.Strip().Complete()
	if t == nil || depth > 16 {
		return 1
	}
	if n := t.Align(); n > 0 {
		return n
	}
	switch t.Kind {
	case dwarf.Struct, dwarf.Class, dwarf.Union:
		most := int64(1)
		for _, m := range t.Members() {
			most = max(most, AlignOf(arch, m.Type(), depth+1))
		}
		for _, p := range t.VariantParts() {
			for _, v := range p.Variants {
				for _, m := range v.Members {
					most = max(most, AlignOf(arch, m.Type(), depth+1))
				}
			}
		}
		return most
	case dwarf.Array:
		return AlignOf(arch, t.Elem(), depth+1)
	}
	size, _ := t.Size()
	for n := int64(16); n > 1; n /= 2 {
		if size >= n && (n <= arch.MemberAlign || arch.MemberAlign == 0) {
			return n
		}
	}
	return 1
}
