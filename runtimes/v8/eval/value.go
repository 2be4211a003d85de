package eval

import (
	"math"
	"strconv"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/syntax"
)

// A Value is undefined (nil), Null, a bool, a float64, a BigInt, a string in WTF-8, a Heap, a *Symbol or an
// *Object; a property may be an Unknown.
type Value any

// Null is the value null.
type Null struct{}

// A Heap is an object or a symbol of the core.
type Heap layout.Tagged

// A BigInt is one, as its decimal digits.
type BigInt string

// A Symbol is one that the run made, or a private name of a class that it made.
type Symbol struct {
	Description string
	named       bool // the description is not undefined
}

// An Object is an object that the run made.
type Object struct {
	Proto Value // Null, Heap or *Object
	Keys  []Key // in insertion order
	Props map[Key]*Prop
	// Array is set for an array, whose elements are List.
	Array bool
	List  []Value
	// Collection is set for a Map or Set.
	Collection *Collection
	// Function is set for a function.
	Function *Function
	// Date is the time of a Date, in milliseconds since 1970; nil for other objects.
	Date *float64
	// Promise is set for a promise.
	Promise *Promise
	// Error is set for an error of a class of V8's own.
	Error bool
	// Buffer is set for a Buffer of Node, whose bytes are List.
	Buffer bool
	// Typed is the class of a typed array, whose elements are List; "" for other objects.
	Typed string
	// RegExp is set for a regular expression.
	RegExp *RegExp
	// Proxy is set for a Proxy.
	Proxy *Proxy
	// Embedded is the object's class of the embedder, whose C++ did not run; "" for other objects.
	Embedded string
	// Boxed is what an object holds that wraps a primitive value.
	Boxed Value
	// Yields is what an iterator over entries of a Map or Set yields next; nil for other objects.
	Yields func() []Value

	iterator  bool               // over List
	reactions []func(m *Machine) // to a promise that is pending
	frozen    bool
	arguments bool // an array that stands for the arguments of a call
}

// A RegExp is a regular expression that the run made.
type RegExp struct{ Source, Flags string }

// A Proxy is one that the run made.
type Proxy struct{ Target, Handler Value }

// Arguments reports whether an object is the arguments of a call.
func (o *Object) Arguments() bool { return o.arguments }

// elements returns the elements of an array; nil without an array.
func (o *Object) elements() []Value {
	if o == nil {
		return nil
	}
	return o.List
}

// array returns an array that was made.
func array(list ...Value) *Object { return &Object{Array: true, List: list} }

// A Key names a property: a string, or a symbol.
type Key struct {
	Name   string
	Symbol layout.Tagged // of the heap; 0 for others
	Own    *Symbol       // that the run made; nil for others
}

// IsSymbol reports whether a key is a symbol.
func (k Key) IsSymbol() bool { return k.Symbol != 0 || k.Own != nil }

// A Prop is a property of an Object.
type Prop struct {
	Value    Value
	Get, Set Value
	Accessor bool
	Hidden   bool // not enumerable
	gone     bool // deleted, of an object on the heap
}

// A Function is a function that the run made, or one written in Go.
type Function struct {
	Name string
	// Class is set for a class, Extends for one that extends another.
	Class, Extends bool

	node   *syntax.Node
	env    *scope
	self   *activation // of an arrow function: what "this" is
	code   func(m *Machine, this Value, args []Value) Value
	make   func(m *Machine, args []Value, target Value) Value // as a constructor
	class  *class
	home   Value // the object that super starts above
	method bool
}

// Kind is what util.inspect calls the function: "Function", "AsyncFunction" and the like.
func (f *Function) Kind() string {
	kind := "Function"
	if f.node != nil && f.node.Generator {
		kind = "GeneratorFunction"
	}
	if f.node != nil && f.node.Async {
		kind = "Async" + kind
	}
	return kind
}

// Of returns the value that a slot of the heap holds.
func (m *Machine) Of(s object.Slot) Value {
	if s.Raw {
		return s.Double
	}
	t := s.Word
	if t.IsSmi() {
		return float64(t.Smi())
	}
	switch r := m.reader; r.OddballKind(t) {
	case object.KindUndefined, object.KindHole:
		return nil
	case object.KindNull:
		return Null{}
	case object.KindBoolean:
		return r.Oddball(t) == "true"
	}
	if m.reader.IsString(t) {
		s, err := m.reader.Characters(t, maxText)
		if err != nil {
			m.Fail("a string cannot be read: %v", err)
		}
		m.spend(len(s) / 64)
		return s
	}
	if f, ok := m.reader.Number(t); ok {
		return f
	}
	if m.reader.Is(t, m.reader.Types.BigInt) {
		if digits, err := m.reader.BigInt(t); err == nil {
			return BigInt(digits)
		}
	}
	if _, ok := m.reader.InstanceType(t); !ok && m.realm(0).names[t] == "" {
		m.Fail("not in the core: the object at %v", t.Addr())
	}
	return Heap(t)
}

// A Promise is one that the run made. Reactions would run later, so a promise that depends on another one is
// pending, as it is right after a program has made it.
type Promise struct {
	State string // pending, fulfilled or rejected
	Value Value
}

// isPromise reports whether a value is a promise.
func (m *Machine) isPromise(v Value) bool {
	switch x := v.(type) {
	case *Object:
		return x.Promise != nil
	case Heap:
		return m.IsObject(x) && m.kind(x) == object.KindPromise
	}
	return false
}

// truthy is ToBoolean.
func truthy(v Value) bool {
	switch x := v.(type) {
	case nil, Null:
		return false
	case bool:
		return x
	case float64:
		return x != 0 && x == x
	case string:
		return x != ""
	case BigInt:
		return x != "0"
	}
	return true
}

func isNullish(v Value) bool {
	_, null := v.(Null)
	return v == nil || null
}

// typeOf is the operator typeof.
func (m *Machine) typeOf(v Value) string {
	switch x := v.(type) {
	case nil:
		return "undefined"
	case bool:
		return "boolean"
	case float64:
		return "number"
	case string:
		return "string"
	case BigInt:
		return "bigint"
	case *Symbol:
		return "symbol"
	case *Object:
		if x.Function != nil || x.Proxy != nil && m.typeOf(x.Proxy.Target) == "function" {
			return "function"
		}
	case Heap:
		t := layout.Tagged(x)
		switch _, read := m.reader.InstanceType(t); {
		case !read && m.intrinsic(x) != "":
			return "function"
		case m.reader.Is(t, m.reader.Types.Symbol):
			return "symbol"
		case !m.reader.IsReceiver(t):
			return "bigint"
		case m.reader.IsFunction(t) || m.reader.IsBound(t):
			return "function"
		}
	}
	return "object"
}

// IsObject reports whether a value is an object or a function.
func (m *Machine) IsObject(v Value) bool {
	switch x := v.(type) {
	case *Object:
		return true
	case Heap:
		return m.reader.IsReceiver(layout.Tagged(x))
	}
	return false
}

// number is ToNumber.
func (m *Machine) number(v Value) float64 {
	switch x := v.(type) {
	case nil:
		return math.NaN()
	case bool:
		if x {
			return 1
		}
		return 0
	case float64:
		return x
	case string:
		return textNumber(x)
	case Null:
		return 0
	}
	switch m.typeOf(v) {
	case "bigint":
		m.Throw("Cannot mix BigInt and other types, use explicit conversions")
	case "symbol":
		m.Throw("Cannot convert a Symbol value to a number")
	}
	return m.number(m.toPrimitive(v, "number"))
}

// integer returns ToIntegerOrInfinity of a value, bounded to the range of an int.
func (m *Machine) integer(v Value) int {
	f := m.number(v)
	switch {
	case f != f:
		return 0
	case f > math.MaxInt32:
		return math.MaxInt32
	case f < math.MinInt32:
		return math.MinInt32
	}
	return int(f)
}

// Text is what String(v) would return.
func (m *Machine) Text(v Value) string { return m.text(v) }

// Prefix is the first n code units of a string.
func (m *Machine) Prefix(s string, n int) string {
	u := units(s)
	return fromUnits(u[:min(n, len(u))])
}

// text is ToString.
func (m *Machine) text(v Value) string {
	switch x := v.(type) {
	case nil:
		return "undefined"
	case Null:
		return "null"
	case bool:
		return strconv.FormatBool(x)
	case string:
		return x
	case float64:
		if x == 0 {
			return "0"
		}
		return layout.FormatNumber(x)
	case BigInt:
		return string(x)
	case *Symbol:
		m.Throw("Cannot convert a Symbol value to a string")
	case Heap:
		switch m.typeOf(x) {
		case "symbol":
			m.Throw("Cannot convert a Symbol value to a string")
		case "bigint":
			s, err := m.reader.BigInt(layout.Tagged(x))
			if err != nil {
				m.Fail("%v", err)
			}
			return s
		}
	}
	return m.text(m.toPrimitive(v, "string"))
}

// toPrimitive is ToPrimitive, with its hint.
func (m *Machine) toPrimitive(v Value, hint string) Value {
	if !m.IsObject(v) {
		return v
	}
	if k, ok := m.wellKnown("toPrimitive"); ok {
		if f := m.get(v, k); !isNullish(f) {
			if p := m.call(f, v, []Value{hint}); !m.IsObject(p) {
				return p
			}
			m.Throw("Cannot convert object to primitive value")
		}
	}
	methods := []string{"valueOf", "toString"}
	if hint == "string" || hint == "default" && isDate(m, v) {
		methods = []string{"toString", "valueOf"}
	}
	for _, name := range methods {
		f := m.get(v, Key{Name: name})
		if m.typeOf(f) != "function" {
			continue
		}
		if p := m.call(f, v, nil); !m.IsObject(p) {
			return p
		}
	}
	m.Throw("Cannot convert object to primitive value")
	return nil
}

func isDate(m *Machine, v Value) bool {
	switch x := v.(type) {
	case *Object:
		return x.Date != nil
	case Heap:
		return m.kind(x) == object.KindDate
	}
	return false
}

// Name is the value of a function's property "name".
func (m *Machine) Name(fn Value) string {
	switch f := fn.(type) {
	case Heap:
		return m.reader.FunctionNameOf(layout.Tagged(f))
	case *Object:
		if f.Function != nil {
			return f.Function.Name
		}
	}
	return ""
}
