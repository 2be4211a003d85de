package layout

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// allTables returns the tables by the names of their files.
func allTables(t *testing.T) map[string]*Table {
	t.Helper()
	out := map[string]*Table{}
	for _, v := range []Variant{{TaggedSize: 8}, {TaggedSize: 4}, {TaggedSize: 4, Sandbox: true}} {
		list, err := written(v)
		if err != nil {
			t.Fatal(err)
		}
		for _, table := range list {
			out[fmt.Sprintf("%d.%d%s", table.Version.Major, table.Version.Minor, v.suffix())] = table
		}
	}
	files, err := fs.Glob(tableFiles, "tables/*.tsv")
	if err != nil || len(files) != len(out) {
		t.Fatalf("%d tables of %d files, %v", len(out), len(files), err)
	}
	return out
}

// TestNumbered: bytecodes are numbered from 0 on, and frame types without a gap; no two have one number.
func TestNumbered(t *testing.T) {
	for name, table := range allTables(t) {
		var bytecodes, frames []int
		for row, n := range table.Constants {
			if rest, ok := strings.CutPrefix(row, "bytecode_"); ok {
				number, _, _ := strings.Cut(rest, "_")
				if number != strconv.Itoa(n) {
					t.Errorf("%s: %s has the number %d", name, row, n)
				}
				bytecodes = append(bytecodes, n)
			}
			if strings.HasPrefix(row, "frametype_") {
				frames = append(frames, n)
			}
			if strings.HasPrefix(row, "parent_") && n != 0 {
				t.Errorf("%s: %s is %d: its name says all", name, row, n)
			}
		}
		for what, list := range map[string][]int{"bytecodes": bytecodes, "frame types": frames} {
			slices.Sort(list)
			if n := len(list); n > 0 && (list[n-1]-list[0] != n-1 || len(slices.Compact(list)) != n) {
				t.Errorf("%s: the %d numbers of %s are not from %d to %d", name, n, what, list[0], list[n-1])
			}
		}
		if n := len(bytecodes); n > 0 && n < 150 {
			t.Errorf("%s: %d bytecodes", name, n)
		}
	}
}

// TestTypeNumbers compares instance types with the names of the types in V8's own code (tables/types), which does
// not depend on the size of a tagged field. Where there is no such list, each number has one type.
func TestTypeNumbers(t *testing.T) {
	shared := map[string]bool{ // types with the number of another one
		"BIG_INT_BASE_TYPE": true, "WEAK_ARRAY_LIST_TYPE": true, "JS_FUNCTION_WITH_PROTOTYPE_TYPE": true,
	}
	compared := 0
	for name, table := range allTables(t) {
		named := map[string]int{}
		list := TypeList(V(table.Version.Major, table.Version.Minor))
		for n, typ := range list {
			named[typ] = n
		}
		by := map[int]string{}
		for row, n := range table.Constants {
			rest, ok := strings.CutPrefix(row, "type_")
			if !ok {
				continue
			}
			_, typ, _ := strings.Cut(rest, "__")
			if want, ok := named[typ]; ok {
				if compared++; n != want {
					t.Errorf("%s: %s is %d, and %d in V8's code", name, row, n, want)
				}
			}
			if shared[typ] {
				continue
			}
			if other := by[n]; other != "" && other != typ {
				t.Errorf("%s: %s and %s are both %d", name, typ, other, n)
			}
			by[n] = typ
		}
		for _, m := range table.ReadOnlyMaps() {
			if n := m & 0xffff; len(list) > 0 && by[n] == "" && list[n] == "" {
				t.Errorf("%s: a map of the read-only heap has the type %d, which has no name", name, m&0xffff)
			}
		}
	}
	if compared < 2000 {
		t.Errorf("%d types were compared", compared)
	}
}

// offsetsOf returns the offsets of the fields of a table's classes, without padding. Rows of one field must agree.
func offsetsOf(t *testing.T, name string, table *Table) map[string]map[string]int {
	out := map[string]map[string]int{}
	for row, n := range table.Constants {
		class, field, _ := parts(row)
		if class == "" || strings.Contains(field, "padding") {
			continue
		}
		if out[class] == nil {
			out[class] = map[string]int{}
		}
		if old, ok := out[class][field]; ok && old != n {
			t.Errorf("%s: %s.%s is at %d and at %d", name, class, field, old, n)
		}
		out[class][field] = n
	}
	return out
}

// lower returns the fields of a class that are next below a field, and how far.
func lower(fields map[string]int, field string) (names []string, gap int) {
	below := -1
	for _, at := range fields {
		if at < fields[field] {
			below = max(below, at)
		}
	}
	for name, at := range fields {
		if at == below {
			names = append(names, name)
		}
	}
	return names, fields[field] - below
}

// alone are fields that are so far from the one below in no other table.
var alone = map[string]bool{
	"Code.instruction_start": true, "JSGlobalObject.global_proxy": true, "SmallOrderedHashMap.data": true,
	"SmallOrderedHashSet.data": true, "SmallOrderedNameDictionary.data": true,
}

// TestFieldsApart: a field is as far from the one below it as in another table, twice as far if that has tagged
// fields of half the size, or one tagged field. Two fields of one place have one place in another table, too.
func TestFieldsApart(t *testing.T) {
	tables := allTables(t)
	classes := map[string]map[string]map[string]int{}
	for name, table := range tables {
		classes[name] = offsetsOf(t, name, table)
	}
	compared := 0
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		for class, fields := range classes[name] {
			for field := range fields {
				below, gap := lower(fields, field)
				for _, b := range below {
					known, same := false, gap == tables[name].Variant.TaggedSize || alone[class+"."+field]
					for other, table := range tables {
						x := classes[other][class]
						at, ok1 := x[field]
						from, ok2 := x[b]
						if other == name || !ok1 || !ok2 {
							continue
						}
						known = true
						d := at - from
						same = same || d == gap || table.Variant.TaggedSize != tables[name].Variant.TaggedSize &&
							(d == 2*gap || 2*d == gap)
					}
					if compared++; known && !same {
						t.Errorf("%s: %s.%s is %d above %s, as in no other table", name, class, field, gap, b)
					}
				}
			}
		}
	}
	if compared < 4000 {
		t.Errorf("%d fields were compared", compared)
	}
	checkOrder(t, classes)
}

// turned are pairs of fields whose order no two tables share.
var turned = map[[3]string]bool{
	{"JSFunction", "code", "feedback_cell"}: true, {"JSFunction", "code", "shared_function_info"}: true,
	{"PrototypeInfo", "bit_field", "object_create_map"}: true,
}

// checkOrder: two fields of a class have the order, or the common place, that they have in another table.
func checkOrder(t *testing.T, classes map[string]map[string]map[string]int) {
	orders := map[[3]string]map[int][]string{}
	for name, all := range classes {
		for class, fields := range all {
			names := slices.Sorted(maps.Keys(fields))
			for i, a := range names {
				for _, b := range names[i+1:] {
					if turned[[3]string{class, a, b}] {
						continue
					}
					key := [3]string{class, a, b}
					if orders[key] == nil {
						orders[key] = map[int][]string{}
					}
					order := cmp.Compare(fields[a], fields[b])
					orders[key][order] = append(orders[key][order], name)
				}
			}
		}
	}
	for key, by := range orders {
		for _, tables := range by {
			if len(by) > 1 && len(tables) == 1 {
				t.Errorf("%s: %s and %s of %s have another order in all other tables", tables[0], key[1], key[2], key[0])
			}
		}
	}
}
