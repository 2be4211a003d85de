package object

import (
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/art/code"
	"coredbg/runtimes/java"
)

// All objects begin with klass_ and monitor_, 32 bits each, and have a size that
// is a multiple of their alignment (runtime/mirror/object.h, runtime_globals.h).
const (
	HeaderSize = 8
	Alignment  = 8
)

// A Reader reads the objects of the Java heap. It is safe for concurrent use.
type Reader struct {
	*ClassReader
}

// NewReader returns the reader of a process' objects.
func NewReader(x *code.Index) *Reader { return &Reader{&ClassReader{Index: x}} }

// An Object is an object of the Java heap; a mirror::Class is one too.
type Object struct {
	Addr  core.Addr
	Class *Class
	Lock  LockWord
}

// Object returns the object at an address. The error says why there is none.
func (rd *Reader) Object(at core.Addr) (Object, error) {
	if at == 0 {
		return Object{}, fmt.Errorf("art: a null reference")
	}
	if at%Alignment != 0 || at >= 1<<32 {
		return Object{}, fmt.Errorf("art: %v is not an object: it is not where the Java heap can be", at)
	}
	b, err := rd.Space.Slice(at, HeaderSize)
	if err != nil {
		return Object{}, fmt.Errorf("art: object: %w", err)
	}
	o := Object{Addr: at, Lock: LockWord(rd.Order.Uint32(b[4:]))}
	k := core.Addr(rd.Order.Uint32(b))
	if !rd.IsClass(k) {
		return o, fmt.Errorf("art: %v is not an object: its class would be at %v", at, k)
	}
	o.Class = rd.ClassAt(k)
	return o, nil
}

// TypeOf returns an object's type as ART's PrettyTypeOf does. A class's type includes its name, as
// "java.lang.Class<demo.Demo>".
func (rd *Reader) TypeOf(o Object) string {
	if o.Class.Flags&FlagClass != 0 {
		return o.Class.Name + "<" + rd.ClassAt(o.Addr).Name + ">"
	}
	return o.Class.Name
}

// ClassOf returns the class of the object at an address; nil if there is none.
func (rd *Reader) ClassOf(at core.Addr) *Class {
	o, err := rd.Object(at)
	if err != nil {
		return nil
	}
	return o.Class
}

// Size returns the bytes that an object takes in the heap, as SizeOf of
// runtime/mirror/object-inl.h computes it, aligned.
func (rd *Reader) Size(o Object) (uint64, error) {
	need := HeaderSize + 4
	if o.Class.Flags&FlagClass != 0 {
		need = rd.Layout.Mirror.Class.ClassSize + 4
	}
	b, err := rd.Space.Slice(o.Addr, need)
	if len(b) < HeaderSize {
		return 0, fmt.Errorf("art: object: %w", err)
	}
	n := rd.SizeOf(b, o.Class)
	if n == 0 && err != nil {
		return 0, fmt.Errorf("art: object at %v: %w", o.Addr, err)
	}
	if n < HeaderSize {
		return 0, fmt.Errorf("art: object at %v: %s cannot have objects of %d bytes", o.Addr, o.Class.Name, n)
	}
	return n, nil
}

// SizeOf returns the aligned size of the object that b begins with; class is
// its class. It returns 0 if it cannot be an object.
func (rd *Reader) SizeOf(b []byte, class *Class) uint64 {
	var n uint64
	switch {
	case class.ElementSize != 0:
		if len(b) < HeaderSize+4 {
			return 0
		}
		length := uint64(rd.Order.Uint32(b[HeaderSize:]))
		if length > 1<<31-1 {
			return 0
		}
		n = uint64(ArrayData(class.ElementSize)) + length*class.ElementSize
	case class.Flags&FlagString != 0:
		if len(b) < HeaderSize+4 {
			return 0
		}
		n = stringData + stringBytes(rd.Order.Uint32(b[HeaderSize:]))
	case class.Flags&FlagClass != 0:
		// A mirror::Class: class_size_ is further on; see classSize.
		n = rd.classSize(b)
	default:
		n = class.ObjectSize
	}
	if n < HeaderSize {
		return 0
	}
	return (n + Alignment - 1) &^ (Alignment - 1)
}

// classSize returns class_size_ of the mirror::Class that b begins with; 0 if b
// does not reach so far.
func (rd *Reader) classSize(b []byte) uint64 {
	off := rd.Layout.Mirror.Class.ClassSize
	if off < 0 || len(b) < off+4 {
		return 0
	}
	return uint64(rd.Order.Uint32(b[off:]))
}

// RefField reads a reference out of an object by the name of its field.
func (rd *Reader) RefField(o Object, name string) (core.Addr, bool) {
	f, ok := rd.FindField(o.Class, name)
	if !ok || f.Static() {
		return 0, false
	}
	return rd.Ref(o.Addr + core.Addr(f.Offset))
}

// IntField reads a number out of an object by the name of its field.
func (rd *Reader) IntField(o Object, name string) (int64, bool) {
	f, ok := rd.FindField(o.Class, name)
	if !ok || f.Static() {
		return 0, false
	}
	v, ok := rd.PrimitiveAt(o.Addr+core.Addr(f.Offset), PrimitiveOf(f.Type))
	return int64(v), ok
}

// PrimitiveOf returns the primitive type of a descriptor; NotPrimitive for references.
func PrimitiveOf(descriptor string) Primitive { return java.PrimitiveOf(descriptor) }

// PrimitiveAt reads a value; see java.Primitive.Read.
func (rd *Reader) PrimitiveAt(at core.Addr, p Primitive) (uint64, bool) {
	c := rd.Cursor()
	v := p.Read(c, at)
	return v, c.Err() == nil && p != NotPrimitive && p != Void
}

// sentinelAt returns where Runtime.sentinel_ is: a 32-bit root after
// imt_unimplemented_method_ (runtime/runtime.h).
func (rd *ClassReader) sentinelAt() core.Addr {
	return rd.Runtime.Add(int64(rd.Layout.Runtime.IMTUnimplemented + rd.PtrSize))
}

// Sentinel returns the Object that cleared weak references lead to.
func (rd *Reader) Sentinel() core.Addr {
	at, ok := rd.Ref(rd.sentinelAt())
	if c := rd.ClassOf(at); !ok || c == nil || c.Name != "java.lang.Object" {
		return 0
	}
	return at
}

// ShortName is a class without its package.
func ShortName(name string) string { return java.ShortName(name) }

// IsMethodOf reports whether an ArtMethod is at an address: its class has it.
func (rd *Reader) IsMethodOf(at core.Addr) bool {
	class, ok := rd.Ref(at)
	if !ok || at%4 != 0 || !rd.IsClass(class) {
		return false
	}
	c := rd.ClassAt(class)
	n, ok := rd.U32(c.methods)
	size := core.Addr(rd.Layout.ArtMethod.Size)
	first := c.methods + core.Addr(rd.PtrSize)
	return ok && n <= maxMethods && at >= first && at < first+core.Addr(n)*size && (at-first)%size == 0
}
