package values

import (
	"math/bits"
	"strconv"
	"strings"

	"coredbg/core/dwarf"
)

// goConstant gives the node of an integer of Go the name that its value has: that of the only constant of just its
// type that has the value, or those of constants of one bit each that make it up, as delve has it. JSON keeps the
// number.
func (w *viewer) goConstant(n *node, v dwarf.Value, declared *dwarf.Type) *node {
	// The predeclared types, and C's, have constants that mean something else each time.
	name := declared.Own()
	if n.kind != scalar || declared.Lang() != dwarf.LangGo || !strings.Contains(name, ".") || strings.HasPrefix(name, "C.") {
		return n
	}
	i, err := v.Int()
	if err != nil {
		return n
	}
	if s := constantName(declared.GoConstants(), i); s != "" {
		n.constant, n.note, n.text = s, n.text, s
	}
	return n
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
