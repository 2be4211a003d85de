package view

import (
	"errors"
	"slices"

	"coredbg/core/dwarf"
)

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
