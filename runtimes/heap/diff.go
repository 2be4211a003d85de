package heap

import (
	"cmp"
	"path"
	"slices"
)

// A Change is how the objects of one class differ between two heaps of a program.
type Change struct {
	Type
	Old, New Class // the zero Class if a heap lacks the class
}

// Grew returns the growth in bytes of the objects themselves, including bytes that they own outside the
// heap; negative if they shrank.
func (c *Change) Grew() int64 {
	return int64(c.New.Shallow+c.New.External) - int64(c.Old.Shallow+c.Old.External)
}

// Diff compares the classes of two heaps, the largest growth first. It leaves out classes with the same
// numbers of objects and bytes in both.
func Diff(before, after []Class) []Change {
	all := map[string]*Change{}
	same := sameClass(before, after)
	at := func(c Class) *Change {
		k := same(c)
		if all[k] == nil {
			all[k] = &Change{Type: c.Type}
		}
		return all[k]
	}
	for _, c := range before {
		at(c).Old = c
	}
	for _, c := range after {
		x := at(c)
		x.New, x.Type = c, c.Type
	}
	var out []Change
	for _, x := range all {
		if x.Old.Objects != x.New.Objects || x.Grew() != 0 {
			out = append(out, *x)
		}
	}
	slices.SortFunc(out, func(a, b Change) int {
		return cmp.Or(-cmp.Compare(a.Grew(), b.Grew()), cmp.Compare(a.Class, b.Class), a.Place.Compare(b.Place))
	})
	return out
}

// sameClass returns a function that returns the same key for the same class in two heaps: name and
// place. The folder of the place does not count if only one class has that name and file.
func sameClass(before, after []Class) func(Class) string {
	short := func(c Class) string { return c.Class + "\x00" + path.Base(c.Place.String()) }
	several := map[string]bool{}
	for _, list := range [][]Class{before, after} {
		seen := map[string]bool{}
		for _, c := range list {
			k := short(c)
			several[k] = several[k] || seen[k]
			seen[k] = true
		}
	}
	return func(c Class) string {
		if k := short(c); !several[k] {
			return k
		}
		return c.Class + "\x00" + c.Place.String()
	}
}
