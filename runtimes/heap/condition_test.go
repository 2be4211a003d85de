package heap

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"coredbg/core"
)

// piecesOf cuts a condition into pieces as the language does.
func piecesOf(text string) []Piece {
	var out []Piece
	for text != "" {
		i := strings.IndexAny(text, `'"`)
		if i < 0 {
			return append(out, Piece{Text: text})
		}
		end := strings.IndexByte(text[i+1:], text[i])
		if end < 0 {
			return append(out, Piece{Text: text})
		}
		out = append(out, Piece{Text: text[:i]}, Piece{Text: text[i+1 : i+1+end], Quoted: true})
		text = text[i+2+end:]
	}
	return out
}

func TestParseConditions(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"idle > 1000", "[idle] > 1000"},
		{"idle>1000", "[idle] > 1000"},
		{"a.b[2].c == 'x y'", "[a b 2 c] == text x y"},
		{`a["x.y"]['z'].q!=-1.5e3`, "[a x.y z q] != -1500"},
		{"[0] = 0x1F", "[0] == 31"},
		{"a === 5n and b !== null", "[a] == 5; [b] != null"},
		{"a == true && b == false", "[a] == true; [b] == false"},
		{"a ~ ^x.*y$", "[a] ~ ^x.*y$"},
		{"a =~ 'b c' and d<=NaN", "[a] ~ b c; [d] <= NaN"},
		{"this == undefined", "[] == undefined"},
		{"this.x < -Infinity", "[this x] < -Infinity"},
		{"a[Symbol(d)] == 1", "[a [Symbol(d)]] == 1"},
		{"#secret == 123456789012345678901234567890", "[#secret] == 123456789012345678901234567890"},
		{"$f_1 >= 0b11", "[$f_1] >= 3"},
		{"a == ''", "[a] == text "},
		{"é == 'é'", "[é] == text é"},
		{"a == 1 or b == 2", "error: conditions can only be joined by and"},
		{"", "error: the name of a field is expected"},
		{"a", "error: after field a one of"},
		{"a ==", "error: after a == a value is expected"},
		{"a == b", "error: a == b: a text needs quotes"},
		{"a < null", "error: a < null: null is neither less nor more"},
		{"a == 1 b == 2", `error: "b == 2" comes after a condition`},
		{"a == 1 and", "error: the name of a field is expected"},
		{"a..b == 1", "error: the name of a field is expected"},
		{".a == 1", "error: the name of a field is expected"},
		{"a[ == 1", "error: a bracket is empty or not closed"},
		{"a[] == 1", "error: a bracket is empty or not closed"},
		{"a['x' == 1", "error: bracket not closed"},
		{"a ~ '('", "error: a ~ \"(\": error parsing regexp"},
		{"a == 0x", "error: a == 0x: a text needs quotes"},
		{"a == 1_000", "error: a == 1_000: a text needs quotes"},
		{"a == inf", "error: a == inf: a text needs quotes"},
		{"'a' == 1", "error: the name of a field is expected"},
	} {
		list, err := ParseConditions(piecesOf(c.text))
		var parts []string
		for _, x := range list {
			parts = append(parts, fmt.Sprintf("%v %s %s", x.Path, x.Op, written(x)))
		}
		got := strings.Join(parts, "; ")
		if err != nil {
			got = "error: " + err.Error()
		}
		if want, ok := strings.CutPrefix(c.want, "error: "); ok && (err == nil ||
			!strings.HasPrefix(err.Error(), want)) || !ok && got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func written(c Condition) string {
	v := c.Value
	switch {
	case c.Op == Match:
		return v.Text
	case v.Kind == Text:
		return "text " + v.Text
	case v.Kind == Bool:
		return fmt.Sprint(v.Bool)
	case v.Kind == Null:
		return "null"
	case v.Kind == Undefined:
		return "undefined"
	case v.Int != nil:
		return v.Int.String()
	case math.IsInf(v.Num, -1):
		return "-Infinity"
	}
	return fmt.Sprint(v.Num)
}

func TestHolds(t *testing.T) {
	num := func(f float64) Value { return Value{Kind: Number, Num: f} }
	text := func(s string) Value { return Value{Kind: Text, Text: s} }
	big := DigitsValue("123456789012345678901234567890")
	for _, c := range []struct {
		v    Value
		cond string
		want bool
	}{
		{num(5), "x == 5", true}, {num(5), "x != 5", false}, {num(5), "x < 5.5", true}, {num(5), "x > 4", true},
		{num(5), "x >= 5", true}, {num(5), "x <= 4", false},
		{num(math.Copysign(0, -1)), "x == 0", true}, {num(math.NaN()), "x == NaN", true},
		{num(math.NaN()), "x < 1", false}, {num(math.NaN()), "x != 1", true},
		{num(math.Inf(1)), "x > 123456789012345678901234567890", true}, {big, "x < Infinity", true},
		{text("5"), "x == 5", false}, {text("5"), "x == '5'", true}, {text("5"), "x != 5", true},
		{text("b"), "x > 'a'", true}, {text("b"), "x > 1", false},
		{text("hello"), "x ~ ell", true}, {text("hello"), "x ~ '^ell'", false}, {num(5), "x ~ 5", false},
		{Value{Kind: Text, Text: "long", Cut: true}, "x == 'long'", false},
		{Value{Kind: Bool, Bool: true}, "x == true", true}, {Value{Kind: Bool}, "x == true", false},
		{Value{Kind: Bool}, "x < 1", false},
		{Value{Kind: Null}, "x == null", true}, {Value{Kind: Null}, "x == undefined", false},
		{Value{}, "x == undefined", true}, {Value{}, "x != undefined", false},
		{big, "x == 123456789012345678901234567890", true}, {big, "x > 123456789012345678901234567889", true},
		{big, "x == 123456789012345678901234567891n", false},
		// 2^53 + 1 is not a float64.
		{IntValue(1<<53 + 1), "x == 9007199254740993", true}, {IntValue(1<<53 + 1), "x == 9007199254740992", false},
		{IntValue(1<<53 + 1), "x > 9007199254740992.0", true},
		{Value{Kind: Object, At: 0x1000}, "x == 0x1001", true}, {Value{Kind: Object, At: 0x1000}, "x != 0x1001", false},
		{Value{Kind: Object, At: 0x1000}, "x != null", true},
	} {
		list, err := ParseConditions(piecesOf(c.cond))
		if err != nil {
			t.Fatal(err)
		}
		if got := list[0].Holds(&c.v, true, func(a core.Addr) core.Addr { return a + 1 }); got != c.want {
			t.Errorf("%+v %s: %v", c.v, c.cond, got)
		}
	}
	for cond, want := range map[string]bool{"x == undefined": true, "x != undefined": false, "x != 5": false,
		"x == null": false} {
		list, _ := ParseConditions(piecesOf(cond))
		if list[0].Holds(&Value{}, false, nil) != want {
			t.Errorf("not there, %s: %v", cond, !want)
		}
	}
}

// FuzzParseConditions: what was read has an operator that can be asked for.
func FuzzParseConditions(f *testing.F) {
	for _, s := range []string{"a.b[2].c == 'x y' and d<5", "[0]=1", "a ~ b", "a['b'].c!=null", "this ~ 'x",
		"a == -0x1fn", "a == 1e999", "and and and", "a[Symbol(x)] == 0b1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		list, err := ParseConditions(piecesOf(text))
		if err != nil {
			return
		}
		values := []Value{{}, {Kind: Null}, {Kind: Number, Num: math.NaN()}, DigitsValue("99999999999999999999"),
			{Kind: Text, Text: "x"}, {Kind: Object, At: 8}}
		for _, c := range list {
			if !slices.Contains([]Op{Equal, NotEqual, Less, LessEqual, More, MoreEqual, Match}, c.Op) ||
				len(c.Path) > maxSteps || c.Field == "" {
				t.Fatalf("%q: %+v", text, c)
			}
			for i := range values {
				c.Holds(&values[i], true, func(a core.Addr) core.Addr { return a })
			}
		}
	})
}
