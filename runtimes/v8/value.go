package v8

import (
	"fmt"
	"strings"

	"coredbg/core"
)

// A Kind says what a value of JavaScript is.
type Kind string

// The kinds of values.
const (
	KindUndefined    Kind = "undefined"
	KindNull         Kind = "null"
	KindBoolean      Kind = "boolean"
	KindNumber       Kind = "number"
	KindBigInt       Kind = "bigint"
	KindString       Kind = "string"
	KindSymbol       Kind = "symbol"
	KindHole         Kind = "hole" // no value: an element or a binding that is not there (yet)
	KindObject       Kind = "object"
	KindArray        Kind = "array"
	KindFunction     Kind = "function"
	KindDate         Kind = "date"
	KindRegExp       Kind = "regexp"
	KindError        Kind = "error"
	KindMap          Kind = "map"
	KindSet          Kind = "set"
	KindWeakMap      Kind = "weakmap"
	KindWeakSet      Kind = "weakset"
	KindWeakRef      Kind = "weakref"
	KindMapIterator  Kind = "mapiterator"
	KindSetIterator  Kind = "setiterator"
	KindArrayBuffer  Kind = "arraybuffer"
	KindSharedBuffer Kind = "sharedarraybuffer"
	KindTypedArray   Kind = "typedarray"
	KindDataView     Kind = "dataview"
	KindPromise      Kind = "promise"
	KindProxy        Kind = "proxy"
	KindGenerator    Kind = "generator"
	KindArguments    Kind = "arguments"
	KindBoxed        Kind = "boxed" // a primitive in an object
	KindModule       Kind = "module"
	KindInternal     Kind = "internal" // an object of V8's own, which no program sees
	KindRef          Kind = "ref"      // an object that is being printed further out
	KindCut          Kind = "cut"      // left out, because there were too many
	KindCorrupt      Kind = "corrupt"  // could not be decoded: see Err
)

// kindOfName maps the names of instance types to kinds.
var kindOfName = map[string]Kind{
	"JS_ARRAY_TYPE": KindArray, "JS_DATE_TYPE": KindDate, "JS_ERROR_TYPE": KindError,
	"JS_REG_EXP_TYPE": KindRegExp, "JS_REGEXP_TYPE": KindRegExp,
	"JS_MAP_TYPE": KindMap, "JS_SET_TYPE": KindSet,
	"JS_WEAK_MAP_TYPE": KindWeakMap, "JS_WEAK_SET_TYPE": KindWeakSet, "JS_WEAK_REF_TYPE": KindWeakRef,
	"JS_MAP_KEY_ITERATOR_TYPE": KindMapIterator, "JS_MAP_KEY_VALUE_ITERATOR_TYPE": KindMapIterator,
	"JS_MAP_VALUE_ITERATOR_TYPE": KindMapIterator, "JS_SET_VALUE_ITERATOR_TYPE": KindSetIterator,
	"JS_SET_KEY_VALUE_ITERATOR_TYPE": KindSetIterator,
	"JS_ARRAY_BUFFER_TYPE":           KindArrayBuffer, "JS_TYPED_ARRAY_TYPE": KindTypedArray,
	"JS_DETACHED_TYPED_ARRAY_TYPE": KindTypedArray,
	"JS_DATA_VIEW_TYPE":            KindDataView, "JS_RAB_GSAB_DATA_VIEW_TYPE": KindDataView,
	"JS_PROMISE_TYPE": KindPromise, "JS_PROXY_TYPE": KindProxy,
	"JS_GENERATOR_OBJECT_TYPE": KindGenerator, "JS_ASYNC_GENERATOR_OBJECT_TYPE": KindGenerator,
	"JS_ASYNC_FUNCTION_OBJECT_TYPE": KindGenerator,
	"JS_ARGUMENTS_OBJECT_TYPE":      KindArguments, "JS_ARGUMENTS_TYPE": KindArguments,
	"JS_PRIMITIVE_WRAPPER_TYPE": KindBoxed, "JS_VALUE_TYPE": KindBoxed,
	"JS_MODULE_NAMESPACE_TYPE": KindModule, "JS_DEFERRED_MODULE_NAMESPACE_TYPE": KindModule,
	"JS_BOUND_FUNCTION_TYPE": KindFunction, "JS_WRAPPED_FUNCTION_TYPE": KindFunction,
}

// kinds78 are types that the constants of V8 7.8 leave out;
// objects/instance-type.h @ 7.8.
var kinds78 = map[int]Kind{
	1024: KindProxy, 1027: KindModule, 1058: KindArguments, 1068: KindGenerator, 1069: KindMap, 1070: KindMapIterator, 1071: KindMapIterator,
	1072: KindMapIterator, 1077: KindSet, 1078: KindSetIterator, 1079: KindSetIterator,
	1084: KindWeakMap, 1085: KindWeakSet,
}

// kindOf returns the kind of the heap object o with the given shape. Types
// that no constant names are told by what lies next to them, or by the tag of
// their prototype.
func (v *V8) kindOf(o Tagged, s *shape) Kind {
	if k, ok := kindOfName[v.types.names[s.typ]]; ok {
		return k
	}
	switch {
	case s.typ < v.types.firstReceiver:
		return KindInternal
	case v.isFunction(o):
		return KindFunction
	}
	if _, named := v.types.names[s.typ]; named {
		return v.objectOrError(o)
	}
	if k, ok := kinds78[s.typ]; ok && v.layout.Version.Before(7, 9) {
		return k
	}
	if n := v.typeNumber("JS_ASYNC_FUNCTION_OBJECT_TYPE"); n > 0 && s.typ == n-1 {
		return KindGenerator // JS_GENERATOR_OBJECT_TYPE is the parent's, one before
	}
	if _, ok := v.moduleOf(o); ok {
		return KindModule
	}
	switch tag := v.tagOf(o); tag {
	case "Map Iterator":
		return KindMapIterator
	case "Set Iterator":
		return KindSetIterator
	}
	return v.objectOrError(o)
}

// typeNumber returns the instance type of the given name, or -1.
func (v *V8) typeNumber(name string) int {
	n, ok := v.objects.numbers()[name]
	if !ok {
		return -1
	}
	return n
}

// A Value is a value of JavaScript, decoded as deep as was asked for. Which
// fields are set depends on Kind.
type Value struct {
	Kind Kind
	// Word is the value as V8 stores it; 0 for a number that stands untagged.
	Word Tagged
	// Err says why the value, or a part of it, could not be decoded.
	Err error

	// Text: the characters of a string (as many as allowed), the digits of a
	// BigInt, the description of a symbol, "true" or "false", the source of a
	// RegExp, the name of a function, the stack of an error, the instance
	// type of an internal object.
	Text string
	// Number: of a number; of a Date, in milliseconds since 1970.
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

	// Properties are the own properties, indexed ones first unless the object
	// is an array; Elements are those of arrays and typed arrays, in order of
	// index, without holes.
	Properties []Member
	Elements   []Member
	Inherited  []Member // accessors and data of prototypes, with Options.ShowHidden
	Entries    []Entry  // of collections and their iterators
	// MoreProperties, MoreElements and MoreEntries count those left out.
	MoreProperties, MoreElements, MoreEntries int

	// State: of a promise "pending", "fulfilled", "rejected"; of a generator
	// "suspended", "running", "closed".
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
	// Name and Message of an error.
	Name, Message string
	// Function of a generator; File and Line, where it or a function stands.
	Function, File string
	Line           int
	// FunctionType: "Function", "AsyncFunction", "GeneratorFunction",
	// "AsyncGeneratorFunction" or "class"; Extends is a class' parent.
	FunctionType, Extends string
	// ElementType names the elements of a typed array: "Uint8Array".
	ElementType string
	// KeyValue is set for an iterator over entries.
	KeyValue bool

	// Intercepted is set if functions of the embedder answer for properties
	// that the object itself does not have, as those of process.env do.
	Intercepted bool

	// Opened is set if the object's parts were decoded; below the depth that
	// was asked for they were not, and Keys and HiddenKeys count the own
	// properties that it has: enumerable ones, and all.
	Opened           bool
	Keys, HiddenKeys int
}

// A Member is a property or an element with its value.
type Member struct {
	Key
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
func corrupt(w Tagged, format string, args ...any) *Value {
	err := fmt.Errorf(format, args...)
	return &Value{Kind: KindCorrupt, Word: w, Err: err}
}

// Reason says why a value could not be decoded, in a word or two: "not
// dumped", "corrupt: …".
func (x *Value) Reason() string {
	if x.Err == nil {
		return "corrupt"
	}
	if f := core.Fault(x.Err); f != nil {
		return f.Gap.String()
	}
	s := x.Err.Error()
	if i := strings.Index(s, "corrupt: "); i >= 0 {
		return s[i:]
	}
	return "corrupt: " + s
}

// Object reports whether the value is an object of JavaScript.
func (x *Value) Object() bool {
	switch x.Kind {
	case KindUndefined, KindNull, KindBoolean, KindNumber, KindBigInt, KindString, KindSymbol,
		KindHole, KindInternal, KindRef, KindCut, KindCorrupt:
		return false
	}
	return true
}
