package eval

import (
	"context"
	"maps"
	"strings"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// A realm recognizes V8's own functions by the globals that lead to them.
type realm struct {
	native, global layout.Tagged
	names          map[layout.Tagged]string // "Array.prototype.join", "get Map.prototype.size"
	prototypes     map[string]layout.Tagged // by the name of the constructor
	symbols        map[string]layout.Tagged // "iterator"
	// lacking are V8's own objects whose properties are not in the core, with their names: others are made for them.
	lacking map[layout.Tagged]string
}

// globals are the globals whose functions are known.
var globals = []string{
	"Object", "Function", "Array", "Number", "Boolean", "String", "Symbol", "BigInt", "Date", "RegExp", "Map", "Set",
	"WeakMap", "WeakSet", "WeakRef",
	"Error", "TypeError", "RangeError", "SyntaxError", "ReferenceError", "EvalError", "URIError", "AggregateError",
	"Promise", "Proxy", "Iterator",
	"Uint8Array", "Int8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array", "Int32Array", "Uint32Array",
	"Float16Array", "Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array", "ArrayBuffer", "DataView",
	"Math", "JSON", "Reflect", "Atomics",
	"parseInt", "parseFloat", "isNaN", "isFinite", "encodeURIComponent", "encodeURI", "decodeURIComponent", "decodeURI",
	"escape", "unescape", "eval",
}

// realm returns the realm of a function. 0 stands for the function that was called first.
func (m *Machine) realm(fn layout.Tagged) *realm {
	native := m.native
	if fn != 0 {
		if ctx, ok := m.reader.Field(fn, m.reader.Layout.JSFunction.Context); ok {
			native, _ = m.reader.NativeContext(ctx)
		}
	}
	if native == 0 {
		if list, err := m.reader.Realms(context.Background(), nil); err == nil && len(list) > 0 {
			native = list[0]
		}
	}
	if m.native == 0 {
		m.native = native
	}
	if x, ok := m.realms.Load(native); ok {
		return x.(*realm)
	}
	re := m.newRealm(native)
	m.realms.Store(native, re)
	return re
}

func (e *Engine) newRealm(native layout.Tagged) *realm {
	re := &realm{native: native, names: map[layout.Tagged]string{}, prototypes: map[string]layout.Tagged{},
		symbols: map[string]layout.Tagged{}, lacking: map[layout.Tagged]string{}}
	g, err := e.reader.GlobalObject(native)
	if err != nil {
		re.native = 0
		return re
	}
	re.global = g
	for _, name := range globals {
		s, err := e.reader.Global(native, name)
		if err != nil || s.Raw || !e.reader.IsReceiver(s.Word) {
			continue
		}
		e.name(re, s.Word, name)
		if !e.members(re, s.Word, name) {
			re.lacking[s.Word] = name
		}
		proto, ok := e.reader.FunctionPrototype(s.Word)
		if !ok {
			continue
		}
		if !e.members(re, proto, name+".prototype") {
			re.lacking[proto] = name + ".prototype"
			continue
		}
		re.prototypes[name] = proto
		if name == "Uint8Array" {
			e.members(re, e.reader.PrototypeOf(s.Word), "TypedArray")
			e.members(re, e.reader.PrototypeOf(proto), "TypedArray.prototype")
		}
	}
	return re
}

// members names the functions that an object has as properties. It returns false if they cannot be read.
func (e *Engine) members(re *realm, o layout.Tagged, path string) bool {
	list, _, err := e.reader.Properties(o, maxItems)
	for i := range list {
		p := &list[i]
		name := path + "." + p.Name
		if p.Symbol {
			name = path + "[" + p.Name + "]"
		}
		switch {
		case p.Accessor:
			e.name(re, p.Getter, "get "+name)
		case p.Native || p.Value.Raw:
		case path == "Symbol" && e.reader.Is(p.Value.Word, e.reader.Types.Symbol):
			re.symbols[p.Name] = p.Value.Word
		default:
			e.name(re, p.Value.Word, name)
		}
	}
	return err == nil
}

func (e *Engine) name(re *realm, fn layout.Tagged, name string) {
	_, read := e.reader.InstanceType(fn)
	missing := !read && fn.IsHeap() && intrinsics[name] != nil // a function that a bundle lacks
	if re.names[fn] == "" && (missing || e.reader.IsFunction(fn) && e.reader.IsBuiltin(fn) ||
		e.bareFunction(fn) && e.reader.NativeHolds(re.native, fn)) {
		re.names[fn] = name
	}
}

// bareFunction reports whether an object is a function whose SharedFunctionInfo is not in the core.
func (e *Engine) bareFunction(fn layout.Tagged) bool {
	return e.reader.IsReceiver(fn) && !e.reader.IsFunction(fn) &&
		(e.reader.TypeNamed(fn, "FUNCTION") || e.reader.TypeNamed(fn, "CONSTRUCTOR"))
}

// intrinsic is the name of a function of V8's own: what leads to it from the global
// object, or of one that is not known its own. It is "" for all others.
func (m *Machine) intrinsic(v Value) string {
	h, ok := v.(Heap)
	t := layout.Tagged(h)
	if !ok {
		return ""
	}
	if _, read := m.reader.InstanceType(t); !read {
		return m.realm(0).names[t]
	}
	if !m.reader.IsFunction(t) && !m.bareFunction(t) {
		return ""
	}
	if name := m.realm(t).names[t]; name != "" {
		return name
	}
	if !m.reader.IsFunction(t) || !m.reader.IsBuiltin(t) {
		return ""
	}
	return "the builtin " + m.reader.FunctionNameOf(t)
}

// word is the value of a tagged word.
func (m *Machine) word(t layout.Tagged) Value { return m.Of(object.Slot{Word: t}) }

// A builtin is a function of V8's own, written in Go.
type builtin = func(m *Machine, this Value, args []Value) Value

// intrinsics are the known functions, by the names that realms give them. Each file adds its own.
var intrinsics = map[string]builtin{}

func register(table map[string]builtin) { maps.Copy(intrinsics, table) }

// constructors make objects of V8's own classes.
var constructors = map[string]func(m *Machine, args []Value) Value{}

// natives call functions of the program that need C++ of its host; ok is false for others.
var natives []func(m *Machine, fn Heap, this Value, args []Value) (v Value, ok bool)

// madeGlobals returns a global of V8's own that is made, for a process whose realm is not in the core.
var madeGlobals func(m *Machine, name string) (Value, bool)

// prototypeNamed is the prototype of the objects of a class of V8's own: the realm's, else one that is made of the
// known functions.
func prototypeNamed(m *Machine, class string) Value {
	if t := m.realm(0).prototypes[class]; t != 0 {
		return Heap(t)
	}
	v, ok := madeGlobals(m, class)
	if fn, made := v.(*Object); ok && made && fn.Function != nil {
		if p := fn.Props[Key{Name: "prototype"}]; p != nil {
			return p.Value
		}
	}
	if class != "Object" {
		return prototypeNamed(m, "Object")
	}
	return Null{}
}

// readable is the object itself, or the one that is made instead of an object of V8's whose properties are not in
// the core.
func readable(m *Machine, v Value) Value {
	h, ok := v.(Heap)
	if !ok {
		return v
	}
	name := m.realm(0).lacking[layout.Tagged(h)]
	if name == "" {
		return v
	}
	if class, is := strings.CutSuffix(name, ".prototype"); is {
		return prototypeNamed(m, class)
	}
	if made, ok := madeGlobals(m, name); ok {
		return made
	}
	return v
}

// objectPrototype is Object.prototype of the realm of a function.
func objectPrototype(m *Machine, fn layout.Tagged) Value {
	if t := m.realm(fn).prototypes["Object"]; t != 0 {
		return Heap(t)
	}
	return prototypeNamed(m, "Object")
}

// wellKnownSymbols are used where the realm is not in the core.
var wellKnownSymbols = map[string]*Symbol{}

func init() {
	for _, name := range []string{"iterator", "asyncIterator", "hasInstance", "toPrimitive", "toStringTag", "species",
		"isConcatSpreadable", "match", "matchAll", "replace", "search", "split", "unscopables"} {
		wellKnownSymbols[name] = &Symbol{Description: "Symbol." + name, named: true}
	}
}

// wellKnown is the key of a well-known symbol.
func (m *Machine) wellKnown(name string) (Key, bool) {
	if t := m.realm(0).symbols[name]; t != 0 {
		return Key{Symbol: t}, true
	}
	return Key{Own: wellKnownSymbols[name]}, true
}

// WellKnown is the key of a well-known symbol, such as "toStringTag".
func (m *Machine) WellKnown(name string) (Key, bool) { return m.wellKnown(name) }
