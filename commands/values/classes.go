package values

import (
	"strings"

	"coredbg/commands"
	"coredbg/core"
	"coredbg/core/dwarf"
)

// The bounds of classes: the bytes of a name, and how deep bases are in bases.
const (
	maxClassName = 4096
	maxBases     = 256
)

// hasBase reports whether a class is a base or has it, itself or by another base.
func hasBase(class, base *dwarf.Type) bool {
	for t := range class.Bases(dwarf.IsBase) {
		if t.Qualified() == base.Qualified() {
			return true
		}
	}
	return false
}

// dType returns the type with a name of D, and the frame to read its values with; nil if there is no such type.
func dType(s *commands.Session, name string) (*dwarf.Type, *dwarf.Frame) {
	for _, spelt := range []string{name, strings.ReplaceAll(name, ".", "::")} {
		if t, f, err := typeNamed(s, spelt); err == nil && !t.Declared {
			return t, f
		}
	}
	return nil, nil
}

// dynamicD returns the whole object around a value of a class or an interface of D, as the object's own
// class. ok is false if that class is the value's type, or is not known. The first word of an object leads to
// its virtual functions, which begin with the TypeInfo_Class; the first word of an interface in an object
// leads to one for whose first entry an object.Interface stands, with the offset of the interface at its end
// (D's ABI, "Classes").
func dynamicD(s *commands.Session, v dwarf.Value) (whole dwarf.Value, ok bool) {
	t := v.Type.Strip().Complete()
	at, inMemory := v.Addr()
	list := t.Members()
	if s == nil || !inMemory || len(list) == 0 {
		return v, false
	}
	f := v.Frame()
	c := core.NewCursor(f.Mem, f.Arch.Order, f.Arch.PtrSize)
	word := core.Addr(f.Arch.PtrSize)
	name := className(c, c.Pointer(c.Pointer(at)), word)
	if name == "" && len(list) == 1 && list[0].Name == "__vptr" {
		up := c.Pointer(c.Pointer(c.Pointer(at)) + 3*word)
		if c.Reset() != nil || up > at {
			return v, false
		}
		at -= up
		name = className(c, c.Pointer(c.Pointer(at)), word)
	}
	if name == "" || name == t.Name() {
		return v, false
	}
	class, frame := dType(s, name)
	if class == nil || !class.Composite() {
		return v, false
	}
	return frame.At(class, at), true
}

// className returns the name that a TypeInfo_Class of D has, "" if there is none: a string after the words of the
// object itself and two words of the initial value.
func className(c *core.Cursor, info, word core.Addr) string {
	n, at := c.Word(info+4*word), c.Pointer(info+5*word)
	if c.Reset() != nil || n == 0 || n > maxClassName {
		return ""
	}
	b := make([]byte, n)
	c.Bytes(b, at)
	if c.Reset() != nil || strings.ContainsFunc(string(b), func(r rune) bool { return r < ' ' || r == '\ufffd' }) {
		return ""
	}
	return string(b)
}
