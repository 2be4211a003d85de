// Package vmstructs reads HotSpot's own tables of its fields, types and constants, which libjvm
// exports for the Serviceability Agent.
//
//	gHotSpotVMStructs        VMStructEntry[]: type, field, type of the field, static or not, offset, address
//	gHotSpotVMTypes          VMTypeEntry[]: type, superclass, three flags, size
//	gHotSpotVMIntConstants   VMIntConstantEntry[]: name, 32 bits
//	gHotSpotVMLongConstants  VMLongConstantEntry[]: name, 64 bits
//
// Each symbol is a pointer to an array that ends with an entry without a name (share/runtime/vmStructs.hpp,
// JDK 8 to 25).
//
// Files:
//
//	vmstructs.go  Tables
//	flags.go      flags of the command line, values of static fields
//
// LIMITATIONS. Virtual machines of 64 bits alone.
package vmstructs

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"coredbg/core"
)

// The symbols of the tables.
const (
	SymStructs = "gHotSpotVMStructs"
	SymTypes   = "gHotSpotVMTypes"
	SymInts    = "gHotSpotVMIntConstants"
	SymLongs   = "gHotSpotVMLongConstants"
)

// What a table may have at most: JDK 25 has 788 fields.
const (
	maxEntries = 1 << 14
	maxName    = 512
)

// A Field is a member of a type: at an offset, or static at an address.
type Field struct {
	Type   string // as C++ has it: "int", "u2", "Method*"
	Static bool
	Offset int64
	Addr   core.Addr
}

// Int reads a member of an integer type from an object.
func (f Field) Int(c *core.Cursor, object core.Addr) int64 {
	at := object.Add(f.Offset)
	switch f.Type {
	case "u1", "bool":
		return int64(c.U8(at))
	case "jbyte", "int8_t", "signed char", "volatile signed char":
		return int64(int8(c.U8(at)))
	case "u2", "jushort", "uint16_t", "unsigned short":
		return int64(c.U16(at))
	case "jshort", "int16_t", "short":
		return int64(int16(c.U16(at)))
	case "u4", "uint32_t", "unsigned int":
		return int64(c.U32(at))
	case "size_t", "intptr_t", "uintptr_t", "int64_t", "uint64_t", "jlong", "address":
		return int64(c.U64(at))
	}
	return int64(int32(c.U32(at))) // int, jint, enumerations
}

// Tables are what the virtual machine says of itself. Fields are named Type.field.
type Tables struct {
	Process   *core.Process
	fields    map[string]Field
	sizes     map[string]int64
	constants map[string]int64
	missing   []string // what was asked for and is not there

	once  sync.Once
	flags []VMFlag
}

// Read reads the tables. Find returns the address of a symbol of libjvm.
func Read(p *core.Process, find func(name string) (core.Addr, bool)) (*Tables, error) {
	t := &Tables{Process: p, fields: map[string]Field{}, sizes: map[string]int64{}, constants: map[string]int64{}}
	for _, x := range []struct {
		symbol string
		size   core.Addr
		entry  func(c *core.Cursor, at core.Addr, name string)
	}{
		{SymStructs, 48, t.field},
		{SymTypes, 40, func(c *core.Cursor, at core.Addr, name string) { t.sizes[name] = int64(c.U64(at + 32)) }},
		{SymInts, 16, func(c *core.Cursor, at core.Addr,
			name string) {
			t.constants[name] = int64(int32(c.U32(at + 8)))
		}},
		{SymLongs, 16, func(c *core.Cursor, at core.Addr, name string) { t.constants[name] = int64(c.U64(at + 8)) }},
	} {
		at, ok := find(x.symbol)
		if !ok {
			return nil, fmt.Errorf("libjvm's symbol %s was not found", x.symbol)
		}
		if err := t.table(at, x.size, x.entry); err != nil {
			return nil, fmt.Errorf("%s: %w", x.symbol, err)
		}
	}
	return t, nil
}

// table reads the entries of one table, each of which begins with the pointer to its name.
func (t *Tables) table(symbol, size core.Addr, entry func(c *core.Cursor, at core.Addr, name string)) error {
	c := t.Process.Cursor()
	at := c.Pointer(symbol)
	for range maxEntries {
		name := c.Pointer(at)
		if err := c.Err(); err != nil {
			return err
		}
		if name == 0 {
			return nil
		}
		entry(c, at, c.CString(name, maxName))
		if err := c.Err(); err != nil {
			return err
		}
		at += size
	}
	return errors.New("the table does not end")
}

// field adds an entry of gHotSpotVMStructs.
func (t *Tables) field(c *core.Cursor, at core.Addr, name string) {
	f := c.Pointer(at + 8)
	if f == 0 {
		return
	}
	typ := "" // some have none
	if s := c.Pointer(at + 16); s != 0 {
		typ = c.CString(s, maxName)
	}
	t.fields[name+"."+c.CString(f, maxName)] = Field{Type: typ, Static: c.U32(at+24) != 0,
		Offset: int64(c.U64(at + 32)), Addr: c.Pointer(at + 40)}
}

// Has reports whether there is a field.
func (t *Tables) Has(name string) bool {
	_, ok := t.fields[name]
	return ok
}

// maxOffset bounds offsets and sizes: no object of the virtual machine's is larger.
const maxOffset = 1 << 20

// Offset returns the offset of the first of some fields that the virtual machine has: names that
// versions have for the same one. Where it has none that is noted for Missing.
func (t *Tables) Offset(names ...string) int64 { return t.Member(names...).Offset }

// Member is Offset with the field's type.
func (t *Tables) Member(names ...string) Field {
	f, ok := t.Lookup(names...)
	if !ok {
		t.missing = append(t.missing, names[0])
	}
	return f
}

// Lookup is Member for fields that only some versions have.
func (t *Tables) Lookup(names ...string) (f Field, ok bool) {
	for _, n := range names {
		if f, ok := t.fields[n]; ok && !f.Static && f.Offset >= 0 && f.Offset < maxOffset {
			return f, true
		}
	}
	return Field{}, false
}

// Optional is Offset for fields that only some versions have.
func (t *Tables) Optional(names ...string) (int64, bool) {
	f, ok := t.Lookup(names...)
	return f.Offset, ok
}

// Static returns the address of the first of some static fields that the virtual machine has; 0, noted for
// Missing, if it has none.
func (t *Tables) Static(names ...string) core.Addr {
	for _, n := range names {
		if f, ok := t.fields[n]; ok && f.Static {
			return f.Addr
		}
	}
	t.missing = append(t.missing, names[0])
	return 0
}

// StaticAt is Static for fields that only some versions have.
func (t *Tables) StaticAt(name string) (core.Addr, bool) {
	f, ok := t.fields[name]
	return f.Addr, ok && f.Static
}

// StaticsOf returns the names of the static fields that have a type, in order.
func (t *Tables) StaticsOf(typ string) (names []string) {
	for name, f := range t.fields {
		if f.Static && f.Type == typ {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// StaticType returns the type of a static field as C++ has it; "" if the virtual machine does not have the field.
func (t *Tables) StaticType(name string) string {
	if f, ok := t.fields[name]; ok && f.Static {
		return f.Type
	}
	return ""
}

// Address returns the address of the first of some static fields that the virtual machine has. It notes nothing.
func (t *Tables) Address(names ...string) (core.Addr, bool) {
	for _, n := range names {
		if f, ok := t.fields[n]; ok && f.Static {
			return f.Addr, true
		}
	}
	return 0, false
}

// PointerAt reads a pointer: a field of an object, or a static field where the release has it as one. It
// returns 0 if the tables have none of the names, or if the core lacks the value. JDK 8 to 26 have the
// generations of Parallel in static fields, 27 has them in the heap.
func (t *Tables) PointerAt(object core.Addr, names ...string) core.Addr {
	c := t.Process.Cursor()
	var p core.Addr
	if f, ok := t.Lookup(names...); ok && object != 0 {
		p = c.Pointer(object.Add(f.Offset))
	} else if at, ok := t.Address(names...); ok {
		p = c.Pointer(at)
	}
	if c.Err() != nil {
		return 0
	}
	return p
}

// Size returns the size of a type; 0, noted for Missing, if the virtual machine does not say it.
func (t *Tables) Size(name string) int64 {
	if n, ok := t.sizes[name]; ok && n > 0 && n < maxOffset {
		return n
	}
	t.missing = append(t.missing, "the size of "+name)
	return 0
}

// Width is Size for types that only some versions say: 0 if this one does not.
func (t *Tables) Width(name string) int64 { return t.sizes[name] }

// Sized is Size for types that only some versions have: 0 if the virtual machine does not say it.
func (t *Tables) Sized(name string) int64 {
	if n, ok := t.sizes[name]; ok && n > 0 && n < maxOffset {
		return n
	}
	return 0
}

// Constant returns the first of some constants that the virtual machine has.
func (t *Tables) Constant(names ...string) (int64, bool) {
	for _, n := range names {
		if v, ok := t.constants[n]; ok {
			return v, true
		}
	}
	return 0, false
}

// Missing says which of what was asked for the tables do not have; nil if they had everything.
func (t *Tables) Missing() error {
	if len(t.missing) == 0 {
		return nil
	}
	return fmt.Errorf("libjvm's tables do not have %s", t.missing[0])
}

// Release returns the virtual machine's version as it prints it, "" if it is not in the core:
// "17.0.15+6-Debian-1deb12u1".
func (t *Tables) Release() string {
	f, ok := t.fields["Abstract_VM_Version._s_vm_release"]
	if !ok {
		return ""
	}
	c := t.Process.Cursor()
	s := c.CString(c.Pointer(f.Addr), maxName)
	if c.Err() != nil {
		return ""
	}
	return s
}

// Java returns the release of Java that the virtual machine is of: 8, 11, 17 …; 0 if that is not known. From 9 on the
// version begins with it; HotSpot 25.N with a build but no plus sign is Java 8.
func (t *Tables) Java() int {
	release := t.Release()
	digits := strings.IndexFunc(release, func(r rune) bool { return r < '0' || r > '9' })
	if digits < 0 {
		digits = len(release)
	}
	n, err := strconv.Atoi(release[:digits])
	switch {
	case err != nil:
		return 0
	case n == 25 && !strings.Contains(release, "+"):
		return 8
	}
	return n
}

// Words reads up to n words at an aligned address, and stops at memory that cannot be read.
func (t *Tables) Words(at core.Addr, n int) (out []core.Addr) {
	if at == 0 || at%8 != 0 {
		return nil
	}
	b, _ := t.Process.Space.Slice(at, 8*n)
	for ; len(b) >= 8; b = b[8:] {
		out = append(out, core.Addr(t.Process.Arch.Order.Uint64(b)))
	}
	return out
}
