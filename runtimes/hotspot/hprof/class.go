package hprof

import (
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/heap/hprof/format"
	"coredbg/runtimes/hotspot/object"
	"coredbg/runtimes/java"
)

// A class is a class with the fields that are written of it.
type class struct {
	*object.Class
	own, statics []field // that it declares
	chain        []*class
	instance     int       // bytes of the values of an instance's fields
	super        core.Addr // the java.lang.Class of its superclass
	constants    core.Addr // what constants of its code have become
}

// A field is a field with the number of its name.
type field struct {
	name   uint64
	typ    format.BasicType
	offset uint32
}

// maxListed bounds the fields of one kind of a class: a file has 16 bits for their number.
const maxListed = 1<<16 - 64

// constantsName is the name of the static field that the constants of a class are written as; it is HotSpot's own.
const constantsName = "<resolved_references>"

// add adds a class with its superclasses.
func (x *writer) add(k *object.Class) *class {
	if c := x.classes[k]; c != nil {
		return c
	}
	c := &class{Class: k}
	x.classes[k] = c
	if k.Mirror != 0 {
		x.order = append(x.order, c)
	}
	x.StringID(x.internal(k.Name))
	fields, _ := x.w.Fields(k)
	for _, f := range fields {
		out := field{x.StringID(f.Name), format.TypeOf(f.Type), f.Offset}
		switch {
		case !f.Static() && len(c.own) < maxListed:
			c.own = append(c.own, out)
		case f.Static() && len(c.statics) < maxListed:
			c.statics = append(c.statics, out)
		}
	}
	if k.IsMirror() {
		x.findInjected(k)
	}
	c.constants = x.w.ResolvedReferences(k)
	c.chain = []*class{c}
	for i, s := range x.w.Supers(k) {
		super := x.add(s)
		if i == 0 || k.IsArray() {
			c.super = s.Mirror // of arrays java.lang.Object is, which is the last
		}
		c.chain = append(c.chain, super)
	}
	for _, s := range c.chain {
		for _, f := range s.own {
			c.instance += f.typ.Size(idSize)
		}
	}
	return c
}

// injectedName is the name of the static field that each reference is written as which the virtual machine has added to
// java.lang.Class: protection domain, signers.
const injectedName = "<injected>"

// lockName is the name of the lock of the initialization, where componentType has it: until a class that is
// none of arrays is initialized (JDK 17 to 25).
const lockName = "<init_lock>"

// findInjected finds those references: the fields of java.lang.Class do not have them.
func (x *writer) findInjected(mirror *object.Class) {
	x.mirror, x.injected = mirror, x.w.RefOffsets(mirror)
	for _, f := range x.w.InstanceFields(mirror) {
		x.injected = slices.DeleteFunc(x.injected, func(o uint32) bool { return o == f.Offset })
	}
}

// mirrored returns the object of a field of a class's java.lang.Class, of those versions that have the field.
func (x *writer) mirrored(c *class, name string) core.Addr {
	if x.mirror == nil {
		return 0
	}
	to, _ := x.w.RefField(object.Object{Addr: c.Mirror, Class: x.mirror}, name)
	return to
}

// maxDims bounds the dimensions of an array.
const maxDims = 255

// domain returns the protection domain of a class; an array has its elements' domain. It is a field of
// java.lang.Class since JDK 25, and before that a reference that the virtual machine has added.
func (x *writer) domain(c *class) core.Addr {
	for range maxDims {
		k, err := x.w.Class(c.Element)
		if next := x.classes[k]; err == nil && next != nil {
			c = next
			continue
		}
		break
	}
	if to := x.mirrored(c, "protectionDomain"); to != 0 {
		return to
	}
	for _, off := range x.injected {
		to, _ := x.w.Ref(c.Mirror + core.Addr(off))
		if k := x.w.ClassOf(to); k != nil && k.Name == "java.security.ProtectionDomain" {
			return to
		}
	}
	return 0
}

// references returns the references of a class that are no static fields.
func (x *writer) references(c *class) (out []reference) {
	if c.constants != 0 {
		out = append(out, reference{constantsName, c.constants})
	}
	if to := x.mirrored(c, "componentType"); to != 0 && !c.IsArray() {
		out = append(out, reference{lockName, to})
	}
	for _, off := range x.injected {
		if to, ok := x.w.Ref(c.Mirror + core.Addr(off)); ok && to != 0 {
			out = append(out, reference{injectedName, to})
		}
	}
	return out
}

// A reference is one that is written as a static field.
type reference struct {
	name string
	to   core.Addr
}

// internal returns the name of a class as HotSpot has it: "java/lang/String", "[I". The address of a hidden
// class comes after a plus sign, which object.External has turned into a slash. JDK 8 to 14 have anonymous
// classes instead: their names are without the number that object.External has added.
func (x *writer) internal(name string) string {
	base := strings.TrimRight(name, "[]")
	dims := (len(name) - len(base)) / 2
	if i := strings.LastIndexByte(base, '/'); i > 0 && x.w.Java() < 15 {
		base = base[:i]
	} else if i > 0 {
		base = base[:i] + "+" + base[i+1:]
	}
	for p := java.Boolean; dims > 0 && p <= java.Void; p++ {
		if p.String() == base {
			return strings.Repeat("[", dims) + p.Descriptor()
		}
	}
	base = strings.ReplaceAll(base, ".", "/")
	if dims > 0 {
		base = "L" + base + ";"
	}
	return strings.Repeat("[", dims) + base
}

// class writes a class.
func (x *writer) class(c *class) {
	x.room()
	x.U1(format.ClassDump)
	x.ID(uint64(c.Mirror))
	x.U4(0)
	x.ID(uint64(c.super))
	x.ID(uint64(c.Loader))
	x.ID(uint64(x.mirrored(c, "signers")))
	x.ID(uint64(x.domain(c)))
	x.ID(0) // reserved
	x.ID(0)
	x.U4(uint32(c.instance))
	x.U2(0)
	more := x.references(c)
	x.U2(uint16(len(c.statics) + len(more)))
	for _, f := range c.statics {
		x.ID(f.name)
		x.U1(byte(f.typ))
		x.Value(f.typ, x.field(c.Mirror, f))
	}
	for _, r := range more {
		x.ID(x.StringID(r.name))
		x.U1(byte(format.TypeObject))
		x.ID(uint64(r.to))
	}
	x.U2(uint16(len(c.own)))
	for _, f := range c.own {
		x.ID(f.name)
		x.U1(byte(f.typ))
	}
}

// field reads the value of a field; 0 if the core does not have it.
func (x *writer) field(at core.Addr, f field) uint64 {
	at += core.Addr(f.offset)
	if f.typ == format.TypeObject {
		to, _ := x.w.Ref(at)
		return uint64(to)
	}
	c := x.w.Process.Cursor()
	switch f.typ.Size(idSize) {
	case 1:
		return uint64(c.U8(at))
	case 2:
		return uint64(c.U16(at))
	case 4:
		return uint64(c.U32(at))
	}
	return c.U64(at)
}
