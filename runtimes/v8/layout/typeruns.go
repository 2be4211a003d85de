package layout

// A typeRun is what is between two types that the image names: types that
// it does not name, in the order of their numbers.
type typeRun struct {
	from, to string
	between  []string // "" for one that nothing asks for
}

// typeRuns are those of V8 7.9 (Node 13), whose constants leave them out;
// objects/objects-definitions.h and torque-generated/instance-types-tq.h @ 7.9.
// The same runs in V8 8.1, which names more of them, are the witness, and the
// number of types between the two names is the condition.
var typeRuns = []typeRun{
	{"ODDBALL", "TUPLE2", []string{"", "", "", "", "", "", "", "", "", "", "FUNCTION_TEMPLATE_INFO", "OBJECT_TEMPLATE_INFO"}},
	{"FEEDBACK_CELL", "INTERPRETER_DATA", []string{"FUNCTION_TEMPLATE_RARE_DATA", "INTERCEPTOR_INFO", ""}},
	{"INTERPRETER_DATA", "SCRIPT", []string{"PROMISE_CAPABILITY", "PROMISE_REACTION", "PROTOTYPE_INFO"}},
	{"FIXED_DOUBLE_ARRAY", "UNCOMPILED_DATA_WITH_PREPARSE_DATA", []string{
		"AWAIT_CONTEXT", "BLOCK_CONTEXT", "CATCH_CONTEXT", "DEBUG_EVALUATE_CONTEXT", "EVAL_CONTEXT", "FUNCTION_CONTEXT",
		"MODULE_CONTEXT", "NATIVE_CONTEXT", "SCRIPT_CONTEXT", "WITH_CONTEXT",
		"SMALL_ORDERED_HASH_MAP", "SMALL_ORDERED_HASH_SET", "SMALL_ORDERED_NAME_DICTIONARY"}},
	{"DESCRIPTOR_ARRAY", "MAP", []string{"EMBEDDER_DATA_ARRAY", "FEEDBACK_METADATA", "FEEDBACK_VECTOR", "FILLER", "FREE_SPACE"}},
	{"PREPARSE_DATA", "SHARED_FUNCTION_INFO", []string{"PROPERTY_ARRAY", "PROPERTY_CELL"}},
	{"WEAK_ARRAY_LIST", "JS_GLOBAL_OBJECT", []string{"WEAK_CELL", "JS_PROXY"}},
	{"JS_PRIMITIVE_WRAPPER", "JS_DATA_VIEW", []string{
		"JS_MAP_KEY_ITERATOR", "JS_MAP_KEY_VALUE_ITERATOR", "JS_MAP_VALUE_ITERATOR", "JS_SET_KEY_VALUE_ITERATOR", "JS_SET_VALUE_ITERATOR",
		"JS_GENERATOR_OBJECT", "JS_ASYNC_FUNCTION_OBJECT", "JS_ASYNC_GENERATOR_OBJECT"}},
	{"JS_TYPED_ARRAY", "JS_OBJECT", []string{"JS_MAP", "JS_SET", "JS_WEAK_MAP", "JS_WEAK_SET", ""}},
	{"JS_OBJECT", "JS_ARRAY", []string{"JS_ARGUMENTS_OBJECT"}},
	{"JS_STRING_ITERATOR", "JS_BOUND_FUNCTION", []string{"JS_V8_BREAK_ITERATOR", "JS_WEAK_REF", "WASM_EXCEPTION_OBJECT",
		"WASM_GLOBAL_OBJECT", "WASM_INSTANCE_OBJECT", "WASM_MEMORY_OBJECT", "WASM_MODULE_OBJECT", "WASM_TABLE_OBJECT"}},
}

// nameRuns names the types of runs that have the known length. byName has the
// types that the image names, without _TYPE, and gets those.
func (t *types) nameRuns(byName map[string]int) {
	for _, r := range typeRuns {
		from, ok1 := byName[r.from+"_TYPE"]
		to, ok2 := byName[r.to+"_TYPE"]
		if !ok1 || !ok2 || to-from != len(r.between)+1 {
			continue
		}
		for i, name := range r.between {
			n := from + 1 + i
			if _, named := byName[name+"_TYPE"]; named || name == "" || t.Names[n] != "" {
				continue
			}
			t.Names[n], byName[name+"_TYPE"] = name+"_TYPE", n
		}
	}
}
