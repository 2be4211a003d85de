package object

import (
	"coredbg/core"
	"coredbg/runtimes/java"
)

// JavaHeap returns the heap as package java has it.
func (rd *Reader) JavaHeap() java.Heap { return javaHeap{rd} }

// A javaHeap is a java.Heap over a reader.
type javaHeap struct{ *Reader }

// Object follows the lock word of an object that the collector has moved.
func (h javaHeap) Object(at core.Addr) (java.Object, error) {
	o, err := h.Reader.Object(at)
	if err != nil {
		return java.Object{Addr: at}, err
	}
	if o.Lock.State() == Forwarded {
		if moved, err := h.Reader.Object(o.Lock.Forward()); err == nil {
			o = moved
		}
	}
	return java.Object{Addr: o.Addr, Class: h.JavaClass(o.Class)}, nil
}

func (h javaHeap) Text(at core.Addr, max int) (java.Text, error) { return h.String(at, max) }

// ClassAt takes the class of an object, too.
func (h javaHeap) ClassAt(at core.Addr) (*java.Class, error) {
	k, err := h.Class(at)
	if err != nil {
		return nil, err
	}
	return h.JavaClass(k), nil
}

func (h javaHeap) Mirrored(o java.Object) (*java.Class, error) { return h.ClassAt(o.Addr) }

func (h javaHeap) Backtrace(at core.Addr) ([]java.TraceElement, error) { return h.backtrace(at) }

func (h javaHeap) Cause(x java.Object) (at core.Addr, known bool) {
	o, err := h.Reader.Object(x.Addr)
	if err != nil {
		return 0, false
	}
	return h.cause(o)
}

// JavaClass returns a class as package java has it.
func (rd *Reader) JavaClass(k *Class) *java.Class {
	m := &rd.mirror
	m.mu.Lock()
	c := m.java[k.Addr]
	m.mu.Unlock()
	if c != nil {
		return c
	}
	c = rd.newJavaClass(k)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.java == nil {
		m.java = map[core.Addr]*java.Class{}
	}
	if have := m.java[k.Addr]; have != nil {
		return have
	}
	m.java[k.Addr] = c
	return c
}

func (rd *Reader) newJavaClass(k *Class) *java.Class {
	c := &java.Class{Addr: k.Addr, Name: k.Name, Access: k.Access, Loader: k.Loader, Status: k.Status,
		ObjectSize: k.ObjectSize,
		ClassSize:  k.ClassSize, Primitive: k.Primitive, ElementSize: k.ElementSize, Statics: k.Addr,
		Problem: k.Problem}
	switch {
	case k.IsArray():
		c.Shape, c.Data = java.Arrays, uint64(ArrayData(k.ElementSize))
		if rd.IsClass(k.Component) {
			c.Element = rd.ClassAt(k.Component).Primitive
		}
	case k.Flags&FlagString != 0:
		c.Shape = java.Strings
	case k.Flags&FlagClass != 0:
		c.Shape = java.Classes
	}
	for _, s := range rd.Supers(k) {
		c.Super = append(c.Super, s.Name)
	}
	for _, i := range rd.Interfaces(k) {
		c.Interfaces = append(c.Interfaces, java.Interface{Addr: i.Addr, Name: i.Name})
	}
	for _, f := range rd.InstanceFields(k) {
		c.Members = append(c.Members, rd.javaField(&f))
	}
	for _, f := range rd.Fields(k) {
		c.Own = append(c.Own, rd.javaField(&f))
	}
	return c
}

// javaField returns a field as package java has it. Those of the header are ART's own.
func (rd *Reader) javaField(f *Field) java.Field {
	return java.Field{Name: f.Label(), Type: f.Type, Class: rd.ClassAt(f.Class).Name, Access: f.Access,
		Offset: uint64(f.Offset), Addr: f.Addr,
		Hidden: f.Offset < HeaderSize && !f.Static(), Problem: f.Problem}
}
