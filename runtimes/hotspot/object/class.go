package object

import (
	"errors"
	"sync"

	"coredbg/core"
	"coredbg/runtimes/java"
)

// A Class is a Klass: a class, an interface, or a type of arrays.
type Class struct {
	Addr core.Addr // of the Klass
	// Name is the class as Java writes it: "java.util.Map$Entry", "int[]".
	Name  string
	Super core.Addr // its superclass's Klass; 0 for java.lang.Object and interfaces
	// Element is the Klass of the elements of a type of arrays of objects, Primitive their type in other arrays.
	Element   core.Addr
	Primitive java.Primitive
	// ElementSize is the bytes of an element if it is a type of arrays.
	ElementSize uint64
	// Mirror is the java.lang.Class, which has the static fields; 0 if it is not known.
	Mirror core.Addr
	// Loader is the class loader; 0 if the virtual machine itself has loaded it.
	Loader core.Addr
	// Own is set of a hidden class that its loader does not keep, but its java.lang.Class alone.
	Own    bool
	Access uint32 // Klass::_access_flags, as a class file has them; 0 if not known
	// State is InstanceKlass::_init_state in words: "initialized"; "" of arrays.
	State string

	size    uint64 // of instances
	header  int64  // of arrays: where the elements begin
	mirrors bool   // it is java.lang.Class
	chunks  bool   // it is jdk.internal.vm.StackChunk
	array   bool

	once   sync.Once
	fields []Field
	why    error // why not all fields are known

	javaOnce sync.Once
	java     *java.Class
}

// IsArray reports whether it is a type of arrays.
func (c *Class) IsArray() bool { return c.array }

// Bits of access flags.
const (
	accInterface = 0x0200
	accAbstract  = 0x0400
	accStatic    = 0x0008
	accEnum      = 0x4000
	accessMask   = 0xffff
)

// IsInterface reports whether it is an interface.
func (c *Class) IsInterface() bool { return c.Access&accInterface != 0 }

// IsEnum reports whether it is an enum.
func (c *Class) IsEnum() bool { return c.Access&accEnum != 0 }

// HasObjects reports whether there can be objects of the class: it is not known to be an interface or abstract.
func (c *Class) HasObjects() bool { return c.array || c.Access&(accInterface|accAbstract) == 0 }

// IsMirror reports whether objects of the class are classes: it is java.lang.Class.
func (c *Class) IsMirror() bool { return c.mirrors }

// ObjectSize returns the bytes of an object of the class; 0 of arrays, java.lang.Class, stack chunks,
// interfaces and abstract classes, whose objects differ or do not exist.
func (c *Class) ObjectSize() uint64 {
	if c.array || c.mirrors || c.chunks {
		return 0
	}
	return c.size
}

// Bounds of a class: its superclasses, fields and interfaces.
const (
	maxSupers     = 1 << 10
	maxFields     = 1 << 16
	maxInterfaces = 1 << 16
)

var errNoClass = errors.New("no class is there")

// A Field is a field of a class.
type Field struct {
	Class  *Class // that declares it
	Name   string
	Type   string // a descriptor: "I", "Ljava/lang/String;"
	Access uint32
	// Offset is in bytes from the start of the object, or of the java.lang.Class if the field is static.
	Offset uint32
}

// Static reports whether the field is the class's own.
func (f *Field) Static() bool { return f.Access&accStatic != 0 }

// Reference reports whether the field holds a reference.
func (f *Field) Reference() bool { return java.PrimitiveOf(f.Type) == java.NotPrimitive }
