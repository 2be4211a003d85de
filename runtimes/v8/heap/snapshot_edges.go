package heap

import (
	"cmp"
	"slices"
	"strings"

	"coredbg/core"
	graph "coredbg/runtimes/heap"
	"coredbg/runtimes/heap/heapsnapshot"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
	"coredbg/runtimes/v8/reference"
)

// V8 classifies a reference by the field that contains it (V8HeapExplorer::ExtractReferences): properties,
// elements and variables as a program sees them, named fields of its own objects, and the remaining fields,
// which are hidden. From the named and hidden ones it leaves out references to constants that all objects refer
// to.

// edgeNames are the fields that V8's snapshots name, by the name of the field here.
var edgeNames = map[string]string{
	"raw_feedback_cell": "feedback_cell", "shared_function_info": "shared", "shared": "shared", "context": "context",
	"raw_code": "code", "code": "code",
	"target": "bound_function", "this": "bound_this", "arguments": "bindings", "buffer": "buffer", "table": "table",
	"reactions_or_result": "reactions_or_result", "function": "function", "receiver": "receiver",
	"parameters_and_registers": "parameters_and_registers",
	"native_context":           "native_context", "global_proxy": "global_proxy", "name": "name", "first": "first",
	"second": "second", "parent": "parent", "actual": "actual",
}

// edgeNamesOf are such fields of V8's own objects, by their types.
var edgeNamesOf = map[string]map[string]string{
	"MAP_TYPE": {"prototype": "prototype", "dependent_code": "dependent_code", "descriptors": "descriptors",
		"instance_descriptors":              "descriptors",
		"synchronized_instance_descriptors": "descriptors", "custom_descriptor": "descriptors",
		"prototype_info":                "prototype_info",
		"transitions_or_prototype_info": "transitions", "transitions": "transitions", "raw_transitions": "transitions",
		"constructor_or_back_pointer": "constructor", "constructor_or_backpointer": "constructor",
		"constructor_or_back_pointer_or_native_context": "constructor"},
	"SHARED_FUNCTION_INFO_TYPE": {"name_or_scope_info": "name_or_scope_info", "function_data": "function_data",
		"trusted_function_data":                     "trusted_function_data",
		"feedback_metadata":                         "raw_outer_scope_info_or_feedback_metadata",
		"outer_scope_info_or_feedback_metadata":     "raw_outer_scope_info_or_feedback_metadata",
		"raw_outer_scope_info_or_feedback_metadata": "raw_outer_scope_info_or_feedback_metadata",
		"script_or_debug_info":                      "script_or_debug_info",
		"raw_script":                                "script", "script": "script",
		"untrusted_data": "untrusted_function_data", "untrusted_function_data": "untrusted_function_data"},
	"SCRIPT_TYPE": {"source": "source", "name": "name", "context_data": "context_data",
		"line_ends": "line_ends"},
	"ACCESSOR_PAIR_TYPE": {"getter": "getter", "setter": "setter"},
	"ACCESSOR_INFO_TYPE": {"name": "name", "data": "data", "getter": "getter", "setter": "setter",
		"js_getter": "js_getter"},
	"CELL_TYPE":          {"value": "value"},
	"FEEDBACK_CELL_TYPE": {"value": "value"},
	"PROPERTY_CELL_TYPE": {"value": "value", "dependent_code": "dependent_code"},
	"ALLOCATION_SITE_TYPE": {"transition_info_or_boilerplate": "transition_info",
		"nested_site": "nested_site", "dependent_code": "dependent_code"},
	"ARRAY_BOILERPLATE_DESCRIPTION_TYPE": {"constant_elements": "constant_elements"},
	"SYMBOL_TYPE":                        {"name": "name", "description": "name"},
	"CODE_TYPE": {"relocation_info": "relocation_info", "deoptimization_data": "deoptimization_data",
		"source_position_table":                   "source_position_table",
		"deoptimization_data_or_interpreter_data": "deoptimization_data",
		"bytecode_or_interpreter_data":            "interpreter_data",
		"position_table":                          "source_position_table",
		"bytecode_offset_table":                   "bytecode_offset_table", "instruction_stream": "instruction_stream"},
}

// A fieldPlace is a field that has no name here, or another one: the first word of an
// object after its map, or one after that.
type fieldPlace struct {
	typ, name string
	later     bool
}

// unnamedFields are such fields that V8's snapshots name.
var unnamedFields = map[fieldPlace]string{
	{"ARRAY_BOILERPLATE_DESCRIPTION_TYPE", "", true}: "constant_elements",
	{"ACCESSOR_INFO_TYPE", "", false}:                "name",
	{"ACCESSOR_INFO_TYPE", "", true}:                 "data",
	{"PROPERTY_CELL_TYPE", "", true}:                 "dependent_code",
	{"CODE_TYPE", "", false}:                         "relocation_info",
	{"FEEDBACK_CELL_TYPE", "", false}:                "value",
}

// collections are the kinds of objects that have a table.
var collections = []object.Kind{object.KindMap, object.KindSet, object.KindWeakMap, object.KindWeakSet}

// extended reports whether a context has a slot for an extension.
func (x *exporter) extended(o layout.Tagged) bool {
	c, err := x.h.v.objects.Context(o)
	return err == nil && c.Extended
}

// isCode reports whether an object is what a function refers to as its code.
func (x *exporter) isCode(o layout.Tagged) bool {
	typ, ok := x.h.v.InstanceType(o)
	return ok && typ < x.h.v.Types.FirstReceiver && x.h.TypeClass(typ, o) == "(code)"
}

// Edges visits the references of an object with the kinds and names that V8 gives them.
// A property in a store is one of the object, and the store refers to it as well.
func (x *exporter) Edges(at core.Addr, size uint64, typ int32, visit func(heapsnapshot.Edge)) {
	n, m := x.shape(at, typ), x.objects.maps[typ]
	o := layout.Tag(at)
	var variables map[int]string
	if n.kind == heapsnapshot.Object && !n.receiver {
		variables = x.variables(o)
	}
	hidden := 0
	data := x.objects.bytes(at, size)
	x.h.eachEdge(&x.kinds, at, m.Typ, data, func(w wordEdge) {
		e := heapsnapshot.Edge{Type: heapsnapshot.InternalEdge, From: at, To: w.to.Addr()}
		f, property := n.at(w.offset)
		name, variable := "", false
		if variables != nil {
			name, variable = variables[w.offset]
		}
		switch {
		case w.from != at:
			if x.empty(layout.Tag(w.from)) {
				return
			}
			visit(heapsnapshot.Edge{Type: heapsnapshot.WeakEdge, Name: x.index(w.offset >> n.shift),
				From: at, To: e.To})
			e.Name = &heapsnapshot.Name{Text: x.pair(at, w.from, w.to)}
			visit(e)
			e.From = w.from
		case property && !f.Accessor && w.strength == edgeStrong:
			x.property(at, &f.name, w.to, visit)
			return
		case property && f.Accessor:
			x.accessor(at, &f.name, w.to, visit)
			return
		case n.function && w.offset == x.h.v.Layout.ObjectLayout.JSFunction.PrototypeOrInitialMap && !x.h.v.IsMap(w.to):
			return // the property "prototype" itself
		case variable && w.strength == edgeStrong:
			e.Type, e.Name = heapsnapshot.ContextEdge, x.once(name)
		case x.empty(w.to) && !(n.boilerplate && x.h.v.Is(w.to, x.h.v.Types.Hole)):
			return
		default:
			if e.Name = x.nameField(n, m.Typ, o, w); e.Name == nil {
				e.Type, e.Index = heapsnapshot.HiddenEdge, hidden
			}
			hidden++
			if w.strength == edgeWeak {
				if e.Type, e.Index = heapsnapshot.WeakEdge, 0; e.Name == nil {
					e.Name = x.index(w.offset >> n.shift)
				}
			}
		}
		visit(e)
	})
	if n.receiver {
		x.properties(n, o, data, visit)
	}
}

// nameField names a word that no program has a name for, if V8 does; nil else.
func (x *exporter) nameField(n *shapeNames, typ int, o layout.Tagged, w wordEdge) *heapsnapshot.Name {
	switch {
	case w.offset == 0:
		return &x.ofMap
	case n.numbered:
		return x.index((w.offset - x.h.v.Layout.FixedArray.Data) >> n.shift)
	}
	name := x.fieldName(n, typ, o, w)
	switch {
	case n.receiver:
	case name.Text == "extension" && !x.extended(o):
		return nil
	case name.Text == "constructor" && x.h.v.IsMap(w.to):
		return x.once("back_pointer")
	case typ == x.h.v.Types.MapType && w.strength == edgeWeak:
		return x.once("transition")
	case typ == x.h.v.Types.MapType && (w.offset == x.transitions || name.Text == "transitions" ||
		name.Text == "prototype_info"):
		return x.once(x.ofTransitions(w.to))
	}
	if name.Text == "" {
		return nil
	}
	return name
}

// fieldName names a field of objects of a type.
func (x *exporter) fieldName(n *shapeNames, typ int, o layout.Tagged, w wordEdge) *heapsnapshot.Name {
	word := w.offset >> n.shift
	if word < len(n.fields) && n.fields[word] != nil {
		return n.fields[word]
	}
	key := fieldKey{typ, w.offset}
	name, ok := x.fields[key]
	if !ok {
		name = &heapsnapshot.Name{Text: x.newFieldName(n, typ, o, w)}
		x.fields[key] = name
	}
	if word >= len(n.fields) && word < maxInObject {
		n.fields = append(n.fields, make([]*heapsnapshot.Name, word+1-len(n.fields))...)
	}
	if word < len(n.fields) {
		n.fields[word] = name
	}
	return name
}

// newFieldName returns "" for a field that V8 does not name.
func (x *exporter) newFieldName(n *shapeNames, typ int, o layout.Tagged, w wordEdge) string {
	l := x.h.v.Layout
	name := ""
	f := x.h.names.FieldOf(reference.Word{Holder: o, Offset: w.offset, Type: typ, Target: w.to})
	if f.Kind == graph.Part {
		name = strings.ReplaceAll(f.Name, " ", "_")
	}
	switch own := edgeNamesOf[x.h.v.Types.Name(typ)]; {
	case n.receiver && w.offset == l.JSReceiver.Properties:
		return "properties"
	case n.receiver && w.offset == l.JSObject.Elements:
		return "elements"
	case n.function && w.offset == l.ObjectLayout.JSFunction.PrototypeOrInitialMap:
		return "initial_map"
	case typ == x.h.v.Types.MapType && name == "" && w.offset == l.Map.Prototype:
		return "prototype"
	case n.receiver && w.offset == l.JSCollection.Table &&
		slices.Contains(collections, x.h.v.objects.KindOf(o, x.h.names.ShapeOf(o))):
		return "table"
	case n.function && (w.offset == l.JSFunction.DispatchHandle || name == "" && x.isCode(w.to)):
		return "code"
	case own != nil:
		return cmp.Or(own[name], unnamedFields[fieldPlace{x.h.v.Types.Name(typ), name, w.offset > 8}])
	case x.h.v.objects.IsContext(o):
		return [...]string{"scope_info", "previous", "extension",
			""}[min(max(w.offset-l.Context.Data, 0)/x.h.v.SlotSize(), 3)]
	case n.receiver || typ < l.String.FirstNonstringType || n.kind == heapsnapshot.Symbol:
		return edgeNames[name]
	}
	return ""
}

// ofTransitions names a map's transitions field by its target.
func (x *exporter) ofTransitions(to layout.Tagged) string {
	typ, _ := x.h.v.InstanceType(to)
	switch {
	case x.h.v.Types.Names[typ] == "TRANSITION_ARRAY_TYPE":
		return "transitions"
	case x.isFixedArray(typ):
		return "transition"
	}
	return "prototype_info"
}

// transitionsField returns the offset of the transitions in maps: only there maps refer to other maps weakly.
// It is 0 if no map does. Some versions do not name the field.
func (x *exporter) transitionsField() int {
	hs := x.h.v
	size := 0
	for _, m := range x.objects.maps {
		if m.Typ == hs.Types.MapType {
			size = m.Size // of maps
		}
	}
	for _, m := range x.objects.maps {
		for off := hs.SlotSize(); off < size; off += hs.SlotSize() {
			if w, ok := hs.Field(m.Word, off); ok && w&3 == 3 && hs.IsMap(w&^2) {
				return off
			}
		}
	}
	return 0
}

// arrayTypes returns the first type of FixedArrays and their subtypes, and the type after the last
// (objects/objects-definitions.h).
func (hs *Walker) arrayTypes() [2]int {
	first := hs.TypeNumber("FIXED_ARRAY_TYPE")
	end := first + 1
	for _, next := range []string{"BYTE_ARRAY_TYPE", "WEAK_FIXED_ARRAY_TYPE"} {
		if n := hs.TypeNumber(next); n > first && (end == first+1 || n < end) {
			end = n
		}
	}
	return [2]int{first, end}
}

func (x *exporter) isFixedArray(typ int) bool { return typ >= x.arrays[0] && typ < x.arrays[1] }

// empty reports whether an object is one of the constants that V8's snapshots omit from internal references:
// undefined and its kin, empty arrays, the most frequent maps (V8HeapExplorer::IsEssentialObject).
func (x *exporter) empty(o layout.Tagged) bool {
	if !x.constant(o.Addr()) {
		return false
	}
	at := o.Addr()
	r := &x.recent[at>>3%core.Addr(len(x.recent))]
	if r.at != at {
		known, ok := x.trivial[at]
		if !ok {
			known = x.isEmpty(o)
			x.trivial[at] = known
		}
		*r = constant{at, known}
	}
	return r.trivial
}

func (x *exporter) isEmpty(o layout.Tagged) bool {
	hs := x.h.v
	typ, ok := hs.InstanceType(o)
	switch {
	case !ok:
		return false
	case hs.objects.OddballKind(o) != "":
		return true
	case typ == hs.Types.MapType:
		of, ok := hs.MapInstanceType(o)
		return ok && (of == hs.Types.Shared || slices.Contains([]string{"FIXED_ARRAY_TYPE", "CELL_TYPE",
			"PROPERTY_CELL_TYPE"}, hs.Types.Names[of]) || hs.IsFree(of))
	}
	switch name := hs.Types.Names[typ]; name {
	case "FIXED_ARRAY_TYPE", "BYTE_ARRAY_TYPE", "WEAK_FIXED_ARRAY_TYPE":
		n, ok := hs.objects.FixedLength(o)
		return ok && n == 0
	default:
		if strings.Contains(name, "DESCRIPTOR_ARRAY") {
			n, ok := hs.U16(o.Addr().Add(int64(hs.Slots(1))))
			return ok && n == 0
		}
	}
	return false
}
