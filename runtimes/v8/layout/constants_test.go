package layout

import "testing"

// TestRenumbered: a type between two that are known is where they say; what is known keeps
// its number to itself.
func TestRenumbered(t *testing.T) {
	table := &Table{Constants: map[string]int{"TaggedSize": 8, "romap_000": 1,
		"type_A__A_TYPE": 10, "type_B__B_TYPE": 12, "type_C__C_TYPE": 20, "type_D__D_TYPE": 22, "type_E__E_TYPE": 60,
		"type_F__F_TYPE": 100}}
	known := map[int]int{10: 11, 20: 21, 60: 59}
	got := table.Renumbered(func(n int) (int, bool) { m, ok := known[n]; return m, ok })
	want := map[string]int{"TaggedSize": 8, "type_A__A_TYPE": 11, "type_B__B_TYPE": 13, "type_C__C_TYPE": 21,
		"type_D__D_TYPE": 23, "type_E__E_TYPE": 59}
	if len(got.Constants) != len(want) || !got.Moved {
		t.Errorf("%v", got.Constants)
	}
	for name, n := range want {
		if got.Constants[name] != n {
			t.Errorf("%s is %d, want %d", name, got.Constants[name], n)
		}
	}
	known[22] = 13 // where B would be
	if got := table.Renumbered(func(n int) (int, bool) {
		m, ok := known[n]
		return m,
			ok
	}); got.Constants["type_B__B_TYPE"] != 0 {
		t.Errorf("two types have the number 13: %v", got.Constants)
	}
}

// TestNewOfTable: what changed after the version of a table is as the version table has it,
// what it does not know as the table has it.
func TestNewOfTable(t *testing.T) {
	old := &Table{Version: V(14, 6), Variant: Variant{TaggedSize: 8},
		Constants: map[string]int{"prop_index_mask": 1 << 20, "class_JSRegExp__last_index__Object": 48}}
	c := Constants{Values: old.Constants, Table: old}
	if l := New(V(15, 0), c); l.DescriptorArray.IndexMask != 0x7ff<<19 || l.DescriptorArray.InObjectShift != 30 ||
		l.JSRegExp.LastIndex != 40 || l.FixedArray.RawLength != 1 {
		t.Errorf("15.0: %+v, last index at %d", l.DescriptorArray, l.JSRegExp.LastIndex)
	}
	if l := New(V(14, 6), c); l.DescriptorArray.IndexMask != 1<<20 || l.DescriptorArray.InObjectShift != Unknown ||
		l.JSRegExp.LastIndex != 48 {
		t.Errorf("14.6: %+v", l.DescriptorArray)
	}
	if l := New(V(14, 0), c); l.DescriptorArray.IndexMask != 1<<20 {
		t.Errorf("14.0, which is before the table's: %+v", l.DescriptorArray)
	}
}
