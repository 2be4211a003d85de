package layout

import (
	"cmp"
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// tableFiles are the tables that layout/gen wrote. Each is named for its version and
// variant: 15.0.tsv, 15.0-ptr4.tsv, 15.0-ptr4-sandbox.tsv.
//
//go:embed tables/*.tsv
var tableFiles embed.FS

// IsOf reports whether the table was written from the sources of the version, by its major and minor number.
func (t *Table) IsOf(v Version) bool { return t.Version == V(v.Major, v.Minor) }

// Tables returns the tables of a variant: the version's table first, then the others, the
// nearest first.
func Tables(variant Variant, v Version) ([]*Table, error) {
	nearest := func(a, b *Table) int { return cmp.Compare(a.Version.Distance(v), b.Version.Distance(v)) }
	list, err := written(variant)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(list, nearest)
	peers := slices.Clone(list)
	if variant.TaggedSize == 4 {
		whole, err := Tables(Variant{TaggedSize: 8}, v)
		if err != nil {
			return nil, err
		}
		for _, t := range whole {
			// compressed has the offsets of 12.9 and later. Earlier versions have tables.
			same := func(x *Table) bool { return x.Version == t.Version }
			if t.Version.AtLeast(12, 9) && !slices.ContainsFunc(list, same) {
				list = append(list, t.compressed(variant))
			}
		}
	}
	slices.SortStableFunc(list, nearest)
	if variant.Sandbox {
		plain, err := Tables(Variant{TaggedSize: 4}, v)
		if err != nil {
			return nil, err
		}
		if len(list) > 0 && plain[0].Version.Distance(v) < list[0].Version.Distance(v) {
			list = append([]*Table{list[0].typedAs(plain[0])}, list...)
		}
		peers = append(peers, plain[0].peers...)
	}
	layouts := sync.OnceValue(func() []*Layout { return layoutsOf(peers) })
	for _, t := range list {
		t.peers, t.layouts = peers, layouts
	}
	return list, nil
}

// written returns the tables of a variant that there are files of.
func written(variant Variant) (list []*Table, err error) {
	entries, err := tableFiles.ReadDir("tables")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		x, ok := tableVersion(e.Name(), variant)
		if !ok {
			continue
		}
		t := &Table{Version: x, Variant: variant, MapsWidth: variant.TaggedSize}
		f, err := tableFiles.Open("tables/" + e.Name())
		if err != nil {
			return nil, err
		}
		t.Constants, err = ReadTable(f)
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name(), err)
		}
		if variant.TaggedSize == 8 {
			t.nameTypes()
		}
		if n, ok := t.Constants["romaps_width"]; ok {
			t.MapsWidth = n
		}
		list = append(list, t)
	}
	return list, nil
}

// typedAs returns the table with the instance types of another table, and with its maps of the read-only heap, which
// show the types that have moved: the sandbox does not change their order.
func (t *Table) typedAs(o *Table) *Table {
	out := *t
	out.MapsWidth, out.Constants = o.MapsWidth, map[string]int{}
	ofTypes := func(name string) bool { return strings.HasPrefix(name, "type_") || strings.HasPrefix(name, "romap_") }
	for name, n := range t.Constants {
		if !ofTypes(name) {
			out.Constants[name] = n
		}
	}
	for name, n := range o.Constants {
		if ofTypes(name) {
			out.Constants[name] = n
		}
	}
	return &out
}

// nameTypes adds the types that the list of the version has and the table lacks.
func (t *Table) nameTypes() {
	named := map[int]bool{}
	for name, n := range t.Constants {
		if strings.HasPrefix(name, "type_") {
			named[n] = true
		}
	}
	for n, name := range Types(t.Version, t.Constants) {
		if !named[n] {
			t.Constants["type___"+name] = n
		}
	}
}

// tableVersion returns the version in a table's file name. It reports false for another
// variant.
func tableVersion(name string, variant Variant) (Version, bool) {
	name, ok := strings.CutSuffix(name, variant.suffix()+".tsv")
	major, minor, ok2 := strings.Cut(name, ".")
	m, err := strconv.ParseUint(major, 10, 16)
	n, err2 := strconv.ParseUint(minor, 10, 16)
	return V(int(m), int(n)), ok && ok2 && cmp.Or(err, err2) == nil
}

// layoutsOf returns the layouts of tables, each of the table's own version.
func layoutsOf(tables []*Table) (list []*Layout) {
	for _, t := range tables {
		list = append(list, New(t.Version, Constants{Values: t.Constants, Table: t}))
	}
	return list
}
