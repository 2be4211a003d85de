package values

import (
	"encoding/json"
	"math"
	"testing"
)

// TestExact writes integers as JSON. Node says which of these JSON.parse rounds.
func TestExact(t *testing.T) {
	for _, c := range []struct {
		value any
		want  string
	}{
		{exact(uint64(0)), "0"}, {exact(uint64(1 << 53)), "9007199254740992"}, {exact(uint64(1<<53 + 1)), `"9007199254740993"`},
		{exact(uint64(math.MaxUint64)), `"18446744073709551615"`}, {exact(int64(-1)), "-1"}, {exact(int64(1<<53 + 1)), `"9007199254740993"`},
		{exact(int64(-1 << 53)), "-9007199254740992"}, {exact(int64(-1<<53 - 1)), `"-9007199254740993"`}, {exact(int64(math.MinInt64)), `"-9223372036854775808"`},
	} {
		if got, err := json.Marshal(c.value); err != nil || string(got) != c.want {
			t.Errorf("%v is %s, %v; want %s", c.value, got, err, c.want)
		}
	}
}

// TestVtabType names the types that gfortran's tables are for.
func TestVtabType(t *testing.T) {
	for symbol, want := range map[string]string{
		"__kinds_MOD___vtab_kinds_Ring": "kinds::ring", "__vtab_INTEGER_4_.12": "integer(kind=4)", "__vtab_CHARACTER_1_": "character(kind=1)",
		"__my_mod_MOD___vtab_my_mod_Some_type": "my_mod::some_type", "main": "", "__vtab_": "", "__vtab__": "", "__vtab_a_": "",
	} {
		if got := vtabType(symbol); got != want {
			t.Errorf("%s is for %q, want %q", symbol, got, want)
		}
	}
}

// TestKeyStart finds the type of the keys in names of D's associative arrays.
func TestKeyStart(t *testing.T) {
	for name, want := range map[string]int{"int[string]": 3, "int[string][char]": 11, "string[int[3]]": 6, "int": -1, "]": -1, "[int]": -1, "": -1, "a]]": -1} {
		if got := keyStart(name); got != want {
			t.Errorf("%q: %d, want %d", name, got, want)
		}
	}
}
