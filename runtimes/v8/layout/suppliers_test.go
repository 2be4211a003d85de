package layout

import (
	"slices"
	"testing"
)

// supplied returns the fact of Script.Source.
func supplied(l *Layout) Fact {
	return l.facts[slices.IndexFunc(l.facts, func(f Fact) bool { return f.Class == "Script" && f.Field == "Source" })]
}

// TestOrderOfSuppliers gives one number by more and more suppliers: each takes precedence over the ones before, in the
// order of the package comment. The row has 8.
func TestOrderOfSuppliers(t *testing.T) {
	none := New(V(7, 0), Constants{}) // before the first row
	row := New(V(13, 6), Constants{})
	constants := map[string]int{"class_Script__source__Object": 16}
	table := New(V(13, 6), Constants{Values: constants,
		Table: &Table{Version: V(13, 6), Variant: Variant{TaggedSize: 8}, Constants: constants}})
	probe := New(V(13, 6), Constants{Values: constants,
		Table: &Table{Version: V(13, 6), Variant: Variant{TaggedSize: 8}, Constants: constants}})
	probe.Probed("Script", "Source", 24)
	symbol := New(V(13, 6), Constants{Values: constants})
	symbol.Probed("Script", "Source", 24)
	hand := New(V(13, 6), Constants{Values: constants})
	hand.SetByHand("Script", "Source", 32)
	hand.Probed("Script", "Source", 24)
	for _, c := range []struct {
		l        *Layout
		supplier Supplier
		value    int
		source   string
		conflict string
	}{
		{hand, FromHand, 32, "", "Script.Source is 32 by hand, but 24 by probe"},
		{symbol, FromSymbol, 16, "v8dbg_class_Script__source__Object",
			"Script.Source is 16 by symbol, but 24 by probe"},
		{probe, FromProbe, 24, "", "Script.Source is 24 by probe, but 16 by table"},
		{table, FromTable, 16, "class_Script__source__Object of 13.6", ""},
		{row, FromRow, 8, "objects/script.tq, since V8 7.4", ""},
		{none, FromNowhere, Unknown, "", ""},
	} {
		f := supplied(c.l)
		if f.Supplier != c.supplier || f.Value != c.value || f.Source != c.source || c.l.Script.Source != c.value {
			t.Errorf("%s: %+v, the layout has %d", c.supplier, f, c.l.Script.Source)
		}
		got := ""
		for _, x := range c.l.Conflicts() {
			got += x.String()
		}
		if got != c.conflict {
			t.Errorf("%s: conflicts %q, want %q", c.supplier, got, c.conflict)
		}
	}
	want := []Supplier{FromHand, FromSymbol, FromProbe, FromTable, FromRow, FromNowhere}
	if !slices.Equal(Suppliers(), want) {
		t.Errorf("the order is %v", Suppliers())
	}
}

// TestConflicts: a value found twice is compared with the first supplier's, an equal one is no conflict, and
// a number that was unknown contradicts none.
func TestConflicts(t *testing.T) {
	l := New(V(13, 6), Constants{})
	l.Probed("Script", "Source", 24)
	l.Probed("Script", "Source", 32)
	l.Probed("JSFunction", "DispatchHandle", Unknown)
	l.Probed("JSTypedArray", "BitField", 72)
	l.Probed("Script", "Name", l.Script.Name)
	l.Probed("DescriptorArray", "IndexMask", 0x7ff<<19)
	got := ""
	for _, c := range l.Conflicts() {
		got += c.String() + "\n"
	}
	want := "DescriptorArray.IndexMask is 0x3ff80000 by probe, but 0x1ff80000 by row\n" +
		"JSFunction.DispatchHandle is unknown by probe, but 24 by row\nScript.Source is 32 by probe, but 8 by row\n"
	if got != want {
		t.Errorf("%swant\n%s", got, want)
	}
	l.Probed("Script", "Source", 8)
	if n := len(l.Conflicts()); n != 2 {
		t.Errorf("%d conflicts", n)
	}
}
