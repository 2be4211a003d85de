package object

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"coredbg/core"
	"coredbg/runtimes/java"
)

// Fields returns the fields that a class itself declares, in the order of their offsets: instance fields
// first, then static ones. Fields that the virtual machine has added are left out. The error says why some
// are not known.
func (r *ClassReader) Fields(c *Class) ([]Field, error) {
	c.once.Do(func() {
		if c.array {
			return
		}
		c.fields, c.why = r.readFields(c)
		slices.SortStableFunc(c.fields, func(x, y Field) int {
			if x.Static() != y.Static() {
				return cmp.Compare(x.Access&accStatic, y.Access&accStatic)
			}
			return cmp.Compare(x.Offset, y.Offset)
		})
	})
	return c.fields, c.why
}

// InstanceFields returns the fields of objects of a class, the most distant superclass's fields first.
func (r *ClassReader) InstanceFields(c *Class) []Field {
	var out []Field
	for _, k := range slices.Backward(append([]*Class{c}, r.Supers(c)...)) {
		all, _ := r.Fields(k)
		for _, f := range all {
			if !f.Static() {
				out = append(out, f)
			}
		}
	}
	return out
}

// InstanceField returns the field of a name that objects of a class have: the class's own, or the nearest superclass's.
func (r *ClassReader) InstanceField(c *Class, name string) (Field, bool) {
	return r.findField(c, name, false)
}

// StaticField returns the static field of a name, and where its value is. ok is false if the class and its
// superclasses have none, or the core does not have the java.lang.Class.
func (r *ClassReader) StaticField(c *Class, name string) (f Field, at core.Addr, ok bool) {
	if f, ok = r.findField(c, name, true); !ok || f.Class.Mirror == 0 {
		return f, 0, false
	}
	return f, f.Class.Mirror + core.Addr(f.Offset), true
}

func (r *ClassReader) findField(c *Class, name string, static bool) (Field, bool) {
	for _, k := range append([]*Class{c}, r.Supers(c)...) {
		all, _ := r.Fields(k)
		for _, f := range all {
			if f.Name == name && f.Static() == static {
				return f, true
			}
		}
	}
	return Field{}, false
}

var errFields = errors.New("its fields are not what a class has")

// readFields reads the fields in whichever form the virtual machine has them.
func (r *ClassReader) readFields(c *Class) ([]Field, error) {
	cu := r.Process.Cursor()
	pool := cu.Pointer(c.Addr.Add(r.h.pool))
	if err := cu.Err(); err != nil || r.h.pool < 0 {
		return nil, fmt.Errorf("hotspot: fields of %s: %w", c.Name, cmpErr(err, errFields))
	}
	var fields []Field
	var err error
	switch {
	case r.h.fieldInfo >= 0:
		fields, err = r.fieldStream(c, pool, cu.Pointer(c.Addr.Add(r.h.fieldInfo)))
	case r.h.fields >= 0 && r.h.javaFields >= 0:
		fields, err = r.fieldArray(c, pool, cu.Pointer(c.Addr.Add(r.h.fields)), int(cu.U16(c.Addr.Add(r.h.javaFields))))
	default:
		err = errFields
	}
	if err = cmpErr(err, cu.Err()); err != nil {
		return fields, fmt.Errorf("hotspot: fields of %s: %w", c.Name, err)
	}
	return fields, nil
}

// Parts of an entry of InstanceKlass::_fields (share/oops/fieldInfo.hpp of JDK 8 to 20), 16 bits each: access
// flags, indices of the name, of the type and of the first value, and the offset, over two bits that say that
// it is one.
const (
	fieldSlots   = 6
	offsetTag    = 1
	offsetBits   = 2
	slotName     = 1
	slotType     = 2
	slotOffset   = 4
	maxOffset    = 1 << 28
	jumpTableMin = 16 // some builds have a table for classes with more fields
)

// fieldArray reads an Array<u2> of entries.
func (r *ClassReader) fieldArray(c *Class, pool, list core.Addr, count int) (out []Field, err error) {
	cu := r.Process.Cursor()
	n := int32(cu.U32(list))
	if cu.Err() == nil && (n < 0 || count*fieldSlots > int(n)) {
		return nil, errFields
	}
	for i := range int64(count) {
		at := list.Add(r.h.u2Data + 2*fieldSlots*i)
		packed := uint32(cu.U16(at.Add(2*slotOffset))) | uint32(cu.U16(at.Add(2*slotOffset+2)))<<16
		f := Field{Class: c, Access: uint32(cu.U16(at)), Offset: packed >> offsetBits}
		name, typ := cu.U16(at.Add(2*slotName)), cu.U16(at.Add(2*slotType))
		if err := cu.Err(); err != nil {
			return out, err
		}
		if packed&(1<<offsetBits-1) != offsetTag || !r.nameField(&f, pool, name, typ) {
			return out, errFields
		}
		out = append(out, f)
	}
	return out, nil
}

// nameField gives a field its name and type, and reports whether it can be one.
func (r *ClassReader) nameField(f *Field, pool core.Addr, name, typ uint16) bool {
	var ok1, ok2 bool
	f.Name, ok1 = r.poolSymbol(pool, name)
	f.Type, ok2 = r.poolSymbol(pool, typ)
	if !ok1 || !ok2 || f.Offset > maxOffset {
		return false
	}
	size := java.PrimitiveOf(f.Type).Size()
	switch {
	case f.Type[0] == 'L' || f.Type[0] == '[':
		size = r.RefSize()
	case size == 0:
		return false
	}
	if f.Static() {
		return uint64(f.Offset)%size == 0
	}
	return uint64(f.Offset)%size == 0 && uint64(f.Offset)+size <= f.Class.size
}

// Bits of a field's flags that say that a number more follows its entry (FieldInfo::FieldFlags); and that it is the
// virtual machine's own.
var (
	moreFlags = []string{"FieldInfo::FieldFlags::_ff_initialized", "FieldInfo::FieldFlags::_ff_generic",
		"FieldInfo::FieldFlags::_ff_contended"}
	moreBits = []int64{0, 2, 4}
)

// fieldStream reads an Array<u1> of numbers, each of the form UNSIGNED5 (share/oops/fieldInfo.hpp of JDK 21
// to 25): how many fields, how many of the virtual machine's own, and of each field the indices of its name
// and its type, its offset, its access flags and its flags. Some builds have a table's offset, four bytes,
// before the fields of classes with more than 16. The fields themselves tell: each has a name, a type and an
// offset that fits.
func (r *ClassReader) fieldStream(c *Class, pool, list core.Addr) ([]Field, error) {
	cu := r.Process.Cursor()
	n := int32(cu.U32(list))
	if err := cu.Err(); err != nil {
		return nil, err
	}
	if n < 0 || n > 1<<22 || r.h.u1Data < 0 {
		return nil, errFields
	}
	begin := list.Add(r.h.u1Data)
	s := NewStream(r.Process, begin, max(r.java, 21))
	s.end = begin + core.Addr(n)
	count := s.Int()
	s.Int() // of the virtual machine's own
	if s.Err() != nil || count < 0 || count > maxFields {
		return nil, cmpErr(s.Err(), errFields)
	}
	after := s.at
	out, err := r.streamed(c, pool, s, count)
	if err != nil && count > jumpTableMin {
		s.at, s.c = after+4, r.Process.Cursor()
		if more, err2 := r.streamed(c, pool, s, count); err2 == nil {
			return more, nil
		}
	}
	return out, err
}

// streamed reads the fields of a stream.
func (r *ClassReader) streamed(c *Class, pool core.Addr, s *Stream, count int) (out []Field, err error) {
	for range count {
		if s.at >= s.end {
			return out, errFields
		}
		name, typ, offset, access, flags := s.Int(), s.Int(), s.Int(), s.Int(), s.Int()
		for i, bit := range moreBits {
			if n, ok := r.Constant(moreFlags[i]); ok {
				bit = n
			}
			if uint32(flags)>>(uint(bit)&31)&1 != 0 {
				s.Int()
			}
		}
		if err := s.Err(); err != nil {
			return out, err
		}
		f := Field{Class: c, Access: uint32(access) & accessMask, Offset: uint32(offset)}
		if uint32(name) > 0xffff || uint32(typ) > 0xffff || s.at > s.end ||
			!r.nameField(&f, pool, uint16(name), uint16(typ)) {
			return out, errFields
		}
		out = append(out, f)
	}
	return out, nil
}
