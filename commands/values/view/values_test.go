package view

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"coredbg/core/dwarf"
)

// TestRecipes reads the table that is built in.
func TestRecipes(t *testing.T) {
	all := builtin().rows
	if all["std::vector"] == nil || all["&mut str"] == nil || all["std::vector<bool, std::allocator<bool> >"] == nil ||
		len(all["std::__1::basic_string"]) != 5 {
		t.Error("recipes are missing")
	}
	for line, want := range map[string]string{
		"T": "want a type, a kind", "T mystery a=b": "none of the words is a kind", "T string": "want paths",
		"T string ptr":    `"ptr" is not PART=PATH`,
		"T list of=0 x=y": "from 1 on", "T list skip=-1": "number of bytes", "T list first=a": "a list needs next",
		"T sequence begin=a": "needs end or len", "T string ptr=p len=n cap=c": "a string has no cap",
		"T string ptr=a..b len=n":     "lacks the name",
		"T list first=a next=b key=k": "a key needs a value", "T list first=a next=b hook=h": "a hook needs of=N",
		"T slots ptr=p len=n used=s:x": "from 0 on",
		"T string ptr=p len=n&x":       "with &MASK", "T string ptr=p len=n>>64": "with &MASK",
		"T string ptr=p len=n lacks=a..b":         "lacks the name",
		"T list first=a next=b of=1 node=N":       "need each other",
		"T blocks ptr=p start=s len=n block=4096": "BYTES:ELEMENTS", "T erased here=h there=t": "needs by or to",
	} {
		r := NewRecipes()
		err := errors.Join(r.Add("f", "mine::Text string ptr=p len=n\n# no row\n"+line+
			"\nstd::vector string ptr=p len=n")...)
		if err == nil || !strings.HasPrefix(err.Error(), "f:3: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", line, err)
		}
		if len(r.of("mine::Text<int>")) != 1 || len(r.of("std::vector<int>")) != 2 ||
			r.of("std::vector<int>")[0].kind != "string" || len(builtin().of("std::vector<int>")) != 1 {
			t.Errorf("%q: rows beside it do not count", line)
		}
	}
	for name, want := range map[string]string{
		"std::vector<int, std::allocator<int> >": "std::vector", "&[u8]": "&[]", "[]string": "[]",
		"alloc::vec::Vec<(u8, &[T]), A>": "alloc::vec::Vec",
	} {
		if got := bare(name); got != want {
			t.Errorf("%s is a %q, want %q", name, got, want)
		}
	}
}

// TestArgument takes arguments of templates out of the names of linkers.
func TestArgument(t *testing.T) {
	for _, c := range []struct {
		name string
		n    int
		want string
	}{
		{"std::_Function_handler<int (int), main::{lambda(int)#1}>::_M_manager(std::_Any_data&, std::_Any_data const&)",
			0, "main::{lambda(int)#1}"},
		{"std::any::_Manager_external<std::map<int, char> >::_S_manage(std::any::_Op, std::any const*)", 0,
			"std::map<int, char>"},
		{"std::__1::__function::__func<main::$_0, std::__1::allocator<main::$_0>, int (int)>", 1, "main::$_0"},
		{"plain", 1, ""}, {"A<b>::C<d, e>", 2, "e"}, {"A<b", 0, ""}, {"A<(b<c>)(d, e)>", 0, "(b<c>)(d, e)"},
	} {
		if got := argument(c.name, c.n); got != c.want {
			t.Errorf("argument %d of %s is %q, want %q", c.n, c.name, got, c.want)
		}
	}
}

// TestPath reads paths as C, C++ and MDB write them.
func TestPath(t *testing.T) {
	for path, want := range map[string]string{
		"a": "a", "a.b->c": "a .b .c", "*p": "p *", "**a.b": "a .b * *", "list[2].x": "list [2 .x", "m[-1]": "m [-1",
		"ns::v":                 "ns::v",
		"std::vector<int>::x.y": "std::vector<int>::x .y", "_M_impl.a[0x10]": "_M_impl .a [16",
		`m["a]\"b"].x`: "m \"a]\"b .x",
	} {
		name, steps, err := ParsePath(path)
		got := name
		for _, s := range steps {
			got += " " + strings.TrimPrefix(string(s.Kind), "") + s.Name
			if s.Kind == '[' {
				b, _ := json.Marshal(s.Index)
				got += string(b)
			}
		}
		if err != nil || got != want {
			t.Errorf("%s is %q, %v; want %q", path, got, err, want)
		}
	}
	for _, path := range []string{"a.", "a[", "a[x]", `a["x`, `a["x"`, "a+b", "a->"} {
		if _, _, err := ParsePath(path); err == nil {
			t.Errorf("%q is taken for a path", path)
		}
	}
}

func number(name string, n int) *Node {
	b, _ := json.Marshal(n)
	return &Node{Name: name, Text: string(b), JSON: n}
}

// TestForms writes nodes as text and as JSON.
func TestForms(t *testing.T) {
	lost := (&Leaf{}).unknownNode(&Node{Name: "l"}, dwarf.ErrNoLocation)
	for _, c := range []struct {
		n          *Node
		text, json string
	}{
		{&Node{Kind: Object, List: []*Node{number("a", 1), {Name: "s", Kind: Text, Text: "x\x1b\""}}},
			`{ a = 1, s = "x\x1b\"" }`, `{"a":1,"s":"x\u001b\""}`},
		{&Node{Kind: Array, List: []*Node{number("", 1), number("", 2)}, More: 3}, `[ 1, 2, … 3 more ]`, `[1,2]`},
		{&Node{Kind: Object, Tag: "Some", List: []*Node{number("x", 5)}}, `Some { x = 5 }`, `{"Some":{"x":5}}`},
		{&Node{Kind: Array, Tuple: true, Tag: "Some", List: []*Node{number("", 5)}}, `Some(5)`, `{"Some":5}`},
		{&Node{Kind: Object, Tag: "None"}, `None`, `"None"`},
		{&Node{Kind: Array, List: []*Node{{Kind: Pair, List: []*Node{{Kind: Text, Text: "k"}, number("", 1)}}}},
			`[ "k" => 1 ]`, `{"k":1}`},
		{&Node{Kind: Array, List: []*Node{{Kind: Pair, List: []*Node{number("", 7), number("", 1)}}}},
			`[ 7 => 1 ]`, `[[7,1]]`},
		{&Node{Kind: Object, List: []*Node{{Kind: Object, List: []*Node{number("a", 1)}}, number("b", 2)}},
			`{ { a = 1 }, b = 2 }`, `{"a":1,"b":2}`},
		{&Node{Text: "0x10", JSON: "0x10", Str: "text\n", HasStr: true}, `0x10 "text\n"`, `"text\n"`},
		{&Node{Text: "Red", JSON: "Red", Note: "3"}, `Red (3)`, `"Red"`},
		{lost, `<optimised out>`, `{"error":"optimised out"}`},
		{(&Leaf{}).unknownNode(&Node{}, errors.New("\x1b[0m")), "<\\x1b[0m>", `{"error":"\u001b[0m"}`},
	} {
		if got := (Form{}).Text(c.n, 0); got != c.text {
			t.Errorf("text %s, want %s", got, c.text)
		}
		if got, err := json.Marshal(c.n); string(got) != c.json || err != nil {
			t.Errorf("JSON %s, %v; want %s", got, err, c.json)
		}
	}
}

// TestSkip: the amount skipped is in bytes, or in words as large as an address.
func TestSkip(t *testing.T) {
	for word, want := range map[string][2]int64{"skip=24": {24, 24}, "skip=2w": {8, 16}, "skip=0": {0, 0}} {
		r := &recipe{}
		if err := r.set(word); err != nil || r.skipped(4) != want[0] || r.skipped(8) != want[1] {
			t.Errorf("%s: %d and %d bytes, %v; want %d", word, r.skipped(4), r.skipped(8), err, want)
		}
	}
	for _, word := range []string{"skip=w", "skip=-1w", "skip=2000w", "skip="} {
		if err := (&recipe{}).set(word); err == nil {
			t.Errorf("%s is taken", word)
		}
	}
}
