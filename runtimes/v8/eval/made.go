package eval

import (
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
)

// A globalPart are the known functions of a global: of itself and of its prototype, with their names.
type globalPart struct{ static, prototype []string }

// globalParts are the known functions by the globals that have them.
var globalParts = sync.OnceValue(func() map[string]*globalPart {
	parts := map[string]*globalPart{}
	for _, path := range slices.Sorted(maps.Keys(intrinsics)) {
		name, rest := splitGlobal(strings.TrimPrefix(strings.TrimPrefix(path, "get "), "set "))
		if parts[name] == nil {
			parts[name] = &globalPart{}
		}
		if strings.HasPrefix(rest, ".prototype.") || strings.HasPrefix(rest, ".prototype[") {
			parts[name].prototype = append(parts[name].prototype, path)
		} else if rest != "" && rest != ".prototype" {
			parts[name].static = append(parts[name].static, path)
		}
	}
	for name := range constructors {
		if parts[name] == nil {
			parts[name] = &globalPart{}
		}
	}
	return parts
})

// splitGlobal splits "Array.prototype.map" after the global.
func splitGlobal(path string) (name, rest string) {
	if i := strings.IndexAny(path, ".["); i >= 0 {
		return path[:i], path[i:]
	}
	return path, ""
}

// numberConstants are the properties of Number that are numbers.
var numberConstants = map[string]float64{"MAX_SAFE_INTEGER": 1<<53 - 1, "MIN_SAFE_INTEGER": -(1<<53 - 1),
	"MAX_VALUE": math.MaxFloat64, "MIN_VALUE": math.SmallestNonzeroFloat64, "EPSILON": 1.0 / (1 << 52),
	"POSITIVE_INFINITY": math.Inf(1), "NEGATIVE_INFINITY": math.Inf(-1), "NaN": math.NaN()}

// namespaces are the globals that are no functions.
var namespaces = map[string]map[string]float64{"JSON": nil, "Reflect": nil, "Math": {"PI": math.Pi, "E": math.E,
	"LN2": math.Ln2, "LN10": math.Ln10, "LOG2E": math.Log2E, "LOG10E": math.Log10E, "SQRT2": math.Sqrt2,
	"SQRT1_2": math.Sqrt2 / 2}}

// madeGlobal is a global of V8's own that is made of the known functions. It is for a process whose realm is not in
// the core.
func madeGlobal(m *Machine, name string) (Value, bool) {
	switch name {
	case "NaN":
		return math.NaN(), true
	case "Infinity":
		return math.Inf(1), true
	case "globalThis":
		if m.mades[name] == nil {
			m.mades = map[string]Value{name: &Object{}}
		}
	}
	if v, ok := m.mades[name]; ok {
		return v, true
	}
	part := globalParts()[name]
	if part == nil {
		return nil, false
	}
	if m.mades == nil {
		m.mades = map[string]Value{}
	}
	o, proto := &Object{}, &Object{}
	m.mades[name] = o
	constants, namespace := namespaces[name]
	if name == "Number" {
		constants = numberConstants
	}
	if !namespace {
		makeConstructor(m, o, proto, name)
	}
	for k, f := range constants {
		o.define(Key{Name: k}, &Prop{Value: f, Hidden: true})
	}
	fillMade(m, o, part.static)
	fillMade(m, proto, part.prototype)
	if name == "Symbol" {
		for k, s := range wellKnownSymbols {
			o.define(Key{Name: k}, &Prop{Value: s, Hidden: true})
		}
	}
	return o, true
}

// makeConstructor makes an object a constructor with a prototype.
func makeConstructor(m *Machine, o, proto *Object, name string) {
	o.Function = &Function{Name: name, code: intrinsics[name]}
	if code := constructors[name]; code != nil {
		o.Function.make = func(m *Machine, args []Value, _ Value) Value { return code(m, args) }
	}
	if o.Function.code == nil {
		o.Function.code = func(m *Machine, _ Value, _ []Value) Value {
			m.Throw("Class constructor %s cannot be invoked without 'new'", name)
			return nil
		}
	}
	o.define(Key{Name: "prototype"}, &Prop{Value: proto, Hidden: true})
	proto.define(Key{Name: "constructor"}, &Prop{Value: o, Hidden: true})
	switch parent, error := prototypeOfMade(m, name); {
	case error:
		proto.define(Key{Name: "name"}, &Prop{Value: name, Hidden: true})
		proto.Proto = parent
	case name == "Object":
		proto.Proto = Null{}
	case slices.Contains(typedClasses, name):
		proto.Proto = prototypeNamed(m, "TypedArray")
	default:
		proto.Proto = prototypeNamed(m, "Object")
	}
}

// prototypeOfMade is what the prototype of a class of errors inherits; error reports whether it is one.
func prototypeOfMade(m *Machine, name string) (parent Value, error bool) {
	switch {
	case name == "Error":
		return prototypeNamed(m, "Object"), true
	case slices.Contains(errorClasses, name), name == "AggregateError":
		return prototypeNamed(m, "Error"), true
	}
	return nil, false
}

// fillMade gives an object known functions.
func fillMade(m *Machine, o *Object, paths []string) {
	for _, path := range paths {
		code := intrinsics[path]
		half, name := "", path
		if rest, ok := strings.CutPrefix(path, "get "); ok {
			half, name = "get", rest
		}
		k := Key{}
		if i := strings.Index(name, "[Symbol."); i >= 0 {
			k, _ = m.wellKnown(strings.TrimSuffix(name[i+len("[Symbol."):], "]"))
			name = name[i:]
		} else {
			name = name[strings.LastIndexByte(name, '.')+1:]
			k = Key{Name: name}
		}
		fn := m.Native(name, code)
		fn.Proto = nil
		if half != "" {
			o.accessor(k, half, fn)
			o.Props[k].Hidden = true
			continue
		}
		o.define(k, &Prop{Value: fn, Hidden: true})
	}
}

func init() { madeGlobals = madeGlobal }
