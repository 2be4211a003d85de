package ecma

import (
	"context"
	"strings"

	"coredbg/runtimes/v8/layout"
)

// A Realm recognizes V8's own functions by the globals that lead to them.
type Realm struct {
	Native, Global layout.Tagged
	names          map[layout.Tagged]string // "Array.prototype.join", "get Map.prototype.size"
	prototypes     map[string]layout.Tagged // by the name of the constructor
	symbols        map[string]layout.Tagged // "iterator"
	// lacking are V8's own objects whose properties are not in the core, with their names: others are made for them.
	lacking map[layout.Tagged]string
}

// globalNames are the globals whose functions are known.
var globalNames = []string{
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

// Realm returns the realm of a function. 0 stands for the function that was called first.
func (m *Machine) Realm(fn layout.Tagged) *Realm {
	native := m.native
	if fn != 0 {
		if ctx, ok := m.Reader.Field(fn, m.Reader.Layout.JSFunction.Context); ok {
			native, _ = m.Reader.NativeContext(ctx)
		}
	}
	if native == 0 {
		if list, err := m.Reader.Realms(context.Background(), nil); err == nil && len(list) > 0 {
			native = list[0]
		}
	}
	if m.native == 0 {
		m.native = native
	}
	if x, ok := m.realms.Load(native); ok {
		return x.(*Realm)
	}
	re := m.newRealm(native)
	m.realms.Store(native, re)
	return re
}

func (e *Engine) newRealm(native layout.Tagged) *Realm {
	re := &Realm{Native: native, names: map[layout.Tagged]string{}, prototypes: map[string]layout.Tagged{},
		symbols: map[string]layout.Tagged{}, lacking: map[layout.Tagged]string{}}
	g, err := e.Reader.GlobalObject(native)
	if err != nil {
		re.Native = 0
		return re
	}
	re.Global = g
	e.intl(re)
	for _, name := range globalNames {
		s, err := e.Reader.Global(native, name)
		if err != nil || s.Raw || !e.Reader.IsReceiver(s.Word) {
			continue
		}
		e.name(re, s.Word, name)
		if !e.members(re, s.Word, name) {
			re.lacking[s.Word] = name
		}
		proto, ok := e.Reader.FunctionPrototype(s.Word)
		if !ok {
			continue
		}
		if !e.members(re, proto, name+".prototype") {
			re.lacking[proto] = name + ".prototype"
			continue
		}
		re.prototypes[name] = proto
		if name == "Uint8Array" {
			e.members(re, e.Reader.PrototypeOf(s.Word), "TypedArray")
			e.members(re, e.Reader.PrototypeOf(proto), "TypedArray.prototype")
		}
	}
	return re
}

// intlNames are the classes of Intl whose functions are known.
var intlNames = []string{"DateTimeFormat", "NumberFormat"}

// intl names the classes of Intl and their functions.
func (e *Engine) intl(re *Realm) {
	s, err := e.Reader.Global(re.Native, "Intl")
	if err != nil || s.Raw || !e.Reader.IsReceiver(s.Word) {
		return
	}
	for _, name := range intlNames {
		p, ok := e.Reader.OwnProperty(s.Word, name)
		if !ok || !e.Reader.IsReceiver(p.Value) {
			continue
		}
		name = "Intl." + name
		e.name(re, p.Value, name)
		if proto, ok := e.Reader.FunctionPrototype(p.Value); ok && e.members(re, proto, name+".prototype") {
			re.prototypes[name] = proto
		}
	}
}

// members names the functions that an object has as properties. It returns false if they cannot be read.
func (e *Engine) members(re *Realm, o layout.Tagged, path string) bool {
	list, _, err := e.Reader.Properties(o, MaxItems)
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
		case path == "Symbol" && e.Reader.Is(p.Value.Word, e.Reader.Types.Symbol):
			re.symbols[p.Name] = p.Value.Word
		default:
			e.name(re, p.Value.Word, name)
		}
	}
	return err == nil
}

func (e *Engine) name(re *Realm, fn layout.Tagged, name string) {
	_, read := e.Reader.InstanceType(fn)
	missing := !read && fn.IsHeap() && e.Library.Functions[name] != nil // a function that a bundle lacks
	if re.names[fn] == "" && (missing || e.Reader.IsFunction(fn) && e.Reader.IsBuiltin(fn) ||
		e.bareFunction(fn) && e.Reader.NativeHolds(re.Native, fn)) {
		re.names[fn] = name
	}
}

// bareFunction reports whether an object is a function whose SharedFunctionInfo is not in the core.
func (e *Engine) bareFunction(fn layout.Tagged) bool {
	return e.Reader.IsReceiver(fn) && !e.Reader.IsFunction(fn) &&
		(e.Reader.TypeNamed(fn, "FUNCTION") || e.Reader.TypeNamed(fn, "CONSTRUCTOR"))
}

// Intrinsic is the name of a function of V8's own: what leads to it from the global
// object, or of one that is not known its own. It is "" for all others.
func (m *Machine) Intrinsic(v Value) string {
	h, ok := v.(Heap)
	t := layout.Tagged(h)
	if !ok {
		return ""
	}
	if _, read := m.Reader.InstanceType(t); !read {
		return m.Realm(0).names[t]
	}
	if !m.Reader.IsFunction(t) && !m.bareFunction(t) {
		return ""
	}
	if name := m.Realm(t).names[t]; name != "" {
		return name
	}
	if !m.Reader.IsFunction(t) || !m.Reader.IsBuiltin(t) {
		return ""
	}
	return "the builtin " + m.Reader.FunctionNameOf(t)
}

// PrototypeNamed is the prototype of the objects of a class of V8's own: the realm's, else one that is made of the
// known functions.
func PrototypeNamed(m *Machine, class string) Value {
	if t := m.Realm(0).prototypes[class]; t != 0 {
		return Heap(t)
	}
	v, ok := m.Library.Global(m, class)
	if fn, made := v.(*Object); ok && made && fn.Function != nil {
		if p := fn.Props[Key{Name: "prototype"}]; p != nil {
			return p.Value
		}
	}
	if class != "Object" {
		return PrototypeNamed(m, "Object")
	}
	return Null{}
}

// Readable is the object itself, or the one that is made instead of an object of V8's whose properties are not in
// the core.
func Readable(m *Machine, v Value) Value {
	h, ok := v.(Heap)
	if !ok {
		return v
	}
	name := m.Realm(0).lacking[layout.Tagged(h)]
	if name == "" {
		return v
	}
	if class, is := strings.CutSuffix(name, ".prototype"); is {
		return PrototypeNamed(m, class)
	}
	if made, ok := m.Library.Global(m, name); ok {
		return made
	}
	return v
}

// ObjectPrototype is Object.prototype of the realm of a function.
func ObjectPrototype(m *Machine, fn layout.Tagged) Value {
	if t := m.Realm(fn).prototypes["Object"]; t != 0 {
		return Heap(t)
	}
	return PrototypeNamed(m, "Object")
}

// WellKnownSymbols are used where the realm is not in the core.
var WellKnownSymbols = func() map[string]*Symbol {
	symbols := map[string]*Symbol{}
	for _, name := range []string{"iterator", "asyncIterator", "hasInstance", "toPrimitive", "toStringTag", "species",
		"isConcatSpreadable", "match", "matchAll", "replace", "search", "split", "unscopables"} {
		symbols[name] = &Symbol{Description: "Symbol." + name, Named: true}
	}
	return symbols
}()

// WellKnown is the key of a well-known symbol.
func (m *Machine) WellKnown(name string) (Key, bool) {
	if t := m.Realm(0).symbols[name]; t != 0 {
		return Key{Symbol: t}, true
	}
	return Key{Own: WellKnownSymbols[name]}, true
}
