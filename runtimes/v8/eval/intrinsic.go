package eval

import (
	"context"
	"maps"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// A realm recognizes V8's own functions by the globals that lead to them.
type realm struct {
	native, global layout.Tagged
	names          map[layout.Tagged]string // "Array.prototype.join", "get Map.prototype.size"
	prototypes     map[string]layout.Tagged // by the name of the constructor
	symbols        map[string]layout.Tagged // "iterator"
}

func (re *realm) prototype(class string) Value {
	if t := re.prototypes[class]; t != 0 {
		return Heap(t)
	}
	return Null{}
}

// globals are the globals whose functions are known.
var globals = []string{
	"Object", "Function", "Array", "Number", "Boolean", "String", "Symbol", "BigInt", "Date", "RegExp", "Map", "Set",
	"WeakMap", "WeakSet",
	"Error", "TypeError", "RangeError", "SyntaxError", "Promise", "Proxy", "Uint8Array", "ArrayBuffer", "Math",
	"JSON", "Reflect",
	"parseInt", "parseFloat", "isNaN", "isFinite",
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
		symbols: map[string]layout.Tagged{}}
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
		e.members(re, s.Word, name)
		proto, ok := e.reader.FunctionPrototype(s.Word)
		if !ok {
			continue
		}
		re.prototypes[name] = proto
		e.members(re, proto, name+".prototype")
		if name == "Uint8Array" {
			e.members(re, e.reader.PrototypeOf(proto), "TypedArray.prototype")
		}
	}
	return re
}

// members names the functions that an object has as properties.
func (e *Engine) members(re *realm, o layout.Tagged, path string) {
	list, _, _ := e.reader.Properties(o, maxItems)
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
}

func (e *Engine) name(re *realm, fn layout.Tagged, name string) {
	if re.names[fn] == "" && (e.reader.IsFunction(fn) && e.reader.IsBuiltin(fn) ||
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
	if !ok || !m.reader.IsFunction(t) && !m.bareFunction(t) {
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

// wellKnown is the key of a well-known symbol.
func (m *Machine) wellKnown(name string) (Key, bool) {
	t := m.realm(0).symbols[name]
	return Key{Symbol: t}, t != 0
}

// WellKnown is the key of a well-known symbol, such as "toStringTag".
func (m *Machine) WellKnown(name string) (Key, bool) { return m.wellKnown(name) }

// word is the value of a tagged word.
func (m *Machine) word(t layout.Tagged) Value { return m.Of(object.Slot{Word: t}) }

// A builtin is a function of V8's own, written in Go.
type builtin = func(m *Machine, this Value, args []Value) Value

// intrinsics are the known functions, by the names that realms give them. Each file adds its own.
var intrinsics = map[string]builtin{}

func register(table map[string]builtin) { maps.Copy(intrinsics, table) }
