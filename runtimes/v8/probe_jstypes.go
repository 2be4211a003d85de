package v8

import (
	"maps"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/v8/layout"
)

// The types of JavaScript's own objects have no maps in the read-only heap. They are known
// by the constructors of the maps that have them: each realm has those of the language.

// constructorTypes are the instance types of objects that constructors of the language
// make.
var constructorTypes = map[string]string{
	"Object": "JS_OBJECT", "Array": "JS_ARRAY", "Promise": "JS_PROMISE", "Map": "JS_MAP", "Set": "JS_SET", "WeakMap": "JS_WEAK_MAP",
	"WeakSet": "JS_WEAK_SET", "WeakRef": "JS_WEAK_REF", "FinalizationRegistry": "JS_FINALIZATION_REGISTRY",
	"Date": "JS_DATE", "RegExp": "JS_REG_EXP", "ArrayBuffer": "JS_ARRAY_BUFFER", "DataView": "JS_DATA_VIEW",
	"Error": "JS_ERROR", "TypeError": "JS_ERROR", "Number": "JS_PRIMITIVE_WRAPPER", "Uint8Array": "JS_TYPED_ARRAY",
	"Float64Array": "JS_TYPED_ARRAY", "Proxy": "JS_PROXY", "Iterator": "JS_VALID_ITERATOR_WRAPPER",
}

// jsTypes finds the instance types of objects of JavaScript: by type, how often maps of
// each constructor have it.
func (v *V8) jsTypes(least int) map[int]map[string]int {
	out := map[int]map[string]int{}
	seen := map[layout.Tagged]bool{}
	v.eachReference(func(a core.Addr, m layout.Tagged) bool {
		if seen[m] {
			return true
		}
		seen[m] = true
		typ, ok := v.MapInstanceType(m)
		if !ok || typ <= least || !v.IsMap(m) {
			return true
		}
		v.touch(a)
		if out[typ] == nil {
			out[typ] = map[string]int{}
		}
		out[typ][v.constructorOfMap(m)]++
		return true
	})
	return out
}

// maxBackPointers bounds the way from a map to the first of its transitions.
const maxBackPointers = 64

// constructorOfMap returns the name of the function that makes instances of a map, "" if
// that is not known.
func (v *V8) constructorOfMap(m layout.Tagged) string {
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

// renumberJS returns the table with the numbers of JavaScript's types, from the core, and
// those between them.
func (v *V8) renumberJS(table, known *layout.Table) *layout.Table {
	least := 0
	for name, n := range table.Constants {
		if strings.HasPrefix(name, "type_") && known.Constants[name] < known.Constants["type_JSProxy__JS_PROXY_TYPE"] {
			least = max(least, n)
		}
	}
	seen := v.jsTypes(least)
	numbers := map[string]int{}
	best := map[string]int{}
	for _, typ := range slices.Sorted(maps.Keys(seen)) {
		for constructor, count := range seen[typ] {
			if name := constructorTypes[constructor]; name != "" && count > best[name] {
				numbers[name], best[name] = typ, count
			}
		}
	}
	to := map[int]int{}
	for name, n := range known.Constants {
		if typ, ok := numbers[typeName(name)]; ok {
			to[n] = typ
		}
	}
	// The last of the special receivers are the global object and its proxy; the first,
	// and the first receiver of all, is Proxy's (objects/instance-type.h).
	last := 0
	for typ := range seen {
		if typ < known.Constants["SpecialAPIObjectType"] {
			last = max(last, typ)
		}
	}
	for i, name := range []string{"type_JSGlobalObject__JS_GLOBAL_OBJECT_TYPE", "type_JSGlobalProxy__JS_GLOBAL_PROXY_TYPE"} {
		if n, ok := known.Constants[name]; ok && last > 0 {
			to[n] = last - 1 + i
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

// typeName returns the name of the type that a constant type_JSMap__JS_MAP_TYPE is of:
// "JS_MAP".
func typeName(constant string) string {
	const prefix, suffix = "type_", "_TYPE"
	for i := len(prefix); i+2 < len(constant); i++ {
		if constant[i] == '_' && constant[i+1] == '_' && constant[:len(prefix)] == prefix && len(constant) > i+2+len(suffix) {
			return constant[i+2 : len(constant)-len(suffix)]
		}
	}
	return ""
}
