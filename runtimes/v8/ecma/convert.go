package ecma

import (
	"math"
	"strconv"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// Of returns the value that a slot of the heap holds.
func (m *Machine) Of(s object.Slot) Value {
	if s.Raw {
		return s.Double
	}
	t := s.Word
	if t.IsSmi() {
		return float64(t.Smi())
	}
	switch r := m.Reader; r.OddballKind(t) {
	case object.KindUndefined, object.KindHole:
		return nil
	case object.KindNull:
		return Null{}
	case object.KindBoolean:
		return r.Oddball(t) == "true"
	}
	if m.Reader.IsString(t) {
		s, err := m.Reader.Characters(t, MaxText)
		if err != nil {
			m.Fail("a string cannot be read: %v", err)
		}
		m.Spend(len(s) / 64)
		return s
	}
	if f, ok := m.Reader.Number(t); ok {
		return f
	}
	if m.Reader.Is(t, m.Reader.Types.BigInt) {
		if digits, err := m.Reader.BigInt(t); err == nil {
			return BigInt(digits)
		}
	}
	if _, ok := m.Reader.InstanceType(t); !ok && m.Realm(0).names[t] == "" {
		m.Fail("not in the core: the object at %v", t.Addr())
	}
	return Heap(t)
}

// IsPromise reports whether a value is a promise.
func (m *Machine) IsPromise(v Value) bool {
	switch x := v.(type) {
	case *Object:
		return x.Promise != nil
	case Heap:
		return m.IsObject(x) && m.Kind(x) == object.KindPromise
	}
	return false
}

// TypeOf is the operator typeof.
func (m *Machine) TypeOf(v Value) string {
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
		if x.Function != nil || x.Proxy != nil && m.TypeOf(x.Proxy.Target) == "function" {
			return "function"
		}
	case Heap:
		t := layout.Tagged(x)
		switch _, read := m.Reader.InstanceType(t); {
		case !read && m.Intrinsic(x) != "":
			return "function"
		case m.Reader.Is(t, m.Reader.Types.Symbol):
			return "symbol"
		case !m.Reader.IsReceiver(t):
			return "bigint"
		case m.Reader.IsFunction(t) || m.Reader.IsBound(t):
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
		return m.Reader.IsReceiver(layout.Tagged(x))
	}
	return false
}

// Number is ToNumber.
func (m *Machine) Number(v Value) float64 {
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
		return TextNumber(x)
	case Null:
		return 0
	}
	switch m.TypeOf(v) {
	case "bigint":
		m.Throw("Cannot mix BigInt and other types, use explicit conversions")
	case "symbol":
		m.Throw("Cannot convert a Symbol value to a number")
	}
	return m.Number(m.ToPrimitive(v, "number"))
}

// Integer returns ToIntegerOrInfinity of a value, bounded to the range of an int.
func (m *Machine) Integer(v Value) int {
	f := m.Number(v)
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

// Prefix is the first n code units of a string.
func (m *Machine) Prefix(s string, n int) string {
	u := Units(s)
	return FromUnits(u[:min(n, len(u))])
}

// Text is ToString.
func (m *Machine) Text(v Value) string {
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
		switch m.TypeOf(x) {
		case "symbol":
			m.Throw("Cannot convert a Symbol value to a string")
		case "bigint":
			s, err := m.Reader.BigInt(layout.Tagged(x))
			if err != nil {
				m.Fail("%v", err)
			}
			return s
		}
	}
	return m.Text(m.ToPrimitive(v, "string"))
}

// ToPrimitive is ToPrimitive, with its hint.
func (m *Machine) ToPrimitive(v Value, hint string) Value {
	if !m.IsObject(v) {
		return v
	}
	if k, ok := m.WellKnown("toPrimitive"); ok {
		if f := m.Get(v, k); !IsNullish(f) {
			if p := m.Call(f, v, []Value{hint}); !m.IsObject(p) {
				return p
			}
			m.Throw("Cannot convert object to primitive value")
		}
	}
	methods := []string{"valueOf", "toString"}
	if hint == "string" || hint == "default" && IsDate(m, v) {
		methods = []string{"toString", "valueOf"}
	}
	for _, name := range methods {
		f := m.Get(v, Key{Name: name})
		if m.TypeOf(f) != "function" {
			continue
		}
		if p := m.Call(f, v, nil); !m.IsObject(p) {
			return p
		}
	}
	m.Throw("Cannot convert object to primitive value")
	return nil
}

// IsDate reports whether a value is a Date.
func IsDate(m *Machine, v Value) bool {
	switch x := v.(type) {
	case *Object:
		return x.Date != nil
	case Heap:
		return m.Kind(x) == object.KindDate
	}
	return false
}

// Name is the value of a function's property "name".
func (m *Machine) Name(fn Value) string {
	switch f := fn.(type) {
	case Heap:
		return m.Reader.FunctionNameOf(layout.Tagged(f))
	case *Object:
		if f.Function != nil {
			return f.Function.Name
		}
	}
	return ""
}

// Kind returns the kind of an object of the heap.
func (m *Machine) Kind(h Heap) object.Kind {
	s, err := m.Reader.Shape(layout.Tagged(h))
	if err != nil {
		m.Fail("%v", err)
	}
	return m.Reader.KindOf(layout.Tagged(h), s)
}

// Word is the value of a tagged word.
func (m *Machine) Word(t layout.Tagged) Value { return m.Of(object.Slot{Word: t}) }
