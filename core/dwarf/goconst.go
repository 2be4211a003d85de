package dwarf

import "coredbg/core/dwarf/index"

// GoConstants returns the constants with exactly this type, which must be a named Go type; constants of
// predeclared types would tell nothing. Go's compiler writes all constants with a type of a package,
// used or not (DW_TAG_constant).
func (t *Type) GoConstants() []Enumerator {
	if t == nil || t.Off == 0 || t.Lang() != LangGo || t.d != t.d.root.own {
		return nil
	}
	return t.d.root.constants()[t.Off]
}

// readConstants finds the constants of Go by their types.
func (d *Data) readConstants() map[Offset][]Enumerator {
	out, count := map[Offset][]Enumerator{}, 0
	x := d.index()
	x.names.All(index.Variables, func(name string) bool {
		for _, r := range x.refs(index.Variables, name) {
			e := r.entry()
			if e == nil || e.Tag != TagConstant || e.u.Lang() != LangGo {
				continue
			}
			of, ok := e.attr(atType).ref()
			if v, is := e.attr(atConstValue).Int(); ok && is && of.d == d.own {
				out[of.off] = append(out[of.off], Enumerator{e.attr(atName).Text(), v})
				count++
			}
		}
		return count < maxTypes
	})
	return out
}
