package main

import (
	"strings"

	"coredbg/runtimes/v8/layout/gen/cxx"
)

// facts are the facts of layout.Layout that no constant of the script gives, each with the expression of C++
// that has its value. "@Class.field" is the offset of a field; a name with "=" in front is the row's own name.
// The first existing one of the alternatives between "|" counts. Facts that only V8's code shows are not here:
// they stay in the tables of versions.
const facts = `
=scopeinfo_idx_first_vars offsetof(ScopeInfo,position_info_end_)/kTaggedSize
PropertyDetails_OffsetInWordsMask PropertyDetails::OffsetInWordsField::kMask
PropertyDetails_OffsetInWordsShift PropertyDetails::OffsetInWordsField::kShift
PropertyDetails_InObjectShift PropertyDetails::InObjectField::kShift
String_UncachedTag kUncachedExternalStringTag
String_ExternalData @ExternalString.resource_data
Map_PrototypeMapShift Map::Bits3::IsPrototypeMapBit::kShift
Map_NewTargetIsBaseShift Map::Bits2::NewTargetIsBaseBit::kShift
Map_Descriptors @Map.instance_descriptors
Map_Constructor @Map.constructor_or_back_pointer_or_native_context|@Map.constructor_or_back_pointer
JSReceiver_Properties @JSReceiver.properties_or_hash
JSFunction_Shared @JSFunction.shared_function_info
JSFunction_Context @JSFunction.context
JSFunction_DispatchHandle @JSFunction.dispatch_handle
JSFunction_PrototypeOrInitialMap @JSFunction.prototype_or_initial_map|@JSFunctionWithPrototype.prototype_or_initial_map
SharedFunctionInfo_FunctionData @SharedFunctionInfo.trusted_function_data|@SharedFunctionInfo.function_data
SharedFunctionInfo_UntrustedData @SharedFunctionInfo.untrusted_function_data
SharedFunctionInfo_Name @SharedFunctionInfo.name_or_scope_info
SharedFunctionInfo_Outer @SharedFunctionInfo.outer_scope_info_or_feedback_metadata
SharedFunctionInfo_Script @SharedFunctionInfo.script|@SharedFunctionInfo.script_or_debug_info
SharedFunctionInfo_Length @SharedFunctionInfo.length
SharedFunctionInfo_Parameters @SharedFunctionInfo.formal_parameter_count
SharedFunctionInfo_FunctionTokenOffset @SharedFunctionInfo.function_token_offset
SharedFunctionInfo_Flags @SharedFunctionInfo.flags
SharedFunctionInfo_NativeShift SharedFunctionInfo::IsNativeBit::kShift
SharedFunctionInfo_StrictShift SharedFunctionInfo::IsStrictBit::kShift
SharedFunctionInfo_ClassConstructorShift SharedFunctionInfo::IsClassConstructorBit::kShift
SharedFunctionInfo_AnonymousShift SharedFunctionInfo::NameShouldPrintAsAnonymousBit::kShift
UncompiledData_InferredName @UncompiledData.inferred_name
UncompiledData_StartPosition @UncompiledData.start_position
UncompiledData_EndPosition @UncompiledData.end_position
InterpreterData_BytecodeArray @InterpreterData.bytecode_array
Script_Source @Script.source
Script_Name @Script.name
Script_LineOffset @Script.line_offset
Script_ColumnOffset @Script.column_offset
Script_LineEnds @Script.line_ends
Script_ID @Script.id
Script_EvalFromShared @Script.eval_from_shared_or_wrapped_arguments
Script_EvalFromPosition @Script.eval_from_position
Script_Flags @Script.flags
Script_SourceURL @Script.source_url
Script_Type @Script.script_type
Script_SharedInfos @Script.infos|@Script.shared_function_infos
ScopeInfo_FlagsWord @ScopeInfo.flags
ScopeInfo_HashedLocals kScopeInfoMaxInlinedLocalNamesSize
ScopeInfo_ModuleType static_cast<int>(ScopeType::MODULE_SCOPE)|static_cast<int>(MODULE_SCOPE)
ScopeInfo_ReceiverShift ScopeInfo::ReceiverVariableBits::kShift
ScopeInfo_ClassVariableShift ScopeInfo::HasSavedClassVariableBit::kShift
ScopeInfo_FunctionVariableShift ScopeInfo::FunctionVariableBits::kShift
ScopeInfo_InferredNameShift ScopeInfo::HasInferredFunctionNameBit::kShift
ScopeInfo_OuterShift ScopeInfo::HasOuterScopeInfoBit::kShift
ScopeInfo_ContextExtensionShift ScopeInfo::HasContextExtensionSlotBit::kShift
BytecodeArray_Data BytecodeArray::kHeaderSize
BytecodeArray_Positions @BytecodeArray.source_position_table
BytecodeArray_FrameSize @BytecodeArray.frame_size
BytecodeArray_ParameterSize @BytecodeArray.parameter_size
BytecodeArray_ConstantPool @BytecodeArray.constant_pool
BytecodeArray_HandlerTable @BytecodeArray.handler_table
Code_Body InstructionStream::kHeaderSize|Code::kHeaderSize
Code_FromBody @InstructionStream.code
Code_DeoptData @Code.deoptimization_data_or_interpreter_data|@Code.deoptimization_data
Code_PositionTable @Code.position_table|@Code.source_position_table
Code_Flags @Code.flags
Code_InstructionSize @Code.instruction_size
Code_KindBuiltin static_cast<int>(CodeKind::BUILTIN)
Code_KindInterpreted static_cast<int>(CodeKind::INTERPRETED_FUNCTION)
Code_KindBaseline static_cast<int>(CodeKind::BASELINE)
Code_KindMaglev static_cast<int>(CodeKind::MAGLEV)
Code_KindTurbofan static_cast<int>(CodeKind::TURBOFAN_JS)|static_cast<int>(CodeKind::TURBOFAN)|static_cast<int>(CodeKind::OPTIMIZED_FUNCTION)
DeoptimizationData_FrameTranslation DeoptimizationData::kFrameTranslationIndex|DeoptimizationData::kTranslationByteArrayIndex
DeoptimizationData_LiteralArray DeoptimizationData::kLiteralArrayIndex
DeoptimizationData_Shared DeoptimizationData::kWrappedSharedFunctionInfoIndex|DeoptimizationData::kSharedFunctionInfoWrapperIndex|DeoptimizationData::kSharedFunctionInfoIndex
DeoptimizationData_InliningPositions DeoptimizationData::kInliningPositionsIndex
DeoptimizationData_FirstEntry DeoptimizationData::kFirstDeoptEntryIndex
JSGeneratorObject_Function @JSGeneratorObject.function
JSGeneratorObject_Context @JSGeneratorObject.context
JSGeneratorObject_Receiver @JSGeneratorObject.receiver
JSGeneratorObject_Offset @JSGeneratorObject.input_or_debug_pos
JSGeneratorObject_Continuation @JSGeneratorObject.continuation
JSGeneratorObject_Saved @JSGeneratorObject.parameters_and_registers
JSGeneratorObject_Promise @JSAsyncFunctionObject.promise
PromiseReaction_Next @PromiseReaction.next
PromiseReaction_Reject @PromiseReaction.reject_handler
PromiseReaction_Fulfill @PromiseReaction.fulfill_handler
PromiseReaction_Promise @PromiseReaction.promise_or_capability
JSPromise_Reactions @JSPromise.reactions_or_result
JSPromise_Flags @JSPromise.flags
Frame_ArgCount StandardFrameConstants::kArgCOffset
Frame_SavedExitFP EntryFrameConstants::kNextExitFrameFPOffset
Frame_ExitNewTarget BuiltinExitFrameConstants::kNewTargetOffset
Frame_ExitTarget BuiltinExitFrameConstants::kTargetOffset
Frame_FirstCodeOffset kFunctionEntryBytecodeOffset
JSObject_Elements @JSObject.elements
JSObject_InternalFields JSObject::kHeaderSize
JSAPIObject_InternalFields JSAPIObjectWithEmbedderSlots::kHeaderSize
ElementsKind_FirstDouble static_cast<int>(PACKED_DOUBLE_ELEMENTS)
PropertyDetails_DictionaryIndexShift PropertyDetails::DictionaryStorageField::kShift
PropertyCell_Name @PropertyCell.name
PropertyCell_Details @PropertyCell.property_details_raw
PropertyCell_Value @PropertyCell.value
GlobalDictionary_Prefix GlobalDictionaryShape::kPrefixSize
Symbol_Flags @Symbol.flags
Symbol_Description @Symbol.description
BigInt_Bitfield @BigIntBase.bitfield
BigInt_Digits OFFSET_OF_DATA_START(BigInt)|@BigIntBase.digits
JSArray_Length @JSArray.length
JSArrayIterator_Object @JSArrayIterator.iterated_object
JSArrayIterator_Index @JSArrayIterator.next_index
JSBoundFunction_Target @JSBoundFunction.bound_target_function
JSBoundFunction_This @JSBoundFunction.bound_this
JSBoundFunction_Arguments @JSBoundFunction.bound_arguments
JSProxy_Target @JSProxy.target
JSProxy_Handler @JSProxy.handler
JSCollection_Table @JSCollection.table
JSCollection_IteratorTable @JSCollectionIterator.table
JSCollection_IteratorIndex @JSCollectionIterator.index
JSWeakRef_Target @JSWeakRef.target
WeakCell_Target @WeakCell.target
JSPrimitiveWrapper_Value @JSPrimitiveWrapper.value
JSDate_Value @JSDate.value
JSRegExp_Source @JSRegExp.source
JSRegExp_LastIndex JSRegExp::kHeaderSize
JSArrayBuffer_BackingStore @JSArrayBuffer.backing_store
JSArrayBuffer_ByteLength @JSArrayBuffer.raw_byte_length|@JSArrayBuffer.byte_length
JSArrayBuffer_MaxByteLength @JSArrayBuffer.raw_max_byte_length
JSArrayBuffer_Extension @JSArrayBuffer.extension
JSArrayBuffer_BitField @JSArrayBuffer.bit_field
JSArrayBuffer_DetachedMask JSArrayBuffer::WasDetachedBit::kMask
JSArrayBuffer_SharedMask JSArrayBuffer::IsSharedBit::kMask
JSArrayBufferView_Buffer @JSArrayBufferView.buffer
JSArrayBufferView_ByteOffset @JSArrayBufferView.raw_byte_offset|@JSArrayBufferView.byte_offset
JSArrayBufferView_ByteLength @JSArrayBufferView.raw_byte_length|@JSArrayBufferView.byte_length
JSArrayBufferView_BitField @JSArrayBufferView.bit_field
JSTypedArray_ExternalPointer @JSTypedArray.external_pointer
JSTypedArray_BasePointer @JSTypedArray.base_pointer
JSModuleNamespace_Module @JSModuleNamespace.module
Module_Exports @Module.exports
Module_Namespace @Module.module_namespace
Cell_Value @Cell.value|@Cell.maybe_value
ContextCell_Tagged @ContextCell.tagged_value
ContextCell_State @ContextCell.state
ContextCell_Double @ContextCell.double_value
Context_Previous Context::OffsetOfElementAt(Context::PREVIOUS_INDEX)
Context_Data OFFSET_OF_DATA_START(Context)|Context::kHeaderSize
SloppyArguments_Context @SloppyArgumentsElements.context
SloppyArguments_Arguments @SloppyArgumentsElements.arguments
SloppyArguments_Mapped OFFSET_OF_DATA_START(SloppyArgumentsElements)|@SloppyArgumentsElements.mapped_entries
`

// layoutRows adds those facts.
func (s *source) layoutRows(t table) (missing []string) {
	for line := range strings.Lines(facts) {
		name, exprs, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok {
			continue
		}
		var first error
		for expr := range strings.SplitSeq(exprs, "|") {
			v, pos, err := s.fact(expr)
			if err == nil {
				if row, ok := strings.CutPrefix(name, "="); ok {
					t.add(row, v, pos)
				} else {
					t.add("layout_"+name, v, pos)
				}
				first = nil
				break
			}
			if first == nil {
				first = err
			}
		}
		if first != nil {
			missing = append(missing, "layout_"+name+": "+first.Error())
		}
	}
	t.add("TaggedSize", int64(s.variant.TaggedSize), cxx.Pos{})
	return missing
}

// fact evaluates an expression or finds a field.
func (s *source) fact(expr string) (int64, cxx.Pos, error) {
	field, ok := strings.CutPrefix(expr, "@")
	if !ok {
		return s.value(expr)
	}
	class, name, _ := strings.Cut(field, ".")
	if m, err := s.field(class, name); err == nil {
		return int64(m.Offset), m.Decl.Pos, nil
	}
	constant := class + "::k"
	for part := range strings.SplitSeq(name, "_") {
		constant += strings.ToUpper(part[:1]) + part[1:]
	}
	v, err := s.eval(constant + "Offset")
	return v, s.pos(constant + "Offset"), err
}
