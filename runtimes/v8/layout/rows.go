package layout

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"

	"coredbg/runtimes/layout"
)

// A row is one number of the Layout through all versions.
type row struct {
	name  string // of the Layout's field: "Code.Flags"
	form  form
	file  string // upstream's, which declares it
	steps []step // in the order of versions
}

// A step is the value of a row from a version on, in builds whose tagged fields are words.
type step struct {
	since Version
	value int
}

// A form says what a row's value is in builds with compressed pointers.
type form uint8

// The forms of rows.
const (
	// mixed is an offset in an object that has untagged fields before it. Tables of such builds
	// have it, and compressedOffsets.
	mixed form = iota
	// tagged is an offset after tagged fields only, or after handles, which have the same size: it is half as large.
	tagged
	// number is no offset in an object, but a tag, a mask, a shift, an index, a count or a trait: it is the same.
	number
)

// V returns the version major.minor.
func V(major, minor int) Version { return Version{Major: major, Minor: minor} }

// allRows returns the rows of all lists.
func allRows() []row { return slices.Concat(codeRows, objectRows) }

// rowsByName returns all rows by the names of their fields.
var rowsByName = sync.OnceValue(func() map[string]*row {
	out := map[string]*row{}
	for _, r := range allRows() {
		out[r.name] = &r
	}
	return out
})

// at returns the row's step of a version, whose value may be Unknown. It reports false for versions
// before the first one.
func (r *row) at(v Version) (step, bool) {
	if r == nil {
		return step{}, false
	}
	for _, s := range slices.Backward(r.steps) {
		if v.AtLeast(s.since.Major, s.since.Minor) {
			return s, true
		}
	}
	return step{}, false
}

// value returns the row's value of a version, or Unknown.
func (r *row) value(v Version) int {
	if s, ok := r.at(v); ok {
		return s.value
	}
	return Unknown
}

// source names the file that has the value of a version, and the version that brought it.
func (r *row) source(v Version) string {
	s, _ := r.at(v)
	return fmt.Sprintf("%s, since V8 %d.%d", r.file, s.since.Major, s.since.Minor)
}

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

func sortedNames(m map[string]int) []string { return slices.Sorted(maps.Keys(m)) }

func searchNames(names []string, name string) int {
	i, _ := slices.BinarySearch(names, name)
	return i
}
