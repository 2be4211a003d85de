package values

import (
	"math/bits"
	"strconv"
	"strings"

	"coredbg/core/dwarf"
)

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

// constantName names a value by constants.
func constantName(list []dwarf.Enumerator, i int64) string {
	by := map[int64]string{} // "" where several have the value
	for _, c := range list {
		name := c.Name[strings.LastIndexByte(c.Name, '.')+1:]
		if other, ok := by[c.Value]; ok && other != name {
			name = ""
		}
		by[c.Value] = name
	}
	if s, ok := by[i]; ok || bits.OnesCount64(uint64(i)) < 2 {
		return s
	}
	var flags []string
	for rest := uint64(i); rest != 0; rest &= rest - 1 {
		name := by[int64(rest&-rest)]
		if name == "" {
			return ""
		}
		flags = append(flags, name)
	}
	return strings.Join(flags, " | ")
}

// constantsIn returns the names of constants in a value by their paths; nil if there is none.
func constantsIn(n *node) map[string]string {
	out := map[string]string{}
	n.constants(out, "")
	delete(out, "")
	if len(out) == 0 {
		return nil
	}
	return out
}

func (n *node) constants(out map[string]string, path string) {
	if n.constant != "" {
		out[path] = n.constant
	}
	for i, x := range n.list {
		at := path + "[" + strconv.Itoa(i) + "]"
		switch {
		case x.name != "":
			at = strings.TrimPrefix(path+"."+x.name, ".")
		case x.kind == pair && len(x.list) == 2:
			at = path + "[" + textForm{}.flat(x.list[0], lineWidth) + "]"
			x = x.list[1]
		}
		x.constants(out, at)
	}
}
