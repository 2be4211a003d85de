package values

import (
	"slices"

	"coredbg/core/dwarf"
)

// The bounds of classes: the bytes of a name, and how deep bases are in bases.
const (
	maxClassName = 4096
	maxBases     = 256
)

// hasBase reports whether a class has a base, of any depth.
func hasBase(class, base *dwarf.Type, depth int) bool {
	return depth < maxBases && slices.ContainsFunc(class.Members(), func(m dwarf.Member) bool {
		t := m.Type().Strip()
		return m.Inherited && t != nil && (t.Qualified() == base.Qualified() || hasBase(t, base, depth+1))
	})
}
