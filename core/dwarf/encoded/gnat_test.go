package encoded

import "testing"

// TestGNATName decodes names of Ada.
func TestGNATName(t *testing.T) {
	for _, c := range []struct {
		name, want string
		made       bool
	}{
		{"pkg__count", "pkg.count", false}, {"_ada_main", "main", false}, {"pkg__show__2", "pkg.show", false},
		{"QU41", "'A'", false}, {"QW03b1", "'α'", false},
		{"QWW0001f600", "'😀'", false}, {"pkg__Oadd", `pkg."+"`, false}, {"caf\u00e9", "café", false},
		{"cafUe9", "café", false},
		{"L1861b", "", true}, {"more__show__T1824b___U", "", true}, {"bO", "", true}, {"S1862b", "", true},
		{"QUzz", "", true}, {"", "", false},
	} {
		got, made := GNAT(c.name)
		if made != c.made || !made && got != c.want {
			t.Errorf("%s is %q, %v; want %q, %v", c.name, got, made, c.want, c.made)
		}
	}
}
