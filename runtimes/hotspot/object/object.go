package object

import (
	"errors"
	"fmt"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/hotspot/vmstructs"
	"coredbg/runtimes/java"
)

// A Reader reads objects. It is safe for concurrent use.
type Reader struct {
	*ClassReader
	marking marking
}

// NewReader returns a reader of the classes and objects that the tables describe.
func NewReader(t *vmstructs.Tables) *Reader {
	return &Reader{newClassReader(newReferences(t)), newMarking(t)}
}

// An Object is an object of the heap.
type Object struct {
	Addr  core.Addr
	Class *Class
	// Mark is its mark word: state of its lock, hash, age (share/oops/markWord.hpp).
	Mark uint64
}

var errNull = errors.New("hotspot: a null reference")

// Object returns the object at an address. The error says why there is none.
func (r *Reader) Object(at core.Addr) (Object, error) {
	if at == 0 {
		return Object{}, errNull
	}
	o := Object{Addr: at}
	if at%Alignment != 0 || r.h.klass < 0 {
		return o, fmt.Errorf("hotspot: %v is not an object: it is not where one can be", at)
	}
	c := r.Process.Cursor()
	o.Mark = c.U64(at.Add(r.h.mark))
	klass := r.klassAt(c, at)
	if err := c.Err(); err != nil {
		return o, fmt.Errorf("hotspot: object: %w", err)
	}
	var err error
	if o.Class, err = r.Class(klass); err != nil {
		return o, fmt.Errorf("hotspot: %v is not an object: its class: %w", at, err)
	}
	return o, nil
}

// ClassOf returns the class of the object at an address; nil if there is none.
func (r *Reader) ClassOf(at core.Addr) *Class {
	o, err := r.Object(at)
	if err != nil {
		return nil
	}
	return o.Class
}

// Size returns the bytes that an object takes in the heap, aligned to eight.
func (r *Reader) Size(o Object) (uint64, error) {
	n := o.Class.size
	c := r.Process.Cursor()
	switch {
	case o.Class.IsArray():
		length := uint64(c.U32(o.Addr + r.lengthAt()))
		if length > maxLength {
			return 0, fmt.Errorf("hotspot: array at %v: its length of %d cannot be", o.Addr, length)
		}
		n = uint64(o.Class.header) + length*o.Class.ElementSize
	case o.Class.mirrors && r.h.mirrorSize > 0:
		n = 8 * uint64(c.U32(o.Addr.Add(r.h.mirrorSize)))
	case o.Class.chunks:
		n = r.chunkSize(o.Class, o.Addr)
	}
	if err := c.Err(); err != nil {
		return 0, fmt.Errorf("hotspot: object: %w", err)
	}
	if n < Alignment || n > maxObject {
		return 0, fmt.Errorf("hotspot: object at %v: %s cannot have objects of %d bytes", o.Addr, o.Class.Name, n)
	}
	return (n + Alignment - 1) &^ (Alignment - 1), nil
}

// Bounds of objects: elements of an array, bytes of an object.
const (
	maxLength = 1<<31 - 1
	maxObject = 1 << 36
)

// RefField reads a reference out of an object by the name of its field, which the nearest class that has one declares.
func (r *Reader) RefField(o Object, name string) (core.Addr, bool) {
	f, ok := r.InstanceField(o.Class, name)
	if !ok || java.PrimitiveOf(f.Type) != java.NotPrimitive {
		return 0, false
	}
	return r.Ref(o.Addr + core.Addr(f.Offset))
}

// IntField reads a number out of an object by the name of its field.
func (r *Reader) IntField(o Object, name string) (int64, bool) {
	f, ok := r.InstanceField(o.Class, name)
	if !ok {
		return 0, false
	}
	v, ok := r.PrimitiveAt(o.Addr+core.Addr(f.Offset), java.PrimitiveOf(f.Type))
	return int64(v), ok
}

// PrimitiveAt reads a value of a primitive type; see java.Primitive.Read.
func (r *Reader) PrimitiveAt(at core.Addr, p java.Primitive) (uint64, bool) {
	c := r.Process.Cursor()
	v := p.Read(c, at)
	return v, c.Err() == nil && p != java.NotPrimitive
}

// StringField reads a string out of an object by the name of its field: at most maxName units. ok is false
// for null, too.
func (r *Reader) StringField(o Object, name string) (s string, ok bool) {
	at, ok := r.RefField(o, name)
	if !ok || at == 0 {
		return "", false
	}
	text, err := r.String(at, maxText)
	return text.Value, err == nil
}

// maxText bounds the units of strings that are read for a name.
const maxText = 1 << 12

// Mirrored returns the class that a java.lang.Class stands for. That of a primitive type has no Klass: its
// name alone is known, by the class of its arrays; "void" has no such class.
func (r *Reader) Mirrored(o Object) (c *Class, primitive string, ok bool) {
	if o.Class == nil || !o.Class.mirrors || r.h.mirrorKlass < 0 {
		return nil, "", false
	}
	cu := r.Process.Cursor()
	at := cu.Pointer(o.Addr.Add(r.h.mirrorKlass))
	if cu.Err() != nil {
		return nil, "", false
	}
	if at != 0 {
		k, err := r.Class(at)
		return k, "", err == nil
	}
	if r.h.mirrorArray < 0 {
		return nil, "", false
	}
	at = cu.Pointer(o.Addr.Add(r.h.mirrorArray))
	if cu.Err() != nil {
		return nil, "", false
	}
	if at == 0 {
		return nil, "void", true
	}
	k, err := r.Class(at)
	if err != nil {
		return nil, "", false
	}
	return nil, strings.TrimSuffix(k.Name, "[]"), true
}

// LoaderOf returns the class loader of a ClassLoaderData and its class; 0 and "" for the virtual machine's own loader.
func (r *Reader) LoaderOf(data core.Addr) (loader core.Addr, class string) {
	if r.h.loader < 0 {
		return 0, ""
	}
	loader, _ = r.Handle(data.Add(r.h.loader), r.loaderType)
	if k := r.ClassOf(loader); loader != 0 && k != nil {
		class = k.Name
	}
	return loader, class
}
