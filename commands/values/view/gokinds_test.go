package view

import (
	"testing"

	"coredbg/core/dwarf"
)

// TestConstantName: one constant names a value, several of one bit each a mask; two names of one value are none.
func TestConstantName(t *testing.T) {
	list := []dwarf.Enumerator{{Name: "p.None", Value: 0}, {Name: "p.Read", Value: 1}, {Name: "p.Write", Value: 2},
		{Name: "p.Read", Value: 1},
		{Name: "p.Exec", Value: 4}, {Name: "p.Run", Value: 4}, {Name: "p.All", Value: 11},
		{Name: "p.Sign", Value: -1 << 63}, {Name: "p.Less", Value: -1}}
	for i, want := range map[int64]string{0: "None", 1: "Read", 2: "Write", 3: "Read | Write", 4: "", 5: "", 8: "",
		9: "", 11: "All", -1: "Less",
		-1<<63 | 2: "Write | Sign", -2: ""} {
		if got := constantName(list, i); got != want {
			t.Errorf("%d is %q, want %q", i, got, want)
		}
	}
}

// TestConstantsIn: the names of constants inside a value have their paths.
func TestConstantsIn(t *testing.T) {
	of := func(name, constant string) *Node { return &Node{Name: name, Constant: constant} }
	n := &Node{Kind: Object, Constant: "own",
		List: []*Node{of("a", "A"), {Name: "b", Kind: Array, List: []*Node{of("", ""), of("", "B")}},
			{Name: "m", Kind: Array, List: []*Node{{Kind: Pair, List: []*Node{{Kind: Text, Text: "k"}, of("", "K")}}}}}}
	got := ConstantsIn(n)
	want := map[string]string{"a": "A", "b[1]": "B", `m["k"]`: "K"}
	if len(got) != len(want) {
		t.Errorf("constants are %v, want %v", got, want)
	}
	for path, name := range want {
		if got[path] != name {
			t.Errorf("%s is %q, want %q", path, got[path], name)
		}
	}
	if ConstantsIn(of("x", "X")) != nil {
		t.Error("the value's own name is among those of its parts")
	}
}
