package cdecl

import (
	"testing"

	"coredbg/core/dwarf"
)

// TestWhole: truth is what gdb 13 prints for "ptype" of C variables with these types, compiled by GCC 12.
func TestWhole(t *testing.T) {
	const addr = 8
	integer := dwarf.NewBase("int", dwarf.EncSigned, 4, addr)
	char := dwarf.NewBase("char", dwarf.EncSignedChar, 1, addr)
	count := integer.Named("count_t")
	inner := dwarf.NewStruct(dwarf.Struct, "", 4, addr, []dwarf.Member{dwarf.NewMember("deep", integer, 0)})
	either := dwarf.NewStruct(dwarf.Union, "", 4, addr, []dwarf.Member{dwarf.NewMember("n", count, 0),
		dwarf.NewMember("in", inner, 0)})
	list := dwarf.NewStruct(dwarf.Struct, "list", 24, addr, []dwarf.Member{dwarf.NewMember("name", char.ArrayOf(8), 0),
		dwarf.NewMember("any", either, 8), dwarf.NewMember("rows", integer.ArrayOf(3).PointerTo(), 16)})
	body := "struct list {\n    char name[8];\n    union {\n        count_t n;\n        struct {...} in;\n    } any;\n" +
		"    int (*rows)[3];\n}"
	for _, x := range []struct {
		t    *dwarf.Type
		want string
	}{
		{nil, "void"}, {integer, "int"}, {count, "int"}, {count.PointerTo(), "int *"},
		{integer.ArrayOf(3), "int [3]"}, {integer.ArrayOf(3).PointerTo(), "int (*)[3]"},
		{count.PointerTo().ArrayOf(2), "int *[2]"}, {count.ArrayOf(3).ArrayOf(2), "int [2][3]"},
		{list, body}, {list.PointerTo().PointerTo(), body + " **"}, {list.ArrayOf(2).Named("pair_t"), body + " [2]"},
	} {
		if got := Whole(x.t); got != x.want {
			t.Errorf("%s: %q, want %q", x.t.Name(), got, x.want)
		}
	}
	endless := integer
	for range 200 {
		endless = endless.PointerTo()
	}
	if got := Whole(endless); len(got) > 200 {
		t.Errorf("a chain of pointers: %d bytes", len(got))
	}
}
