package view

import (
	"strings"

	"coredbg/commands"
	"coredbg/commands/values/program"
	"coredbg/core"
	"coredbg/core/dwarf"
)

// The layout of a Type_Specific_Data of Ada (GNAT 8 to 14, a-tags.ads), for words of w bytes: three numbers of 4 bytes
// that begin with the depth of derivation, the addresses of the expanded and the external name, an address,
// three truth values, three addresses, and the tags of the type and of its ancestors. The word before the functions
// that a tag leads to has its address.
const (
	tsdNames = 12
	maxTags  = 100
)

// dynamicAda returns a value of a tagged type of Ada as the type that its tag says; ok is false if that is the type
// itself, or is not known.
func dynamicAda(s *commands.Session, v dwarf.Value) (whole dwarf.Value, ok bool) {
	t := v.Type.Strip().Complete()
	at, inMemory := v.Addr()
	if s == nil || !inMemory || !tagged(t) {
		return v, false
	}
	f := v.Frame()
	c := core.NewCursor(f.Mem, f.Arch.Order, f.Arch.PtrSize)
	word := core.Addr(f.Arch.PtrSize)
	tag := c.Pointer(at)
	tsd := c.Pointer(tag - word)
	names := (tsd + tsdNames + word - 1) &^ (word - 1)
	depth := c.U32(tsd)
	first := names + 4*word + 3*word // the truth values take a word
	own := c.Pointer(first)
	text := c.Pointer(names)
	name := c.CString(text, maxClassName)
	if c.Reset() != nil || depth > maxTags || own != tag || name == "" {
		return v, false
	}
	spelt := strings.ToLower(strings.ReplaceAll(name, ".", "__"))
	if t.Own() == spelt || t.Qualified() == spelt {
		return v, false
	}
	if class := t.Beside(spelt); class != nil && tagged(class) {
		return v.To(class, at), true
	}
	class, frame, err := program.TypeNamed(s, spelt)
	if err != nil || class.Declared || !tagged(class.Strip()) {
		return v, false
	}
	return frame.At(class, at), true
}

// tagged reports whether a record of Ada begins with a tag, its own or its parent type's.
func tagged(t *dwarf.Type) bool {
	for range maxBases {
		list := t.Members()
		if len(list) == 0 || list[0].Off != 0 {
			return false
		}
		if list[0].Name == "_tag" {
			return true
		}
		if list[0].Name != "_parent" {
			return false
		}
		t = list[0].Type().Strip()
	}
	return false
}

// adaMember adds a member of a record of Ada to its node: the members of its parent type one by one. It reports
// false for a member that is shown as others are. The tag and the pointers to tables of interfaces are left out.
func adaMember(n, x *Node) bool {
	switch {
	case x.Name == "_parent" && x.Kind == Object && x.More == 0:
		n.List = append(n.List, x.List...)
		return true
	case x.Name == "_tag":
		return true
	}
	return len(x.Name) > 2 && x.Name[0] == 'V' && strings.HasSuffix(x.Name, "b") &&
		strings.Trim(x.Name[1:len(x.Name)-1], "0123456789") == ""
}
