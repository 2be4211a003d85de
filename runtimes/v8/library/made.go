package library

import (
	"maps"
	"math"
	"slices"
	"strings"

	"coredbg/runtimes/v8/ecma"
)

// A globalPart are the known functions of a global: of itself and of its prototype, with their names.
type globalPart struct{ static, prototype []string }

// partsOf are the known functions by the globals that have them.
func partsOf(functions map[string]ecma.Builtin, makers map[string]ecma.Constructor) map[string]*globalPart {
	parts := map[string]*globalPart{}
	for _, path := range slices.Sorted(maps.Keys(functions)) {
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
	for name := range makers {
		if parts[name] == nil {
			parts[name] = &globalPart{}
		}
	}
	return parts
}

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

// makeGlobal is a global of V8's own that is made of the known functions. It is for a process whose realm is not in
// the core.
func makeGlobal(m *ecma.Machine, name string, parts func() map[string]*globalPart) (ecma.Value, bool) {
	switch name {
	case "NaN":
		return math.NaN(), true
	case "Infinity":
		return math.Inf(1), true
	case "globalThis":
		if m.Mades[name] == nil {
			m.Mades = map[string]ecma.Value{name: &ecma.Object{}}
		}
	}
	if v, ok := m.Mades[name]; ok {
		return v, true
	}
	part := parts()[name]
	if part == nil {
		return nil, false
	}
	if m.Mades == nil {
		m.Mades = map[string]ecma.Value{}
	}
	o, proto := &ecma.Object{}, &ecma.Object{}
	m.Mades[name] = o
	constants, namespace := namespaces[name]
	if name == "Number" {
		constants = numberConstants
	}
	if !namespace {
		makeConstructor(m, o, proto, name)
	}
	for k, f := range constants {
		o.Define(ecma.Key{Name: k}, &ecma.Prop{Value: f, Hidden: true})
	}
	fillMade(m, o, part.static)
	fillMade(m, proto, part.prototype)
	if name == "Symbol" {
		for k, s := range ecma.WellKnownSymbols {
			o.Define(ecma.Key{Name: k}, &ecma.Prop{Value: s, Hidden: true})
		}
	}
	return o, true
}

// makeConstructor makes an object a constructor with a prototype.
func makeConstructor(m *ecma.Machine, o, proto *ecma.Object, name string) {
	o.Function = &ecma.Function{Name: name, Code: calledAs(m, name), Make: madeAs(m, name)}
	o.Define(ecma.Key{Name: "prototype"}, &ecma.Prop{Value: proto, Hidden: true})
	proto.Define(ecma.Key{Name: "constructor"}, &ecma.Prop{Value: o, Hidden: true})
	if name == "Iterator" { // an accessor, so that iterators do not get it as their class
		proto.Props[ecma.Key{Name: "constructor"}] = &ecma.Prop{Accessor: true, Hidden: true,
			Get: m.Native("get constructor", func(*ecma.Machine, ecma.Value, []ecma.Value) ecma.Value { return o })}
	}
	switch parent, error := prototypeOfMade(m, name); {
	case error:
		proto.Define(ecma.Key{Name: "name"}, &ecma.Prop{Value: name, Hidden: true})
		proto.Proto = parent
	case name == "Object":
		proto.Proto = ecma.Null{}
	case slices.Contains(typedClasses, name):
		proto.Proto = ecma.PrototypeNamed(m, "TypedArray")
	default:
		proto.Proto = ecma.PrototypeNamed(m, "Object")
	}
}

// calledAs is what a global does that is called.
func calledAs(m *ecma.Machine, name string) ecma.Builtin {
	if code := m.Library.Functions[name]; code != nil {
		return code
	}
	return func(m *ecma.Machine, _ ecma.Value, _ []ecma.Value) ecma.Value {
		m.Throw("Class constructor %s cannot be invoked without 'new'", name)
		return nil
	}
}

// madeAs is what a global does that follows new; nil for one that is no constructor.
func madeAs(m *ecma.Machine, name string) func(m *ecma.Machine, args []ecma.Value, target ecma.Value) ecma.Value {
	code := m.Library.Constructors[name]
	if code == nil {
		return nil
	}
	return func(m *ecma.Machine, args []ecma.Value, _ ecma.Value) ecma.Value { return code(m, args) }
}

// prototypeOfMade is what the prototype of a class of errors inherits; error reports whether it is one.
func prototypeOfMade(m *ecma.Machine, name string) (parent ecma.Value, error bool) {
	switch {
	case name == "Error":
		return ecma.PrototypeNamed(m, "Object"), true
	case slices.Contains(errorClasses, name), name == "AggregateError":
		return ecma.PrototypeNamed(m, "Error"), true
	}
	return nil, false
}

// fillMade gives an object known functions.
func fillMade(m *ecma.Machine, o *ecma.Object, paths []string) {
	for _, path := range paths {
		code := m.Library.Functions[path]
		half, name := "", path
		if rest, ok := strings.CutPrefix(path, "get "); ok {
			half, name = "get", rest
		}
		k := ecma.Key{}
		if i := strings.Index(name, "[Symbol."); i >= 0 {
			k, _ = m.WellKnown(strings.TrimSuffix(name[i+len("[Symbol."):], "]"))
			name = name[i:]
		} else {
			name = name[strings.LastIndexByte(name, '.')+1:]
			k = ecma.Key{Name: name}
		}
		fn := m.Native(name, code)
		fn.Proto = nil
		if half != "" {
			o.Accessor(k, half, fn)
			o.Props[k].Hidden = true
			continue
		}
		o.Define(k, &ecma.Prop{Value: fn, Hidden: true})
	}
}
