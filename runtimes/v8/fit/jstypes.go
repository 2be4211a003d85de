package fit

import (
	"maps"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// The types of JavaScript's own objects have no maps in the read-only heap. They are recognized by the
// constructors of their maps: each realm has the language's constructors.

// constructorTypes are the instance types of objects that constructors of the language
// make.
var constructorTypes = map[string]string{
	"Object": "JS_OBJECT", "Array": "JS_ARRAY", "Promise": "JS_PROMISE", "Map": "JS_MAP", "Set": "JS_SET",
	"WeakMap": "JS_WEAK_MAP",
	"WeakSet": "JS_WEAK_SET", "WeakRef": "JS_WEAK_REF", "FinalizationRegistry": "JS_FINALIZATION_REGISTRY",
	"Date": "JS_DATE", "RegExp": "JS_REG_EXP", "ArrayBuffer": "JS_ARRAY_BUFFER", "DataView": "JS_DATA_VIEW",
	"Error": "JS_ERROR", "TypeError": "JS_ERROR", "Number": "JS_PRIMITIVE_WRAPPER", "Uint8Array": "JS_TYPED_ARRAY",
	"Float64Array": "JS_TYPED_ARRAY", "Proxy": "JS_PROXY", "Iterator": "JS_VALID_ITERATOR_WRAPPER",
	"Arguments": "JS_ARGUMENTS_OBJECT",
}

// jsTypes finds the instance types of objects of JavaScript: by type, how often maps of
// each constructor have it.
func (v *Candidate) jsTypes(least int) map[int]map[string]int {
	out := map[int]map[string]int{}
	seen := map[layout.Tagged]bool{}
	callable := 0
	var objects []flagged
	v.objects().each(func(a core.Addr, m layout.Tagged) bool {
		if seen[m] {
			return true
		}
		seen[m] = true
		typ, ok := v.MapInstanceType(m)
		if !ok || typ <= least || !v.IsMap(m) {
			return true
		}
		touch(v.Memory, a)
		if out[typ] == nil {
			out[typ] = map[string]int{}
		}
		constructor := v.constructorOfMap(m)
		out[typ][constructor]++
		switch bits := v.lowFlags(m); constructor {
		case "Function":
			callable += int(bits>>1) - int(bits&1)
		case "Object":
			objects = append(objects, flagged{typ, bits})
		}
		return true
	})
	// Instances of the maps that Function makes can be called; where bit_field has lost its
	// first bit, that one is the first now.
	bit := byte(2)
	if callable < 0 {
		bit = 1
	}
	for _, m := range objects {
		if m.bits&bit != 0 {
			if out[m.typ]["Object"]--; out[m.typ]["Object"] == 0 {
				delete(out[m.typ], "Object")
			}
			out[m.typ][callableObject]++
		}
	}
	return out
}

// callableObject stands for the constructor Object of maps whose instances can be called.
const callableObject = "Object()"

// A flagged is the type of a map and the lowest two bits of its bit_field. One of the two bits says that
// instances are callable (objects/map.tq: MapBitFields1).
type flagged struct {
	typ  int
	bits byte
}

// lowFlags returns the lowest two bits of a map's bit_field.
func (v *Candidate) lowFlags(m layout.Tagged) byte {
	var b [1]byte
	v.Bytes(b[:], m.Addr().Add(int64(v.Layout.Map.BitField)))
	return b[0] & 3
}

// maxBackPointers bounds the way from a map to the first of its transitions.
const maxBackPointers = 64

// constructorOfMap returns the name of the function that makes instances of a map, "" if
// that is not known.
func (v *Candidate) constructorOfMap(m layout.Tagged) string {
	for range maxBackPointers {
		c, ok := v.Field(m, v.Layout.Map.Constructor)
		if !ok {
			return ""
		}
		if v.IsMap(c) {
			m = c
			continue
		}
		if s, ok := v.Field(c, v.Layout.JSFunction.Shared); ok && v.IsSharedFunctionInfo(s) {
			return v.Objects.SharedName(s)
		}
		return ""
	}
	return ""
}

// jsAnchors returns the numbers of types, "JS_MAP", that constructors of the language show.
func jsAnchors(seen map[int]map[string]int) map[string]int {
	numbers := map[string]int{}
	best := map[string]int{}
	for _, typ := range slices.Sorted(maps.Keys(seen)) {
		for constructor, count := range seen[typ] {
			switch name := constructorTypes[constructor]; {
			case name == "":
			case count > best[name]:
				numbers[name], best[name] = typ, count
			case count == best[name] && numbers[name] != typ:
				delete(numbers, name) // which one is not known
			}
		}
	}
	return numbers
}

// boundFunction returns the type of bound functions. Object makes their maps, as it makes the maps of some of
// the language's own functions. Bound functions are callable, and have the function they call where functions
// have other fields (objects/js-function.tq: JSBoundFunction).
func (v *Candidate) boundFunction(seen map[int]map[string]int) (typ int, ok bool) {
	target := v.Layout.JSObject.Elements + v.SlotSize()
	for _, n := range slices.Sorted(maps.Keys(seen)) {
		if len(seen[n]) != 1 || seen[n][callableObject] == 0 {
			continue
		}
		for _, o := range v.samples(n) {
			own, _ := v.Field(o, v.Layout.JSFunction.Shared)
			fn, _ := v.Field(o, target)
			shared, ok := v.Field(fn, v.Layout.JSFunction.Shared)
			if ok && v.IsSharedFunctionInfo(shared) && !v.IsSharedFunctionInfo(own) {
				return n, true
			}
		}
	}
	return 0, false
}

// shiftedJS reports whether constructors show numbers that differ from the table's, although the numbers of the
// read-only heap may be the same.
func (v *Candidate) shiftedJS(table *layout.Table) bool {
	numbers := jsAnchors(v.jsTypes(table.Constants["type_Map__MAP_TYPE"]))
	for name, n := range table.Constants {
		if typ, ok := numbers[typeName(name)]; ok && typ != n {
			return true
		}
	}
	return false
}

// renumberJS returns the table with the numbers of JavaScript's types taken from the core. It derives the
// numbers between them.
func (v *Candidate) renumberJS(table, known *layout.Table) *layout.Table {
	least := 0
	for name, n := range table.Constants {
		if strings.HasPrefix(name, "type_") && known.Constants[name] < known.Constants["type_JSProxy__JS_PROXY_TYPE"] {
			least = max(least, n)
		}
	}
	seen := v.jsTypes(least)
	numbers := jsAnchors(seen)
	if typ, ok := v.boundFunction(seen); ok {
		numbers["JS_BOUND_FUNCTION"] = typ
	}
	to := map[int]int{}
	for name, n := range known.Constants {
		if typ, ok := numbers[typeName(name)]; ok {
			to[n] = typ
		}
	}
	moved := known.Renumbered(func(typ int) (int, bool) { n, ok := to[typ]; return n, ok })
	out := *table
	out.Constants = maps.Clone(table.Constants)
	for name, n := range moved.Constants {
		// Functions have moved among themselves.
		if _, anchored := to[known.Constants[name]]; !anchored && strings.HasSuffix(name, "FUNCTION_TYPE") {
			continue
		}
		if strings.HasPrefix(name, "type_") && known.Constants[name] >= known.Constants["type_JSProxy__JS_PROXY_TYPE"] {
			out.Constants[name] = n
		}
	}
	return &out
}

// globalTypes returns the types of global objects and of their proxies, by the constants of their numbers. A
// global object is a native context's extension. It refers to its proxy right after its elements, and is the
// proxy's prototype (objects/js-objects.tq: JSGlobalObject). The map of a function's map belongs to the
// function's realm, and has the realm's native context (objects/map.h: Map::native_context, since V8 12.1).
func (v *Candidate) globalTypes() map[string]int {
	votes, proxies := map[int]int{}, map[int]int{}
	best := -1
	for _, fn := range v.sampleFunctions() {
		m, ok := v.MapOf(fn)
		meta, ok1 := v.MapOf(m)
		native, ok2 := v.Field(meta, v.Layout.Map.Constructor)
		if !ok || !ok1 || !ok2 || !native.IsHeap() {
			continue
		}
		if n, ok := v.Objects.ContextLength(native); !ok || n <= v.Layout.Context.MinNative {
			continue
		}
		g, ok := v.Field(native, v.Layout.Context.GlobalObject)
		if !ok || !g.IsHeap() || !v.hasStores(g) {
			continue
		}
		typ, ok := v.InstanceType(g)
		if !ok {
			continue
		}
		if votes[typ]++; best < 0 || votes[typ] > votes[best] {
			best = typ
		}
		if p, ok := proxyType(v.Memory, g); ok {
			proxies[typ] = p
		}
	}
	if best < 0 {
		return nil
	}
	out := map[string]int{"type_JSGlobalObject__JS_GLOBAL_OBJECT_TYPE": best}
	if p, ok := proxies[best]; ok {
		out["type_JSGlobalProxy__JS_GLOBAL_PROXY_TYPE"] = p
	}
	return out
}

// proxyType returns the type of the proxy of a global object.
func proxyType(mem *layout.Memory, global layout.Tagged) (typ int, ok bool) {
	for i := 1; i <= 2; i++ { // until V8 12 the native context comes first
		p, ok := mem.Field(global, mem.Layout.JSObject.Elements+i*mem.Layout.Variant.TaggedSize)
		if !ok || !p.IsHeap() {
			continue
		}
		m, ok1 := mem.MapOf(p)
		proto, ok2 := mem.Field(m, mem.Layout.Map.Prototype)
		if ok1 && ok2 && proto == global {
			return mem.InstanceType(p)
		}
	}
	return 0, false
}

// typeName returns the type name in a constant: "JS_MAP" for type_JSMap__JS_MAP_TYPE.
func typeName(constant string) string {
	const prefix, suffix = "type_", "_TYPE"
	for i := len(prefix); i+2 < len(constant); i++ {
		if constant[i] == '_' && constant[i+1] == '_' && constant[:len(prefix)] == prefix &&
			len(constant) > i+2+len(suffix) {
			return constant[i+2 : len(constant)-len(suffix)]
		}
	}
	return ""
}
