package sym

import "testing"

// TestOCaml spells names that ocamlopt 4.13 and 5.2 made.
func TestOCaml(t *testing.T) {
	for name, want := range map[string]string{
		"camlKinds__crash_90": "Kinds.crash", "camlStdlib__List__map_233": "Stdlib.List.map",
		"camlShop__$2b$2b_12": "Shop.(++)", "camlKinds__f$27_3": "Kinds.f'",
		"camlKinds.crash_90": "Kinds.crash", "camlDune__exe__Main__entry": "Dune.exe.Main.entry",
		"camlKinds": "camlKinds", "caml_main": "caml_main",
		"camlKinds__": "camlKinds__", "camlA__b_c": "A.b_c", "camlA__$zz_1": "A.$zz",
	} {
		if got := Demangle(name, true); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}
