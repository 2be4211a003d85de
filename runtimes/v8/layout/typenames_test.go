package layout

import (
	"fmt"
	"regexp"
	"strconv"
	"testing"
)

// TestWithTypes: a table has the types of a list at their numbers, whatever they are called in it, and no others.
func TestWithTypes(t *testing.T) {
	was := &Table{Constants: map[string]int{"type_Map__MAP_TYPE": 1, "type_JSRegExp__JS_REGEXP_TYPE": 2,
		"type_Gone__GONE_TYPE": 3, "class_Map__x__": 4}}
	got := was.WithTypes(map[int]string{3: "MAP_TYPE", 7: "JS_REG_EXP_TYPE", 9: "NEW_TYPE"})
	want := map[string]int{"type_Map__MAP_TYPE": 3, "type_JSRegExp__JS_REGEXP_TYPE": 7, "type___NEW_TYPE": 9,
		"class_Map__x__": 4}
	if fmt.Sprint(got.Constants) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got.Constants, want)
	}
	if len(was.Constants) != 4 || was.Constants["type_Map__MAP_TYPE"] != 1 {
		t.Errorf("the table itself is %v now", was.Constants)
	}
}

// TestOfPeer: a buffer's fields, which V8 9.2 has moved, have the offsets in the table of 10.2, and not the
// offsets in the table of 8.7.
func TestOfPeer(t *testing.T) {
	v := V(9, 2)
	tables, err := Tables(Variant{TaggedSize: 4}, v)
	if err != nil {
		t.Fatal(err)
	}
	table := tables[0]
	if table.Version.Major != 8 {
		t.Fatalf("the nearest table of 9.2 is that of %v", table.Version)
	}
	b := New(v, Constants{Values: table.Constants, Table: table}).JSArrayBuffer
	if b.ByteLength != 12 || b.MaxByteLength != 20 || b.BackingStore != 28 || b.Extension != 36 || b.BitField != 44 {
		t.Errorf("the fields of buffers are %+v", b)
	}
	old := V(8, 9)
	if b := New(old, Constants{Values: table.Constants, Table: table}).JSArrayBuffer; b.BackingStore != 20 {
		t.Errorf("the fields of buffers of 8.9 are %+v", b)
	}
}

// TestTypedBacking: the names of such types have the bits of an element.
func TestTypedBacking(t *testing.T) {
	bits := regexp.MustCompile(`[0-9]+`)
	for name, bytes := range typedBacking {
		if n, err := strconv.Atoi(bits.FindString(name)); err != nil || n != 8*bytes {
			t.Errorf("%s: %d bytes, %v", name, bytes, err)
		}
	}
	if len(typedBacking) != 11 {
		t.Errorf("%d kinds of typed arrays", len(typedBacking))
	}
}
