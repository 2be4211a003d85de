package object

import (
	"errors"
	"fmt"

	"coredbg/core"
	"coredbg/runtimes/java"
)

// JavaHeap returns the heap as package java has it.
func (r *Reader) JavaHeap() java.Heap { return javaHeap{r} }

// A javaHeap is a java.Heap over a reader.
type javaHeap struct{ *Reader }

func (h javaHeap) Object(at core.Addr) (java.Object, error) {
	o, err := h.Reader.Object(at)
	if err != nil {
		return java.Object{Addr: at}, err
	}
	return java.Object{Addr: at, Class: h.JavaClass(o.Class)}, nil
}

func (h javaHeap) ArrayLength(at core.Addr) (uint64, bool) {
	a, err := h.Array(at)
	return a.Length, err == nil
}

func (h javaHeap) Text(at core.Addr, max int) (java.Text, error) { return h.String(at, max) }

// ClassAt takes a Klass or a java.lang.Class.
func (h javaHeap) ClassAt(at core.Addr) (*java.Class, error) {
	if o, err := h.Object(at); err == nil && o.Class.Shape == java.Classes {
		return h.Mirrored(o)
	}
	k, err := h.Class(at)
	if err != nil {
		return nil, err
	}
	return h.JavaClass(k), nil
}

var errNoMirror = errors.New("it stands for no class that is known")

func (h javaHeap) Mirrored(o java.Object) (*java.Class, error) {
	x, err := h.Reader.Object(o.Addr)
	if err != nil {
		return nil, err
	}
	k, primitive, ok := h.Reader.Mirrored(x)
	switch {
	case !ok:
		return nil, fmt.Errorf("hotspot: java.lang.Class %v: %w", o.Addr, errNoMirror)
	case k != nil:
		return h.JavaClass(k), nil
	}
	c := &java.Class{Addr: o.Addr, Name: primitive}
	for p := java.Boolean; p <= java.Void; p++ {
		if p.String() == primitive {
			c.Primitive = p
		}
	}
	return c, nil
}

func (h javaHeap) Backtrace(at core.Addr) ([]java.TraceElement, error) { return h.backtrace(at) }

// JavaClass returns a class as package java has it.
func (r *Reader) JavaClass(k *Class) *java.Class {
	k.javaOnce.Do(func() { k.java = r.newJavaClass(k) })
	return k.java
}

func (r *Reader) newJavaClass(k *Class) *java.Class {
	c := &java.Class{Addr: k.Addr, Name: k.Name, Access: k.Access, Loader: k.Loader, Status: k.State,
		ObjectSize: k.ObjectSize(),
		Element:    k.Primitive, ElementSize: k.ElementSize, Data: uint64(k.header), Statics: k.Mirror}
	switch {
	case k.array:
		c.Shape = java.Arrays
	case k.Name == stringClass:
		c.Shape = java.Strings
	case k.mirrors:
		c.Shape = java.Classes
	}
	for _, s := range r.Supers(k) {
		c.Super = append(c.Super, s.Name)
	}
	for _, i := range r.Interfaces(k) {
		c.Interfaces = append(c.Interfaces, java.Interface{Addr: i.Addr, Name: i.Name})
	}
	for _, f := range r.InstanceFields(k) {
		c.Members = append(c.Members, javaField(&f))
	}
	fields, err := r.Fields(k)
	for _, f := range fields {
		c.Own = append(c.Own, javaField(&f))
	}
	if err != nil {
		c.Problem = err.Error()
	}
	return c
}

func javaField(f *Field) java.Field {
	return java.Field{Name: f.Name, Type: f.Type, Class: f.Class.Name, Access: f.Access, Offset: uint64(f.Offset)}
}
