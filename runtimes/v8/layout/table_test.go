package layout

import (
	"slices"
	"strings"
	"testing"
)

// TestReads: each row is read, as far as names tell, and each name reads rows.
func TestReads(t *testing.T) {
	read, rows := map[string]int{}, 0
	for _, v := range []Variant{{TaggedSize: 8}, {TaggedSize: 4}, {TaggedSize: 4, Sandbox: true}} {
		list, err := written(v)
		if err != nil {
			t.Fatal(err)
		}
		for _, table := range list {
			for name := range table.Constants {
				rows++
				if !Reads(name) {
					t.Errorf("%v%s: nothing reads %s", table.Version, v.suffix(), name)
				}
				for _, prefix := range slices.Concat(families, others, tags()) {
					if strings.HasPrefix(name, prefix) {
						read[prefix]++
					}
				}
			}
		}
	}
	for _, prefix := range slices.Concat(families, others) {
		if read[prefix] == 0 {
			t.Errorf("no row is read by %s", prefix)
		}
	}
	if rows < 10000 {
		t.Errorf("%d rows", rows)
	}
}

// TestTables reads every table here, and asks each for the facts that decoding requires.
func TestTables(t *testing.T) {
	entries, err := tableFiles.ReadDir("tables")
	if err != nil || len(entries) == 0 {
		t.Fatalf("no tables: %v", err)
	}
	for _, e := range entries {
		f, err := tableFiles.Open("tables/" + e.Name())
		if err != nil {
			t.Fatal(err)
		}
		c, err := ReadTable(f)
		f.Close()
		if err != nil {
			t.Errorf("%s: %v", e.Name(), err)
			continue
		}
		names := sortedNames(c)
		for _, name := range []string{"TaggedSize", "FirstNonstringType", "class_JSFunction__shared__",
			"class_Map__instance_type__", "off_fp_context", "frametype_EntryFrame"} {
			if _, ok := findConstant(names, name); !ok {
				t.Errorf("%s: no %s", e.Name(), name)
			}
		}
		size := 8
		if strings.Contains(e.Name(), "-ptr4") {
			size = 4
		}
		if c["TaggedSize"] != size {
			t.Errorf("%s: tagged fields of %d bytes", e.Name(), c["TaggedSize"])
		}
	}
}

// TestNearestTables: the nearest to a version comes first.
func TestNearestTables(t *testing.T) {
	for _, c := range []struct {
		v    Version
		want Version
	}{{V(14, 6), V(14, 6)}, {V(14, 0), V(14, 1)}, {V(13, 7), V(13, 6)}, {V(99, 0), V(14, 6)}, {V(9, 3), V(9, 4)},
		{V(8, 3), V(8, 4)}, {V(1, 0), V(7, 8)}} {
		list, err := Tables(Variant{TaggedSize: 8}, c.v)
		if err != nil {
			t.Fatal(err)
		}
		if c.v == V(99, 0) {
			c.want = list[0].Version // the newest, whatever it is
			for _, x := range list {
				if x.Version.AtLeast(c.want.Major, c.want.Minor+1) {
					t.Errorf("%v comes after %v", x.Version, c.want)
				}
			}
		}
		if list[0].Version != c.want {
			t.Errorf("%v: the nearest is %v, want %v", c.v, list[0].Version, c.want)
		}
		for _, x := range list {
			if x.Constants["type_Map__MAP_TYPE"] == 0 || x.Constants["TaggedSize"] != 8 {
				t.Errorf("%v: no map type, or tagged fields of %d bytes", x.Version, x.Constants["TaggedSize"])
			}
		}
	}
}

// TestTablesCompressed: builds with compressed pointers have offsets of their own, but the same types and
// frames as other builds.
func TestTablesCompressed(t *testing.T) {
	for _, sandbox := range []bool{false, true} {
		list, err := Tables(Variant{TaggedSize: 4, Sandbox: sandbox}, V(14, 1))
		if err != nil {
			t.Fatal(err)
		}
		x := list[0]
		l := New(V(14, 1), Constants{Values: x.Constants, Table: x})
		if l.Map.InstanceType != 8 || l.JSFunction.Shared != 16 || l.JSBoundFunction.Target != 12 ||
			l.FixedArray.Data != 8 || l.Frame.Args != 16 || l.DescriptorArray.Header != 20 {
			t.Errorf("sandbox %v: %+v", sandbox, l)
		}
		if want := map[bool]int{false: 36, true: 40}[sandbox]; l.BytecodeArray.Data != want {
			t.Errorf("sandbox %v: bytecodes begin at %d, want %d", sandbox, l.BytecodeArray.Data, want)
		}
		if x.Constants["type_Map__MAP_TYPE"] != 276 {
			t.Errorf("the type of maps is %d", x.Constants["type_Map__MAP_TYPE"])
		}
	}
}

// TestTradedTypes: two types with swapped numbers, or three whose last one has another's, are recognized by the
// types on both sides.
func TestTradedTypes(t *testing.T) {
	table := &Table{Constants: map[string]int{
		"type_A__A_TYPE": 10, "type_B__B_TYPE": 11, "type_C__C_TYPE": 12, "type_D__D_TYPE": 20, "type_E__E_TYPE": 21,
		"type_F__F_TYPE": 22, "type_X__X_TYPE": 5,
	}}
	for name, moved := range map[string]map[int]int{
		"in order": {10: 9, 11: 10, 12: 11, 20: 19, 21: 20, 22: 21},
		"traded":   {10: 9, 11: 20, 12: 11, 20: 19, 21: 10, 22: 21},
		"of three": {5: 10, 10: 9, 11: 20, 12: 11, 20: 19, 21: 4, 22: 21},
	} {
		got := table.Renumbered(func(typ int) (int, bool) { n, ok := moved[typ]; return n, ok })
		for typ, want := range map[string]int{"A": 9, "B": 10, "C": 11, "D": 19, "E": 20, "F": 21} {
			constant := "type_" + typ + "__" + typ + "_TYPE"
			if got.Constants[constant] != want {
				t.Errorf("%s: %s is %d, want %d", name, typ, got.Constants[constant], want)
			}
		}
		if n, ok := got.Constants["type_X__X_TYPE"]; ok && n == 10 {
			t.Errorf("%s: X has B's number", name)
		}
	}
}
