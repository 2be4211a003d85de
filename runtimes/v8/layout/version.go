package layout

import (
	"fmt"
	"strconv"
	"strings"
)

// V returns the version major.minor.
func V(major, minor int) Version { return Version{Major: major, Minor: minor} }

// A Version is V8's own version; zero if it is unknown.
type Version struct{ Major, Minor, Build, Patch int }

// String returns the version as V8 prints it.
func (v Version) String() string {
	return fmt.Sprintf("%d.%d.%d.%d", v.Major, v.Minor, v.Build, v.Patch)
}

// ParseVersion reads "12.4" or a longer version such as V8 prints.
func ParseVersion(s string) (Version, bool) {
	part := strings.Split(s, ".")
	var n [4]int
	if len(part) < 2 {
		return Version{}, false
	}
	for i := range min(len(part), len(n)) {
		digits, _, _ := strings.Cut(part[i], "-")
		x, err := strconv.ParseUint(digits, 10, 16)
		if err != nil {
			return Version{}, false
		}
		n[i] = int(x)
	}
	return Version{Major: n[0], Minor: n[1], Build: n[2], Patch: n[3]}, true
}

// AtLeast reports whether v is major.minor or later.
func (v Version) AtLeast(major, minor int) bool {
	return v.Major > major || v.Major == major && v.Minor >= minor
}

// Before reports whether v is earlier than major.minor.
func (v Version) Before(major, minor int) bool { return !v.AtLeast(major, minor) }

// Distance is a measure of how near a version, v, is to another: of two that are as near
// an older one is nearer. Minor versions go up to 9.
func (v Version) Distance(other Version) int {
	d := 10*(other.Major-v.Major) + other.Minor - v.Minor
	return max(2*d, -2*d+1)
}

// OldestKnown and NewestKnown are the versions that are known: the oldest and the newest that the rows were
// checked with.
var OldestKnown, NewestKnown = V(7, 4), V(14, 6)

// Outside returns -1 for versions before OldestKnown, 1 for versions after NewestKnown, and 0 for
// versions between the two.
func (v Version) Outside() int {
	switch {
	case v.Before(OldestKnown.Major, OldestKnown.Minor):
		return -1
	case v.AtLeast(NewestKnown.Major, NewestKnown.Minor+1):
		return 1
	}
	return 0
}

// A Span is a value that versions have from First to Last. The zero Last is no end.
type Span[T any] struct {
	First, Last Version
	Value       T
}

// FindSpan returns the index of the span that has v's major and minor version, in a list in the order of
// versions. It reports false if v is between two spans or outside; the index is then the next span's.
func FindSpan[T any](list []Span[T], v Version) (int, bool) {
	for i, s := range list {
		if v.Before(s.First.Major, s.First.Minor) {
			return i, false
		}
		if s.Last == (Version{}) || v.Before(s.Last.Major, s.Last.Minor+1) {
			return i, true
		}
	}
	return len(list), false
}

// A Variant is the build options of V8 that change the layout of its memory.
type Variant struct {
	TaggedSize int  // bytes of a tagged field: 8, or 4 with pointer compression
	Sandbox    bool // external and trusted pointers are handles
}

// suffix is what the names of tables end in for a variant.
func (v Variant) suffix() string {
	s := ""
	if v.TaggedSize == 4 {
		s = "-ptr4"
	}
	if v.Sandbox {
		s += "-sandbox"
	}
	return s
}
