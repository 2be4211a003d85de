package bytecode

import (
	"testing"

	"coredbg/runtimes/v8/layout"
)

// TestFromTable: a table's bytecodes are taken if V8's own sizes are theirs, with feedback in
// the bytecode of two bytes or of one.
func TestFromTable(t *testing.T) {
	rows := map[string]int{"bytecode_0_Wide__-": 0, "bytecode_1_Ldar__R": 1, "bytecode_2_TestEqual__RE": 2, "other": 7}
	for name, c := range map[string]struct {
		change func(map[string]int)
		sizes  []byte
		want   bool
	}{
		"two bytes":   {nil, []byte{1, 2, 4, 1, 3, 5, 1, 5, 7}, true},
		"one byte":    {nil, []byte{1, 2, 3, 1, 3, 4, 1, 5, 6}, true},
		"other sizes": {nil, []byte{1, 2, 5, 1, 3, 5, 1, 5, 7}, false},
		"more":        {nil, []byte{1, 2, 4, 1, 1, 3, 5, 1, 1, 5, 7, 1}, false},
		"one missing": {func(m map[string]int) { delete(m, "bytecode_1_Ldar__R") }, []byte{1, 4, 1, 5, 1, 7}, false},
		"no such kind": {func(m map[string]int) { m["bytecode_3_New__Q"] = 3 },
			[]byte{1, 2, 4, 2, 1, 3, 5, 2, 1, 5, 7, 2}, false},
		"none at all": {func(m map[string]int) { clear(m) }, nil, false},
		"not a number": {func(m map[string]int) { m["bytecode_x_New__R"] = 3 },
			[]byte{1, 2, 4, 1, 3, 5, 1, 5, 7}, true},
		"far too large": {func(m map[string]int) { m["bytecode_999_New__R"] = 3 },
			[]byte{1, 2, 4, 1, 3, 5, 1, 5, 7}, false},
	} {
		constants := map[string]int{}
		for k, v := range rows {
			constants[k] = v
		}
		if c.change != nil {
			c.change(constants)
		}
		s, ok := FromTable(constants, layout.V(15, 0), c.sizes)
		if ok != c.want || ok && s.names[2] != "TestEqual" {
			t.Errorf("%s: %v", name, ok)
		}
	}
}

// TestIndexKinds: an operand that one version calls just an index gets its kind from a later version.
func TestIndexKinds(t *testing.T) {
	for name, want := range map[string]struct{ letters, kinds string }{
		"LdaConstant":   {"I", "K"},
		"TestEqual":     {"RI", "RV"},
		"CallRuntime":   {"TL#", "TL#"},
		"NoSuch":        {"RII", "RUU"},
		"LdaGlobal":     {"I", "U"}, // no row of one operand
		"CallUndefined": {"R", "R"},
	} {
		if got := indexKinds(name, want.letters); got != want.kinds {
			t.Errorf("%s %s: %s, want %s", name, want.letters, got, want.kinds)
		}
	}
}
