package values

import (
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
		at = up(at, alignOf(t, 0))
		parts, offs = append(parts, t), append(offs, at)
		at += size
	}
	return parts, offs
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
