package dwarf

import (
	"strings"

	"coredbg/core/dwarf/format"
)

// enumAttrs are the attributes that enumerators are found by.
var enumAttrs = setOf(format.AtSibling, format.AtName, format.AtConstValue, format.AtEnumClass)

// Enumerator returns the enumeration of the unit that has a value with a name, and the value. Before the name may stand
// the enumeration's own name, or the scope that it is in: "color::red".
func (u *Unit) Enumerator(name string) (t *Type, value int64, ok bool) {
	u, err := u.whole()
	if err != nil {
		return nil, 0, false
	}
	scope := ""
	if i := strings.LastIndex(name, "::"); i >= 0 {
		scope, name = name[:i], name[i+2:]
	}
	u.load()
	r := u.reader(u.first)
	r.only = enumAttrs
	enum, class := format.Offset(0), false
	for depth := 0; ; {
		e, more := r.next()
		if !more {
			return nil, 0, false
		}
		switch {
		case e.Tag == 0:
			if depth--; depth <= 0 {
				return nil, 0, false
			}
			continue
		case e.Tag == format.TagEnumerationType:
			enum, class = e.Off, e.attr(format.AtEnumClass).Flag()
		case e.Tag == format.TagEnumerator && e.attr(format.AtName).Text() == name:
			v, is := e.attr(format.AtConstValue).Int()
			t := u.d.typeAt(enum)
			if is && t != nil && t.holds(scope, class) {
				return t, v, true
			}
		}
		switch {
		case !e.Children:
		case depth >= maxNested || !holdsFunctions(e.Tag) && e.Tag != format.TagEnumerationType:
			r.skipChildren(e)
		default:
			depth++
		}
	}
}

// holds reports whether an enumeration's values may be named by a scope. Those of a class need its name.
func (t *Type) holds(scope string, class bool) bool {
	name := t.Qualified()
	if class || scope == name {
		return scope == name
	}
	if scope == "" {
		return true
	}
	i := strings.LastIndex(name, "::")
	return i >= 0 && name[:i] == scope
}

// Bytes returns how many bytes of debugging information the unit has.
func (u *Unit) Bytes() int64 { return int64(u.end - u.Off) }
