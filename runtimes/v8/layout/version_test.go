package layout

import "testing"

func TestParseVersion(t *testing.T) {
	for text, want := range map[string]Version{"12.4": V(12, 4), "11.3.244.8-node.33": {Major: 11, Minor: 3, Build: 244,
		Patch: 8}, "14.6.202": {Major: 14, Minor: 6, Build: 202, Patch: 0}} {
		if got, ok := ParseVersion(text); !ok || got != want {
			t.Errorf("%q: %v, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "12", "x.y", "12.", "12.4.-1", "99999.1"} {
		if got, ok := ParseVersion(text); ok {
			t.Errorf("%q: %v", text, got)
		}
	}
}
