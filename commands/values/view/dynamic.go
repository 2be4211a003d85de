package view

import (
	"strings"

	"coredbg/commands"
	"coredbg/commands/values/program"
	"coredbg/core"
	"coredbg/core/dwarf"
	"coredbg/core/sym"
)

// The words before the address that an object of C++ has in its first word (Itanium C++ ABI, section 2.5.2),
// and how many functions after it are looked at for one of the class.
const (
	offsetToTop = 2
	maxVirtual  = 64
)

// Dynamic returns the whole object whose base is the value v of a class of C++, D or Ada, as the object's own
// class. ok is false if the object's class is the class of v, or is not known.
func Dynamic(s *commands.Session, v dwarf.Value) (whole dwarf.Value, ok bool) {
	if t := v.Type.Strip(); t.Composite() {
		switch l := t.Lang(); {
		case l == dwarf.LangD && t.Kind == dwarf.Class:
			return dynamicD(s, v)
		case l.Ada():
			return dynamicAda(s, v)
		}
	}
	whole, _, ok = dynamicNamed(s, v)
	return whole, ok
}

// dynamicNamed is dynamic with the name of the class as linkers know it.
func dynamicNamed(s *commands.Session, v dwarf.Value) (whole dwarf.Value, name string, ok bool) {
	t := v.Type.Strip().Complete()
	at, inMemory := v.Addr()
	if s == nil || !inMemory || !t.Composite() {
		return v, "", false
	}
	m, ok := vtablePointer(t)
	if !ok {
		return v, "", false
	}
	table, err := v.As(t).Member(&m).Pointer()
	if err != nil || table == 0 {
		return v, "", false
	}
	f := v.Frame()
	c := core.NewCursor(f.Mem, f.Arch.Order, f.Arch.PtrSize)
	word := core.Addr(f.Arch.PtrSize)
	up := int64(c.Pointer(table - offsetToTop*word))
	if shift := 64 - 8*f.Arch.PtrSize; shift > 0 {
		up = up << shift >> shift
	}
	name, ok = vtableOf(s, c, table)
	if c.Err() != nil || !ok || up > 0 {
		return v, "", false
	}
	class, frame := classOf(s, c, table, name)
	if class == nil && up < 0 { // the table of a base that is not the first may have functions of the base alone
		class, frame = classOf(s, c, c.Pointer(at+core.Addr(up)), name)
	}
	if class == nil || class.Qualified() == t.Qualified() || !hasBase(class, t) {
		return v, "", false
	}
	return frame.At(class, at+core.Addr(up)), name, true
}

// vtablePointer returns the member of a class that leads to its virtual functions, which is first in it or in
// its first base.
func vtablePointer(t *dwarf.Type) (dwarf.Member, bool) {
	first := func(m *dwarf.Member) bool { return m.Inherited && !m.Virtual && m.Off == 0 }
	for class := range t.Bases(first) {
		for _, m := range class.Members() {
			if m.Artificial && strings.HasPrefix(m.Name, "_vptr") {
				return m, true
			}
		}
	}
	return dwarf.Member{}, false
}

// vtableOf returns the name of the class whose virtual functions a table has, by the symbol of the table, or else by
// the name that its type_info leads to.
func vtableOf(s *commands.Session, c *core.Cursor, table core.Addr) (string, bool) {
	if y, _, ok := s.Symbols.Lookup(table); ok {
		if name, ok := strings.CutPrefix(sym.Demangle(y.Name, false), "vtable for "); ok {
			return name, true
		}
	}
	word := core.Addr(c.PtrSize())
	info := c.Pointer(table - word)
	if c.Err() != nil || info == 0 {
		return "", false
	}
	text := c.Pointer(info + word)
	if c.Err() != nil {
		return "", false
	}
	mangled := c.CString(text, maxClassName)
	if c.Reset() != nil {
		return "", false
	}
	return strings.CutPrefix(sym.Demangle("_ZTS"+strings.TrimPrefix(mangled, "*"), false), "typeinfo name for ")
}

// classOf returns a class by its name, as debugging information has it, and the file to read its values with. A
// function of the class is in a table. Only the table's name has the name of the enclosing function, for a
// class nested in one.
func classOf(s *commands.Session, c *core.Cursor, table core.Addr, name string) (*dwarf.Type, *dwarf.Frame) {
	for i := range core.Addr(maxVirtual) {
		code := c.Pointer(table + i*core.Addr(c.PtrSize()))
		m := s.Process.Module(code)
		if c.Reset() != nil || m == nil {
			return nil, nil
		}
		d, err := s.Symbols.Data(m)
		if err != nil {
			continue
		}
		t := d.ClassAt(uint64(code - m.Facts().Bias))
		if t != nil && (bare(name) == bare(t.Qualified()) || strings.HasSuffix(bare(name), "::"+bare(t.Qualified()))) {
			return t.Complete(), program.ImageFrame(s, m, d)
		}
	}
	return nil, nil
}

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
		if t, f, err := program.TypeNamed(s, spelt); err == nil && !t.Declared {
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
