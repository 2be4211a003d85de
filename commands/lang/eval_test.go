package lang

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"
)

// The expectations come from mdb(1), "Expressions", and from mdb_grammar.y.
func TestExpressions(t *testing.T) {
	for _, c := range []struct {
		expr string
		want uint64
	}{
		// numbers
		{"0x1f", 0x1f}, {"0X1F", 0x1f}, {"0t31", 31}, {"0T31", 31}, {"0o37", 31}, {"0O37", 31},
		{"0i11111", 31}, {"0I1_1111", 31}, {"1f", 0x1f}, {"10", 16}, {"1_000", 0x1000}, {"dead_beef", 0xdeadbeef},
		{"0", 0}, {"ffffffffffffffff", math.MaxUint64}, {"0t1.5", math.Float64bits(1.5)},
		{"0t1.5e3", math.Float64bits(1500)},
		{"0t1.e-1", math.Float64bits(0.1)}, {"0t18446744073709551615", math.MaxUint64},
		// a word that starts with a letter is a symbol first
		{"face", 0x1010}, {"0face", 0xface}, {"0xface", 0xface}, {"beef", 0xbeef}, {"start", 0x1000},
		{"libc`deep", 0x1020},
		{`"ns::f(int)"`, 0x1018},
		// characters
		{"'a'", 0x61}, {"'abc'", 0x616263}, {`'\n'`, 10}, {"'12345678'", 0x3132333435363738},
		{`'\x41\101\''`, 0x414127},
		// variables and registers
		{"<x", 0x77}, {"<0", 0}, {"<rip", 0x1004}, {"<b+1", 1},
		// places: dot 0x100, increment 8, last 0x90
		{".", 0x100}, {"+", 0x108}, {"^", 0xf8}, {"&", 0x90}, {".+1", 0x101}, {"+ + +", 0x210}, {"^^^", 0},
		{"& & &", 0x90},
		{"(+)", 0x108},
		// unary
		{"-1", math.MaxUint64}, {"~0", math.MaxUint64}, {"#0", 1}, {"#5", 0}, {"--1", 1}, {"~~5", 5}, {"-1+2", 1},
		// reads: little-endian
		{"*1000", 0x8807060504030201}, {"*/1/1000", 1}, {"*/c/1001", 2}, {"*/2/1000", 0x201}, {"*/s/1000", 0x201},
		{"*/4/1000", 0x4030201}, {"*/i/1000", 0x4030201}, {"*/8/1000", 0x8807060504030201},
		{"*/l/1000", 0x8807060504030201},
		{"%1000", 0x1817161514131211}, {"%/2/1000", 0x1211}, {"**1030", 0x8807060504030201}, {"*1030+1", 0x1001},
		{"*/1/*1030", 1}, {"*<rsp", 0x1000}, {"*(<rsp)", 0x1000}, {"%*1030", 0x1817161514131211},
		// binary, each operator
		{"7%%3", 1}, {"3*5", 15}, {"7%2", 3}, {"-8%2", uint64(0xfffffffffffffffc)}, {"0t10#8", 16}, {"10#8", 16},
		{"11#8", 0x18},
		{"1+2", 3}, {"1-2", math.MaxUint64}, {"1<<4", 16}, {"1<<0t64", 0}, {"100>>4", 16}, {"3==3", 1}, {"3==4", 0},
		{"3!=3", 0}, {"3!=4", 1}, {"6&3", 2}, {"6^3", 5}, {"6|3", 7},
		// precedence, tightest first: %%  * % #  + -  << >>  == !=  &  ^  |
		{"2*7%%4", 6}, {"1+2*3", 7}, {"1+0t10#4", 13}, {"1<<2+1", 8}, {"1<<1==2", 1}, {"6&3==3", 0},
		{"1^3&2", 3}, {"4|1^1", 4},
		{"(1+2)*3", 9}, {"2*(3+(4))", 14}, {"1|2^2&3", 1},
		// left to right
		{"0t10-3-2", 5}, {"0t64%4%2", 8}, {"1<<2<<3", 32}, {"0t100%%7%%2", 0},
		{"-1>>0t60", 15}, {"1 + 1", 2}, {"ffffffffffffffff+2", 1},
	} {
		h := newFake()
		h.in.Vars.Set("x", 0x77)
		h.in.expr.at = place{dot: 0x100, inc: 8, last: 0x90}
		got, err := h.in.Expr(c.expr)
		if err != nil || got != c.want {
			t.Errorf("%s = %#x, %v, want %#x", c.expr, got, err, c.want)
		}
	}
}

func TestExpressionErrors(t *testing.T) {
	for _, c := range []struct{ expr, want string }{
		{"", "unexpected end"}, {"1+", "unexpected end"}, {"(1", "unexpected end"}, {"1)", `near ")"`},
		{"1 2", `near "2"`},
		{"8%0", "division by zero"}, {"8%%0", "division by zero"}, {"8#0", "division by zero"},
		{"0t1f", "digit that radix 10 does not have"}, {"0t", "no digits"}, {"0o8", "digit that radix 8 does not have"},
		{"0i2", "digit that radix 2 does not have"}, {"1g", "digit that radix 16 does not have"},
		{strings.Repeat("y", 5000), "yy\" and 4800 more characters"},
		{"nosuch", `unknown symbol "nosuch"`}, {"<nosuch", `"nosuch" is not defined`}, {"0t1_", "between digits"},
		{"1ffffffffffffffff", "does not fit"}, {"*0", "failed to read 8 bytes at 0x0: not dumped"},
		{"*1040", "not dumped"},
		{"*103c", "failed to read 8 bytes at 0x103c: 0x1040: not dumped"}, {"%1008", "0x1008: not dumped"},
		{"''", "1 to 8 bytes"}, {"'123456789'", "1 to 8 bytes"}, {"'abc", "unterminated quote"},
		{"*/3/1000", "the size of a read"},
		{`"nosuch"`, "unknown symbol"}, {"<", "unexpected end"}, {strings.Repeat("(", 500) + "1", "nested too deeply"},
		{strings.Repeat("-", 500) + "1", "nested too deeply"}, {"1" + strings.Repeat("+1", 20000), "too long"},
		{"1 é", `near "é"`},
	} {
		got, err := newFake().in.Expr(c.expr)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40s = %#x, %v, want an error with %q", c.expr, got, err, c.want)
		}
	}
}

func TestPlaceErrors(t *testing.T) {
	for _, c := range []struct {
		expr string
		at   place
	}{
		{"+", place{dot: 1<<63 - 1, inc: 1}}, // crosses the sign bit
		{"+", place{dot: math.MaxUint64, inc: 1}},
		{"^", place{dot: 7, inc: 8}},
	} {
		h := newFake()
		h.in.expr.at = c.at
		if v, err := h.in.Expr(c.expr); err == nil {
			t.Errorf("%s at %+v = %#x, want an error", c.expr, c.at, v)
		}
	}
}

func TestRadix(t *testing.T) {
	h := newFake()
	for _, c := range []struct {
		radix int
		expr  string
		want  uint64
		shown string
	}{
		{10, "31", 31, "0t31"}, {8, "37", 31, "0o37"}, {2, "11111", 31, "0i11111"}, {16, "1f", 31, "0x1f"},
		{10, "0x1f", 31, "0t31"},
	} {
		if err := h.in.SetRadix(c.radix); err != nil {
			t.Fatal(err)
		}
		v, err := h.in.Expr(c.expr)
		if err != nil || v != c.want {
			t.Errorf("radix %d: %s = %d, %v", c.radix, c.expr, v, err)
		}
		// Output can be typed again, whatever the radix is then.
		if s := h.in.Format(v); s != c.shown {
			t.Errorf("radix %d: printed as %s, want %s", c.radix, s, c.shown)
		}
		h.in.SetRadix(16)
		if again, err := h.in.Expr(c.shown); again != v || err != nil {
			t.Errorf("%s read again: %d, %v", c.shown, again, err)
		}
	}
	if h.in.SetRadix(1) == nil || h.in.SetRadix(17) == nil {
		t.Error("radix 1 or 17 was taken")
	}
}

func TestBigEndian(t *testing.T) {
	h := newFake()
	h.order = binary.BigEndian
	if v, err := h.in.Expr("*/4/1000"); v != 0x1020304 || err != nil {
		t.Errorf("*/4/1000 = %#x, %v", v, err)
	}
	if got := h.run("12345678=x"); !strings.HasPrefix(strings.TrimSpace(got), "5678") {
		t.Errorf("=x shows %q, want the low bytes", got)
	}
}
