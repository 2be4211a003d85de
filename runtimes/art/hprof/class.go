package hprof

import (
	"cmp"
	"context"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/art/object"
	"coredbg/runtimes/heap/hprof/format"
)

// A class is a class with the records written for it and its instances.
type class struct {
	*object.Class
	fields, statics []field
	chain           []*class // it and its super classes
	element         format.BasicType
	overhead        uint64 // bytes of the mirror::Class that are not a field
	instance        int    // bytes of the values of an instance's fields
	loader          bool   // it is java.lang.ClassLoader, whose objects keep classes
}

// A field is an instance field or a static one.
type field struct {
	name   uint64
	typ    format.BasicType
	offset uint32
	at     core.Addr // of the ArtField
	length bool      // String.count, which is written as the length
}

// Strings that Android's own writer makes up.
const (
	overheadName = "$classOverhead"
	classPrefix  = "$class$"
	valueName    = "value"
	internalName = "runtimeInternalObjects"
)

// findClasses reads all classes in the heap, and the classes of objects, and gives their names ids.
func (x *writer) findClasses(ctx context.Context, used []*object.Class) error {
	all, err := x.w.Classes(ctx)
	if err != nil {
		return err
	}
	for _, k := range slices.Concat(all, used) {
		if k.Status == "Retired" || x.classes[k.Addr] != nil {
			continue
		}
		c := &class{Class: k}
		x.classes[k.Addr] = c
		x.order = append(x.order, c)
	}
	for _, name := range []string{heapApp.name(), heapZygote.name(), heapImage.name(), overheadName, valueName,
		internalName} {
		x.StringID(name)
	}
	for _, c := range x.order {
		x.StringID(c.Name)
		x.layOut(c)
		if c.Name == "java.lang.Object[]" {
			x.arrays = c.Addr
		}
	}
	for _, c := range x.order {
		c.chain = []*class{c}
		c.instance = sizeOf(c.fields)
		for _, s := range x.w.Supers(c.Class) {
			if k := x.classes[s.Addr]; k != nil {
				c.chain = append(c.chain, k)
				c.instance += sizeOf(k.fields)
			}
		}
		if c.Flags&object.FlagString != 0 {
			c.instance += 4 // value
		}
		for _, k := range c.chain {
			if k.loader {
				c.instance += 4 // runtimeInternalObjects
			}
		}
	}
	return nil
}

// layOut reads the fields of a class.
func (x *writer) layOut(c *class) {
	size := c.ObjectSize
	refs := x.w.ReferenceOffsets(c.Class)
	if c.Flags&object.FlagClass != 0 {
		size = uint64(x.w.Layout.Mirror.Class.Size)
	}
	if c.Flags&object.FlagClassLoader != 0 && x.w.IsClass(c.Super) {
		c.loader = x.w.ClassAt(c.Super).Super == 0
	}
	fields := x.w.Fields(c.Class)
	statics := x.w.StaticReferences(c.Class)
	for i, f := range fields {
		end := size
		of := refs
		if f.Static() {
			end, of = c.ClassSize, statics
		}
		if i+1 < len(fields) && fields[i+1].Static() == f.Static() {
			end = uint64(fields[i+1].Offset)
		}
		out := field{typ: fieldType(f, of, end), offset: f.Offset, at: f.Addr}
		if f.Static() {
			out.name = x.StringID(f.Label())
			c.statics = append(c.statics, out)
			continue
		}
		out.name = x.StringID(f.Label())
		if c.Flags&object.FlagClass != 0 || c.Super == 0 {
			x.StringID(classPrefix + f.Label())
		}
		out.length = c.Flags&object.FlagString != 0 && f.Offset == object.HeaderSize
		c.fields = append(c.fields, out)
	}
	// Android writes fields in the order of its ArtFields, which is by name.
	byField := func(a, b field) int { return cmp.Compare(a.at, b.at) }
	slices.SortStableFunc(c.fields, byField)
	slices.SortStableFunc(c.statics, byField)
	if c.IsArray() && x.w.IsClass(c.Component) {
		c.element = format.TypeOf(x.w.ClassAt(c.Component).Primitive.Descriptor())
	}
	base := uint64(x.w.Layout.Mirror.Class.Size)
	if used := base + uint64(sizeOf(c.statics)); c.ClassSize > used {
		c.overhead = c.ClassSize - used
	}
}

// fieldType returns the type of a field; where no dex file says it, a reference is known
// by the class, and the size of others by where the next field is.
func fieldType(f object.Field, refs []uint32, end uint64) format.BasicType {
	if f.Type != "" {
		return format.TypeOf(f.Type)
	}
	for _, r := range refs {
		if r == f.Offset {
			return format.TypeObject
		}
	}
	switch n := end - uint64(f.Offset); {
	case n >= 8 && f.Offset%8 == 0:
		return format.TypeLong
	case n >= 4 && f.Offset%4 == 0:
		return format.TypeInt
	case n >= 2 && f.Offset%2 == 0:
		return format.TypeShort
	}
	return format.TypeByte
}

func sizeOf(fields []field) int {
	n := 0
	for _, f := range fields {
		n += f.typ.Size(4)
	}
	return n
}

// class writes the array that stands for a class's other bytes, and its CLASS_DUMP.
func (x *writer) class(c *class) {
	if c.overhead > 4 {
		x.U1(format.PrimitiveArrayDump)
		x.U4(uint32(c.Addr) | 1)
		x.U4(0)
		x.U4(uint32(min(c.overhead-4, maxOverhead)))
		x.U1(byte(format.TypeByte))
		x.Values(make([]byte, min(c.overhead-4, maxOverhead)), 1, x.w.Order)
	}
	x.U1(format.ClassDump)
	x.U4(uint32(c.Addr))
	x.U4(0)
	x.U4(uint32(c.Super))
	x.U4(uint32(c.Loader))
	for range 4 { // signer, protection domain, reserved
		x.U4(0)
	}
	x.U4(x.instanceSize(c))
	x.U2(0) // constant pool
	x.staticFields(c)
	n := len(c.fields)
	if c.Flags&object.FlagString != 0 || c.loader {
		n++
	}
	x.U2(uint16(n))
	for _, f := range c.fields {
		x.ID(f.name)
		x.U1(byte(f.typ))
	}
	if c.Flags&object.FlagString != 0 {
		x.ID(x.StringID(valueName))
		x.U1(byte(format.TypeObject))
	}
	if c.loader {
		x.ID(x.StringID(internalName))
		x.U1(byte(format.TypeObject))
	}
}

// instanceSize returns the bytes of an instance. It is 0 for classes, whose fields are static ones, and for
// arrays; for strings it is the size of an empty one.
func (x *writer) instanceSize(c *class) uint32 {
	switch {
	case c.Flags&object.FlagClass != 0 || c.IsArray() || c.Primitive != object.NotPrimitive:
		return 0
	case c.Flags&object.FlagString != 0:
		return stringData
	}
	return uint32(c.ObjectSize)
}

// staticFields writes a class's static fields, the fields of java.lang.Class among them.
func (x *writer) staticFields(c *class) {
	var of []field // the instance fields of java.lang.Class
	names := map[uint32]string{}
	if o, err := x.w.Object(c.Addr); err == nil {
		if k := x.classes[o.Class.Addr]; k != nil {
			for _, k := range k.chain {
				of = append(of, k.fields...)
				for _, f := range x.instanceFields(k.Class) {
					names[f.Offset] = f.Label()
				}
			}
		}
	}
	n := len(of) + len(c.statics)
	if c.overhead > 0 {
		n++
	}
	x.U2(uint16(n))
	if c.overhead > 4 {
		x.ID(x.StringID(overheadName))
		x.U1(byte(format.TypeObject))
		x.U4(uint32(c.Addr) | 1)
	} else if c.overhead > 0 {
		x.ID(x.StringID(overheadName))
		x.U1(byte(format.TypeInt))
		x.U4(0)
	}
	for _, f := range of {
		x.ID(x.StringID(classPrefix + names[f.offset]))
		x.U1(byte(f.typ))
		x.Value(f.typ, x.read(c.Addr, f))
	}
	for _, f := range c.statics {
		x.ID(f.name)
		x.U1(byte(f.typ))
		x.Value(f.typ, x.read(c.Addr, f))
	}
}

// instanceFields returns the instance fields that a class itself declares.
func (x *writer) instanceFields(c *object.Class) []object.Field {
	var out []object.Field
	for _, f := range x.w.Fields(c) {
		if !f.Static() {
			out = append(out, f)
		}
	}
	return out
}

// read reads the value of a field; 0 if the core does not have it.
func (x *writer) read(at core.Addr, f field) uint64 {
	at += core.Addr(f.offset)
	switch f.typ.Size(4) {
	case 1:
		v, _ := x.w.U8(at)
		return uint64(v)
	case 2:
		v, _ := x.w.U16(at)
		return uint64(v)
	case 4:
		v, _ := x.w.U32(at)
		return uint64(v)
	}
	v, _ := x.w.U64(at)
	return v
}
