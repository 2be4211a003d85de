package layout

import (
	"maps"
	"slices"
)

// A delta is what changed in V8 at a version, for facts that the v8dbg_*
// constants of that version do not give. Deltas are applied in order to a
// layout that is unknown throughout.
type delta struct {
	since Version
	set   func(*Layout)
}

// V returns the version major.minor.
func V(major, minor int) Version { return Version{Major: major, Minor: minor} }

// deltas is the table of versions. Each entry names the upstream source that
// it was read from; all of them were checked on cores of the Node release that
// carries the version (November 2026).
var deltas = []delta{
	{V(7, 4), func(l *Layout) {
		base74(l)
		l.Map.Descriptors = 48 // objects/map.h @ 7.4: transitions have a word of their own
		// objects/scope-info.h @ 7.4: no bit says whether a class has a brand.
		i := &l.ScopeInfo
		i.FunctionVariableShift, i.InferredNameShift, i.OuterShift = 10, 12, 20
		l.BytecodeArray.Data = 58 // objects/code.h @ 7.4: an interrupt budget of 4 bytes comes before
	}},
	{V(7, 5), func(l *Layout) { l.BytecodeArray.Data = 54 }},
	{V(7, 6), base74},
	{V(7, 8), base78},
	{V(7, 9), func(l *Layout) { // objects/scope-info.h @ 7.9: a bit says whether a class has a saved variable
		i := &l.ScopeInfo
		i.ClassVariableShift, i.FunctionVariableShift, i.InferredNameShift, i.OuterShift = 10, 12, 14, 22
	}},
	{V(8, 1), base81},
	{V(8, 4), func(l *Layout) {
		// interpreter/bytecode-array-builder.cc @ 8.4: positions count from
		// kFunctionEntryBytecodeOffset.
		l.Frame.FirstCodeOffset = -1
		l.Code.Body = 96 // objects/code.h @ 8.4
		l.DeoptimizationData.FirstEntry = 10
	}},
	{V(8, 6), func(l *Layout) { l.ScopeInfo.SavedClassVariable = 1 }}, // objects/scope-info.h @ 8.6
	{V(8, 7), func(l *Layout) {
		// execution/frame-constants.h @ 8.7: kArgCOffset.
		l.Frame.ArgCount, l.Frame.BytecodeArray, l.Frame.BytecodeOffset = -24, -32, -40
		l.Frame.CountsReceiver = 0
		// BUILD.gn @ 8.7: v8_enable_reverse_jsargs; the receiver comes first.
		l.Frame.ReceiverFirst, l.Frame.ExitReceiver = 1, 40
	}},
	{V(9, 0), base90},
	{V(9, 1), func(l *Layout) {
		// objects/scope-info.tq @ 9.1: no longer a FixedArray.
		l.ScopeInfo.FlagsWord = 8
	}},
	{V(9, 6), func(l *Layout) {
		l.Frame.CountsReceiver = 1 // common/globals.h @ 9.6: kJSArgcIncludesReceiver
		l.Code.Body = 128          // objects/code.h @ 9.6
		d := &l.DescriptorArray    // objects/property-details.h @ 9.6
		d.LocationMask, d.LocationShift = 32, 5
		d.AttributesMask, d.AttributesShift = 7<<2, 2
	}},
	{V(9, 7), func(l *Layout) { l.ScopeInfo.ReceiverSlot = 0 }},  // objects/scope-info.tq @ 9.7
	{V(9, 8), func(l *Layout) { l.ScopeInfo.HashedLocals = 75 }}, // objects/scope-info.h @ 9.8: kScopeInfoMaxInlinedLocalNamesSize
	{V(10, 1), base101},
	{V(10, 6), func(l *Layout) { l.BytecodeArray.Data = 54 }}, // objects/code.tq @ 11.3; 10.6.194 of workerd 1.20220926 has it
	{V(11, 0), func(l *Layout) { l.Script.SourceURL = 112 }},  // objects/script.tq @ 11.3: compiled_lazy_function_positions comes before
	{V(11, 3), base113},
	{V(11, 8), base118},
	{V(12, 2), base122},
	{V(12, 4), func(l *Layout) {
		l.ScopeInfo.ModuleCount = 1 // objects/scope-info.tq @ 12.4: before the names
		r := &l.PromiseReaction     // continuation data moved to the front
		r.Next, r.Reject, r.Fulfill, r.Promise = 16, 24, 32, 40
		o := &l.Code // objects/code-kind.h @ 12.4
		o.KindInterpreted, o.KindBaseline, o.KindMaglev, o.KindTurbofan = 9, 10, 11, 12
	}},
	{V(12, 7), func(l *Layout) { l.BytecodeArray.HandlerUsed = 1 }}, // codegen/handler-table.h @ 12.9: HandlerWasUsedField; 12.7.224 has it
	{V(12, 8), func(l *Layout) {
		l.BytecodeArray.ParameterWords = 1 // objects/bytecode-array.h @ 12.9
		// objects/scope-info.tq @ 12.8: the flags are not a Smi, position_info
		// comes before; common/globals.h: ScopeType.
		i := &l.ScopeInfo
		i.FirstVars, i.Positions, i.RawFlags, i.ModuleType = 5, 1, 1, 5
	}},
	{V(12, 9), func(l *Layout) {
		// objects/shared-function-info.tq @ 12.9: two data slots; 12.8.374 of workerd 1.20240903 has one.
		f := &l.SharedFunctionInfo
		f.UntrustedData, f.Name, f.Outer, f.Script, f.Flags, f.Parameters = 16, 24, 32, 40, 56, 50
	}},
	{V(13, 0), func(l *Layout) { l.ScopeInfo.FunctionType = 4 }}, // common/globals.h @ 13.0: ScopeType
	// V8 13.2: seen in Chromium 132 as objects/code.h @ 13.6 has it: literals that are protected come before.
	{V(13, 2), func(l *Layout) {
		t := &l.DeoptimizationData
		t.LiteralArray, t.Shared, t.InliningPositions, t.FirstEntry = 3, 7, 8, 12
	}},
	{V(13, 3), func(l *Layout) { l.Safepoint.StackSlots = 1 }}, // codegen/safepoint-table.h @ 13.6; 13.2.152 of Chromium 132 has it not, 13.3.415 has
	{V(13, 6), base136},
	{V(14, 0), func(l *Layout) { l.SourcePositionTable.FlagBits = 2 }}, // codegen/source-position-table.cc @ 14.1
	{V(14, 1), func(l *Layout) { l.DescriptorArray.Header = 32 }},      // objects/descriptor-array.tq @ 14.1
	{V(14, 6), func(l *Layout) {
		o := &l.Code // objects/code-kind.h @ 14.6: FOR_TESTING_JS comes before
		o.KindBuiltin, o.KindInterpreted, o.KindBaseline, o.KindMaglev, o.KindTurbofan = 3, 10, 11, 12, 13
	}},
	// V8 14.9: seen in Deno 2.8.3; 14.8.180 has none of it.
	{V(14, 9), func(l *Layout) {
		l.FixedArray.RawLength = 1 // objects/fixed-array.h @ 15.0: FixedArrayBase
		l.SourcePositionTable.FlagBits = 3
		d := &l.DescriptorArray // objects/property-details.h @ 15.0: OffsetInWordsField, InObjectField
		d.IndexMask, d.IndexShift, d.InObjectShift = 0x7ff<<19, 19, 30
		l.ScopeInfo.ModuleType, l.ScopeInfo.FunctionType = 3, Unknown // common/globals.h @ 15.0: ScopeType
	}},
}

// base74 is what V8 7.4 to 7.7 (Node 12.0 to 12.15) have in common.
func base74(l *Layout) {
	base78(l)
	l.SharedFunctionInfo.ClassConstructorShift = 8 // objects/shared-function-info.h @ 7.4
	l.DeoptimizationData.FirstEntry = 8            // objects/code.h @ 7.4: no DeoptExitStart
}

// base78 is V8 7.8 (Node 12.16 on), and all that has not changed since.
func base78(l *Layout) {
	l.SourcePositionTable.FlagBits = 0
	s := &l.String // include/v8-internal.h, objects/instance-type.h, objects/string.tq
	s.FirstNonstringType, s.RepresentationMask = 64, 7
	s.SeqTag, s.ConsTag, s.ExternalTag, s.SlicedTag, s.ThinTag = 0, 1, 2, 3, 5
	s.OneByteTag, s.UncachedTag = 8, 16
	s.Length, s.OneByteChars, s.TwoByteChars = 12, 16, 16
	s.ConsFirst, s.ConsSecond, s.SlicedParent, s.SlicedOffset, s.ThinActual = 16, 24, 16, 24, 16
	s.ExternalResource, s.ExternalData = 16, 24
	l.HeapNumber.Value = 8

	m := &l.Map // objects/map.h, objects/map.tq
	m.InstanceSize, m.InObjectStart, m.InstanceType = 8, 9, 12
	m.BitField, m.BitField2, m.BitField3, m.Prototype, m.Constructor, m.Descriptors = 14, 15, 16, 24, 32, 40
	m.DictionaryShift, m.OwnDescriptorMask, m.OwnDescriptorShift = 21, 0x3ff<<10, 10
	m.PrototypeMapShift, m.NewTargetIsBaseShift = 20, 0

	d := &l.DescriptorArray // objects/property-details.h, objects/dictionary.h
	d.Header, d.EntryWords, d.Key, d.Details, d.Value = 24, 3, 0, 1, 2
	d.LocationMask, d.LocationShift, d.LocationField = 2, 1, 0
	d.AttributesMask, d.AttributesShift, d.DontEnum = 7<<3, 3, 2
	d.IndexMask, d.IndexShift = 0x3ff<<19, 19
	d.DictionaryPrefix, d.DictionaryEntry = 2, 3
	l.AccessorPair.Getter, l.AccessorPair.Setter = 8, 16
	l.FixedArray.Length, l.FixedArray.Data, l.FixedArray.RawLength = 8, 16, 0
	l.JSReceiver.Properties = 8
	l.JSFunction.Shared, l.JSFunction.Context = 24, 32

	f := &l.SharedFunctionInfo // objects/shared-function-info.h
	f.FunctionData, f.Name, f.Outer, f.Script, f.Flags = 8, 16, 24, 32, 48
	f.Parameters, f.NativeShift, f.StrictShift, f.ClassConstructorShift = 42, 5, 6, 10
	l.UncompiledData.InferredName, l.UncompiledData.StartPosition, l.UncompiledData.EndPosition = 8, 16, 20
	l.InterpreterData.BytecodeArray, l.BaselineData.Data = 8, 16

	c := &l.Script // objects/script.tq
	c.Source, c.Name, c.LineOffset, c.ColumnOffset = 8, 16, 24, 32
	c.Type = 48
	c.LineEnds, c.ID, c.EvalFromShared, c.EvalFromPosition, c.SharedInfos, c.SourceURL = 56, 64, 72, 80, 88, 104

	i := &l.ScopeInfo // objects/scope-info.h @ 7.8
	i.FlagsWord, i.RawFlags, i.FirstVars, i.Positions = 16, 0, 3, 0
	i.HashedLocals, i.ModuleCount, i.SavedClassVariable, i.ReceiverSlot = 1<<30, 0, 0, 1
	i.ReceiverShift, i.ClassVariableShift, i.FunctionVariableShift, i.InferredNameShift, i.OuterShift = 7, Unknown, 11, 13, 21

	i.ModuleType = 3

	b := &l.BytecodeArray // objects/code.tq
	b.Data, b.Positions, b.FrameSize = 54, 32, 40
	b.ConstantPool, b.HandlerTable, b.ParameterSize, b.ParameterWords, b.HandlerUsed = 16, 24, 44, 0, 0

	o := &l.Code // objects/code.h @ 7.8
	o.Body, o.DeoptData, o.PositionTable, o.Flags, o.InstructionSize = 64, 16, 24, 44, 40
	o.KindMask, o.KindShift = 0x3e, 1
	o.KindBuiltin, o.KindTurbofan = 3, 0

	t := &l.DeoptimizationData // objects/code.h: DeoptimizationData
	t.FrameTranslation, t.LiteralArray, t.Shared, t.InliningPositions, t.FirstEntry = 0, 2, 6, 7, 9
	l.Safepoint.StackSlots, l.Safepoint.Offset = 0, 48

	g := &l.JSGeneratorObject // objects/js-generator.tq
	g.Function, g.Context, g.Receiver, g.Offset, g.Continuation, g.Promise = 24, 32, 40, 48, 64, 80
	r := &l.PromiseReaction // objects/promise.tq
	r.Next, r.Reject, r.Fulfill, r.Promise = 8, 16, 24, 32
	l.JSPromise.Reactions = 24

	w := &l.Frame // execution/frame-constants.h @ 7.8
	w.Function, w.ContextOrType, w.Args = -16, -8, 16
	w.BytecodeArray, w.BytecodeOffset, w.ReceiverFirst, w.FirstCodeOffset = -24, -32, 0, 0
	w.SavedExitFP = -64
	w.ExitNewTarget, w.ExitTarget = 16, 24
}

// base81 is V8 8.1 (Node 14.0); objects/scope-info.h @ 8.1.
func base81(l *Layout) {
	i := &l.ScopeInfo
	i.ClassVariableShift, i.FunctionVariableShift, i.InferredNameShift, i.OuterShift = 10, 12, 14, 22
	i.ContextExtensionShift = 26
}

// base90 is V8 9.0 (Node 16); objects/code-kind.h @ 9.4.
func base90(l *Layout) {
	o := &l.Code
	o.Flags = 48 // objects/code.h: kMetadataSizeOffset comes before
	l.Safepoint.Offset = Unknown
	l.DeoptimizationData.FirstEntry = 11
	o.KindMask, o.KindShift, o.KindBuiltin = 0xf, 0, 2
	o.KindInterpreted, o.KindBaseline, o.KindTurbofan = 10, 11, 13
}

// base101 is V8 10.1 and 10.2 (Node 18).
func base101(l *Layout) {
	l.String.FirstNonstringType = 128
	l.BytecodeArray.Data = 56
}

// base113 is V8 11.3 (Node 20); objects/code.h, objects/instruction-stream.h.
func base113(l *Layout) {
	o := &l.Code
	o.Body, o.FromBody, o.DeoptData, o.PositionTable, o.Flags, o.InstructionSize = 16, 8, 16, 24, 48, 56
	o.KindMaglev = 12
	l.DescriptorArray.DictionaryPrefix = 3
}

// base118 is V8 11.8 (Node 21).
func base118(l *Layout) {
	o := &l.Code
	o.Body, o.DeoptData, o.PositionTable, o.Flags, o.InstructionSize = 32, 8, 16, 40, 44
	l.BytecodeArray.Data = 52
}

// base122 is what V8 12.4 (Node 22) has, and 12.3.219 of workerd 1.20240403 and Chromium 123. So has 12.2.281 of Chromium
// 122, but for the order of a BytecodeArray's fields, which package amend finds.
func base122(l *Layout) {
	l.JSFunction.Shared, l.JSFunction.Context = 32, 40
	l.Code.Flags, l.Code.InstructionSize = 48, 52
	l.BytecodeArray.Data, l.BytecodeArray.Positions, l.BytecodeArray.FrameSize = 64, 24, 48
	b := &l.BytecodeArray
	b.HandlerTable, b.ConstantPool, b.ParameterSize = 32, 40, 52
}

// base136 is V8 13.6 (Node 24); objects/code.h.
func base136(l *Layout) {
	l.JSFunction.DispatchHandle = 24 // objects/js-function.tq @ 13.6: in the place of the code
	l.Code.Flags, l.Code.InstructionSize = 52, 56
}

func sortedNames(m map[string]int) []string { return slices.Sorted(maps.Keys(m)) }

func searchNames(names []string, name string) int {
	i, _ := slices.BinarySearch(names, name)
	return i
}
