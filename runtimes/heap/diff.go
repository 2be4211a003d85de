package heap

import (
	"cmp"
	"path"
	"slices"
)

// A Change is how the objects of one class differ between two heaps of a program.
type Change struct {
	Type
	Old, New Class // the zero Class where a heap has none
}

// Grew returns by how many bytes the objects grew themselves, those that they own
// outside the heap included; negative if they shrank.
func (c *Change) Grew() int64 {
	return int64(c.New.Shallow+c.New.External) - int64(c.Old.Shallow+c.Old.External)
}

// Diff compares the classes of two heaps: those with as many objects and bytes in both
// are left out, and what grew most comes first.
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
		return cmp.Or(-cmp.Compare(a.Grew(), b.Grew()), cmp.Compare(a.Class, b.Class), cmp.Compare(a.Place, b.Place))
	})
	return out
}

// sameClass returns what gives classes of two heaps that are the same one key: name and
// place, of which the folder does not count where only one class has that name and file.
func sameClass(before, after []Class) func(Class) string {
	short := func(c Class) string { return c.Class + "\x00" + path.Base(c.Place) }
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
		return c.Class + "\x00" + c.Place
	}
}
