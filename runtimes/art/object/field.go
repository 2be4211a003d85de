package object

import (
	"cmp"
	"fmt"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/art/dex"
)

// A Field is an ArtField: {declaring_class, access_flags, field_dex_idx,
// offset}, four words of 32 bits in all versions known.
type Field struct {
	Addr  core.Addr // of the ArtField
	Class core.Addr // that declares it
	// Name and Type (a descriptor) are "" if the dex file does not have them.
	Name, Type string
	Access     uint32
	Index      uint32 // in the dex file's field_ids
	Offset     uint32 // bytes from the start of the object, or of the class if it is static
	// Problem says why there is no name; "" if there is.
	Problem string
}

const sizeofArtField = 16

// Static reports whether the field is the class's own.
func (f *Field) Static() bool { return f.Access&accStatic != 0 }

// Label returns the field's name, or a substitute.
func (f *Field) Label() string {
	if f.Name != "" {
		return f.Name
	}
	return fmt.Sprintf("field@%#x", f.Offset)
}

// Fields returns the fields that a class itself declares, in the order of their
// offsets: instance fields first, then static ones.
func (rd *ClassReader) Fields(c *Class) []Field {
	m := &rd.mirror
	m.mu.Lock()
	have, ok := m.fields[c.Addr]
	m.mu.Unlock()
	if ok {
		return have
	}
	fields := rd.readFields(c)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fields == nil {
		m.fields = map[core.Addr][]Field{}
	}
	m.fields[c.Addr] = fields
	return fields
}

func (rd *ClassReader) readFields(c *Class) []Field {
	fields := append(rd.fieldArray(c, c.ifields), rd.fieldArray(c, c.sfields)...)
	slices.SortStableFunc(fields, func(x, y Field) int {
		if x.Static() != y.Static() {
			if x.Static() {
				return 1
			}
			return -1
		}
		return cmp.Compare(x.Offset, y.Offset)
	})
	return fields
}

// fieldArray reads a LengthPrefixedArray of ArtFields: a length of 32 bits and the fields after it.
func (rd *ClassReader) fieldArray(c *Class, at core.Addr) []Field {
	if at == 0 {
		return nil
	}
	n, ok := rd.U32(at)
	if !ok || n > maxFields {
		return nil
	}
	file, ferr := rd.dexOfClass(c)
	var out []Field
	for i := range core.Addr(n) {
		f, ok := rd.readField(at + 4 + i*sizeofArtField)
		if !ok || f.Class != c.Addr {
			break // not what the count promised
		}
		rd.nameField(&f, c, file, ferr)
		out = append(out, f)
	}
	return out
}

// readField reads an ArtField without its name.
func (rd *ClassReader) readField(at core.Addr) (Field, bool) {
	b, ok := rd.Bytes(at, sizeofArtField)
	if !ok {
		return Field{}, false
	}
	u32 := rd.Order.Uint32
	return Field{Addr: at, Class: core.Addr(u32(b)), Access: u32(b[4:]), Index: u32(b[8:]), Offset: u32(b[12:])}, true
}

// nameField looks the name up in the dex file. A proxy's two static fields are ART's own
// (runtime/class_linker.cc, CreateProxyClass) and are in no dex file.
func (rd *ClassReader) nameField(f *Field, c *Class, file *dex.File, err error) {
	if c.Access&accProxy != 0 {
		f.Type = "[Ljava/lang/Class;"
		if f.Name = "interfaces"; f.Index != 0 {
			f.Name, f.Type = "throws", "[[Ljava/lang/Class;"
		}
		return
	}
	if err == nil {
		var d dex.Field
		if d, err = file.Field(f.Index); err == nil {
			f.Name, f.Type = d.Name, d.Type
			return
		}
		f.Name, f.Type = d.Name, d.Type
	}
	f.Problem = err.Error()
}

// Field returns the ArtField at an address.
func (rd *ClassReader) Field(at core.Addr) (Field, error) {
	f, ok := rd.readField(at)
	if !ok || at%4 != 0 || !rd.IsClass(f.Class) {
		return Field{}, fmt.Errorf("art: %v is not an ArtField", at)
	}
	for _, have := range rd.Fields(rd.ClassAt(f.Class)) {
		if have.Addr == at {
			return have, nil
		}
	}
	return Field{}, fmt.Errorf("art: %v is not an ArtField: its class does not have it", at)
}

// InstanceFields returns the fields of an object of class c, beginning with the most distant super class.
func (rd *ClassReader) InstanceFields(c *Class) []Field {
	chain := append([]*Class{c}, rd.Supers(c)...)
	var out []Field
	for _, k := range slices.Backward(chain) {
		for _, f := range rd.Fields(k) {
			if !f.Static() {
				out = append(out, f)
			}
		}
	}
	return out
}

// FindField returns the field of a name, static or not, that c or the nearest
// of its super classes declares.
func (rd *ClassReader) FindField(c *Class, name string) (Field, bool) {
	for _, k := range append([]*Class{c}, rd.Supers(c)...) {
		for _, f := range rd.Fields(k) {
			if f.Name == name {
				return f, true
			}
		}
	}
	return Field{}, false
}

// InstanceField returns the field of a name that objects of class c have: from c, or from the nearest of its
// super classes.
func (rd *ClassReader) InstanceField(c *Class, name string) (Field, bool) {
	for _, k := range append([]*Class{c}, rd.Supers(c)...) {
		for _, f := range rd.Fields(k) {
			if f.Name == name && !f.Static() {
				return f, true
			}
		}
	}
	return Field{}, false
}

// ReferenceOffsets returns where an object of class c has references to other
// objects, without that to its class. ART lays out each class's references
// first, after the fields of its super class (class_linker.cc, LinkFields;
// mirror/class-inl.h, GetFirstReferenceInstanceFieldOffset), so no dex file is
// needed.
func (rd *ClassReader) ReferenceOffsets(c *Class) []uint32 {
	c.refsOnce.Do(func() {
		size := c.ObjectSize
		if c.Flags&FlagClass != 0 {
			size = uint64(rd.Layout.Mirror.Class.Size) // classes differ in size, by their static fields
		}
		for _, k := range append([]*Class{c}, rd.Supers(c)...) {
			if k.Super == 0 || k.refs > maxFields {
				continue // Object's one is its class
			}
			super := rd.ClassAt(k.Super)
			first := (super.ObjectSize + 3) &^ 3
			n := uint64(k.refs)
			if super.Super == 0 && c.Flags&FlagReference != 0 {
				n++ // Reference.referent, which the collector treats apart
			}
			for i := range n {
				if off := first + 4*i; off+4 <= size {
					c.refOffsets = append(c.refOffsets, uint32(off))
				}
			}
		}
		slices.Sort(c.refOffsets)
	})
	return c.refOffsets
}

// ReferentOffset returns where objects of class c have Reference.referent, which is
// the last of that class's references (class_linker.cc, LinkFields); it reports false
// if c is not a class of references.
func (rd *ClassReader) ReferentOffset(c *Class) (uint32, bool) {
	if c.Flags&FlagReference == 0 {
		return 0, false
	}
	for _, k := range append([]*Class{c}, rd.Supers(c)...) {
		if k.Super == 0 || k.refs > maxFields {
			continue
		}
		if super := rd.ClassAt(k.Super); super.Super == 0 {
			off := uint32((super.ObjectSize+3)&^3) + 4*k.refs
			return off, uint64(off)+4 <= c.ObjectSize
		}
	}
	return 0, false
}

// StaticReferences returns where a class has references in its static fields:
// they come first among those.
func (rd *ClassReader) StaticReferences(c *Class) []uint32 {
	var out []uint32
	for _, f := range rd.Fields(c) {
		if f.Static() && uint32(len(out)) < c.srefs {
			out = append(out, f.Offset)
		}
	}
	return out
}
