package layout

import (
	"reflect"
	"slices"
	"sync"

	"coredbg/runtimes/layout"
)

// allRows returns the rows of all lists.
func allRows() []row { return slices.Concat(codeRows, objectRows, traitRows) }

// rowsByName returns all rows by the names of their fields.
var rowsByName = sync.OnceValue(func() map[string]*row {
	out := map[string]*row{}
	for _, r := range allRows() {
		out[r.name] = &r
	}
	return out
})

// ofRows returns a layout as the rows alone have it.
func ofRows(v Version) *Layout {
	l, rows := &Layout{Version: v}, rowsByName()
	layout.Each(l, func(class, field reflect.StructField, p *int) { *p = rows[class.Name+"."+field.Name].value(v) })
	return l
}

// changedBetween returns the values of rows that differ in another version, by the rows' names.
func changedBetween(from, to Version) map[string]int {
	out := map[string]int{}
	for name, r := range rowsByName() {
		if value := r.value(to); value != r.value(from) {
			out[name] = value
		}
	}
	return out
}

// IsOffset reports whether a number of the Layout is an offset in objects of its class, in bytes.
func IsOffset(class, field string) bool {
	r := rowsByName()[class+"."+field]
	return r == nil || r.form != number
}

// convert returns what the value of a row is where tagged fields have four bytes.
func convert(class, field string, value int) int {
	r := rowsByName()[class+"."+field]
	switch {
	case value == Unknown, r == nil:
		return Unknown
	case r.form == number:
		return value
	case r.form == tagged:
		return value / 2
	}
	return Unknown
}
