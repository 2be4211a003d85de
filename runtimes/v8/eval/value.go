package eval

import (
	"math"
	"strconv"
	"strings"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/syntax"
)

// A Value is undefined (nil), Null, a bool, a float64, a BigInt, a string in WTF-8, a Heap or an *Object;
// a property may be an Unknown.
type Value any

// A BigInt is one that the run made: its decimal digits. Those of the heap are of type Heap.
type BigInt string

// Null is the value null.
type Null struct{}

// A Heap is an object, a symbol or a BigInt of the core.
type Heap layout.Tagged

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
	Buffer   bool
	iterator bool // over List
}

// array returns an array that was made.
func array(list ...Value) *Object { return &Object{Array: true, List: list} }

// A Key names a property: a string, or a symbol.
type Key struct {
	Name   string
	Symbol layout.Tagged
}

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
	node *syntax.Node
	env  *scope
	self *activation // of an arrow function: what "this" is
	code func(m *Machine, this Value, args []Value) Value
}

// A Collection holds the entries of a Map or Set, in insertion order.
type Collection struct {
	IsMap   bool
	Entries []Entry
}

// An Entry is one of a Collection.
type Entry struct{ Key, Value Value }

// find returns the index of a key, -1 if it is not there.
func (c *Collection) find(m *Machine, key Value) int {
	for i, e := range c.Entries {
		m.step()
		if sameZero(e.Key, key) {
			return i
		}
	}
	return -1
}

// set adds or replaces an entry.
func (c *Collection) set(m *Machine, key, value Value) {
	if i := c.find(m, key); i >= 0 {
		c.Entries[i].Value = value
		return
	}
	c.Entries = append(c.Entries, Entry{key, value})
}

// sameZero compares as ===, but NaN equals itself.
func sameZero(a, b Value) bool {
	if x, ok := a.(float64); ok {
		y, ok := b.(float64)
		return ok && (x == y || x != x && y != y)
	}
	return a == b
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
	if _, ok := m.reader.InstanceType(t); !ok {
		m.Fail("%v is not an object", t)
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
	case *Object:
		if x.Function != nil {
			return "function"
		}
	case Heap:
		t := layout.Tagged(x)
		switch {
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
	p := m.primitive(v, "valueOf", "toString")
	if _, ok := p.(Heap); ok {
		m.Fail("BigInts and symbols are not calculated with")
	}
	return m.number(p)
}

// textNumber is StringToNumber.
func textNumber(s string) float64 {
	s = strings.TrimSpace(s)
	if s == "" {
		return 0
	}
	switch s {
	case "Infinity", "+Infinity":
		return math.Inf(1)
	case "-Infinity":
		return math.Inf(-1)
	}
	if len(s) > 2 && s[0] == '0' && strings.ContainsRune("xXoObB", rune(s[1])) {
		if n, err := strconv.ParseUint(s, 0, 64); err == nil {
			return float64(n)
		}
		return math.NaN()
	}
	if strings.Trim(s, "0123456789.eE+-") != "" {
		return math.NaN()
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(f, 0) {
		return math.NaN()
	}
	return f
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
	case BigInt:
		return string(x)
	case float64:
		if x == 0 {
			return "0"
		}
		return layout.FormatNumber(x)
	case Heap:
		switch m.typeOf(x) {
		case "symbol":
			m.Throw("a symbol has no text")
		case "bigint":
			s, err := m.reader.BigInt(layout.Tagged(x))
			if err != nil {
				m.Fail("%v", err)
			}
			return s
		}
	}
	return m.text(m.primitive(v, "toString", "valueOf"))
}

// primitive is OrdinaryToPrimitive, with the methods to try.
func (m *Machine) primitive(v Value, methods ...string) Value {
	if !m.IsObject(v) {
		return v
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
	m.Throw("an object has no primitive value")
	return nil
}
