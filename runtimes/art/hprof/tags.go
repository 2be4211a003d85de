package hprof

import (
	"coredbg/runtimes/art/object"
	"coredbg/runtimes/heap/hprof/format"
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

// typeOf returns the basic type of a primitive one.
func typeOf(p object.Primitive) format.BasicType {
	switch p {
	case object.Boolean:
		return format.TypeBoolean
	case object.Byte:
		return format.TypeByte
	case object.Char:
		return format.TypeChar
	case object.Short:
		return format.TypeShort
	case object.Int:
		return format.TypeInt
	case object.Long:
		return format.TypeLong
	case object.Float:
		return format.TypeFloat
	case object.Double:
		return format.TypeDouble
	}
	return format.TypeObject
}
