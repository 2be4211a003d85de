package dex

import "fmt"

// A ClassDef is a row of class_defs. Offsets are into the data; 0 is none.
type ClassDef struct {
	Class       uint32 // in type_ids
	AccessFlags uint32
	Superclass  uint32 // in type_ids; NoIndex if none
	Interfaces  uint32 // offset of a type_list
	SourceFile  uint32 // in string_ids; NoIndex if unknown
	Annotations uint32
	ClassData   uint32
	StaticInit  uint32 // offset of an encoded_array
}

// noIndex16 stands for none in a 16-bit field.
const noIndex16 = 0xffff

// ClassDef returns class_defs[i].
func (f *File) ClassDef(i uint32) (ClassDef, error) {
	row, err := f.row("class_defs", f.ClassDefs, i, 32)
	if err != nil {
		return ClassDef{}, err
	}
	c := f.cursor()
	d := ClassDef{
		Class: uint32(c.U16(row)), AccessFlags: c.U32(row + 4), Superclass: uint32(c.U16(row + 8)),
		Interfaces: c.U32(row + 12), SourceFile: c.U32(row + 16), Annotations: c.U32(row + 20),
		ClassData: c.U32(row + 24), StaticInit: c.U32(row + 28),
	}
	if d.Superclass == noIndex16 {
		d.Superclass = NoIndex
	}
	if err := c.Err(); err != nil {
		return ClassDef{}, fmt.Errorf("dex: class_defs[%d]: %w", i, err)
	}
	return d, nil
}

// SourceFile returns the source file of class_defs[i]; "" if it is not known.
func (f *File) SourceFile(i uint32) (string, error) {
	d, err := f.ClassDef(i)
	if err != nil || d.SourceFile == NoIndex {
		return "", err
	}
	s, err := f.String(d.SourceFile)
	if err != nil {
		return s, fmt.Errorf("dex: source file of class_defs[%d]: %w", i, err)
	}
	return s, nil
}

// ClassData is what a class_data_item lists.
type ClassData struct {
	StaticFields, InstanceFields  []FieldDef
	DirectMethods, VirtualMethods []MethodDef
}

// A FieldDef is a field as its class defines it.
type FieldDef struct {
	Index       uint32 // in field_ids
	AccessFlags uint32
}

// A MethodDef is a method as its class defines it.
type MethodDef struct {
	Index       uint32 // in method_ids
	AccessFlags uint32
	Code        uint32 // offset of its code item in the data; 0 without code
}

// AccStatic is the access flag of static members; see the dex format's
// access_flags.
const AccStatic = 0x8

// ClassData returns the class_data_item at off in the data; nothing if off is 0. On an error it returns the
// part read so far.
func (f *File) ClassData(off uint32) (ClassData, error) {
	var d ClassData
	if off == 0 {
		return d, nil
	}
	a, err := f.data("class_data", off)
	if err != nil {
		return d, err
	}
	s := f.stream(a)
	var sizes [4]uint32
	for i := range sizes {
		sizes[i] = s.uleb()
	}
	d.StaticFields = f.fieldDefs(s, sizes[0])
	d.InstanceFields = f.fieldDefs(s, sizes[1])
	d.DirectMethods = f.methodDefs(s, sizes[2])
	d.VirtualMethods = f.methodDefs(s, sizes[3])
	if s.err != nil {
		return d, fmt.Errorf("dex: class_data at %v: %w", a, s.err)
	}
	return d, nil
}

// index adds the difference of an index to the one before, within a table.
func (s *stream) index(name string, i int, last *uint32, t Table) uint32 {
	diff := s.uleb()
	if s.err == nil && (i > 0 && diff == 0 || uint64(*last)+uint64(diff) >= uint64(t.Size)) {
		s.err = fmt.Errorf("item %d names %s[%d+%d], and the file has %d in order", i, name, *last, diff, t.Size)
	}
	*last += diff
	return *last
}

func (f *File) fieldDefs(s *stream, n uint32) []FieldDef {
	var list []FieldDef
	var last uint32
	for i := 0; i < int(n) && s.err == nil; i++ {
		d := FieldDef{Index: s.index("field_ids", i, &last, f.FieldIDs), AccessFlags: s.uleb()}
		if s.err == nil {
			list = append(list, d)
		}
	}
	return list
}

func (f *File) methodDefs(s *stream, n uint32) []MethodDef {
	var list []MethodDef
	var last uint32
	for i := 0; i < int(n) && s.err == nil; i++ {
		d := MethodDef{Index: s.index("method_ids", i, &last, f.MethodIDs), AccessFlags: s.uleb(), Code: s.uleb()}
		if s.err == nil {
			list = append(list, d)
		}
	}
	return list
}

// FindClass returns the row of class_defs that defines a type descriptor. It reads each row's name. It skips
// rows that cannot be read, and the error wraps the first such row's if the class is not found.
func (f *File) FindClass(descriptor string) (uint32, error) {
	var unread error
	for i := range f.ClassDefs.Size {
		d, err := f.ClassDef(i)
		if err != nil {
			return 0, err
		}
		name, err := f.Type(d.Class)
		if name == descriptor {
			return i, nil
		}
		if unread == nil {
			unread = err
		}
	}
	if unread != nil {
		return 0, fmt.Errorf("dex: no class %q among the readable ones: %w", descriptor, unread)
	}
	return 0, fmt.Errorf("dex: no class %q", descriptor)
}
