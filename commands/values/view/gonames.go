package view

import (
	"math/bits"
	"strconv"
	"strings"
	"time"

	"coredbg/core"
	"coredbg/core/dwarf"
	"coredbg/core/sym"
)

// goFunc shows a function by its name. Its value is where a closure is, which begins with the
// address of the code (runtime/runtime2.go, funcval).
func (w *Leaf) goFunc(n *Node, v dwarf.Value) *Node {
	p := v.Type.Strip().PointerTo()
	a, err := v.As(p).Pointer()
	switch {
	case err != nil:
		return w.unknownNode(n, err)
	case a == 0:
		n.Text, n.JSON = "nil", nil
		return n
	}
	n.Text, n.JSON = a.String(), a.String()
	c := core.NewCursor(v.Frame().Mem, v.Frame().Arch.Order, v.Frame().Arch.PtrSize)
	code := c.Pointer(a)
	if c.Err() != nil {
		w.Lost = true
		n.Note = c.Err().Error()
		return n
	}
	if w.Session == nil {
		return n
	}
	if s, off, ok := w.Session.Symbols.Lookup(code); ok && off == 0 {
		name := sym.Demangle(s.Name, false)
		n.Text, n.JSON, n.Note = name, name, n.Text
	}
	return n
}

// A time of Go (time/time.go, Time, since Go 1.9): nanoseconds, and either seconds since the year 1,
// or fewer bits of seconds since 1885 and the reading of another clock.
const (
	goHasMonotonic = 1 << 63
	goNanoBits     = 30
	goSince1885    = 59453308800  // seconds from the year 1 to 1885
	goUnixEpoch    = 62135596800  // to 1970
	goLastSecond   = 315537897599 // of the year 9999
)

// goTime shows a time as text, in UTC. It returns nil for other structs, and for a time outside the years 1 to
// 9999.
func (w *Leaf) goTime(n *Node, v dwarf.Value, declared *dwarf.Type) *Node {
	if declared.Strip().Qualified() != "time.Time" {
		return nil
	}
	wall, err1 := numberAt(v, []string{"wall"})
	ext, err2 := numberAt(v, []string{"ext"})
	if err1 != nil || err2 != nil {
		return nil
	}
	sec, nano := int64(ext), int64(wall&(1<<goNanoBits-1))
	if wall&goHasMonotonic != 0 {
		sec = goSince1885 + int64(wall<<1>>(goNanoBits+1))
	}
	if nano >= int64(time.Second) || sec < 0 || sec > goLastSecond {
		return nil
	}
	n.Text = time.Unix(sec-goUnixEpoch, nano).UTC().Format(time.RFC3339Nano)
	n.JSON = n.Text
	return n
}

// goDuration shows a number of nanoseconds with its meaning; nil for other integers.
func (w *Leaf) goDuration(n *Node, v dwarf.Value, declared *dwarf.Type) *Node {
	if declared.Qualified() != "time.Duration" {
		return nil
	}
	if w.Number(n, v, true); n.Kind != Unknown {
		i, _ := v.Int()
		n.Note = time.Duration(i).String()
	}
	return n
}

// goConstant gives the node of an integer of Go the name of its value: the only constant of exactly its type
// with that value, or the one-bit constants that make it up, as delve does. JSON keeps the number.
func (w *Leaf) goConstant(n *Node, v dwarf.Value, declared *dwarf.Type) *Node {
	// The predeclared types, and C's, have constants that mean something else each time.
	name := declared.Own()
	if n.Kind != Scalar || declared.Lang() != dwarf.LangGo || !strings.Contains(name, ".") ||
		strings.HasPrefix(name, "C.") {
		return n
	}
	i, err := v.Int()
	if err != nil {
		return n
	}
	if s := constantName(declared.GoConstants(), i); s != "" {
		n.Constant, n.Note, n.Text = s, n.Text, s
	}
	return n
}

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
	for range MaxWrapped {
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

// ConstantsIn returns the names of constants in a value by their paths; nil if there is none.
func ConstantsIn(n *Node) map[string]string {
	out := map[string]string{}
	n.constants(out, "")
	delete(out, "")
	if len(out) == 0 {
		return nil
	}
	return out
}

func (n *Node) constants(out map[string]string, path string) {
	if n.Constant != "" {
		out[path] = n.Constant
	}
	for i, x := range n.List {
		at := path + "[" + strconv.Itoa(i) + "]"
		switch {
		case x.Name != "":
			at = strings.TrimPrefix(path+"."+x.Name, ".")
		case x.Kind == Pair && len(x.List) == 2:
			at = path + "[" + Form{}.Flat(x.List[0], LineWidth) + "]"
			x = x.List[1]
		}
		x.constants(out, at)
	}
}
