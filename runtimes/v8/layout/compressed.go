package layout

import (
	"slices"
	"strings"
)

// The rows hold the values of builds with tagged fields of a word. A row's form says how its
// value changes with compressed pointers. Mixed rows have their values here.

// compressedOffsets are the offsets of fields in builds with compressed pointers and
// without the sandbox, of classes that have untagged fields, by the names of their
// constants: objects/*.h @ 15.0, with TAGGED_SIZE_8_BYTES off. Such fields are not
// aligned to more than 4 bytes. They have not changed since 13.0, except where a
// row changes in builds with words too.
var compressedOffsets = map[string]int{
	"class_String__length__": 8, "class_SeqOneByteString__chars__": 12, "class_SeqTwoByteString__chars__": 12,
	"class_ConsString__first__": 12, "class_ConsString__second__": 16, "class_SlicedString__parent__": 12,
	"class_SlicedString__offset__": 16, "class_ThinString__actual__": 12, "class_ExternalString__resource__": 12,
	"class_HeapNumber__value__": 4, "class_Symbol__name__": 12, "class_JSDate__value__": 12,
	"class_Map__instance_size_in_words__": 4, "class_Map__inobject_properties_start_or_constructor_function_index__": 5,
	"class_Map__instance_type__": 8, "class_Map__bit_field__": 10, "class_Map__bit_field2__": 11,
	"class_Map__bit_field3__": 12,
	"class_Map__prototype__":  16, "class_Map__constructor_or_back_pointer__": 20,
	"class_Map__instance_descriptors__": 24,
	"class_JSFunction__shared__":        16, "class_JSFunction__context__": 20,
	"class_JSFunction__prototype_or_initial_map__":   28,
	"class_SharedFunctionInfo__name_or_scope_info__": 12, "class_SharedFunctionInfo__feedback_metadata__": 16,
	"class_SharedFunctionInfo__script__": 20, "class_SharedFunctionInfo__length__": 24,
	"class_SharedFunctionInfo__internal_formal_parameter_count__": 26,
	"class_SharedFunctionInfo__raw_function_token_offset__":       28,
	"class_SharedFunctionInfo__flags__":                           32,
	"class_UncompiledData__inferred_name__":                       4, "class_UncompiledData__start_position__": 8,
	"class_UncompiledData__end_position__": 12,
	"class_BytecodeArray__data__":          36, "class_Code__instruction_start__": 20,
	"class_JSArrayBuffer__byte_length__": 20, "class_JSArrayBuffer__backing_store__": 36,
	"class_JSArrayBufferView__byte_offset__": 24, "class_JSArrayBufferView__byte_length__": 32,
	"class_JSTypedArray__external_pointer__": 48, "class_JSTypedArray__base_pointer__": 56,

	"layout_String_ExternalData": 20, "layout_JSFunction_DispatchHandle": 12,
	"layout_SharedFunctionInfo_FunctionData": 4, "layout_SharedFunctionInfo_UntrustedData": 8,
	"layout_BytecodeArray_Positions": 12, "layout_BytecodeArray_HandlerTable": 16,
	"layout_BytecodeArray_ConstantPool": 20,
	"layout_BytecodeArray_FrameSize":    24, "layout_BytecodeArray_ParameterSize": 28,
	"layout_Code_DeoptData": 4, "layout_Code_PositionTable": 8, "layout_Code_Body": 16, "layout_Code_FromBody": 4,
	"layout_JSAPIObject_InternalFields": 16, "layout_Symbol_Flags": 8, "layout_BigInt_Bitfield": 4,
	"layout_BigInt_Digits":               8,
	"layout_JSArrayBuffer_MaxByteLength": 28, "layout_JSArrayBuffer_Extension": 44, "layout_JSArrayBuffer_BitField": 52,
	"layout_JSArrayBufferView_Buffer": 16, "layout_JSArrayBufferView_BitField": 20,
	"layout_ContextCell_Tagged": 4, "layout_ContextCell_State": 12, "layout_ContextCell_Double": 16,
}

// sandboxOffsets are the offsets that differ with the sandbox: trusted objects begin with their
// own handle (objects/trusted-object.h: ExposedTrustedObject), external pointers are
// handles of 4 bytes, and until V8 14 the table of code pointers had where the instructions
// of a Code begin (sandbox/code-pointer-table.h).
var sandboxOffsets = map[string]int{
	"class_UncompiledData__inferred_name__": 8, "class_UncompiledData__start_position__": 12,
	"class_UncompiledData__end_position__": 16,
	"class_BytecodeArray__data__":          40, "class_Code__flags__": 28, "class_Code__instruction_size__": 32,
	"layout_String_ExternalData": 16, "layout_InterpreterData_BytecodeArray": 8,
	"layout_BytecodeArray_Positions": 16, "layout_BytecodeArray_HandlerTable": 20,
	"layout_BytecodeArray_ConstantPool": 24,
	"layout_BytecodeArray_FrameSize":    28, "layout_BytecodeArray_ParameterSize": 32,
	"layout_Code_DeoptData": 8, "layout_Code_PositionTable": 12,
	"layout_JSArrayBuffer_BitField": 48,
}

// sinceCompressed returns the offset of a field that such builds have since 13.0, by the names of
// its constants, if it has had its place in builds with words since then or before, where it is at
// words; else Unknown.
func (v Variant) sinceCompressed(field string, words int, constants []string) int {
	if rowsByName()[field].value(V(13, 0)) != words {
		return Unknown
	}
	offsets := []map[string]int{compressedOffsets}
	if v.Sandbox {
		offsets = []map[string]int{sandboxOffsets, compressedOffsets}
	}
	for _, list := range offsets {
		names := sortedNames(list)
		for _, c := range constants {
			if name, ok := findConstant(names, c); ok {
				return list[name]
			}
		}
	}
	return Unknown
}

// withTrusted are the classes with references to trusted objects, which the sandbox has changed before builds
// without it.
var withTrusted = strings.Fields(`SharedFunctionInfo JSFunction UncompiledData InterpreterData BytecodeArray Code DeoptimizationData Script`)

// ofPeer returns the offset of a field of v that the table's own version has elsewhere, by the names of its
// constants. It takes the offset from the nearest table of the same variant, or of the variant without the
// sandbox if that makes no difference, whose version has the field at the same place as v in builds with
// words. It is Unknown if there is no such table.
func (t *Table) ofPeer(field string, v Version, constants []string) int {
	class, _, _ := strings.Cut(field, ".")
	for _, peer := range t.peers {
		if peer.Variant != t.Variant && slices.Contains(withTrusted, class) {
			continue
		}
		if _, moved := changedBetween(peer.Version, v)[field]; moved {
			continue
		}
		names := sortedNames(peer.Constants)
		for _, c := range constants {
			name, ok := findConstant(names, c)
			if _, differs := sandboxOffsets[c]; ok && (peer.Variant == t.Variant || !differs) {
				return peer.Constants[name]
			}
		}
	}
	return Unknown
}

// shifted returns where a field of a table with compressed pointers is after it has moved in builds
// with words by less than a tagged field has bytes, from one offset to another: only what is not
// tagged has changed before it, which is the same in both. It is Unknown for any other.
func shifted(values map[string]int, names, constants []string, from, to int) int {
	if from == Unknown || to == Unknown || from-to >= 4 || to-from >= 4 {
		return Unknown
	}
	for _, c := range constants {
		if name, ok := findConstant(names, c); ok {
			return values[name] + to - from
		}
	}
	return Unknown
}

// compressed returns the table of the same version for builds of another variant, whose
// instance types, frame types, bits and enumerations are the same.
func (t *Table) compressed(variant Variant) *Table {
	out := &Table{Version: t.Version, Variant: variant, MapsWidth: t.MapsWidth, Constants: map[string]int{}}
	for name, value := range t.Constants {
		if !strings.HasPrefix(name, "class_") && !strings.HasPrefix(name, "layout_") {
			out.Constants[name] = value
		}
	}
	for name, value := range compressedOffsets {
		out.Constants[name] = value
	}
	t.codeFields(out)
	if variant.Sandbox {
		for name, value := range sandboxOffsets {
			out.Constants[name] = value
		}
	}
	// The array's length and the descriptors' header follow from their values in builds with words.
	for _, prefix := range []string{"class_FixedArrayBase__length__", "class_DescriptorArray__header_size__"} {
		names := sortedNames(t.Constants)
		if name, ok := findConstant(names, prefix); ok {
			value := t.Constants[name] / 2
			if prefix == "class_DescriptorArray__header_size__" {
				value = compressedHeader(t.Constants[name])
			}
			out.Constants[name] = value
		}
	}
	out.Constants["TaggedSize"] = variant.TaggedSize
	return out
}

// codeFields adds the fields of Code after the address of its instructions, which are not
// tagged: from V8 13.6 on they begin with a handle (objects/code.h).
func (t *Table) codeFields(out *Table) {
	names := sortedNames(t.Constants)
	start, ok := findConstant(names, "class_Code__instruction_start__")
	for _, field := range []string{"class_Code__flags__", "class_Code__instruction_size__"} {
		if name, ok1 := findConstant(names, field); ok && ok1 {
			out.Constants[field] = compressedOffsets["class_Code__instruction_start__"] +
				t.Constants[name] - t.Constants[start]
		}
	}
}

// compressedHeader returns the bytes before the entries of a DescriptorArray: two counts
// of 2 bytes, 4 of the collector's, from V8 14.1 on 4 of flags, and a tagged field.
func compressedHeader(words int) int {
	if words == 32 {
		return 20
	}
	return 16
}
