package hprof

import "coredbg/runtimes/art/object"

// Records.
const (
	tagString      = 0x01
	tagLoadClass   = 0x02
	tagStackTrace  = 0x05
	tagHeapSegment = 0x1c
	tagHeapEnd     = 0x2c
)

// What is in segments of the heap dump; those from 0x89 on are Android's.
const (
	rootJNIGlobal      = 0x01
	rootJNILocal       = 0x02
	rootJavaFrame      = 0x03
	rootNativeStack    = 0x04
	rootStickyClass    = 0x05
	rootThreadObject   = 0x08
	classDump          = 0x20
	instanceDump       = 0x21
	objectArrayDump    = 0x22
	primitiveArrayDump = 0x23
	rootInternedString = 0x89
	rootVMInternal     = 0x8d
	rootJNIMonitor     = 0x8e
	heapDumpInfo       = 0xfe
	rootUnknown        = 0xff
)

// A heapID is one of Android's heaps.
type heapID uint32

// The heaps; segments begin with the default one.
const (
	heapDefault heapID = 0
	heapApp     heapID = 'A'
	heapZygote  heapID = 'Z'
	heapImage   heapID = 'I'
)

// name returns what tools show.
func (h heapID) name() string {
	switch h {
	case heapZygote:
		return "zygote"
	case heapImage:
		return "image"
	}
	return "app"
}

// A basicType is the type of a field or an element.
type basicType uint8

const (
	typeObject  basicType = 2
	typeBoolean basicType = 4
	typeChar    basicType = 5
	typeFloat   basicType = 6
	typeDouble  basicType = 7
	typeByte    basicType = 8
	typeShort   basicType = 9
	typeInt     basicType = 10
	typeLong    basicType = 11
)

// size returns the bytes of a value.
func (t basicType) size() int {
	switch t {
	case typeBoolean, typeByte:
		return 1
	case typeChar, typeShort:
		return 2
	case typeDouble, typeLong:
		return 8
	}
	return 4
}

// typeOf returns the basic type of a primitive one.
func typeOf(p object.Primitive) basicType {
	switch p {
	case object.Boolean:
		return typeBoolean
	case object.Byte:
		return typeByte
	case object.Char:
		return typeChar
	case object.Short:
		return typeShort
	case object.Int:
		return typeInt
	case object.Long:
		return typeLong
	case object.Float:
		return typeFloat
	case object.Double:
		return typeDouble
	}
	return typeObject
}
