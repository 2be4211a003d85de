package ecma

import (
	"strconv"

	"coredbg/runtimes/v8/layout"
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
	Named       bool // the description is not undefined
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

	Iterator  bool               // over List
	Reactions []func(m *Machine) // to a promise that is pending
	Frozen    bool
	OfCall    bool // an array that stands for the arguments of a call
}

// A RegExp is a regular expression that the run made.
type RegExp struct{ Source, Flags string }

// A Proxy is one that the run made.
type Proxy struct{ Target, Handler Value }

// Arguments reports whether an object is the arguments of a call.
func (o *Object) Arguments() bool { return o.OfCall }

// elements returns the elements of an array; nil without an array.
func (o *Object) elements() []Value {
	if o == nil {
		return nil
	}
	return o.List
}

// Array returns an array that was made.
func Array(list ...Value) *Object { return &Object{Array: true, List: list} }

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

	Node   *syntax.Node
	Env    *Scope
	Self   *Activation // of an arrow function: what "this" is
	Code   func(m *Machine, this Value, args []Value) Value
	Make   func(m *Machine, args []Value, target Value) Value // as a constructor
	Body   *Class
	Home   Value // the object that super starts above
	Method bool
}

// Kind is what util.inspect calls the function: "Function", "AsyncFunction" and the like.
func (f *Function) Kind() string {
	kind := "Function"
	if f.Node != nil && f.Node.Generator {
		kind = "GeneratorFunction"
	}
	if f.Node != nil && f.Node.Async {
		kind = "Async" + kind
	}
	return kind
}

// A Promise is one that the run made. Reactions would run later, so a promise that depends on another one is
// pending, as it is right after a program has made it.
type Promise struct {
	State string // pending, fulfilled or rejected
	Value Value
}

// Truthy is ToBoolean.
func Truthy(v Value) bool {
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

// IsNullish reports whether a value is undefined or null.
func IsNullish(v Value) bool {
	_, null := v.(Null)
	return v == nil || null
}

// A Collection holds the entries of a Map or Set, in insertion order.
type Collection struct {
	IsMap   bool
	Weak    bool // of a WeakMap or WeakSet
	Entries []Entry
}

// An Entry is one of a Collection.
type Entry struct{ Key, Value Value }

// Find returns the index of a key, -1 if it is not there.
func (c *Collection) Find(m *Machine, key Value) int {
	for i, e := range c.Entries {
		m.Step()
		if SameZero(e.Key, key) {
			return i
		}
	}
	return -1
}

// Set adds or replaces an entry.
func (c *Collection) Set(m *Machine, key, value Value) {
	if i := c.Find(m, key); i >= 0 {
		c.Entries[i].Value = value
		return
	}
	c.Entries = append(c.Entries, Entry{key, value})
}

// SameZero compares as ===, but NaN equals itself.
func SameZero(a, b Value) bool {
	if x, ok := a.(float64); ok {
		y, ok := b.(float64)
		return ok && (x == y || x != x && y != y)
	}
	return a == b
}

// Arg returns an argument; undefined if it was not given.
func Arg(args []Value, i int) Value {
	if i < len(args) {
		return args[i]
	}
	return nil
}

// index is the array index that a name is.
func index(name string) (int, bool) {
	if name == "" || len(name) > 9 || name[0] < '0' || name[0] > '9' {
		return 0, false
	}
	n, err := strconv.Atoi(name)
	return n, err == nil && strconv.Itoa(n) == name
}

// Set writes an own property of an Object.
func (o *Object) Set(k Key, v Value) { o.Define(k, &Prop{Value: v}) }

// Define makes or replaces a property.
func (o *Object) Define(k Key, p *Prop) {
	if o.Props == nil {
		o.Props = map[Key]*Prop{}
	}
	if o.Props[k] == nil {
		o.Keys = append(o.Keys, k)
	}
	o.Props[k] = p
}

// KeyValue is the string or symbol that a key is.
func KeyValue(k Key) Value {
	switch {
	case k.Symbol != 0:
		return Heap(k.Symbol)
	case k.Own != nil:
		return k.Own
	}
	return k.Name
}

// Accessor makes the getter or the setter of a property.
func (o *Object) Accessor(k Key, half string, fn Value) {
	p := o.Props[k]
	if p == nil || !p.Accessor {
		p = &Prop{Accessor: true}
		o.Define(k, p)
	}
	if half == "get" {
		p.Get = fn
	} else {
		p.Set = fn
	}
}

// StrictEqual is the operator ===.
func StrictEqual(a, b Value) bool {
	if x, ok := a.(float64); ok {
		y, ok := b.(float64)
		return ok && x == y
	}
	return a == b
}

// yields is what a Collection yields: keys, or pairs of a Map.
func (c *Collection) yields(m *Machine) []Value {
	list := make([]Value, 0, len(c.Entries))
	for _, e := range c.Entries {
		m.Step()
		if c.IsMap {
			list = append(list, Array(e.Key, e.Value))
		} else {
			list = append(list, e.Key)
		}
	}
	return list
}

// IsNull reports whether a value is null.
func IsNull(v Value) bool {
	_, null := v.(Null)
	return null
}
