package inspect

import (
	"errors"
	"fmt"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/v8/ecma"
	"coredbg/runtimes/v8/eval"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// A Value is a value of JavaScript, decoded as deep as was asked for. Which
// fields are set depends on Kind.
type Value struct {
	Kind object.Kind
	// Word is the value as V8 stores it; 0 for a number that is stored untagged.
	Word layout.Tagged
	// Err says why the value, or a part of it, could not be decoded.
	Err error

	// Text: the characters of a string (as many as allowed), the digits of a
	// BigInt, the description of a symbol, "true" or "false", the source of a
	// RegExp, the name of a function, the stack of an error, the instance
	// type of an internal object.
	Text string
	// Number is the value of a number. For a Date it is milliseconds since 1970.
	Number float64
	// Length: UTF-16 code units of a string, elements of an array, entries of
	// a collection, bytes of a buffer or DataView.
	Length uint64

	// Class is the name of the constructor, as util.inspect finds it; ""
	// with NullProto if the object has no prototype, or none with a
	// constructor.
	Class     string
	NullProto bool
	// Fallback is V8's own name of the class, where Class is "".
	Fallback string
	// Tag is Symbol.toStringTag of the object.
	Tag                       string
	tagIsOwn, tagIsEnumerable bool
	// notIterable is set for an array, a collection or an iterator that has no Symbol.iterator, as
	// its prototype was changed: util.inspect shows its properties only.
	notIterable bool
	// errorLike is set for an object of another kind that has Error.prototype among its prototypes.
	errorLike bool

	// Properties are the own properties, indexed ones first unless the object is an array. Elements are the
	// elements of arrays and typed arrays, in order of index, without holes.
	Properties []Member
	Elements   []Member
	Inherited  []Member // accessors and data of prototypes, with Options.ShowHidden
	Entries    []Entry  // of collections and their iterators
	// MoreProperties, MoreElements and MoreEntries count those left out.
	MoreProperties, MoreElements, MoreEntries int

	// State is "pending", "fulfilled" or "rejected" for a promise, and "suspended", "running" or "closed" for a
	// generator.
	State string
	// Inner: what a promise was settled with, a proxy's target (nil if
	// revoked), a boxed primitive, a WeakRef's target, a view's buffer.
	Inner *Value
	// Handler is a proxy's.
	Handler *Value
	// Bytes are the first bytes of a buffer.
	Bytes []byte
	// ByteOffset of a view. OutOfBounds is set if its buffer has become too
	// short for it, or is Detached.
	ByteOffset            uint64
	OutOfBounds, Detached bool
	// Flags of a RegExp.
	Flags string
	// Name and Message of an error, as text.
	Name, Message         string
	nameKind, messageKind object.Kind
	// stack is what a program made of the property "stack", where it is no string.
	stack *Value
	// Function of a generator; File and Line, where it or a function is.
	Function, File string
	Line           int
	// FunctionType: "Function", "AsyncFunction", "GeneratorFunction",
	// "AsyncGeneratorFunction" or "class"; Extends is a class' parent.
	FunctionType, Extends string
	// ElementType names the elements of a typed array: "Uint8Array".
	ElementType string
	// KeyValue is set for an iterator over entries.
	KeyValue bool

	// Intercepted is set if functions of the embedder answer for properties that the object itself does not
	// have, as for process.env.
	Intercepted bool

	// Shown is the result of the program's own function [util.inspect.custom] for the object. It is nil without
	// such a function, or if it could not run.
	Shown *Value

	// Opened is set if the object's parts were decoded; below the depth that
	// was asked for they were not, and Keys and HiddenKeys count the own
	// properties that it has: enumerable ones, and all. PrivateKeys of both are
	// private members.
	Opened                        bool
	Keys, HiddenKeys, PrivateKeys int

	maxArray int // InspectOptions.MaxArray; 0 for the default
}

// A Member is a property or an element with its value.
type Member struct {
	object.Key
	IsIndex    bool
	Index      uint64
	Enumerable bool
	Accessor   bool
	Getter     bool // an accessor that has one
	Setter     bool
	Value      *Value // nil for accessors
	Place      string
}

// An Entry is a key and value of a collection. Value is nil for sets.
type Entry struct{ Key, Value *Value }

// corrupt makes a value of a reason.
func corrupt(w layout.Tagged, format string, args ...any) *Value {
	err := fmt.Errorf(format, args...)
	return &Value{Kind: object.KindCorrupt, Word: w, Err: err}
}

// Reason says why a value could not be decoded, in a word or two: "not
// dumped", "corrupt: …", "not in the core: …".
func (x *Value) Reason() string {
	if x.Err == nil {
		return "corrupt"
	}
	if f := core.Fault(x.Err); f != nil {
		return f.Gap.String()
	}
	s := x.Err.Error()
	native, unmade, absent := (*ecma.NativeError)(nil), (*ecma.UnmadeError)(nil), (*eval.AbsentError)(nil)
	if errors.As(x.Err, &native) || errors.As(x.Err, &unmade) || errors.As(x.Err, &absent) {
		return strings.TrimPrefix(s, "eval: ")
	}
	if i := strings.Index(s, "corrupt: "); i >= 0 {
		return s[i:]
	}
	return "corrupt: " + s
}

// Error reports whether the value is an error, or inherits from Error.prototype.
func (x *Value) Error() bool { return x.Kind == object.KindError || x.errorLike }

// Object reports whether the value is an object of JavaScript.
func (x *Value) Object() bool {
	switch x.Kind {
	case object.KindUndefined, object.KindNull, object.KindBoolean, object.KindNumber, object.KindBigInt,
		object.KindString, object.KindSymbol,
		object.KindHole, object.KindInternal, object.KindRef, object.KindCut, object.KindCustom, object.KindCorrupt:
		return false
	}
	return true
}

// fail notes why a part of x is missing; the first reason is kept.
func (x *Value) fail(err error) {
	if x.Err == nil {
		x.Err = err
	}
}

func (x *Value) kind() object.Kind {
	if x == nil {
		return ""
	}
	return x.Kind
}
