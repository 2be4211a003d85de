package inspect

import (
	"testing"

	"coredbg/runtimes/v8/object"
)

func number(f float64) *Value { return &Value{Kind: object.KindNumber, Number: f} }

func named(name string, enumerable bool, v *Value) Member {
	m := Member{Enumerable: enumerable, Value: v}
	m.Name = name
	return m
}

// TestErrors compares with the output of Node 24.21 for such errors, and of 20.20 if it differs.
func TestErrors(t *testing.T) {
	err := func(x Value) *Value {
		x.Kind, x.Opened = object.KindError, true
		return &x
	}
	cause := named("cause", false, number(1))
	code := named("code", true, number(2))
	for _, c := range []struct {
		name string
		x    *Value
		old  bool
		want string
	}{
		{"a stack that was overwritten", err(Value{Class: "Error", Name: "Error", nameKind: object.KindString,
			Message: "m", Text: "text"}), false, "[text]"},
		{"no prototype", err(Value{NullProto: true, nameKind: object.KindUndefined, Message: "m",
			Text: "TypeError: m\n    at f"}), false,
			"[TypeError: null prototype]: m\n    at f"},
		{"a name that is a number", err(Value{Class: "RangeError", Name: "5", nameKind: object.KindNumber, Message: "m",
			Text: "5: m\n    at f"}), false,
			"5 [RangeError]: m\n    at f"},
		{"the same", err(Value{Class: "RangeError", Name: "5", nameKind: object.KindNumber, Message: "m",
			Text: "5: m\n    at f"}), true, "5: m\n    at f"},
		{"a stack that is a number", err(Value{Class: "Error", Name: "Error", nameKind: object.KindString, Message: "m",
			stack: number(5)}), false, "[Error: m\n    5]"},
		{"the same", err(Value{Class: "Error", Name: "Error", nameKind: object.KindString, Message: "m",
			stack: number(5)}), true, "[5]"},
		{"its cause comes last", err(Value{Class: "Error", Name: "Error", nameKind: object.KindString, Text: "Error",
			Properties: []Member{cause, code}}), false,
			"[Error] { code: 2, [cause]: 1 }"},
		{"one too deep, with a cause", &Value{Kind: object.KindError, Class: "Error", Name: "Error",
			nameKind: object.KindString, Text: "Error", HiddenKeys: 1,
			Properties: []Member{cause}}, false, "[Error]"},
		{"one too deep, without", &Value{Kind: object.KindError, Class: "Error", Name: "Error",
			nameKind: object.KindString, Text: "Error: m\n    at f"}, false, "Error: m\n    at f"},
	} {
		if got := c.x.Format(FormatOptions{Exact: true, Dialect: Dialect{StackParts: !c.old}}); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestPlainArrays: an array that cannot be iterated is shown by its properties, and its class decides how far
// it is shown as an error.
func TestPlainArrays(t *testing.T) {
	element := named("0", true, number(7))
	element.IsIndex = true
	x := &Value{Kind: object.KindArray, Class: "Kin", Opened: true, Length: 1, Elements: []Member{element},
		notIterable: true}
	if got, want := x.Format(FormatOptions{}), "Kin { '0': 7 }"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	x = &Value{Kind: object.KindDate, Class: "Object", Opened: true, Properties: []Member{named("a", true, number(1))}}
	if got, want := x.Format(FormatOptions{}), "{ a: 1 }"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestHoles: holes count as entries, and an element that is not enumerable is one.
func TestHoles(t *testing.T) {
	x := &Value{Kind: object.KindArray, Class: "Array", Opened: true, Length: 4, maxArray: 2}
	for i := 1; i < 4; i++ {
		m := named("", i != 2, number(float64(i)))
		m.IsIndex, m.Index = true, uint64(i)
		x.Elements = append(x.Elements, m)
	}
	if got, want := x.Format(FormatOptions{}), "[ <1 empty item>, 1, ... 2 more items ]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	x.maxArray = 0
	if got, want := x.Format(FormatOptions{}), "[ <1 empty item>, 1, <1 empty item>, 3 ]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestKeyEscapes: keys that are symbols have quotes and backslashes escaped, as strings in quotes do.
func TestKeyEscapes(t *testing.T) {
	m := named(`it's\`, true, number(1))
	m.Symbol = true
	x := &Value{Kind: object.KindObject, Class: "Object", Opened: true, Properties: []Member{m}}
	if got, want := x.Format(FormatOptions{}), `{ Symbol(it\'s\\): 1 }`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestLooseTags compares with the output of Node 22.23.3 for an object of the class with the
// tag: the next character after the tag decides, whatever its size.
func TestLooseTags(t *testing.T) {
	for class, want := range map[string]string{
		"FooBar": "FooBar {}", "Foobar": "Foobar [Foo] {}", "Foo\u00e9": "Foo\u00e9 [Foo] {}",
		"Foo\u00c9":     "Foo\u00c9 {}",
		"Foo\U00010400": "Foo\U00010400 [Foo] {}", "Foo": "Foo {}", "Foo1": "Foo1 [Foo] {}",
	} {
		x := &Value{Kind: object.KindObject, Class: class, Tag: "Foo"}
		if got := x.Format(FormatOptions{Dialect: Dialect{LooseTags: true}}); got != want {
			t.Errorf("%s: %q, want %q", class, got, want)
		}
	}
}
