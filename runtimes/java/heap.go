package java

import (
	"slices"
	"strings"

	"coredbg/core"
)

// A Heap is where objects of Java are. Each virtual machine has its own. It is safe for concurrent use.
type Heap interface {
	// Object returns the object at an address; one that a collector has moved at its new address. The error
	// says why there is none.
	Object(at core.Addr) (Object, error)
	// Ref reads the reference at an address in an object; 0 is null.
	Ref(at core.Addr) (core.Addr, bool)
	// PrimitiveAt reads a value; see Primitive.Read.
	PrimitiveAt(at core.Addr, p Primitive) (uint64, bool)
	// ArrayLength returns the number of an array's elements.
	ArrayLength(at core.Addr) (uint64, bool)
	// Text returns the string at an address, at most max of its UTF-16 units. With an error comes the text before it.
	Text(at core.Addr, max int) (Text, error)
	// Mirrored returns the class that a java.lang.Class stands for; a primitive type has a name alone.
	Mirrored(o Object) (*Class, error)
	// ClassAt returns the class whose record in the virtual machine, or whose java.lang.Class, is at an address.
	ClassAt(at core.Addr) (*Class, error)
	// Backtrace reads what Throwable.backtrace leads to.
	Backtrace(at core.Addr) ([]TraceElement, error)
	// Cause returns what getCause of a Throwable returns; 0 is null. Known is unset if its class has a getCause that
	// is not followed.
	Cause(o Object) (at core.Addr, known bool)
}

// An Object is an object of a Heap.
type Object struct {
	Addr  core.Addr
	Class *Class
}

// A Shape is how objects of a class are laid out.
type Shape uint8

// The shapes of classes.
const (
	Fields  Shape = iota // by fields
	Arrays               // elements
	Strings              // java.lang.String
	Classes              // java.lang.Class
)

// A Class is a class as its Heap has it. Heaps return the same one each time.
type Class struct {
	Addr core.Addr // of the virtual machine's record of it
	// Name is the class as Java writes it: "java.util.Map$Entry", "int[]".
	Name  string
	Shape Shape
	// Super is the name of each superclass, the nearest first; Interfaces all that it implements.
	Super      []string
	Interfaces []Interface
	Access     uint32 // as a class file has it
	Loader     core.Addr
	// Status is the virtual machine's word for whether it is initialized.
	Status     string
	ObjectSize uint64 // of instances; 0 where they differ
	ClassSize  uint64 // of its record; 0 if that is not known
	// Primitive is the type of a class such as int.class, Element the type of an array's elements.
	Primitive, Element Primitive
	// ElementSize is the bytes of an element of arrays, Data where they begin.
	ElementSize, Data uint64
	// Members are the fields of objects, the most distant superclass's first.
	Members []Field
	// Own are the fields that the class itself declares, static ones too.
	Own []Field
	// Statics is what the offsets of static fields count from; 0 if it is not in the core.
	Statics core.Addr
	// Problem says which parts could not be read; "" if all could.
	Problem string
}

// Bits of access flags that have a word of their own.
const (
	AccStatic    = 0x0008
	AccInterface = 0x0200
	AccEnum      = 0x4000
)

// IsA reports whether a class has a name, or a superclass or an interface of that name.
func (c *Class) IsA(name string) bool {
	return c.Name == name || slices.Contains(c.Super, name) ||
		slices.ContainsFunc(c.Interfaces, func(i Interface) bool { return i.Name == name })
}

// An Interface is one that a class implements.
type Interface struct {
	Addr core.Addr // of the virtual machine's record of it
	Name string
}

// Kind is the word for a class: class, interface, enum, array, primitive, record.
func (c *Class) Kind() string {
	switch {
	case c.Primitive != NotPrimitive:
		return "primitive"
	case c.Shape == Arrays:
		return "array"
	case c.Access&AccInterface != 0:
		return "interface"
	case c.Access&AccEnum != 0:
		return "enum"
	case len(c.Super) > 0 && c.Super[0] == "java.lang.Record":
		return "record"
	}
	return "class"
}

// A Field is a field of a class.
type Field struct {
	Name, Type string // of a type that is not known "", as a descriptor
	Class      string // that declares it
	Access     uint32
	Offset     uint64    // from the object, of static fields from Class.Statics
	Addr       core.Addr // of the virtual machine's record of it; 0 if it has no record
	// Hidden is set of fields that the virtual machine alone uses.
	Hidden  bool
	Problem string // why it has no name
}

// Static reports whether the field is the class's own.
func (f *Field) Static() bool { return f.Access&AccStatic != 0 }

// Member returns the field of a name that objects of a class have: the class's own, or the nearest superclass's.
func (c *Class) Member(name string) (*Field, bool) {
	for i := len(c.Members) - 1; i >= 0; i-- {
		if c.Members[i].Name == name {
			return &c.Members[i], true
		}
	}
	return nil, false
}

// Static returns the static field of a name that the class itself declares.
func (c *Class) Static(name string) (*Field, bool) {
	for i := range c.Own {
		if c.Own[i].Name == name && c.Own[i].Static() {
			return &c.Own[i], true
		}
	}
	return nil, false
}

// A Text is what a java.lang.String says.
type Text struct {
	Value string // UTF-8; of unpaired surrogates see UTF16
	// Length is the number of its UTF-16 units; Value has the first Read.
	Length, Read int
}

// Cut reports whether Value is not the whole string.
func (s Text) Cut() bool { return s.Read < s.Length }

// An Array is an array of a Heap.
type Array struct {
	Object
	Length  uint64
	Element Primitive
}

// At returns the address of element i, which need not be below the length.
func (r *Array) At(i uint64) core.Addr {
	return r.Addr + core.Addr(r.Class.Data+i*r.Class.ElementSize)
}

// A Reader reads objects of a heap by the names of their fields.
type Reader struct{ Heap }

// RefField reads a reference out of an object by the name of its field.
func (r Reader) RefField(o Object, name string) (core.Addr, bool) {
	f, ok := o.Class.Member(name)
	if !ok || PrimitiveOf(f.Type) != NotPrimitive {
		return 0, false
	}
	return r.Ref(o.Addr + core.Addr(f.Offset))
}

// IntField reads a number out of an object by the name of its field.
func (r Reader) IntField(o Object, name string) (int64, bool) {
	f, ok := o.Class.Member(name)
	if !ok {
		return 0, false
	}
	v, ok := r.PrimitiveAt(o.Addr+core.Addr(f.Offset), PrimitiveOf(f.Type))
	return int64(v), ok
}

// IsString reports whether an object is a java.lang.String.
func (r Reader) IsString(at core.Addr) bool {
	o, err := r.Object(at)
	return err == nil && o.Class.Shape == Strings
}

// Array returns the array at an address.
func (r Reader) Array(at core.Addr) (Array, error) {
	o, err := r.Object(at)
	if err != nil {
		return Array{}, err
	}
	if o.Class.Shape != Arrays {
		return Array{}, problem("%v is not an array but a %s", at, o.Class.Name)
	}
	n, ok := r.ArrayLength(o.Addr)
	if !ok {
		return Array{}, problem("array at %v: its length of %d cannot be", at, n)
	}
	return Array{o, n, o.Class.Element}, nil
}

// ArrayRefs returns at most max references of an array of objects. With an error come the references before
// the one that cannot be read.
func (r Reader) ArrayRefs(at core.Addr, max int) ([]core.Addr, error) {
	a, err := r.Array(at)
	if err != nil {
		return nil, err
	}
	if a.Element != NotPrimitive {
		return nil, problem("%v is a %s, not an array of objects", at, a.Class.Name)
	}
	out, ok := References(min(a.Length, uint64(max)), func(i uint64) (core.Addr, bool) { return r.Ref(a.At(i)) })
	if !ok {
		return out, problem("array at %v: element %d cannot be read", at, len(out))
	}
	return out, nil
}

// References reads n references. ok is false if one cannot be read; the references before it come all the same.
func References(n uint64, ref func(i uint64) (core.Addr, bool)) (out []core.Addr, ok bool) {
	for i := range n {
		v, ok := ref(i)
		if !ok {
			return out, false
		}
		out = append(out, v)
	}
	return out, true
}

// reason is an error without the name of the virtual machine before it.
func reason(err error) string {
	head, rest, ok := strings.Cut(err.Error(), ": ")
	if ok && !strings.ContainsAny(head, " 0123456789") {
		return rest
	}
	return err.Error()
}

// ShortName is a class without its package.
func ShortName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
