package layout

import (
	"reflect"
	"slices"
	"strings"

	"coredbg/runtimes/layout"
)

// New makes the layout of a version from the constants of an image, or of a table that
// stands in for them, and from the rows. If the table has another version than v, the rows'
// differences between the two versions apply.
func New(v Version, c Constants) *Layout {
	l, rows := ofRows(v), rowsByName()
	l.Variant = Variant{TaggedSize: 8}
	var other map[string]int // what v has otherwise than the table's version
	if c.Table != nil {
		l.Variant = c.Table.Variant
		other = changedBetween(c.Table.Version, v)
	}
	names := sortedNames(c.Values)
	l.facts = layout.Fill(l, func(class, field reflect.StructField, value int) Fact {
		key := class.Name + "." + field.Name
		prefixes := []string{"layout_" + class.Name + "_" + field.Name, field.Tag.Get("v8")}
		now, changed := other[key]
		early := l.Variant.Sandbox && slices.Contains(withTrusted, class.Name) // it may have what others get later
		if changed && now == Unknown && !early {
			return Fact{Value: Unknown, Supplier: FromNowhere} // the version does not have the field yet
		}
		byRow := true
		if l.Variant.TaggedSize == 4 {
			value = convert(class.Name, field.Name, value)
			if changed && value == Unknown {
				byRow = false
				if value = l.Variant.sinceCompressed(key, other[key], prefixes); value == Unknown {
					value = c.Table.ofPeer(key, v, prefixes)
				}
				if value == Unknown {
					value = shifted(c.Values, names, prefixes, rows[key].value(c.Table.Version), other[key])
				}
			}
		}
		for _, prefix := range prefixes {
			if name, ok := findConstant(names, prefix); ok && !(changed && value != Unknown) {
				return c.fact(name)
			}
		}
		if value == Unknown {
			return Fact{Value: Unknown, Supplier: FromNowhere}
		}
		if !byRow {
			return Fact{Value: value, Supplier: FromTable, Source: "tables of compressed builds"}
		}
		return Fact{Value: value, Supplier: FromRow, Source: rows[key].source(v)}
	})
	// The table of another version may have another type of length.
	_, changed := other["FixedArray.RawLength"]
	if name, ok := findConstant(names, "class_FixedArrayBase__length__"); ok && !changed {
		l.FixedArray.RawLength = 1
		if strings.HasSuffix(name, "SMI") || strings.Contains(name, "Smi") {
			l.FixedArray.RawLength = 0
		}
	}
	return l
}
