package layout

import (
	"slices"
	"testing"
)

// TestLayoutSuppliers: a constant of the image beats the row, whatever type
// its name ends in; probing beats the row.
func TestLayoutSuppliers(t *testing.T) {
	l := New(V(13, 6), Constants{Values: map[string]int{
		"class_SharedFunctionInfo__script__Tagged_HeapObject_": 48,
		"off_fp_function": -24,
	}})
	if l.SharedFunctionInfo.Script != 48 || l.Frame.Function != -24 || l.SharedFunctionInfo.Flags != 56 {
		t.Errorf("script %d, function %d, flags %d", l.SharedFunctionInfo.Script, l.Frame.Function,
			l.SharedFunctionInfo.Flags)
	}
	l.Probed("BytecodeArray", "Data", 72)
	want := map[string]Supplier{
		"SharedFunctionInfo.Script": FromSymbol, "Frame.Function": FromSymbol, "SharedFunctionInfo.Flags": FromRow,
		"JSTypedArray.BitField": FromNowhere, "BytecodeArray.Data": FromProbe,
	}
	for _, f := range l.Facts() {
		if s, ok := want[f.Class+"."+f.Field]; ok && f.Supplier != s {
			t.Errorf("%s.%s is from %s, want %s", f.Class, f.Field, f.Supplier, s)
		}
	}
	if l.BytecodeArray.Data != 72 {
		t.Errorf("probed value: %d", l.BytecodeArray.Data)
	}
}

// TestLayoutOfEachVersion: with no constant at all, every version known has
// every number that frames need.
func TestLayoutOfEachVersion(t *testing.T) {
	optional := []string{"UntrustedData", "FromBody", "KindMaglev", "KindBaseline", "KindInterpreted", "ArgCount",
		"CountsReceiver",
		"ClassVariableShift", "FunctionType", "ContextExtensionShift", "ExitReceiver", "Flags", "LayoutDescriptor",
		"DispatchHandle", "InObjectShift", "PrototypeSlotMask"}
	frames := []string{"String", "HeapNumber", "Map", "DescriptorArray", "Script", "ScopeInfo",
		"BytecodeArray", "Code", "DeoptimizationData", "JSGeneratorObject", "PromiseReaction", "Frame", "JSFunction",
		"UncompiledData"}
	for _, v := range []Version{V(7, 8), V(8, 4), V(9, 4), V(10, 2), V(11, 3), V(12, 4), V(13, 6), V(14, 1),
		V(14, 6), V(15, 0)} {
		for _, f := range New(v, Constants{}).Facts() {
			if f.Supplier == FromNowhere && slices.Contains(frames, f.Class) && !slices.Contains(optional, f.Field) {
				t.Errorf("%d.%d: nobody knows %s.%s", v.Major, v.Minor, f.Class, f.Field)
			}
		}
	}
}

// TestOlderThanTable has a table stand in for an earlier version, as in workerd of 14.8. Facts that differed
// then, by the version rows, have their old values, and the rest is the table's.
func TestOlderThanTable(t *testing.T) {
	tables, err := Tables(Variant{TaggedSize: 4}, V(15, 0))
	if err != nil || len(tables) == 0 || tables[0].Version.Major != 15 {
		t.Fatal(err, len(tables))
	}
	c := Constants{Values: tables[0].Constants, Table: tables[0]}
	for _, v := range []Version{V(14, 8), V(15, 0)} {
		l := New(v, c)
		module, raw := 3, 1
		if !v.AtLeast(14, 9) {
			module, raw = 5, 0
		}
		if l.ScopeInfo.ModuleType != module || l.FixedArray.RawLength != raw || l.Map.InstanceType != 8 {
			t.Errorf("%v: type of a module's scope %d, raw length %d, instance type at %d", v, l.ScopeInfo.ModuleType,
				l.FixedArray.RawLength, l.Map.InstanceType)
		}
	}
}

// TestBetweenCompressedTables: fields that are not all tagged, in versions between two tables, as in cores of
// workerd with compressed pointers (1.20220926, 1.20240701, 1.20240903).
func TestBetweenCompressedTables(t *testing.T) {
	for _, x := range []struct {
		table, v                      Version
		data, byteLength, buffer, raw int
	}{
		{V(10, 2), V(10, 2), 36, 12, 12, 0},
		{V(10, 2), V(10, 6), 34, 12, 12, 0}, // two bytes that are not tagged are gone
		{V(12, 4), V(12, 4), 36, 16, 12, 0},
		{V(12, 4), V(12, 6), 36, 20, 16, 0}, // JavaScript's objects of the embedder have a field more
		{V(12, 4), V(12, 8), 36, 20, 16, 1},
	} {
		tables, err := Tables(Variant{TaggedSize: 4}, x.table)
		if err != nil || len(tables) == 0 || tables[0].Version != x.table {
			t.Fatal(err, len(tables))
		}
		l := New(x.v, Constants{Values: tables[0].Constants, Table: tables[0]})
		if l.BytecodeArray.Data != x.data || l.JSArrayBuffer.ByteLength != x.byteLength ||
			l.JSArrayBufferView.Buffer != x.buffer || l.JSDate.Raw != x.raw {
			t.Errorf("%v by %v: bytecodes at %d, length of a buffer at %d, buffer of a view at %d, dates raw %d",
				x.v, x.table, l.BytecodeArray.Data, l.JSArrayBuffer.ByteLength,
				l.JSArrayBufferView.Buffer, l.JSDate.Raw)
		}
	}
}

// TestSharedMask: a flag before the one of shared buffers is gone from V8 15.2 on.
func TestSharedMask(t *testing.T) {
	for v, want := range map[Version]int{V(14, 6): 1 << 4, V(15, 1): 1 << 4, V(15, 2): 1 << 3, V(15, 8): 1 << 3} {
		if got := New(v, Constants{}).JSArrayBuffer.SharedMask; got != want {
			t.Errorf("%v: %#x, not %#x", v, got, want)
		}
	}
}

// TestNotYet: a field that a version does not have yet is not taken from the table of a later one: frames of V8
// 8.5 have no argument count, and their other fields have other offsets.
func TestNotYet(t *testing.T) {
	tables, err := Tables(Variant{TaggedSize: 4}, V(8, 7))
	if err != nil || len(tables) == 0 || tables[0].Version != V(8, 7) {
		t.Fatal(err, len(tables))
	}
	c := Constants{Values: tables[0].Constants, Table: tables[0]}
	if f := New(V(8, 7), c).Frame; f.ArgCount != -24 || f.BytecodeArray != -32 || f.ReceiverFirst != 1 {
		t.Errorf("8.7: %+v", f)
	}
	if f := New(V(8, 5), c).Frame; f.ArgCount != Unknown || f.BytecodeArray != -24 || f.ReceiverFirst != 0 {
		t.Errorf("8.5: %+v", f)
	}
}

// TestMetadataSize: Codes that have their instructions in them have it between two other numbers, or not at all.
func TestMetadataSize(t *testing.T) {
	for _, x := range []struct{ size, flags, body, want int }{
		{20, 24, Unknown, Unknown}, // V8 8.7
		{20, 28, Unknown, 24},      // 9.2
		{24, 32, Unknown, 28},      // 10.2 with an external code space
		{56, 48, 8, 60},            // 11.3
		{Unknown, 48, 8, Unknown},
	} {
		l := &Layout{}
		l.Code.InstructionSize, l.Code.Flags, l.Code.FromBody = x.size, x.flags, x.body
		if got := l.MetadataSize(); got != x.want {
			t.Errorf("%+v: %d", x, got)
		}
	}
}

// TestAPIObjects: fields of the embedder come after the elements, and since V8 12.6 after a pointer to the heap of C++.
func TestAPIObjects(t *testing.T) {
	for v, want := range map[Version]int{V(8, 7): 12, V(11, 4): 12, V(12, 4): 12, V(12, 6): 16, V(15, 0): 16} {
		tables, err := Tables(Variant{TaggedSize: 4}, v)
		if err != nil || len(tables) == 0 {
			t.Fatal(err)
		}
		if got := New(v, Constants{Values: tables[0].Constants,
			Table: tables[0]}).JSAPIObject.InternalFields; got != want {
			t.Errorf("%v: %d, want %d", v, got, want)
		}
	}
}
