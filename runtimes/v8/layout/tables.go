package layout

// codeRows are the rows of functions, frames, strings and maps. A file is upstream's at the version of
// the step, or at the version behind the @; files that end in .tq had the ending .h before V8 used Torque.
// All rows were checked on cores of the Node releases with these versions (November 2026).
var codeRows = []row{
	{"String.FirstNonstringType", number, "objects/instance-type.h", []step{{V(7, 4), 64}, {V(10, 1), 128}}},
	{"String.RepresentationMask", number, "objects/instance-type.h", []step{{V(7, 4), 7}}},
	{"String.SeqTag", number, "objects/instance-type.h", []step{{V(7, 4), 0}}},
	{"String.ConsTag", number, "objects/instance-type.h", []step{{V(7, 4), 1}}},
	{"String.ExternalTag", number, "objects/instance-type.h", []step{{V(7, 4), 2}}},
	{"String.SlicedTag", number, "objects/instance-type.h", []step{{V(7, 4), 3}}},
	{"String.ThinTag", number, "objects/instance-type.h", []step{{V(7, 4), 5}}},
	{"String.OneByteTag", number, "objects/instance-type.h", []step{{V(7, 4), 8}}},
	{"String.UncachedTag", number, "objects/instance-type.h", []step{{V(7, 4), 16}}},
	{"String.Length", mixed, "objects/string.tq", []step{{V(7, 4), 12}}},
	{"String.OneByteChars", mixed, "objects/string.tq", []step{{V(7, 4), 16}}},
	{"String.TwoByteChars", mixed, "objects/string.tq", []step{{V(7, 4), 16}}},
	{"String.ConsFirst", mixed, "objects/string.tq", []step{{V(7, 4), 16}}},
	{"String.ConsSecond", mixed, "objects/string.tq", []step{{V(7, 4), 24}}},
	{"String.SlicedParent", mixed, "objects/string.tq", []step{{V(7, 4), 16}}},
	{"String.SlicedOffset", mixed, "objects/string.tq", []step{{V(7, 4), 24}}},
	{"String.ThinActual", mixed, "objects/string.tq", []step{{V(7, 4), 16}}},
	{"String.ExternalResource", mixed, "objects/string.tq", []step{{V(7, 4), 16}}},
	{"String.ExternalData", mixed, "objects/string.tq", []step{{V(7, 4), 24}}},
	// 8.7 does not have it. 9.0.238 does not either, and has other things in its place; 9.0.257 has it.
	{"String.CachedData", number, "include/v8-primitive.h", []step{{V(0, 0), 0}, {V(9, 0), 1}}},
	{"HeapNumber.Value", mixed, "objects/heap-number.tq", []step{{V(7, 4), 8}}},
	{"Map.InstanceSize", mixed, "objects/map.h", []step{{V(7, 4), 8}}},
	{"Map.InObjectStart", mixed, "objects/map.h", []step{{V(7, 4), 9}}},
	{"Map.InstanceType", mixed, "objects/map.h", []step{{V(7, 4), 12}}},
	{"Map.BitField", mixed, "objects/map.h", []step{{V(7, 4), 14}}},
	{"Map.BitField2", mixed, "objects/map.h", []step{{V(7, 4), 15}}},
	{"Map.BitField3", mixed, "objects/map.h", []step{{V(7, 4), 16}}},
	{"Map.Prototype", mixed, "objects/map.h", []step{{V(7, 4), 24}}},
	{"Map.Constructor", mixed, "objects/map.h", []step{{V(7, 4), 32}}},
	// Transitions had a word of their own until 7.6.
	{"Map.Descriptors", mixed, "objects/map.h", []step{{V(7, 4), 48}, {V(7, 6), 40}}},
	{"Map.DictionaryShift", number, "objects/map.h", []step{{V(7, 4), 21}}},
	{"Map.OwnDescriptorMask", number, "objects/map.h", []step{{V(7, 4), 0x3ff << 10}}},
	{"Map.OwnDescriptorShift", number, "objects/map.h", []step{{V(7, 4), 10}}},
	{"Map.PrototypeMapShift", number, "objects/map.h", []step{{V(7, 4), 20}}},
	{"Map.NewTargetIsBaseShift", number, "objects/map.h", []step{{V(7, 4), 0}}},
	// An ExtendedMap's bit is in the place of has_prototype_slot. In 15.1 bit_field has lost its lowest bit.
	{"Map.ExtendedMask", number, "objects/map.tq @ 15.0", []step{{V(0, 0), 1 << 7}, {V(15, 1), 1 << 6}}},
	{"DescriptorArray.Header", mixed, "objects/descriptor-array.tq", []step{{V(7, 4), 24}, {V(14, 1), 32}}},
	{"DescriptorArray.EntryWords", number, "objects/property-details.h", []step{{V(7, 4), 3}}},
	{"DescriptorArray.Key", number, "objects/property-details.h", []step{{V(7, 4), 0}}},
	{"DescriptorArray.Details", number, "objects/property-details.h", []step{{V(7, 4), 1}}},
	{"DescriptorArray.Value", number, "objects/property-details.h", []step{{V(7, 4), 2}}},
	{"DescriptorArray.LocationMask", number, "objects/property-details.h", []step{{V(7, 4), 1 << 1}, {V(9, 6), 1 << 5}}},
	{"DescriptorArray.LocationShift", number, "objects/property-details.h", []step{{V(7, 4), 1}, {V(9, 6), 5}}},
	{"DescriptorArray.LocationField", number, "objects/property-details.h", []step{{V(7, 4), 0}}},
	{"DescriptorArray.AttributesMask", number, "objects/property-details.h", []step{{V(7, 4), 7 << 3}, {V(9, 6), 7 << 2}}},
	{"DescriptorArray.AttributesShift", number, "objects/property-details.h", []step{{V(7, 4), 3}, {V(9, 6), 2}}},
	{"DescriptorArray.DontEnum", number, "objects/property-details.h", []step{{V(7, 4), 2}}},
	// From 14.9 on these are OffsetInWordsField and InObjectField. Deno 2.8.3 has them, 14.8.180 does not.
	{"DescriptorArray.IndexMask", number, "objects/property-details.h", []step{{V(7, 4), 0x3ff << 19}, {V(14, 9), 0x7ff << 19}}},
	{"DescriptorArray.IndexShift", number, "objects/property-details.h", []step{{V(7, 4), 19}}},
	{"DescriptorArray.InObjectShift", number, "objects/property-details.h", []step{{V(14, 9), 30}}},
	{"DescriptorArray.DictionaryPrefix", number, "objects/dictionary.h", []step{{V(7, 4), 2}, {V(11, 3), 3}}},
	{"DescriptorArray.DictionaryEntry", number, "objects/dictionary.h", []step{{V(7, 4), 3}}},
	{"AccessorPair.Getter", tagged, "objects/struct.tq", []step{{V(7, 4), 8}}},
	{"AccessorPair.Setter", tagged, "objects/struct.tq", []step{{V(7, 4), 16}}},
	{"FixedArray.Length", tagged, "objects/fixed-array.tq", []step{{V(7, 4), 8}}},
	// objects/fixed-array.h @ 15.0: FixedArrayBase. Deno 2.8.3 (14.9) has it, 14.8.180 does not.
	{"FixedArray.RawLength", number, "objects/fixed-array.h", []step{{V(7, 4), 0}, {V(14, 9), 1}}},
	{"FixedArray.Data", tagged, "objects/fixed-array.tq", []step{{V(7, 4), 16}}},
	{"JSReceiver.Properties", tagged, "objects/js-objects.tq", []step{{V(7, 4), 8}}},
	// 12.2.281 of Chromium 122 has it as 12.4 does, and so has 12.3.219 of workerd 1.20240403.
	{"JSFunction.Shared", mixed, "objects/js-function.tq", []step{{V(7, 4), 24}, {V(12, 2), 32}}},
	{"JSFunction.Context", mixed, "objects/js-function.tq", []step{{V(7, 4), 32}, {V(12, 2), 40}}},
	// In the place of the code.
	{"JSFunction.DispatchHandle", mixed, "objects/js-function.tq", []step{{V(13, 6), 24}}},
	{"SharedFunctionInfo.FunctionData", mixed, "objects/shared-function-info.h", []step{{V(7, 4), 8}}},
	// objects/shared-function-info.tq @ 12.9: two data slots. 12.8.374 of workerd 1.20240903 has one.
	{"SharedFunctionInfo.UntrustedData", mixed, "objects/shared-function-info.h", []step{{V(12, 9), 16}}},
	{"SharedFunctionInfo.Name", mixed, "objects/shared-function-info.h", []step{{V(7, 4), 16}, {V(12, 9), 24}}},
	{"SharedFunctionInfo.Outer", mixed, "objects/shared-function-info.h", []step{{V(7, 4), 24}, {V(12, 9), 32}}},
	{"SharedFunctionInfo.Script", mixed, "objects/shared-function-info.h", []step{{V(7, 4), 32}, {V(12, 9), 40}}},
	{"SharedFunctionInfo.Flags", mixed, "objects/shared-function-info.h", []step{{V(7, 4), 48}, {V(12, 9), 56}}},
	{"SharedFunctionInfo.Parameters", mixed, "objects/shared-function-info.h", []step{{V(7, 4), 42}, {V(12, 9), 50}}},
	{"SharedFunctionInfo.NativeShift", number, "objects/shared-function-info.h", []step{{V(7, 4), 5}}},
	{"SharedFunctionInfo.StrictShift", number, "objects/shared-function-info.h", []step{{V(7, 4), 6}}},
	{"SharedFunctionInfo.ClassConstructorShift", number, "objects/shared-function-info.h", []step{{V(7, 4), 8}, {V(7, 8), 10}}},
	{"SharedFunctionInfo.Initializers", number, "objects/function-kind.h", []step{{V(0, 0), 1}, {V(14, 6), 2}}},
	{"UncompiledData.InferredName", mixed, "objects/shared-function-info.tq", []step{{V(7, 4), 8}}},
	{"UncompiledData.StartPosition", mixed, "objects/shared-function-info.tq", []step{{V(7, 4), 16}}},
	{"UncompiledData.EndPosition", mixed, "objects/shared-function-info.tq", []step{{V(7, 4), 20}}},
	{"InterpreterData.BytecodeArray", tagged, "objects/shared-function-info.tq", []step{{V(7, 4), 8}}},
	{"BaselineData.Data", tagged, "objects/shared-function-info.tq", []step{{V(7, 4), 16}}},
	{"BaselineData.CallOffsets", number, "baseline/baseline-compiler.h", []step{{V(0, 0), 1}, {V(9, 1), 0}}},
	{"Script.Source", tagged, "objects/script.tq", []step{{V(7, 4), 8}}},
	{"Script.Name", tagged, "objects/script.tq", []step{{V(7, 4), 16}}},
	{"Script.LineOffset", tagged, "objects/script.tq", []step{{V(7, 4), 24}}},
	{"Script.ColumnOffset", tagged, "objects/script.tq", []step{{V(7, 4), 32}}},
	{"Script.LineEnds", tagged, "objects/script.tq", []step{{V(7, 4), 56}}},
	{"Script.ID", tagged, "objects/script.tq", []step{{V(7, 4), 64}}},
	{"Script.EvalFromShared", tagged, "objects/script.tq", []step{{V(7, 4), 72}}},
	{"Script.EvalFromPosition", tagged, "objects/script.tq", []step{{V(7, 4), 80}}},
	// compiled_lazy_function_positions comes before from 11.0 on: objects/script.tq @ 11.3.
	{"Script.SourceURL", tagged, "objects/script.tq", []step{{V(7, 4), 104}, {V(11, 0), 112}}},
	{"Script.Type", tagged, "objects/script.tq", []step{{V(7, 4), 48}}},
	{"Script.SharedInfos", tagged, "objects/script.tq", []step{{V(7, 4), 88}}},
	// From 9.1 on a ScopeInfo is no FixedArray.
	{"ScopeInfo.FlagsWord", tagged, "objects/scope-info.tq", []step{{V(7, 4), 16}, {V(9, 1), 8}}},
	// objects/scope-info.tq @ 12.8: the flags are no Smi, and position_info comes before the variables.
	{"ScopeInfo.RawFlags", number, "objects/scope-info.h", []step{{V(7, 4), 0}, {V(12, 8), 1}}},
	{"ScopeInfo.FirstVars", number, "objects/scope-info.h", []step{{V(7, 4), 3}, {V(12, 8), 5}}},
	{"ScopeInfo.Positions", number, "objects/scope-info.h", []step{{V(7, 4), 0}, {V(12, 8), 1}}},
	// kScopeInfoMaxInlinedLocalNamesSize.
	{"ScopeInfo.HashedLocals", number, "objects/scope-info.h", []step{{V(7, 4), 1 << 30}, {V(9, 8), 75}}},
	// Before the names.
	{"ScopeInfo.ModuleCount", number, "objects/scope-info.tq", []step{{V(7, 4), 0}, {V(12, 4), 1}}},
	// ScopeType, which changed in 12.8, 13.0 and 15.0; Deno 2.8.3 (14.9) is as 15.0.
	{"ScopeInfo.ModuleType", number, "common/globals.h", []step{{V(7, 4), 3}, {V(12, 8), 5}, {V(14, 9), 3}}},
	{"ScopeInfo.FunctionType", number, "common/globals.h", []step{{V(13, 0), 4}, {V(14, 9), Unknown}}},
	{"ScopeInfo.SavedClassVariable", number, "objects/scope-info.h", []step{{V(7, 4), 0}, {V(8, 6), 1}}},
	{"ScopeInfo.ReceiverSlot", number, "objects/scope-info.tq", []step{{V(7, 4), 1}, {V(9, 7), 0}}},
	{"ScopeInfo.ReceiverShift", number, "objects/scope-info.h", []step{{V(7, 4), 7}}},
	// 7.6 has a bit that says whether a class has a brand, 7.9 one for a saved variable.
	{"ScopeInfo.ClassVariableShift", number, "objects/scope-info.h", []step{{V(7, 9), 10}}},
	{"ScopeInfo.FunctionVariableShift", number, "objects/scope-info.h", []step{{V(7, 4), 10}, {V(7, 6), 11}, {V(7, 9), 12}}},
	{"ScopeInfo.InferredNameShift", number, "objects/scope-info.h", []step{{V(7, 4), 12}, {V(7, 6), 13}, {V(7, 9), 14}}},
	{"ScopeInfo.OuterShift", number, "objects/scope-info.h", []step{{V(7, 4), 20}, {V(7, 6), 21}, {V(7, 9), 22}}},
	{"ScopeInfo.ContextExtensionShift", number, "objects/scope-info.h", []step{{V(8, 1), 26}}},
	{"ScopeInfo.ModuleCounted", number, "objects/scope-info.tq", []step{{V(0, 0), 0}, {V(9, 1), 1}}},
	{"ScopeInfo.DependentCode", number, "objects/scope-info.tq", []step{{V(0, 0), 0}, {V(13, 0), 1}}},
	// From 12.8 on is_empty has the bit.
	{"ScopeInfo.BlockList", number, "objects/scope-info.tq", []step{{V(0, 0), 1}, {V(12, 8), 0}}},
	{"ScopeInfo.ClassPositions", number, "objects/scope-info.tq", []step{{V(0, 0), 0}, {V(10, 0), 1}}},
	// An interrupt budget of 4 bytes comes before in 7.4. 10.6.194 of workerd 1.20220926 has it as 11.3 does. 12.2 has the
	// order of 12.4, and so has 12.3.219 of workerd 1.20240403; 12.2.281 of Chromium 122 has another one, which package amend finds.
	{"BytecodeArray.Data", mixed, "objects/code.tq",
		[]step{{V(7, 4), 58}, {V(7, 5), 54}, {V(10, 1), 56}, {V(10, 6), 54}, {V(11, 8), 52}, {V(12, 2), 64}}},
	{"BytecodeArray.Positions", mixed, "objects/code.tq", []step{{V(7, 4), 32}, {V(12, 2), 24}}},
	{"BytecodeArray.FrameSize", mixed, "objects/code.tq", []step{{V(7, 4), 40}, {V(12, 2), 48}}},
	{"BytecodeArray.ParameterSize", mixed, "objects/code.tq", []step{{V(7, 4), 44}, {V(12, 2), 52}}},
	// objects/bytecode-array.h @ 12.9.
	{"BytecodeArray.ParameterWords", number, "objects/bytecode-array.h", []step{{V(7, 4), 0}, {V(12, 8), 1}}},
	{"BytecodeArray.ConstantPool", mixed, "objects/code.tq", []step{{V(7, 4), 16}, {V(12, 2), 40}}},
	{"BytecodeArray.HandlerTable", mixed, "objects/code.tq", []step{{V(7, 4), 24}, {V(12, 2), 32}}},
	// HandlerWasUsedField: codegen/handler-table.h @ 12.9; 12.7.224 has it.
	{"BytecodeArray.HandlerUsed", number, "codegen/handler-table.h", []step{{V(7, 4), 0}, {V(12, 7), 1}}},
	// objects/bytecode-array.tq @ 12.4; 11.3 has no trusted objects.
	{"BytecodeArray.Trusted", number, "objects/bytecode-array.tq", []step{{V(0, 0), 0}, {V(12, 3), 1}}},
	{"Code.Body", mixed, "objects/code.h", []step{{V(7, 4), 64}, {V(8, 4), 96}, {V(9, 6), 128}, {V(11, 3), 16}, {V(11, 8), 32}}},
	{"Code.FromBody", mixed, "objects/instruction-stream.h", []step{{V(11, 3), 8}}},
	{"Code.DeoptData", mixed, "objects/code.h", []step{{V(7, 4), 16}, {V(11, 8), 8}}},
	{"Code.PositionTable", mixed, "objects/code.h", []step{{V(7, 4), 24}, {V(11, 8), 16}}},
	// kMetadataSizeOffset comes before from 9.0 on.
	{"Code.Flags", mixed, "objects/code.h", []step{{V(7, 4), 44}, {V(9, 0), 48}, {V(11, 8), 40}, {V(12, 2), 48}, {V(13, 6), 52}}},
	{"Code.InstructionSize", mixed, "objects/code.h",
		[]step{{V(7, 4), 40}, {V(11, 3), 56}, {V(11, 8), 44}, {V(12, 2), 52}, {V(13, 6), 56}}},
	{"Code.KindMask", number, "objects/code-kind.h", []step{{V(7, 4), 0x3e}, {V(9, 0), 0xf}}},
	{"Code.KindShift", number, "objects/code-kind.h", []step{{V(7, 4), 1}, {V(9, 0), 0}}},
	// objects/code.h until 9.0. FOR_TESTING_JS comes before from 14.6 on.
	{"Code.KindBuiltin", number, "objects/code-kind.h", []step{{V(7, 4), 3}, {V(9, 0), 2}, {V(14, 6), 3}}},
	{"Code.KindInterpreted", number, "objects/code-kind.h", []step{{V(9, 0), 10}, {V(12, 4), 9}, {V(14, 6), 10}}},
	{"Code.KindBaseline", number, "objects/code-kind.h", []step{{V(9, 0), 11}, {V(12, 4), 10}, {V(14, 6), 11}}},
	{"Code.KindMaglev", number, "objects/code-kind.h", []step{{V(11, 3), 12}, {V(12, 4), 11}, {V(14, 6), 12}}},
	{"Code.KindTurbofan", number, "objects/code-kind.h", []step{{V(7, 4), 0}, {V(9, 0), 13}, {V(12, 4), 12}, {V(14, 6), 13}}},
	// 8.8.134 does not have it yet.
	{"Code.HasMetadata", number, "objects/code.h", []step{{V(0, 0), 0}, {V(8, 8), 1}}},
	{"Code.Alignment", number, "common/globals.h", []step{{V(0, 0), 32}, {V(9, 5), 64}}},
	// codegen/source-position-table.cc @ 14.1. Deno 2.8.3 (14.9) has three, 14.8.180 has two.
	{"SourcePositionTable.FlagBits", number, "codegen/source-position-table.cc", []step{{V(7, 4), 0}, {V(14, 0), 2}, {V(14, 9), 3}}},
	{"DeoptimizationData.FrameTranslation", number, "objects/code.h", []step{{V(7, 4), 0}}},
	// Chromium 132 (13.2) has literals that are protected before, as objects/code.h @ 13.6 has them.
	{"DeoptimizationData.LiteralArray", number, "objects/code.h", []step{{V(7, 4), 2}, {V(13, 2), 3}}},
	{"DeoptimizationData.Shared", number, "objects/code.h", []step{{V(7, 4), 6}, {V(13, 2), 7}}},
	{"DeoptimizationData.InliningPositions", number, "objects/code.h", []step{{V(7, 4), 7}, {V(13, 2), 8}}},
	// No DeoptExitStart until 7.8.
	{"DeoptimizationData.FirstEntry", number, "objects/code.h",
		[]step{{V(7, 4), 8}, {V(7, 8), 9}, {V(8, 4), 10}, {V(9, 0), 11}, {V(13, 2), 12}}},
	// codegen/safepoint-table.h @ 13.6; 13.3.415 has it, 13.2.152 of Chromium 132 does not.
	{"Safepoint.StackSlots", number, "codegen/safepoint-table.h", []step{{V(7, 4), 0}, {V(13, 3), 1}}},
	{"Safepoint.Offset", number, "codegen/safepoint-table.h", []step{{V(7, 4), 48}, {V(9, 0), Unknown}}},
	{"Safepoint.Wide", number, "codegen/safepoint-table.h", []step{{V(0, 0), 1}, {V(9, 8), 0}}},
	{"JSGeneratorObject.Function", tagged, "objects/js-generator.tq", []step{{V(7, 4), 24}}},
	{"JSGeneratorObject.Context", tagged, "objects/js-generator.tq", []step{{V(7, 4), 32}}},
	{"JSGeneratorObject.Receiver", tagged, "objects/js-generator.tq", []step{{V(7, 4), 40}}},
	{"JSGeneratorObject.Offset", tagged, "objects/js-generator.tq", []step{{V(7, 4), 48}}},
	{"JSGeneratorObject.Continuation", tagged, "objects/js-generator.tq", []step{{V(7, 4), 64}}},
	{"JSGeneratorObject.Saved", tagged, "objects/js-generator.tq", []step{{V(7, 4), 72}}}, // parameters_and_registers
	{"JSGeneratorObject.Promise", tagged, "objects/js-generator.tq", []step{{V(7, 4), 80}}},
	// From 12.4 on the continuation data comes first.
	{"PromiseReaction.Next", tagged, "objects/promise.tq", []step{{V(7, 4), 8}, {V(12, 4), 16}}},
	{"PromiseReaction.Reject", tagged, "objects/promise.tq", []step{{V(7, 4), 16}, {V(12, 4), 24}}},
	{"PromiseReaction.Fulfill", tagged, "objects/promise.tq", []step{{V(7, 4), 24}, {V(12, 4), 32}}},
	{"PromiseReaction.Promise", tagged, "objects/promise.tq", []step{{V(7, 4), 32}, {V(12, 4), 40}}},
	{"JSPromise.Reactions", tagged, "objects/js-promise.tq", []step{{V(7, 4), 24}}},
	{"Frame.Function", number, "execution/frame-constants.h", []step{{V(7, 4), -16}}},
	{"Frame.ContextOrType", number, "execution/frame-constants.h", []step{{V(7, 4), -8}}},
	{"Frame.Args", number, "execution/frame-constants.h", []step{{V(7, 4), 16}}},
	// kArgCOffset.
	{"Frame.ArgCount", number, "execution/frame-constants.h", []step{{V(8, 7), -24}}},
	// kJSArgcIncludesReceiver.
	{"Frame.CountsReceiver", number, "common/globals.h", []step{{V(8, 7), 0}, {V(9, 6), 1}}},
	{"Frame.BytecodeArray", number, "execution/frame-constants.h", []step{{V(7, 4), -24}, {V(8, 7), -32}}},
	{"Frame.BytecodeOffset", number, "execution/frame-constants.h", []step{{V(7, 4), -32}, {V(8, 7), -40}}},
	// v8_enable_reverse_jsargs: the receiver comes first.
	{"Frame.ReceiverFirst", number, "BUILD.gn", []step{{V(7, 4), 0}, {V(8, 7), 1}}},
	{"Frame.SavedExitFP", number, "execution/frame-constants.h", []step{{V(7, 4), -64}}},
	// Positions count from kFunctionEntryBytecodeOffset from 8.4 on.
	{"Frame.FirstCodeOffset", number, "interpreter/bytecode-array-builder.cc", []step{{V(7, 4), 0}, {V(8, 4), -1}}},
	{"Frame.ExitNewTarget", number, "execution/frame-constants.h", []step{{V(7, 4), 16}}},
	{"Frame.ExitTarget", number, "execution/frame-constants.h", []step{{V(7, 4), 24}}},
	{"Frame.ExitReceiver", number, "execution/frame-constants.h", []step{{V(8, 7), 40}}},
	// kRegisterFileFromFp @ 12.4; 11.9.169 of Chromium 119 has it, 11.8 of Node 21 does not.
	{"Frame.FeedbackVector", number, "execution/frame-constants.h", []step{{V(0, 0), 0}, {V(11, 9), 1}}},
}
