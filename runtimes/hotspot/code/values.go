package code

import (
	"coredbg/core"
	"coredbg/runtimes/hotspot/object"
)

// A Value says where a value of a method is while its compiled code is at a place.
type Value struct {
	Kind ValueKind
	// Oop is set if it is a reference, Narrow if that has 32 bits.
	Oop, Narrow bool
	// Offset is how far above the frame's stack pointer it is, in bytes, if it is OnStack; the number of a
	// VMReg if it is InRegister.
	Offset int64
	// Bits is the value of a Constant; of a reference the object.
	Bits uint64
}

// A ValueKind says how a value is described.
type ValueKind uint8

// The kinds of values.
const (
	Dead       ValueKind = iota // it is needed no more
	OnStack                     // in the frame
	InRegister                  // in a register, which a callee may have saved
	Constant
	Scalar // an object that was never made: its fields are kept instead
)

// A MonitorValue is an object that a method has locked.
type MonitorValue struct {
	Owner Value
	// Eliminated is set if the compiler has found the lock needless.
	Eliminated bool
}

// Parts of a Location (share/code/location.hpp): its type, whether it is a register, and where.
const (
	typeMask     = 0xf
	whereShift   = 4
	offsetShift  = 5
	typeInvalid  = 0
	typeOop      = 2
	typeNarrow   = 8
	bytesPerSlot = 4
)

// The codes of a ScopeValue (share/code/debugInfo.cpp).
const (
	codeLocation = iota
	codeInt
	codeOop
	codeLong
	codeDouble
	codeObject
	codeObjectID
	codeAutoBox
	codeMarker
	codeMerge
)

// maxValues bounds the values of one scope.
const maxValues = 1 << 12

// location undoes a Location.
func location(v uint32) Value {
	x := Value{Kind: OnStack, Offset: bytesPerSlot * int64(v>>offsetShift)}
	switch v & typeMask {
	case typeInvalid:
		return Value{}
	case typeOop:
		x.Oop = true
	case typeNarrow:
		x.Oop, x.Narrow = true, true
	}
	if v>>whereShift&1 != 0 {
		x.Kind, x.Offset = InRegister, int64(v>>offsetShift)
	}
	return x
}

// value reads a ScopeValue; ok is false where its form is not known, after which nothing can be read.
func (k *Cache) value(b *Blob, s *object.Stream) (v Value, ok bool) {
	switch s.Int() {
	case codeLocation:
		return location(uint32(s.Int())), s.Err() == nil
	case codeInt:
		return Value{Kind: Constant, Bits: uint64(uint32(s.Signed()))}, s.Err() == nil
	case codeLong, codeDouble: // the upper half first
		high := uint64(uint32(s.Signed()))
		return Value{Kind: Constant, Bits: high<<32 | uint64(uint32(s.Signed()))}, s.Err() == nil
	case codeOop:
		at := core.Addr(0)
		if n := s.Int(); n > 0 && n < maxDescs {
			c := k.Process.Cursor()
			if at = c.Pointer(b.oops.Add(8 * int64(n-1))); c.Err() != nil || b.oops == 0 {
				return Value{}, false
			}
		}
		return Value{Kind: Constant, Oop: true, Bits: uint64(at)}, s.Err() == nil
	}
	return Value{}, false
}

// Locals returns the slots of a scope's variables. Of a long or a double the second slot has the value. Whole
// is false if a description is in a form that is not known, which ends the list.
func (k *Cache) Locals(b *Blob, s Scope) (list []Value, whole bool) {
	if s.locals <= 0 {
		return nil, true
	}
	r := object.NewStream(k.Process, b.scopesData+core.Addr(s.locals), k.Java())
	n := r.Int()
	if r.Err() != nil || n < 0 || n > maxValues {
		return nil, false
	}
	for range n {
		v, ok := k.scalar(b, r)
		if !ok || r.Err() != nil {
			return list, false
		}
		list = append(list, v)
	}
	return list, true
}

// Monitors returns what a scope has locked, in the order of locking. Whole is false if a description is in a
// form that is not known, which ends the list.
func (k *Cache) Monitors(b *Blob, s Scope) (list []MonitorValue, whole bool) {
	if s.monitors <= 0 {
		return nil, true
	}
	r := object.NewStream(k.Process, b.scopesData+core.Addr(s.monitors), k.Java())
	n := r.Int()
	if r.Err() != nil || n < 0 || n > maxValues {
		return nil, false
	}
	for range n {
		r.Int() // where the BasicLock is
		v, ok := k.scalar(b, r)
		if !ok {
			return list, false
		}
		m := MonitorValue{Owner: v, Eliminated: r.Byte() != 0}
		if r.Err() != nil {
			return list, false
		}
		list = append(list, m)
	}
	return list, true
}

// scalar is value where the value may be an object that the compiler keeps in parts. Of such one only the
// number is read if it has been described before; the first description, which holds values of its own, is
// followed.
func (k *Cache) scalar(b *Blob, s *object.Stream) (Value, bool) {
	save := *s
	switch s.Int() {
	case codeObjectID:
		s.Int()
		return Value{Kind: Scalar, Oop: true}, s.Err() == nil
	case codeObject, codeAutoBox, codeMerge:
		return Value{}, false
	}
	*s = save
	return k.value(b, s)
}
