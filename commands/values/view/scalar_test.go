package view

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/core/dwarf"
)

// TestExact writes integers as JSON. Node says which of these JSON.parse rounds.
func TestExact(t *testing.T) {
	for _, c := range []struct {
		value any
		want  string
	}{
		{exact(uint64(0)), "0"}, {exact(uint64(1 << 53)), "9007199254740992"},
		{exact(uint64(1<<53 + 1)), `"9007199254740993"`},
		{exact(uint64(math.MaxUint64)), `"18446744073709551615"`}, {exact(int64(-1)), "-1"},
		{exact(int64(1<<53 + 1)), `"9007199254740993"`},
		{exact(int64(-1 << 53)), "-9007199254740992"}, {exact(int64(-1<<53 - 1)), `"-9007199254740993"`},
		{exact(int64(math.MinInt64)), `"-9223372036854775808"`},
	} {
		if got, err := json.Marshal(c.value); err != nil || string(got) != c.want {
			t.Errorf("%v is %s, %v; want %s", c.value, got, err, c.want)
		}
	}
}

// TestVtabType names the types that gfortran's tables are for.
func TestVtabType(t *testing.T) {
	for symbol, want := range map[string]string{
		"__kinds_MOD___vtab_kinds_Ring": "kinds::ring", "__vtab_INTEGER_4_.12": "integer(kind=4)",
		"__vtab_CHARACTER_1_":                  "character(kind=1)",
		"__my_mod_MOD___vtab_my_mod_Some_type": "my_mod::some_type", "main": "", "__vtab_": "", "__vtab__": "",
		"__vtab_a_": "",
	} {
		if got := vtabType(symbol); got != want {
			t.Errorf("%s is for %q, want %q", symbol, got, want)
		}
	}
}

// TestKeyStart finds the type of the keys in names of D's associative arrays.
func TestKeyStart(t *testing.T) {
	for name, want := range map[string]int{"int[string]": 3, "int[string][char]": 11, "string[int[3]]": 6, "int": -1,
		"]": -1, "[int]": -1, "": -1, "a]]": -1} {
		if got := keyStart(name); got != want {
			t.Errorf("%q: %d, want %d", name, got, want)
		}
	}
}

// TestScalars shows the values of base types as text and as JSON: an address is hexadecimal, and an integer
// beyond 2^53 is not a number of JSON.
func TestScalars(t *testing.T) {
	f := &dwarf.Frame{Arch: core.AMD64, Mem: coretest.New(core.AMD64).Process().Space}
	word := func(u uint64) []byte { return binary.LittleEndian.AppendUint64(nil, u) }
	for _, c := range []struct {
		encoding   dwarf.Encoding
		bytes      []byte
		text, json string
	}{
		{dwarf.EncAddress, word(0x7ffd5e2a1b40), "0x7ffd5e2a1b40", `"0x7ffd5e2a1b40"`},
		{dwarf.EncAddress, word(16), "0x10", `"0x10"`},
		{dwarf.EncAddress, word(16)[:4], "0x10", `"0x10"`},
		{dwarf.EncUnsigned, word(16), "16", "16"},
		{dwarf.EncUnsigned, word(1 << 53), "9007199254740992", "9007199254740992"},
		{dwarf.EncUnsigned, word(1<<53 + 1), "9007199254740993", `"9007199254740993"`},
		{dwarf.EncUnsigned, word(math.MaxUint64), "18446744073709551615", `"18446744073709551615"`},
		{dwarf.EncSigned, word(math.MaxUint64), "-1", "-1"},
		{dwarf.EncSigned, word(1 << 63), "-9223372036854775808", `"-9223372036854775808"`},
		{dwarf.EncUnsigned, append(word(0), word(1)...), "18446744073709551616", `"18446744073709551616"`},
	} {
		v := f.Made(dwarf.NewBase("t", c.encoding, int64(len(c.bytes)), 8), c.bytes)
		n := (&Viewer{Left: 1}).View("x", v, 1)
		if got := (Form{}).Text(n, 0); got != c.text {
			t.Errorf("%v %x: text %s, want %s", c.encoding, c.bytes, got, c.text)
		}
		if got, err := json.Marshal(n); string(got) != c.json || err != nil {
			t.Errorf("%v %x: JSON %s, %v; want %s", c.encoding, c.bytes, got, err, c.json)
		}
	}
}
