package stack

import "testing"

// TestDeleting: names of destructors as the Itanium ABI has them: D0 deletes, D1 and D2 do not.
func TestDeleting(t *testing.T) {
	for name, want := range map[string]bool{
		"_ZN3app4LeafD0Ev": true, "_ZN3app4LeafD0Ev.localalias": true, "__ZN3app4LeafD0Ev": true,
		"_ZThn16_N3app4LeafD0Ev": true,
		"_ZN3app4LeafD1Ev":       false, "_ZN3app4LeafD2Ev": false, "D0Ev": false, "main": false, "": false,
	} {
		if got := deleting(name); got != want {
			t.Errorf("%q: %t", name, got)
		}
	}
}
