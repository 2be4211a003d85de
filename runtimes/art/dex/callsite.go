package dex

import (
	"fmt"

	"coredbg/core"
)

// Items of the map_list that are reached in no other way (TYPE_CALL_SITE_ID_ITEM,
// TYPE_METHOD_HANDLE_ITEM).
const (
	mapCallSiteIDs   = 0x0007
	mapMethodHandles = 0x0008
)

// maxMapItems bounds the map_list: a file has each kind of item once.
const maxMapItems = 256

// section finds a table in the map_list.
func (f *File) section(kind uint16) (Table, error) {
	if f.MapOff == 0 {
		return Table{}, nil
	}
	a, err := f.data("map_list", f.MapOff)
	if err != nil {
		return Table{}, err
	}
	c := f.cursor()
	for i := range min(c.U32(a), maxMapItems) {
		item := a + 4 + core.Addr(i)*12
		if c.U16(item) == kind {
			return Table{Size: c.U32(item + 4), Off: c.U32(item + 8)}, c.Err()
		}
	}
	if err := c.Err(); err != nil {
		return Table{}, fmt.Errorf("dex: map_list: %w", err)
	}
	return Table{}, nil
}

// methodHandleKinds are the kinds of method handles (dex format, "Method
// handle type codes").
var methodHandleKinds = [...]string{
	"static-put", "static-get", "instance-put", "instance-get", "invoke-static", "invoke-instance",
	"invoke-constructor", "invoke-direct", "invoke-interface",
}

// MethodHandle returns a method handle as text: what it does, and the field or
// method it does it to.
func (f *File) MethodHandle(i uint32) (string, error) {
	t, err := f.section(mapMethodHandles)
	if err != nil {
		return "", err
	}
	row, err := f.row("method_handles", t, i, 8)
	if err != nil {
		return "", err
	}
	c := f.cursor()
	kind, target := c.U16(row), uint32(c.U16(row+4))
	if err := c.Err(); err != nil {
		return "", fmt.Errorf("dex: method_handles[%d]: %w", i, err)
	}
	if int(kind) >= len(methodHandleKinds) {
		return "", fmt.Errorf("dex: method_handles[%d]: kind %d is not known", i, kind)
	}
	name := methodHandleKinds[kind]
	if kind < 4 {
		d, err := f.Field(target)
		return name + " " + d.descriptor(), err
	}
	m, err := f.Method(target)
	return name + " " + m.descriptor(), err
}

// The types of encoded values that a call site begins with (dex format,
// "encoded_value encoding").
const (
	valueMethodType   = 0x15
	valueMethodHandle = 0x16
	valueString       = 0x17
)

// CallSite returns a call site as text: its name and prototype, and the method
// that links it.
func (f *File) CallSite(i uint32) (string, error) {
	t, err := f.section(mapCallSiteIDs)
	if err != nil {
		return "", err
	}
	row, err := f.row("call_site_ids", t, i, 4)
	if err != nil {
		return "", err
	}
	c := f.cursor()
	off := c.U32(row)
	if err := c.Err(); err != nil {
		return "", fmt.Errorf("dex: call_site_ids[%d]: %w", i, err)
	}
	a, err := f.data("call_site_item", off)
	if err != nil {
		return "", err
	}
	s := f.stream(a)
	if n := s.uleb(); s.err == nil && n < 3 {
		return "", fmt.Errorf("dex: call_site_item at %v: %d values instead of at least 3", a, n)
	}
	handle, name, proto := s.index32(valueMethodHandle), s.index32(valueString), s.index32(valueMethodType)
	if s.err != nil {
		return "", fmt.Errorf("dex: call_site_item at %v: %w", a, s.err)
	}
	linker, err := f.MethodHandle(handle)
	if err != nil {
		return "", err
	}
	method, err := f.String(name)
	if err != nil {
		return "", err
	}
	p, err := f.Proto(proto)
	return method + ":" + p.Signature() + " by " + linker, err
}

// index32 reads an encoded_value that is an index of the given kind.
func (s *stream) index32(kind byte) uint32 {
	head := s.u8()
	if s.err == nil && head&0x1f != kind {
		s.err = fmt.Errorf("a value of type %#02x is where %#02x should be", head&0x1f, kind)
	}
	var v uint32
	for i := range int(head>>5) + 1 {
		b := s.u8()
		if i < 4 {
			v |= uint32(b) << (8 * i)
		}
	}
	return v
}
