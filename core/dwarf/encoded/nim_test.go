package encoded

import "testing"

// TestNimName spells names that Nim 1.6 and 2.0 made.
func TestNimName(t *testing.T) {
	for name, want := range map[string]string{
		"ship__kinds_34": "kinds.ship", "ship__kinds_u34": "kinds.ship", "newObjRC1": "", "NimMainModule": "",
		"rawAlloc__system_5296":      "system.rawAlloc",
		"ship__kinds_34.constprop.0": "kinds.ship", "__x_1": "", "a__b": "", "a__b_": "", "a___1": "",
	} {
		if got := Nim(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}
