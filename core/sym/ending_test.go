package sym

import (
	"slices"
	"testing"

	"coredbg/core"
)

// TestEnding: a name stands for the functions that end in it as a whole word, NAME.NAME first, the
// executable's before others.
func TestEnding(t *testing.T) {
	p, _ := process(&fake{static: []core.ImageSymbol{fn("runtime.main", 0x1000, 8), fn("main.main", 0x1100, 8),
		fn("_ZN3app4mainEv", 0x1200, 8),
		fn("_ZN3app4Pool3putEi", 0x1300, 8), kind(core.SymObject, fn("main.count", 0x2000, 8))}}, 0)
	tab := NewTable(p)
	for name, want := range map[string][]string{
		"main": {"main.main", "runtime.main", "app::main()"}, "put": {"app::Pool::put(int)"}, "ain": nil,
		"": nil, "count": nil,
	} {
		var got []string
		for _, s := range tab.Ending(name, 8) {
			got = append(got, Demangle(s.Name, false))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if got := tab.Ending("main", 1); len(got) != 1 {
		t.Errorf("%d functions, want 1", len(got))
	}
}
