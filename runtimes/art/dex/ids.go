package dex

import (
	"fmt"

	"coredbg/core"
)

// Bounds on what one item may ask for; real files stay far below.
const (
	maxStringBytes = 1 << 18 // a class file has strings of at most 1<<16
	maxListBytes   = 1 << 20 // of the names of a list
)

// String returns the text of string_ids[i]. If its bytes are malformed, or
// are not as long as its length says, the text comes with an error.
func (f *File) String(i uint32) (string, error) {
	row, err := f.row("string_ids", f.StringIDs, i, 4)
	if err != nil {
		return "", err
	}
	c := f.cursor()
	off := c.U32(row)
	if err := c.Err(); err != nil {
		return "", fmt.Errorf("dex: string_ids[%d]: %w", i, err)
	}
	a, err := f.data(fmt.Sprintf("string_ids[%d]", i), off)
	if err != nil {
		return "", err
	}
	s := f.stream(a)
	units := s.uleb()
	if s.err != nil {
		return "", fmt.Errorf("dex: length of string %d at %v: %w", i, a, s.err)
	}
	raw, err := core.CString(f.mem, s.at, maxStringBytes)
	if err != nil {
		return "", fmt.Errorf("dex: string %d at %v: %w", i, a, err)
	}
	text, n, err := DecodeMUTF8([]byte(raw))
	if err == nil && uint32(n) != units {
		err = fmt.Errorf("it says that it has %d characters of UTF-16 and has %d", units, n)
	}
	if err != nil {
		return text, fmt.Errorf("dex: string %d at %v: %w", i, a, err)
	}
	return text, nil
}

// Type returns the descriptor of type_ids[i]: "Ljava/lang/String;", "[I".
func (f *File) Type(i uint32) (string, error) {
	row, err := f.row("type_ids", f.TypeIDs, i, 4)
	if err != nil {
		return "", err
	}
	c := f.cursor()
	s := c.U32(row)
	if err := c.Err(); err != nil {
		return "", fmt.Errorf("dex: type_ids[%d]: %w", i, err)
	}
	name, err := f.String(s)
	if err != nil {
		return name, fmt.Errorf("dex: type_ids[%d]: %w", i, err)
	}
	return name, nil
}

// A Proto is a method's prototype, in descriptors.
type Proto struct {
	Shorty string // "VIL"
	Return string
	Params []string
}

// Signature returns the prototype as JNI writes it: "(I[J)V".
func (p Proto) Signature() string {
	s := "("
	for _, d := range p.Params {
		s += d
	}
	return s + ")" + p.Return
}

// Proto returns proto_ids[i].
func (f *File) Proto(i uint32) (Proto, error) {
	var p Proto
	row, err := f.row("proto_ids", f.ProtoIDs, i, 12)
	if err != nil {
		return p, err
	}
	c := f.cursor()
	shorty, ret, params := c.U32(row), c.U16(row+4), c.U32(row+8)
	if err := c.Err(); err != nil {
		return p, fmt.Errorf("dex: proto_ids[%d]: %w", i, err)
	}
	if p.Shorty, err = f.String(shorty); err == nil {
		p.Return, err = f.Type(uint32(ret))
	}
	if err == nil {
		p.Params, err = f.TypeList(params)
	}
	if err != nil {
		return p, fmt.Errorf("dex: proto_ids[%d]: %w", i, err)
	}
	return p, nil
}

// TypeList returns the descriptors of the type_list at off in the data; none
// if off is 0.
func (f *File) TypeList(off uint32) ([]string, error) {
	if off == 0 {
		return nil, nil
	}
	a, err := f.data("type_list", off)
	if err != nil {
		return nil, err
	}
	c := f.cursor()
	n := c.U32(a)
	if err := c.Err(); err != nil {
		return nil, fmt.Errorf("dex: type_list at %v: %w", a, err)
	}
	if uint64(n)*2 > uint64(f.DataLimit-off) {
		return nil, fmt.Errorf("dex: type_list at %v: %d types do not fit into the data", a, n)
	}
	var list []string
	total := 0
	for i := range n {
		t := c.U16(a + 4 + core.Addr(i)*2)
		if err := c.Err(); err != nil {
			return list, fmt.Errorf("dex: type_list at %v: %w", a, err)
		}
		d, err := f.Type(uint32(t))
		if err != nil {
			return list, fmt.Errorf("dex: type_list at %v: %w", a, err)
		}
		if total += len(d) + 1; total > maxListBytes {
			return list, fmt.Errorf("dex: type_list at %v: %d types have too long names", a, n)
		}
		list = append(list, d)
	}
	return list, nil
}

// A MethodID is a row of method_ids.
type MethodID struct {
	Class uint32 // in type_ids
	Proto uint32 // in proto_ids
	Name  uint32 // in string_ids
}

// MethodID returns method_ids[i].
func (f *File) MethodID(i uint32) (MethodID, error) {
	row, err := f.row("method_ids", f.MethodIDs, i, 8)
	if err != nil {
		return MethodID{}, err
	}
	c := f.cursor()
	m := MethodID{Class: uint32(c.U16(row)), Proto: uint32(c.U16(row + 2)), Name: c.U32(row + 4)}
	if err := c.Err(); err != nil {
		return MethodID{}, fmt.Errorf("dex: method_ids[%d]: %w", i, err)
	}
	return m, nil
}

// A Method is what a method is called: the descriptor of its class, its name
// and its prototype.
type Method struct {
	Class string
	Name  string
	Proto Proto
}

// Method resolves method_ids[i]. On an error it returns the readable parts.
func (f *File) Method(i uint32) (Method, error) {
	var m Method
	id, err := f.MethodID(i)
	if err != nil {
		return m, err
	}
	var errs [3]error
	m.Class, errs[0] = f.Type(id.Class)
	m.Name, errs[1] = f.String(id.Name)
	m.Proto, errs[2] = f.Proto(id.Proto)
	return m, first(fmt.Sprintf("dex: method_ids[%d]", i), errs[:])
}

// first wraps the first error of a list.
func first(what string, errs []error) error {
	for _, err := range errs {
		if err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
	}
	return nil
}

// A Field is what a field is called: the descriptors of its class and of its
// type, and its name.
type Field struct {
	Class string
	Type  string
	Name  string
}

// Field resolves field_ids[i]. On an error it returns the readable parts.
func (f *File) Field(i uint32) (Field, error) {
	var d Field
	row, err := f.row("field_ids", f.FieldIDs, i, 8)
	if err != nil {
		return d, err
	}
	c := f.cursor()
	class, typ, name := c.U16(row), c.U16(row+2), c.U32(row+4)
	if err := c.Err(); err != nil {
		return d, fmt.Errorf("dex: field_ids[%d]: %w", i, err)
	}
	var errs [3]error
	d.Class, errs[0] = f.Type(uint32(class))
	d.Type, errs[1] = f.Type(uint32(typ))
	d.Name, errs[2] = f.String(name)
	return d, first(fmt.Sprintf("dex: field_ids[%d]", i), errs[:])
}
