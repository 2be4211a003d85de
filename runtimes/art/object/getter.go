package object

import (
	"coredbg/core"
	"coredbg/runtimes/art/code"
	"coredbg/runtimes/art/dex"
)

// cause returns what getCause returns for a throwable. A class may override the method: older
// libcores keep the cause of an InvocationTargetException, an ExceptionInInitializerError, an
// UndeclaredThrowableException and others in a field of their own. An override that does more
// than return a field is passed over.
func (rd *Reader) cause(o Object) (core.Addr, bool) {
	for _, c := range append([]*Class{o.Class}, rd.Supers(o.Class)...) {
		if c.Name == "java.lang.Throwable" {
			break
		}
		if m := rd.declared(c, "getCause", "()Ljava/lang/Throwable;"); m != nil {
			if at, ok := rd.get(m, o); ok {
				return at, true
			}
		}
	}
	return rd.RefField(o, "cause")
}

// declared returns the method of a class with a name and a signature; nil if the class itself
// declares none.
func (rd *Reader) declared(c *Class, name, signature string) *code.Method {
	all, err := rd.Methods(c)
	if err != nil {
		return nil
	}
	for _, at := range all {
		if m := rd.Method(at); m.Name == name && m.Signature == signature && m.DeclaringClass == c.Addr {
			return m
		}
	}
	return nil
}

// get returns the reference that a method returns for an object, if the method only reads a field
// of the object: "iget-object vA, this" or its quickened form, then
// "return-object vA" (dex format, "Bytecode").
func (rd *Reader) get(m *code.Method, o Object) (core.Addr, bool) {
	if m.Code == nil || m.Dex == nil || m.Dex.File == nil || m.Code.Ins != 1 || m.Code.Units > 16 {
		return 0, false
	}
	units, err := m.Dex.File.Instructions(m.Code)
	if err != nil {
		return 0, false
	}
	load, err1 := dex.Decode(units, 0)
	ret, err2 := dex.Decode(units, uint32(load.Size))
	this := uint16(m.Code.Registers - 1)
	if err1 != nil || err2 != nil || ret.Name != "return-object" || len(load.Registers) != 2 || load.Registers[1] != this || ret.Registers[0] != load.Registers[0] {
		return 0, false
	}
	offset := load.Index
	switch load.Name {
	case "iget-object-quick":
	case "iget-object":
		f, err := m.Dex.File.Field(load.Index)
		if err != nil {
			return 0, false
		}
		var ok bool
		if offset, ok = rd.offsetOf(o.Class, f); !ok {
			return 0, false
		}
	default:
		return 0, false
	}
	if size, err := rd.Size(o); err != nil || uint64(offset)+4 > size {
		return 0, false
	}
	return rd.Ref(o.Addr + core.Addr(offset))
}

// offsetOf returns the offset of an instance field in objects of a class. A field that a super
// class declares may be named by a class below it (JVM specification, 5.4.3.2).
func (rd *Reader) offsetOf(c *Class, f dex.Field) (uint32, bool) {
	below := true
	for _, s := range append([]*Class{c}, rd.Supers(c)...) {
		if below = below && s.Name != dex.TypeName(f.Class); below {
			continue
		}
		for _, x := range rd.Fields(s) {
			if x.Name == f.Name && !x.Static() {
				return x.Offset, true
			}
		}
	}
	return 0, false
}
