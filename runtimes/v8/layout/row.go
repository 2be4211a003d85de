package layout

import (
	"slices"
	"strconv"

	"coredbg/runtimes/layout"
)

// Unknown is the value of a fact without a supplier.
const Unknown = layout.Unknown

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
	return r.file + ", since V8 " + strconv.Itoa(s.since.Major) + "." + strconv.Itoa(s.since.Minor)
}
