package java

import (
	"fmt"
	"strings"

	"coredbg/core"
)

// A Primitive is a primitive type of Java.
type Primitive uint8

// The primitive types; NotPrimitive is a type of objects.
const (
	NotPrimitive Primitive = iota
	Boolean
	Byte
	Char
	Short
	Int
	Long
	Float
	Double
	Void
)

var primitiveNames = [...]string{"", "boolean", "byte", "char", "short", "int", "long", "float", "double", "void"}

// primitiveLetters has the descriptor of each type at its number.
const primitiveLetters = " ZBCSIJFDV"

// String returns the type as Java writes it; "" for NotPrimitive.
func (p Primitive) String() string {
	if int(p) < len(primitiveNames) {
		return primitiveNames[p]
	}
	return fmt.Sprintf("primitive %d", uint8(p))
}

// Size returns the bytes of a value in an array; 0 for NotPrimitive and Void.
func (p Primitive) Size() uint64 {
	switch p {
	case Boolean, Byte:
		return 1
	case Char, Short:
		return 2
	case Int, Float:
		return 4
	case Long, Double:
		return 8
	}
	return 0
}

// Descriptor returns the type's letter; "" for NotPrimitive.
func (p Primitive) Descriptor() string {
	if p == NotPrimitive || int(p) >= len(primitiveLetters) {
		return ""
	}
	return primitiveLetters[p : p+1]
}

// PrimitiveOf returns the primitive type of a descriptor; NotPrimitive for references.
func PrimitiveOf(descriptor string) Primitive {
	if len(descriptor) != 1 {
		return NotPrimitive
	}
	return Primitive(max(strings.Index(primitiveLetters, descriptor), 0))
}

// Read reads a value, with its sign extended if its type has one; the bits of floating-point numbers as they
// are. It reads nothing for NotPrimitive and Void.
func (p Primitive) Read(c *core.Cursor, at core.Addr) uint64 {
	switch p {
	case Boolean:
		return uint64(c.U8(at))
	case Byte:
		return uint64(int64(int8(c.U8(at))))
	case Char:
		return uint64(c.U16(at))
	case Short:
		return uint64(int64(int16(c.U16(at))))
	case Int:
		return uint64(int64(int32(c.U32(at))))
	case Float:
		return uint64(c.U32(at))
	case Long, Double:
		return c.U64(at)
	}
	return 0
}

// maxDims bounds the dimensions of an array.
const maxDims = 255

// TypeName returns the type of a descriptor as Java writes it: "int[]" of "[I", "java.util.Map$Entry" of
// "Ljava/util/Map$Entry;".
func TypeName(descriptor string) string {
	dims := 0
	for dims < min(len(descriptor), maxDims) && descriptor[dims] == '[' {
		dims++
	}
	element := descriptor[dims:]
	switch p := PrimitiveOf(element); {
	case p != NotPrimitive:
		element = p.String()
	case len(element) > 1 && element[0] == 'L' && element[len(element)-1] == ';':
		element = strings.ReplaceAll(element[1:len(element)-1], "/", ".")
	}
	return element + strings.Repeat("[]", dims)
}
