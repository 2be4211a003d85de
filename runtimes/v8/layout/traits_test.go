package layout

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestTraits checks numbers that V8 has no constants for. It derives them from the types and the existence of
// other constants.
func TestTraits(t *testing.T) {
	files, err := filepath.Glob("t*/*.tsv") // tables and testdata
	if err != nil {
		t.Fatal(err)
	}
	checked := map[string]int{}
	for _, file := range files {
		table := tableOf(t, file)
		if table.Variant.Sandbox {
			continue // it is as without
		}
		got := fieldsOf(ofRows(table.Version))
		for key, want := range traits(table.Constants) {
			if checked[key]++; got[key] != want {
				t.Errorf("%s: %s is %d, want %d", file, key, got[key], want)
			}
		}
	}
	for _, key := range []string{"ScopeInfo.RawFlags", "ScopeInfo.Positions", "ScopeInfo.ModuleCount",
		"ScopeInfo.ModuleType", "JSDate.Raw", "FixedArray.RawLength",
		"BytecodeArray.ParameterWords", "DescriptorArray.IndexMask", "Context.Previous", "Context.GlobalObject",
		"SloppyArguments.Header"} {
		if checked[key] < 1 {
			t.Errorf("no table says anything of %s", key)
		}
	}
}

// traits returns such numbers.
func traits(constants map[string]int) map[string]int {
	out := map[string]int{}
	yes := func(key string, is bool) {
		out[key] = 0
		if is {
			out[key] = 1
		}
	}
	for name, value := range constants {
		class, field, typ := parts(name)
		smi := strings.Contains(strings.ToLower(typ), "smi")
		switch class + "." + field {
		case "ScopeInfo.flags":
			yes("ScopeInfo.RawFlags", !smi)
		case "JSDate.value":
			if typ == "NumberOrUndefined" || strings.Contains(typ, "Double") {
				yes("JSDate.Raw", typ != "NumberOrUndefined")
			}
		case "FixedArrayBase.length":
			yes("FixedArray.RawLength", !smi)
		case "BytecodeArray.parameter_size":
			yes("BytecodeArray.ParameterWords", typ == "uint16_t")
		case "ScopeInfo.module_variable_count":
			out["ScopeInfo.ModuleCount"] = 1
		case "ScopeInfo.context_local_names": // at a place that does not vary: there is no count before
			out["ScopeInfo.ModuleCount"] = 0
		case "SloppyArgumentsElements.arguments": // a class of its own, and no FixedArray
			out["SloppyArguments.Header"] = 0
		}
		switch name {
		case "scopeinfo_idx_first_vars":
			yes("ScopeInfo.Positions", value == 5)
		case "scopetype_MODULE_SCOPE":
			out["ScopeInfo.ModuleType"] = value
		case "layout_PropertyDetails_OffsetInWordsMask":
			out["DescriptorArray.IndexMask"] = value
		case "layout_PropertyDetails_OffsetInWordsShift":
			out["DescriptorArray.IndexShift"] = value
		case "layout_PropertyDetails_InObjectShift":
			out["DescriptorArray.InObjectShift"] = value
		case "contextfield_PREVIOUS_INDEX":
			out["Context.Previous"] = 16 + 8*value
		case "contextfield_EXTENSION_INDEX":
			out["Context.GlobalObject"] = 16 + 8*value
		}
	}
	return out
}

// parts returns class, field and type of a constant's name.
func parts(name string) (class, field, typ string) {
	rest, ok := strings.CutPrefix(name, "class_")
	if !ok {
		return "", "", ""
	}
	class, rest, _ = strings.Cut(rest, "__")
	field, typ, _ = strings.Cut(rest, "__")
	return class, field, typ
}

// TestScopeInfoFlags lays the bits of ScopeInfo's flags out as objects/scope-info.h lists them, from the variable of
// the receiver on.
func TestScopeInfoFlags(t *testing.T) {
	type bits struct {
		name string
		n    int
	}
	tail := []bits{{"FunctionVariable", 2}, {"InferredName", 1}, {"asm module", 1}, {"simple parameters", 1},
		{"function kind", 5}, {"Outer", 1},
		{"debug evaluate", 1}, {"force context", 1}, {"private names", 1}, {"ContextExtension", 1}}
	for _, c := range []struct {
		from, before Version
		flags        []bits
	}{
		{V(7, 4), V(7, 6), []bits{{"Receiver", 2}, {"new target", 1}}},
		{V(7, 6), V(7, 9), []bits{{"Receiver", 2}, {"brand", 1}, {"new target", 1}}},
		{V(7, 9), V(15, 9), []bits{{"Receiver", 2}, {"brand", 1}, {"ClassVariable", 1}, {"new target", 1}}},
	} {
		for major := c.from.Major; major <= c.before.Major; major++ {
			for minor := range 10 {
				v := V(major, minor)
				if v.Before(c.from.Major, c.from.Minor) || v.AtLeast(c.before.Major, c.before.Minor) {
					continue
				}
				// Scope type, sloppy eval, language mode and declaration scope come before: 4+1+1+1 bits.
				at, want := 7, map[string]int{"ClassVariable": Unknown}
				for _, b := range append(c.flags, tail...) {
					want[b.name] = at
					at += b.n
				}
				if v.Before(8, 1) {
					want["ContextExtension"] = Unknown // slots 2 and 3 always exist
				}
				got := fieldsOf(ofRows(v))
				for _, name := range []string{"Receiver", "ClassVariable", "FunctionVariable", "InferredName", "Outer",
					"ContextExtension"} {
					if n := got["ScopeInfo."+name+"Shift"]; n != want[name] {
						t.Errorf("%v: %sShift is %d, want %d", v, name, n, want[name])
					}
				}
			}
		}
	}
}

// TestSteps checks numbers that no constant gives, at the versions before and after each change. They follow V8's code.
func TestSteps(t *testing.T) {
	for _, c := range []struct {
		fact, source string
		steps        string // version=number, until the next one
	}{
		{"Frame.CountsReceiver", "common/globals.h: kJSArgcIncludesReceiver", "8.6=- 8.7=0 9.5=0 9.6=1"},
		{"Frame.ReceiverFirst", "BUILD.gn: v8_enable_reverse_jsargs", "7.4=0 8.6=0 8.7=1 15.0=1"},
		{"Frame.ExitReceiver", "execution/frame-constants.h: BuiltinExitFrameConstants", "8.6=- 8.7=40 15.0=40"},
		{"Frame.FirstCodeOffset", "common/globals.h: kFunctionEntryBytecodeOffset", "8.3=0 8.4=-1 15.0=-1"},
		{"Map.LayoutDescriptor", "objects/map.h", "7.4=56 7.5=56 7.6=48 7.9=48 8.0=-"},
		{"Map.Descriptors", "objects/map.h", "7.4=48 7.5=48 7.6=40"},
		{"Map.PrototypeSlotMask", "objects/map.h: has_prototype_slot, bit 7", "7.4=128 14.7=128 14.8=-"},
		{"Map.FlagsShift", "objects/map.tq", "7.4=0 15.0=0"},
		{"ScopeInfo.SavedClassVariable", "objects/scope-info.h", "8.5=0 8.6=1"},
		{"ScopeInfo.ReceiverSlot", "objects/scope-info.tq", "9.6=1 9.7=0"},
		{"ScopeInfo.ModuleCount", "objects/scope-info.tq", "7.8=0 12.3=0 12.4=1"},
		{"ScopeInfo.FunctionType", "common/globals.h: ScopeType", "12.9=- 13.0=4 14.8=4 14.9=-"},
		{"ScopeInfo.ModuleType", "common/globals.h: ScopeType", "7.4=3 12.7=3 12.8=5 14.8=5 14.9=3"},
		{"ScopeInfo.HashedLocals", "objects/scope-info.h: kScopeInfoMaxInlinedLocalNamesSize", "9.7=1073741824 9.8=75"},
		{"BytecodeArray.HandlerUsed", "codegen/handler-table.h: HandlerWasUsedField", "7.8=0 12.6=0 12.7=1"},
		{"BytecodeArray.ParameterWords", "objects/bytecode-array.h", "7.8=0 12.7=0 12.8=1"},
		{"BytecodeArray.Data", "objects/code.h, code.tq, bytecode-array.tq",
			"7.4=58 7.5=54 10.0=54 10.1=56 10.5=56 10.6=54 11.7=54 11.8=52 12.1=52 12.2=64"},
		{"SourcePositionTable.FlagBits", "codegen/source-position-table.cc: EncodeEntry",
			"7.4=0 13.9=0 14.0=2 14.8=2 14.9=3"},
		{"Safepoint.StackSlots", "codegen/safepoint-table.h", "7.4=0 13.2=0 13.3=1"},
		{"Safepoint.Offset", "objects/code.h: kSafepointTableOffsetOffset", "7.4=48 8.9=48 9.0=-"},
		{"Code.KindBuiltin", "objects/code.h: Kind, code-kind.h", "7.4=3 8.9=3 9.0=2 14.5=2 14.6=3"},
		{"Code.KindTurbofan", "objects/code.h: Kind, code-kind.h",
			"7.4=0 8.9=0 9.0=13 12.3=13 12.4=12 14.5=12 14.6=13"},
		{"Code.KindMask", "objects/code.h: KindField", "7.4=62 8.9=62 9.0=15"},
		{"Code.KindShift", "objects/code.h: KindField", "7.4=1 8.9=1 9.0=0"},
		{"Code.Body", "objects/code.h: kHeaderSize",
			"7.4=64 8.3=64 8.4=96 9.5=96 9.6=128 11.2=128 11.3=16 11.7=16 11.8=32"},
		{"Code.Flags", "objects/code.h: after the address of the instructions",
			"11.3=48 11.7=48 11.8=40 12.1=40 12.2=48 13.5=48 13.6=52"},
		{"Code.InstructionSize", "objects/code.h: after the flags, before them in 11.3",
			"11.3=56 11.7=56 11.8=44 12.1=44 12.2=52 13.5=52 13.6=56"},
		{"DeoptimizationData.FirstEntry", "objects/code.h: kFirstDeoptEntryIndex",
			"7.4=8 7.7=8 7.8=9 8.3=9 8.4=10 8.9=10 9.0=11 13.1=11 13.2=12"},
		{"SharedFunctionInfo.ClassConstructorShift", "objects/shared-function-info.h", "7.4=8 7.7=8 7.8=10"},
		{"BaselineData.Data", "objects/shared-function-info.tq", "9.0=16 15.0=16"},
		{"BigInt.LengthShift", "objects/bigint.h", "7.4=1 14.7=1 14.8=8"},
		{"JSRegExp.Data", "objects/js-regexp.h", "14.7=- 14.8=24"},
		{"JSTypedArray.BasePointer", "objects/fixed-array.h: FixedTypedArrayBase, js-array-buffer.tq",
			"7.4=16 7.5=16 7.6=64 10.0=64 10.1=72 12.5=72 12.6=80"},
		{"JSTypedArray.ExternalPointer", "objects/fixed-array.h: FixedTypedArrayBase, js-array-buffer.tq",
			"7.4=24 7.5=24 7.6=56 10.0=56 10.1=64 12.5=64 12.6=72"},
		{"PropertyCell.Name", "objects/property-cell.h", "7.4=16 7.5=8"},
		{"PropertyCell.Details", "objects/property-cell.h", "7.4=8 7.5=16"},
		{"WeakCell.Target", "objects/js-weak-refs.tq", "7.8=16 14.5=16 14.6=24"},
		{"JSArrayBuffer.BackingStore", "objects/js-array-buffer.tq",
			"7.8=32 9.1=32 9.2=40 10.9=40 11.0=48 12.5=48 12.6=56"},
		{"JSArrayBuffer.BitField", "objects/js-array-buffer.tq",
			"7.8=40 8.3=40 8.4=48 9.1=48 9.2=56 10.9=56 11.0=64 12.5=64 12.6=72"},
		{"JSArrayBuffer.ByteLength", "objects/js-array-buffer.tq", "7.8=24 10.9=24 11.0=32 12.5=32 12.6=40"},
		{"JSArrayBufferView.Buffer", "objects/js-array-buffer.tq", "7.8=24 12.5=24 12.6=32"},
		{"JSArrayBufferView.BitField", "objects/js-array-buffer.tq", "10.0=- 10.1=48 12.5=48 12.6=40"},
		{"JSAPIObject.InternalFields", "objects/js-objects.tq", "7.8=24 12.5=24 12.6=32"},
		{"JSRegExp.LastIndex", "objects/js-regexp.h", "7.8=48 14.7=48 14.8=40"},
		{"ElementsKind.Dictionary", "objects/elements-kind.h", "7.8=12 10.9=12 11.0=13"},
		{"SharedFunctionInfo.AnonymousShift", "objects/shared-function-info.h", "7.8=26 8.9=26 9.0=25"},
		{"Script.SourceURL", "objects/script.tq", "7.8=104 10.9=104 11.0=112"},
		{"JSTypedArray.BitField", "objects/js-array-buffer.tq", "9.1=- 9.2=72 10.0=72 10.1=-"},
		{"JSTypedArray.InElements", "objects/fixed-array.h: FixedTypedArrayBase", "7.5=1 7.6=0"},
		{"Context.LengthMask", "objects/contexts.h: HasExtensionField", "7.8=2147483647 7.9=1073741823"},
		{"SloppyArguments.Header", "objects/arguments.tq", "8.3=2 8.4=0"},
		{"JSArrayBuffer.SharedMask", "objects/js-array-buffer.tq", "7.8=8 7.9=16 15.1=16 15.2=8"},
		{"ErrorStack.NamesAny", "execution/isolate.cc: IsPromiseAnyRejectElement", "7.4=0 8.4=0 8.5=1 15.0=1"},
		{"ErrorStack.NamesAllSettled", "execution/isolate.cc", "8.5=0 10.1=0 10.2=1"},
		{"ErrorStack.FollowsThenables", "execution/isolate.cc", "7.4=0 14.0=0 14.1=1"},
		{"ErrorStack.NamesConstructs", "execution/isolate.cc: top_frame_is_construct_call", "7.4=0 12.9=0 13.0=1"},
		{"ErrorStack.NamesUnlessPrefix", "objects/call-site-info.cc: AppendMethodCall", "7.4=1 9.9=1 10.0=0"},
		{"ErrorStack.SpacedMethod", "objects/call-site-info.cc: AppendMethodCall", "7.4=0 12.0=0 12.1=1"},
		{"ErrorStack.NamesClasses", "objects/call-site-info.cc: GetTypeName", "7.4=0 10.1=0 10.2=1"},
		{"ErrorStack.NamesFunctions", "objects/call-site-info.cc: GetTypeName", "10.2=0 13.2=0 13.3=1"},
		{"ErrorStack.OwnURLPosition", "objects/call-site-info.cc", "7.4=0 8.9=0 9.0=1"},
		{"ErrorStack.WasmURL", "objects/stack-frame-info.cc: SerializeWasmStackFrame", "7.4=0 8.9=0 9.0=1"},
		{"ErrorStack.WasmExports", "objects/stack-frame-info.cc", "7.9=0 8.0=1 8.9=1 9.0=0"},
		{"CallSiteInfo.ConstructorMask", "objects/frame-array.h, call-site-info.tq",
			"7.4=16 8.3=16 8.4=8 15.1=8 15.2=4"},
		{"CallSiteInfo.AsyncMask", "objects/frame-array.h, call-site-info.tq", "7.4=64 8.3=64 8.4=32 15.1=32 15.2=8"},
		{"CallSiteInfo.PositionMask", "objects/call-site-info.tq", "7.4=0 8.9=0 9.0=192 15.1=192 15.2=48"},
		{"Names.TagFirst", "objects/js-objects.cc: GetConstructorName", "7.4=1 9.6=1 9.7=0"},
		{"Names.DisplayName", "objects/js-function.cc: GetDebugName", "7.4=0 7.5=1 8.9=1 9.0=0"},
		{"Names.Computed", "objects/js-function.cc: GetDebugName", "7.4=0 14.1=0 14.2=1"},
		{"Names.Initializers", "objects/shared-function-info.cc", "7.4=0 11.7=0 11.8=1"},
		{"SharedFunctionInfo.Initializers", "objects/function-kind.h", "11.8=1 14.5=1 14.6=2"},
		{"FeedbackMetadata.ClosureSlots", "objects/feedback-vector.h", "7.4=0 7.5=1"},
		{"ScriptContextTable.ArrayClass", "objects/contexts.h", "7.4=0 11.9=0 12.0=1"},
		{"ScriptContextTable.JoinedCapacity", "objects/contexts.h", "12.0=0 14.8=0 14.9=1"},
		{"Heap.AreaPairs", "heap/spaces.h", "7.4=1 8.9=1 9.0=0"},
		{"Heap.AllocationTop", "heap/new-spaces.h", "7.4=0 11.9=0 12.0=1"},
		{"Snapshot.Extra", "profiler/heap-snapshot-generator.cc", "7.4=0 12.9=0 13.0=1"},
		{"Snapshot.TraceIDs", "profiler/heap-snapshot-generator.cc", "7.4=1 12.9=1 13.0=0"},
		{"Snapshot.Detachedness", "profiler/heap-snapshot-generator.cc", "7.4=0 8.5=0 8.6=1"},
		{"Snapshot.Shapes", "profiler/heap-snapshot-generator.cc", "7.4=0 10.9=0 11.0=1"},
		{"Snapshot.SharedAreFree", "profiler/heap-snapshot-generator.cc", "7.4=0 12.9=0 13.0=1"},
		{"Snapshot.StringTable", "profiler/heap-snapshot-generator.cc", "7.4=0 8.5=0 8.6=1"},
		{"Snapshot.NumberedTransitions", "profiler/heap-snapshot-generator.cc", "7.4=1 10.9=1 11.0=0"},
		{"Snapshot.InternalCode", "profiler/heap-snapshot-generator.cc", "7.4=0 9.9=0 10.0=1"},
		{"Snapshot.ContextIsGlobal", "profiler/heap-snapshot-generator.cc", "7.4=0 14.5=0 14.6=1"},
		{"String.CachedData", "include/v8-primitive.h", "7.4=0 8.9=0 9.0=1"},
		{"Map.ExtendedMask", "objects/map.tq", "14.8=128 15.0=128 15.1=64"},
		{"BaselineData.CallOffsets", "baseline/baseline-compiler.h", "9.0=1 9.1=0"},
		{"ScopeInfo.ModuleCounted", "objects/scope-info.tq", "7.4=0 9.0=0 9.1=1"},
		{"ScopeInfo.DependentCode", "objects/scope-info.tq", "7.4=0 12.9=0 13.0=1"},
		{"ScopeInfo.BlockList", "objects/scope-info.tq", "7.4=1 12.7=1 12.8=0"},
		{"ScopeInfo.ClassPositions", "objects/scope-info.tq", "7.4=0 9.9=0 10.0=1"},
		{"BytecodeArray.Trusted", "objects/bytecode-array.tq", "7.4=0 12.2=0 12.3=1"},
		{"Code.HasMetadata", "objects/code.h: kMetadataSizeOffset", "7.4=0 8.7=0 8.8=1"},
		{"Code.Alignment", "common/globals.h: kCodeAlignment", "7.4=32 9.4=32 9.5=64"},
		{"Safepoint.Wide", "codegen/safepoint-table.h", "7.4=1 9.7=1 9.8=0"},
		{"Frame.FeedbackVector", "execution/frame-constants.h: kRegisterFileFromFp", "7.4=0 11.8=0 11.9=1"},
		{"Context.QueueHandle", "objects/contexts.tq", "7.4=0 15.0=0 15.1=1"},
	} {
		for step := range strings.FieldsSeq(c.steps) {
			var v Version
			var want string
			if _, err := fmt.Sscanf(strings.Replace(step, "=", " ", 1), "%d.%d %s", &v.Major, &v.Minor,
				&want); err != nil {
				t.Fatal(step, err)
			}
			got, ok := fieldsOf(ofRows(v))[c.fact]
			if text := fmt.Sprint(got); !ok || text != want && (want != "-" || got != Unknown) {
				t.Errorf("%s of %d.%d is %s, want %s (%s)", c.fact, v.Major, v.Minor, text, want, c.source)
			}
		}
	}
}

// TestBesides checks fields by their neighbours, in all versions that have both.
func TestBesides(t *testing.T) {
	for major := 7; major <= 15; major++ {
		for minor := range 10 {
			v := V(major, minor)
			if v.Before(7, 4) {
				continue
			}
			f := fieldsOf(ofRows(v))
			for _, c := range []struct {
				fact, beside string
				distance     int
			}{
				{"Map.LayoutDescriptor", "Map.Descriptors", 8},               // objects/map.h
				{"ScopeInfo.FunctionType", "ScopeInfo.ModuleType", -1},       // common/globals.h: ScopeType
				{"JSArrayBuffer.Extension", "JSArrayBuffer.BackingStore", 8}, // objects/js-array-buffer.tq
				{"JSArrayBuffer.MaxByteLength", "JSArrayBuffer.ByteLength", 8},
				{"JSFunction.Context", "JSFunction.Shared", 8},
			} {
				a, b := f[c.fact], f[c.beside]
				if a != Unknown && b != Unknown && a-b != c.distance {
					t.Errorf("%v: %s is at %d, %s at %d", v, c.fact, a, c.beside, b)
				}
			}
		}
	}
}

// TestInspectSteps checks traits of util.inspect at the first V8 versions of Node's lines, in the order of
// the releases: 12.0, 12.16, 13.0, 13.12, 14.0, 15.0, 16.0, 16.9, 18.0, 20.0, 22.0, 23.0, 24.0, 25.0 and
// 26.0.
func TestInspectSteps(t *testing.T) {
	versions := []Version{V(7, 4), V(7, 8), V(7, 9), V(8, 1), V(8, 4), V(8, 6), V(9, 0), V(9, 4), V(10, 1), V(11, 3),
		V(12, 4), V(12, 9), V(13, 6), V(14, 1), V(14, 6)}
	for fact, want := range map[string]string{
		"ClassByName":    "111100000000000",
		"SymbolBrackets": "111111111111000",
		"BufferBrackets": "000000000000111",
		"MarkProxies":    "000000000000001",
		"DottedTags":     "000000000000001",
		"LooseTags":      "000000000000110",
		"Cause":          "000000011111111",
		"Errors":         "000000011111111",
		"ModuleTags":     "000011111111111",
		"Node12":         "110000000000000",
		"Classes":        "010011111111111",
		"Sizes":          "011111111111111",
		"StackParts":     "000000000011111",
		"ObjectsFirst":   "111111111000000",
		"JoinsLines":     "111110000000000",
		"LongEscapes":    "111000000000000",
		"RunsTypeScript": "000000000011111",
	} {
		got := ""
		for _, v := range versions {
			got += fmt.Sprint(fieldsOf(ofRows(v))["Inspect."+fact])
		}
		if got != want {
			t.Errorf("%s is %s, want %s", fact, got, want)
		}
	}
}
