package java

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// TestFormatPrimitive writes numbers as Java's String.valueOf does.
func TestFormatPrimitive(t *testing.T) {
	d := math.Float64bits
	f := func(x float32) uint64 { return uint64(math.Float32bits(x)) }
	for _, c := range []struct {
		raw  uint64
		p    Primitive
		want string
	}{
		{1, Boolean, "true"}, {0, Boolean, "false"}, {2, Boolean, "boolean 2"},
		{math.MaxUint64, Byte, "-1"}, {'A', Char, "'A'"}, {0x4e2d, Char, "'中'"}, {0xd83d, Char, `'\ud83d'`},
		{0, Char, `'\x00'`}, {'\'', Char, `'\''`},
		{1 << 63, Long, "-9223372036854775808"},
		{d(0), Double, "0.0"}, {d(1), Double, "1.0"}, {d(0.001), Double, "0.001"}, {d(0.0001), Double, "1.0E-4"},
		{d(9999999), Double, "9999999.0"},
		{d(1e7), Double, "1.0E7"}, {d(-1.5e300), Double, "-1.5E300"}, {d(math.NaN()), Double, "NaN"},
		{d(math.Inf(1)), Double, "Infinity"},
		{d(math.Inf(-1)), Double, "-Infinity"}, {d(math.Copysign(0, -1)), Double, "-0.0"}, {d(0.1), Double, "0.1"},
		{f(0.1), Float, "0.1"}, {f(1.5e10), Float, "1.5E10"}, {f(3.4028235e38), Float, "3.4028235E38"},
	} {
		if got := c.p.Format(c.raw); got != c.want {
			t.Errorf("%v %#x is %q, want %q", c.p, c.raw, got, c.want)
		}
	}
}

func number(typ string, raw uint64, text string) *Value {
	return &Value{Kind: ValueNumber, Type: typ, Raw: raw, Text: text}
}

// TestValueForms writes values as text and as JSON.
func TestValueForms(t *testing.T) {
	text := &Value{Kind: ValueString, Type: "java.lang.String", Text: "a\x1b\"", Length: 3}
	null := &Value{Kind: ValueNull}
	one := number("int", 1, "1")
	boxed := number("java.lang.Integer", 0xffffffffffffffff, "-1")
	boxed.Addr = 0x12c00010
	var many []*Value
	for range 12 {
		many = append(many, one)
	}
	for _, c := range []struct {
		v          *Value
		text, json string
	}{
		{null, "null", "null"},
		{text, `"a\x1b\""`, `"a\u001b\""`},
		{&Value{Kind: ValueString, Type: "java.lang.String", Text: "ab", Length: 9, More: 7},
			`"ab"... 7 more characters`, `{"$":"string","length":9,"value":"ab"}`},
		{boxed, "Integer -1", "-1"},
		{number("boolean", 1, "true"), "true", "true"},
		{number("boolean", 7, "boolean 7"), "boolean 7", `{"$":"boolean","value":"boolean 7"}`},
		{number("char", 'x', "'x'"), "'x'", `"x"`},
		{number("long", 1<<53+1, "9007199254740993"), "9007199254740993", `{"$":"long","value":"9007199254740993"}`},
		{number("double", 0, "NaN"), "NaN", `{"$":"double","value":"NaN"}`},
		{number("float", 0, "1.0E10"), "1.0E10", "1.0E10"},
		// half of a character
		{&Value{Kind: ValueNumber, Type: "char", Text: `'\ud800'`, Raw: 0xd800}, `'\ud800'`, `"\ud800"`},
		{&Value{Kind: ValueString, Type: "java.lang.String", Text: "<init> &", Length: 8}, `"<init> &"`, `"<init> &"`},
		{&Value{Kind: ValueClass, Type: "java.lang.Class", Text: "a.B", Addr: 0x10}, "class a.B",
			`{"$":"class","name":"a.B","addr":"0x10"}`},
		{&Value{Kind: ValueEnum, Type: "a.Color", Text: "RED"}, "Color.RED",
			`{"$":"enum","class":"a.Color","name":"RED"}`},
		{&Value{Kind: ValueShut, Type: "a.B", Addr: 0x10}, "[a.B]", `{"$":"ref","class":"a.B","addr":"0x10"}`},
		{&Value{Kind: ValueRef, Type: "a.B", Addr: 0x10}, "<a.B 0x10>", `{"$":"ref","class":"a.B","addr":"0x10"}`},
		{corrupt("0x10 cannot be read"), "<0x10 cannot be read>", `{"$":"error","reason":"0x10 cannot be read"}`},
		{&Value{Kind: ValueArray, Type: "int[][]", Length: 2, Items: []*Value{null, null}}, "int[2][] { null, null }",
			`{"$":"int[][]","length":2,"values":[null,null]}`},
		{&Value{Kind: ValueArray, Type: "int[]", Length: 20, Items: many, More: 8},
			"int[20] { 1 <repeats 12 times>, ... 8 more }",
			`{"$":"int[]","length":20,"values":[` + strings.Repeat("1,", 12) + `{"$":"more","count":8}]}`},
		{&Value{Kind: ValueList, Type: "java.util.ArrayList"}, "java.util.ArrayList(0) []",
			`{"$":"java.util.ArrayList","length":0,"values":[]}`},
		{&Value{Kind: ValueMap, Type: "java.util.HashMap", Length: 2, Items: []*Value{text, one}, More: 1},
			`java.util.HashMap(2) { "a\x1b\"": 1, ... 1 more }`,
			`{"$":"java.util.HashMap","length":2,"entries":[["a\u001b\"",1],{"$":"more","count":1}]}`},
		{&Value{Kind: ValueObject, Type: "a.B", Addr: 0x10, Fields: []Member{{"x", "a.A", one}, {"x", "a.B", null}}},
			"a.B { a.A.x: 1, x: null }",
			`{"$class":"a.B","$addr":"0x10","a.A.x":1,"x":null}`},
	} {
		if got := c.v.Format(FormatOptions{}); got != c.text {
			t.Errorf("text %q, want %q", got, c.text)
		}
		got := c.v.AppendJSON(nil)
		if string(got) != c.json || !json.Valid(got) {
			t.Errorf("JSON %s, want %s", got, c.json)
		}
	}
	if got := boxed.Format(FormatOptions{Hex: true, Addresses: true}); got != "0x12c00010: Integer 0xffffffff" {
		t.Errorf("hexadecimal %q", got)
	}
	wide := &Value{Kind: ValueObject, Type: "a.B", Fields: []Member{{"first", "a.B",
		&Value{Kind: ValueString, Type: "java.lang.String", Text: strings.Repeat("x", 90)}}, {"second", "a.B", one}}}
	if got := wide.Format(FormatOptions{}); got != "a.B {\n    first: \""+strings.Repeat("x", 90)+
		"\",\n    second: 1\n}" {
		t.Errorf("over lines %q", got)
	}
}
