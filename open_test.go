package coredbg

import (
	"os"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/sym"
)

// TestOpenSaysWhereOnce: the file is named once.
func TestOpenSaysWhereOnce(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{self, t.TempDir(), self + ".none"} {
		_, err = Open(path, Options{})
		if err == nil {
			t.Fatalf("%s opened", path)
		}
		if n := strings.Count(err.Error(), path); n != 1 || !strings.HasPrefix(err.Error(), "opening "+path+": ") {
			t.Errorf("%s is named %d times in %q", path, n, err)
		}
	}
}

// TestIsEntry: GCC and Clang name what they split off FUNCTION.cold,
// FUNCTION.cold.N.
func TestIsEntry(t *testing.T) {
	for name, want := range map[string]bool{
		"main": true, "main.cold": false, "hot.part.0.cold": false, "hot.cold.1": false,
		"hot.constprop.0": true, "_ZN5store4coldEv": true, "x.coldly": true,
	} {
		if got := isEntry(sym.Symbol{Name: name, Kind: core.SymFunc}); got != want {
			t.Errorf("%s: %t, want %t", name, got, want)
		}
	}
	if isEntry(sym.Symbol{Name: "table", Kind: core.SymObject}) {
		t.Error("data is entered")
	}
}
