package out

import (
	"bytes"
	"strings"
	"testing"
)

// fitted returns the output for a terminal with the number of columns.
func fitted(columns int, names bool, write func(w *Writer)) string {
	var b bytes.Buffer
	w := NewWriter(&b)
	w.SetColumns(func() int { return columns })
	w.CutNames(names)
	write(w)
	w.Flush()
	return b.String()
}

func TestFit(t *testing.T) {
	row := func(w *Writer) {
		w.Printf("%4d ", 7)
		w.Paint(Symbol, "std::vector<int, std::allocator<int> >::push_back")
		w.Printf("  ")
		w.Paint(Dim, "/usr/include/c++/12/bits/stl_vector.h:1281")
		w.Printf("\nnext\n")
	}
	const name, path = "std::vector<int, std::allocator<int> >::push_back", "/usr/include/c++/12/bits/stl_vector.h:1281"
	for _, c := range []struct {
		columns int
		names   bool
		write   func(w *Writer)
		want    string
	}{
		{0, true, row, "   7 " + name + "  " + path + "\nnext\n"},
		{200, true, row, "   7 " + name + "  " + path + "\nnext\n"},
		{80, true, row, "   7 std::vector<int, s…int> >::push_back  /usr/incl…+/12/bits/stl_vector.h:1281\nnext\n"},
		{40, true, row, "   7 std::vec…sh_back  /usr…ector.h:1281\nnext\n"},
		{80, false, row, "   7 " + name + "\n       " + path + "\nnext\n"},
		{20, false, func(w *Writer) { w.Printf("words are not broken at all\n") },
			"words are not broken\n    at all\n"},
		{20, false, func(w *Writer) { w.Printf("  words are not broken at all\n") },
			"  words are not\n      broken at all\n"},
		{20, false, func(w *Writer) { w.Printf("x%sy z\n", strings.Repeat("-", 30)) },
			"x" + strings.Repeat("-", 30) + "y\n    z\n"},
		{20, true, func(w *Writer) { w.Printf("0x1 "); w.Paint(String, "'a string stays as it is'"); w.Printf("\n") },
			"0x1\n    'a string stays as it is'\n"},
		{20, true, func(w *Writer) { w.Printf("no end, and too long") }, "no end, and too long"},
		{20, false, func(w *Writer) { w.Printf("no end, and far too long") }, "no end, and far too\n    long"},
		{20, false, func(w *Writer) { w.Paint(Error, "a sentence in one colour"); w.Printf("\n") },
			"a sentence in one\n    colour\n"},
		{20, false, func(w *Writer) { w.Printf("name "); w.Paint(Plain, "- a sentence of 20"); w.Printf("\n") },
			"name - a sentence of\n    20\n"},
		{20, true, func(w *Writer) {
			w.Printf("12345678 123456789 ")
			w.Paint(Symbol,
				"a::b::c::d::e")
			w.Printf("\n")
		}, "12345678 123456789\n    a::b::c::d::e\n"},
		{20, true, func(w *Writer) {
			w.Printf("12345678 123456789 ")
			w.Paint(Symbol, "a::b::c::d::e::f::g::h")
			w.Printf("\n")
		}, "12345678 123456789\n    a::b::c:…f::g::h\n"},
		{10, true, func(w *Writer) { w.Printf("漢字漢字漢字漢字 x\n") }, "漢字…字 x\n"},
		{20, true, func(w *Writer) { w.Whole(); row(w) }, "   7 " + name + "  " + path + "\nnext\n"},
	} {
		if got := fitted(c.columns, c.names, c.write); got != c.want {
			t.Errorf("%d columns\n%s\nwant\n%s", c.columns, got, c.want)
		}
	}
}

// TestFitLogWhole: a log gets what a file would.
func TestFitLogWhole(t *testing.T) {
	var screen bytes.Buffer
	file := &closer{}
	w := NewWriter(&screen)
	w.SetColumns(func() int { return 20 })
	w.SetLog(NewLog(file))
	const line = "a line that is longer than the terminal is wide\n"
	w.Printf("%s", line)
	w.JSON(strings.Repeat("x", 30))
	w.Flush()
	if got, want := file.String(), line+`"`+strings.Repeat("x", 30)+"\"\n"; got != want {
		t.Errorf("log %q, want %q", got, want)
	}
	if got := screen.String(); !strings.Contains(got, "a line that is\n") ||
		!strings.Contains(got, strings.Repeat("x", 30)) {
		t.Errorf("screen %q", got)
	}
}

func TestMiddle(t *testing.T) {
	for _, c := range []struct {
		text    string
		columns int
		want    string
	}{
		{"short", 5, "short"}, {"longer", 5, "lo…er"}, {"/usr/lib/libstdc++.so.6", 16, "/usr…stdc++.so.6"},
		{"abc", 1, "…"}, {"abc", 0, "…"}, {"", 3, ""}, {"漢字漢字", 5, "漢…字"},
	} {
		if got := Middle(c.text, c.columns); got != c.want {
			t.Errorf("%q in %d: %q, want %q", c.text, c.columns, got, c.want)
		}
	}
}

// TestValue: the parts of a value have their colours, and nothing else changes.
func TestValue(t *testing.T) {
	names := map[Ink]string{String: "s", Addr: "n", Symbol: "k", Keyword: "w", Error: "e"}
	for text, want := range map[string]string{
		`{ a: 1, 'b-c': 'it''s', d: undefined }`:          `{ k[a]: n[1], k['b-c']: s['it']s['s'], d: w[undefined] }`,
		`[ -1.5e+10, 12n, NaN, <2 empty items>, "x\"y" ]`: `[ n[-1.5e+10], n[12n], w[NaN], <n[2] empty items>, s["x\"y"] ]`,
		`0x7f00: [Function: f] { [length]: 0 }`:           `n[0x7f00]: w[[Function: f]] { [length]: n[0] }`,
		`this: (not in the core)`:                         `k[this]: e[(not in the core)]`,
		`<ref *1> { a: [Circular *1] }`:                   `<ref *n[1]> { k[a]: w[[Circular *1]] }`,
		`don't`:                                           `don't`,
		`demo.Worker@12c0 {name: "x", n: 3}`:              `demo.Worker@12c0 {k[name]: s["x"], k[n]: n[3]}`,
	} {
		var got strings.Builder
		for at := 0; at < len(text); {
			n, ink := token(text[at:])
			if name := names[ink]; name != "" {
				got.WriteString(name + "[" + text[at:at+n] + "]")
			} else {
				got.WriteString(text[at : at+n])
			}
			at += n
		}
		if strings.Replace(want, "d: w[", "k[d]: w[", 1) != got.String() && want != got.String() {
			t.Errorf("%s\n%s\nwant\n%s", text, got.String(), want)
		}
		var b bytes.Buffer
		w := NewWriter(&b)
		w.SetStyle(NewStyle(true))
		w.Value(text)
		if plainText(b.String()) != text {
			t.Errorf("%s became %q", text, b.String())
		}
	}
}
