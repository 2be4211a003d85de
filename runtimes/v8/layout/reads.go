package layout

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	"coredbg/runtimes/layout"
)

// families are how the names of rows begin that are read as lists.
var families = []string{"bytecode_", "class_", "frametype_", "parent_", "romap_", "type_"}

// others are further names that rows are read by, or that tests hold the rows of traits to.
var others = []string{"APIObjectType", "SpecialAPIObjectType", "TaggedSize", "romaps_width", "scopetype_MODULE_SCOPE",
	"contextfield_PREVIOUS_INDEX", "contextfield_EXTENSION_INDEX", "layout_PropertyDetails_"}

// tags returns the names that the fields of Layout have for constants, without their ends, and the rows that are
// named for fields.
var tags = sync.OnceValue(func() (all []string) {
	layout.Each(&Layout{}, func(class, field reflect.StructField, _ *int) {
		all = append(all, "layout_"+class.Name+"_"+field.Name)
		if tag := field.Tag.Get("v8"); tag != "" {
			all = append(all, strings.Split(tag, "|")...)
		}
	})
	return all
})

// Reads reports whether a row of that name in a table is read. A table has no other rows.
func Reads(name string) bool {
	begins := func(prefix string) bool { return strings.HasPrefix(name, prefix) }
	return slices.ContainsFunc(families, begins) || slices.ContainsFunc(others, begins) ||
		slices.ContainsFunc(tags(), begins)
}
