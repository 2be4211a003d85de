package inspect

import (
	"slices"
	"testing"

	"coredbg/runtimes/v8/object"
)

// TestLongEscapes compares with the output of Node 12.22 and 26.10 for the same string.
func TestLongEscapes(t *testing.T) {
	const s = "a\x07b\x1f\t"
	for long, want := range map[bool]string{true: `'a\u0007b\u001f\t'`, false: `'a\x07b\x1F\t'`} {
		x := &Value{Kind: object.KindString, Text: s, Length: 5}
		if got := x.Format(FormatOptions{Dialect: Dialect{LongEscapes: long}}); got != want {
			t.Errorf("LongEscapes %v: %s, want %s", long, got, want)
		}
	}
	if d := dialectOf(`const meta = ['\\u0000', '\\u0007', '\\b'`); !d.LongEscapes {
		t.Error("the table of Node 12 is not seen")
	}
	if d := dialectOf(`const meta = ['\\x00', '\\x07', '\\b'`); d.LongEscapes {
		t.Error("the table of Node 26 is taken for another")
	}
}

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"plain": `'plain'`, "it's": `"it's"`, `it's "x"`: "`it's \"x\"`", "'\"`": `'\'"` + "`'",
		"\x00\x1b\n\u007f\u009f": `'\x00\x1B\n\x7F\x9F'`, "\xed\xa0\x80x": `'\ud800x'`, `a\b`: `'a\\b'`,
	} {
		if got := Quote(in); got != want {
			t.Errorf("Quote(%q) = %s, want %s", in, got, want)
		}
	}
	if got := string(AppendString(nil, "a<\xed\xa0\x80\x01")); got != `"a<\ud800\u0001"` {
		t.Errorf("AppendString = %s", got)
	}
}

// TestLongBigInt: a BigInt that is too long to be written is not corrupt.
func TestLongBigInt(t *testing.T) {
	x := &Value{Kind: object.KindBigInt, Err: &object.LongBigIntError{Bits: 1 << 30, Negative: true}}
	if got, want := x.Format(FormatOptions{}), "<negative BigInt of 1073741824 bits>"; got != want {
		t.Errorf("as text it is %s, want %s", got, want)
	}
	if got, want := string(x.AppendJSON(nil)), `{"$":"bigint","bits":1073741824,"negative":true}`; got != want {
		t.Errorf("in JSON it is %s, want %s", got, want)
	}
}

// TestShow: room for n elements in one object is room in the whole tree.
func TestShow(t *testing.T) {
	for _, n := range []int{0, 100, 200_000, 1<<31 - 1} {
		o := DefaultInspect()
		o.Show(n)
		if o.MaxArray != n || o.MaxProperties < min(n, 10_000) || o.MaxValues < min(2*n, maxValues) ||
			o.MaxValues > maxValues {
			t.Errorf("Show(%d) gives %+v", n, o)
		}
	}
}

// TestHiddenOfErrors checks the order of an error's non-enumerable properties in util.inspect of Node 26.12.
func TestHiddenOfErrors(t *testing.T) {
	x := &Value{Kind: object.KindError, Text: "SuppressedError: m"}
	for _, name := range []string{"suppressed", "stack", "errors", "own", "error", "cause"} {
		x.Properties = append(x.Properties, Member{Key: object.Key{Name: name}, Enumerable: name == "own",
			Value: &Value{Kind: object.KindNull}})
	}
	for _, c := range []struct {
		dialect Dialect
		want    []string
	}{
		{dialectOf("hasOwn(err, 'cause') (err, 'errors') (err, 'error') (err, 'suppressed')"),
			[]string{"own", "cause", "errors", "error", "suppressed"}},
		{dialectOf("hasOwn(err, 'cause') (err, 'errors')"), []string{"own", "cause", "errors"}},
		{dialectOf("hasOwn(err, 'cause')"), []string{"own", "cause"}},
		{dialectOf(""), []string{"own"}},
	} {
		f := &formatter{o: FormatOptions{Dialect: c.dialect}}
		var got []string
		for _, m := range f.keys(x) {
			got = append(got, m.Name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
}
