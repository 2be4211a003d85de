package values

import (
	"errors"
	"slices"

	"coredbg/core/dwarf"
)

// variant adds to a node the members of the variant that is there.
func (w *viewer) variant(n *node, v dwarf.Value, p *dwarf.VariantPart, depth int) {
	found, err := active(v, p)
	if err != nil {
		n.list = append(n.list, w.leaf.unknownNode(&node{name: "variant"}, err))
		return
	}
	for i := range found.Members {
		m := &found.Members[i]
		inner := w.view(m.Name, v.Member(m), depth+1)
		if len(found.Members) == 1 && len(n.list) == 0 && (inner.kind == object || inner.tuple) {
			n.kind, n.tuple = inner.kind, inner.tuple
			// Rust's enum: the variant's name, and its contents.
			n.tag, n.list, n.more = m.Name, inner.list, inner.more
			return
		}
		n.list = append(n.list, inner)
	}
}

// active returns the variant that a value has.
func active(v dwarf.Value, p *dwarf.VariantPart) (*dwarf.Variant, error) {
	if p.Discr == nil {
		if len(p.Variants) == 1 {
			return &p.Variants[0], nil
		}
		return nil, errors.New("which variant is there is not recorded")
	}
	d, err := v.Member(p.Discr).Uint()
	if err != nil {
		return nil, err
	}
	var other *dwarf.Variant
	size, _ := p.Discr.Type().Size()
	for i := range p.Variants {
		x := &p.Variants[i]
		if slices.ContainsFunc(x.Values, func(n uint64) bool { return cut(n, size) == cut(d, size) }) {
			return x, nil
		}
		if i, err := v.Member(p.Discr).Int(); err == nil && slices.ContainsFunc(x.Ranges, func(r [2]uint64) bool {
			return int64(r[0]) <= i && i <= int64(r[1])
		}) {
			return x, nil
		}
		if x.Default {
			other = x
		}
	}
	if other == nil {
		return nil, errors.New("its discriminant belongs to no variant")
	}
	return other, nil
}
