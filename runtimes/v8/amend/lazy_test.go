package amend

import (
	"maps"
	"testing"

	"coredbg/runtimes/v8/layout"
)

// TestLazy: the name and the extent of functions that are not compiled are found a slot before and after the
// table's offset, if enough functions agree and no function fits the table.
func TestLazy(t *testing.T) {
	for _, c := range []struct {
		name      string
		functions int
		off, want int // slots from where they are, by the table and as corrected
	}{
		{"as the table has it", 4, 0, 0},
		{"before", 4, 1, 0},
		{"after", 4, -1, 0},
		{"too few", 1, 1, 1},
	} {
		h, list := withFunctions(t)
		name := uint64(h.Str("lazy"))
		for _, f := range list[:c.functions] {
			data := h.Object("UNCOMPILED_DATA_WITHOUT_PREPARSE_DATA", 0, 0, 0)
			h.Put(data.Addr()+8, name)
			h.Put32(data.Addr()+16, 10)
			h.Put32(data.Addr()+20, 40)
			h.Put(f.Shared.Addr()+8, uint64(data))
		}
		v := buildOf(h, list)
		l := &v.Layout.UncompiledData
		l.InferredName, l.StartPosition, l.EndPosition = 8+8*c.off, 16+8*c.off, 20+8*c.off
		v.Layout.SharedFunctionInfo.FunctionData, v.Layout.SharedFunctionInfo.UntrustedData = layout.Unknown, 8
		v.Lazy()
		if at := 8 + 8*c.want; l.InferredName != at || l.StartPosition != at+8 || l.EndPosition != at+12 {
			t.Errorf("%s: %d, %d, %d; want %d, %d, %d", c.name, l.InferredName, l.StartPosition, l.EndPosition,
				at, at+8, at+12)
		}
	}
}

// TestLazyTypes: types of the data of uncompiled functions are found by their contents; the larger ones have
// the parser's results. They are not found if too few agree.
func TestLazyTypes(t *testing.T) {
	sizes := map[string]byte{"ACCESSOR_PAIR": 3, "HASH_TABLE": 4} // in words
	for _, c := range []struct {
		name  string
		types []string // the type of each function's data
		want  map[string]int
	}{
		{"one", []string{"ACCESSOR_PAIR", "ACCESSOR_PAIR"}, map[string]int{lazyType: 140}},
		{"both", []string{"HASH_TABLE", "ACCESSOR_PAIR", "HASH_TABLE", "ACCESSOR_PAIR"},
			map[string]int{lazyType: 140, preparseType: 206}},
		{"too few", []string{"HASH_TABLE", "ACCESSOR_PAIR"}, map[string]int{}},
		{"bytecodes", []string{"BYTECODE_ARRAY", "BYTECODE_ARRAY"}, map[string]int{}},
	} {
		h, list := withFunctions(t)
		name := uint64(h.Str("lazy"))
		for i, typ := range c.types {
			h.Bytes[h.MapOf(typ).Addr()-h.Base+8] = sizes[typ]
			data := h.Object(typ, name, 10|40<<32, 0, 0)
			h.Put(list[i].Shared.Addr()+8, uint64(data))
		}
		v := buildOf(h, list)
		l := &v.Layout.UncompiledData
		l.InferredName, l.StartPosition, l.EndPosition = 8, 16, 20
		v.Layout.SharedFunctionInfo.FunctionData, v.Layout.SharedFunctionInfo.UntrustedData = layout.Unknown, 8
		if got := v.LazyTypes(); !maps.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
