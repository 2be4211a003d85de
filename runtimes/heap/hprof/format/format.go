// Package format has the numbers of heap dumps of Java, for reading and for writing, and a
// Stream that writes their records.
//
// Files:
//
//	format.go  the numbers
//	stream.go  Stream
//	roots.go   roots of a graph as records
//
// Upstream: src/hotspot/share/services/heapDumper.cpp of OpenJDK, and runtime/hprof/hprof.cc
// of AOSP's art repository for tags from 0x89 on.
package format

import "strings"

// Records.
const (
	TagString      = 0x01
	TagLoadClass   = 0x02
	TagFrame       = 0x04
	TagTrace       = 0x05
	TagHeapDump    = 0x0c
	TagHeapSegment = 0x1c
	TagHeapEnd     = 0x2c
)

// Tags of the records in segments of the heap dump; Android's begin at 0x89.
const (
	RootJNIGlobal      = 0x01
	RootJNILocal       = 0x02
	RootJavaFrame      = 0x03
	RootNativeStack    = 0x04
	RootStickyClass    = 0x05
	RootThreadBlock    = 0x06
	RootMonitor        = 0x07
	RootThreadObject   = 0x08
	ClassDump          = 0x20
	InstanceDump       = 0x21
	ObjectArrayDump    = 0x22
	PrimitiveArrayDump = 0x23
	RootInternedString = 0x89
	RootFinalizing     = 0x8a
	RootDebugger       = 0x8b
	RootReference      = 0x8c
	RootVMInternal     = 0x8d
	RootJNIMonitor     = 0x8e
	Unreachable        = 0x90
	PrimitiveNoData    = 0xc3
	HeapDumpInfo       = 0xfe
	RootUnknown        = 0xff
)

// A BasicType is the type of a field or an element.
type BasicType uint8

// The basic types.
const (
	TypeObject  BasicType = 2
	TypeBoolean BasicType = 4
	TypeChar    BasicType = 5
	TypeFloat   BasicType = 6
	TypeDouble  BasicType = 7
	TypeByte    BasicType = 8
	TypeShort   BasicType = 9
	TypeInt     BasicType = 10
	TypeLong    BasicType = 11
)

// Valid reports whether there is such a type.
func (t BasicType) Valid() bool { return t == TypeObject || t >= TypeBoolean && t <= TypeLong }

// Size returns the bytes of a value in a file whose identifiers have idSize.
func (t BasicType) Size(idSize int) int {
	switch t {
	case TypeObject:
		return idSize
	case TypeBoolean, TypeByte:
		return 1
	case TypeChar, TypeShort:
		return 2
	case TypeDouble, TypeLong:
		return 8
	}
	return 4
}

// TypeOf returns the type of a descriptor, as class files have it; TypeObject if it is not the letter of a
// primitive type.
func TypeOf(descriptor string) BasicType {
	const letters = "ZCFDBSIJ" // from TypeBoolean on
	if i := strings.Index(letters, descriptor); i >= 0 && len(descriptor) == 1 {
		return TypeBoolean + BasicType(i)
	}
	return TypeObject
}
