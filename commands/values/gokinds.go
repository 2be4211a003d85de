package values

import "coredbg/core/dwarf"

// The kinds of Go's reflect that are looked for.
const (
	goInt64     = 6
	goChan      = 18
	goFunc      = 19
	goInterface = 20
	goMap       = 21
	goSlice     = 23
	goString    = 24
	goStruct    = 25
)

// goRecipes are the recipes for the types of a kind, whatever name a program gives them.
var goRecipes = map[uint8]string{goSlice: "[]", goString: "string"}

// goType returns the Go linker's description of a type, or of a typedef's target.
func goType(t *dwarf.Type) (dwarf.GoType, bool) {
	for range maxWrapped {
		if t == nil || t.Lang() != dwarf.LangGo {
			break
		}
		if g := t.Go(); g.Kind != 0 {
			return g, true
		}
		if t.Kind != dwarf.Typedef {
			break
		}
		t = t.Elem()
	}
	return dwarf.GoType{}, false
}
