package v8

import (
	"slices"
	"strings"
	"testing"
)

// TestLayoutSuppliers: a constant of the image beats the table, whatever type
// its name ends in; probing beats both.
func TestLayoutSuppliers(t *testing.T) {
	l := newLayout(node24, map[string]int{
		"class_SharedFunctionInfo__script__Tagged_HeapObject_": 48,
		"off_fp_function": -24,
	})
	if l.SharedFunctionInfo.Script != 48 || l.Frame.Function != -24 || l.SharedFunctionInfo.Flags != 56 {
		t.Errorf("script %d, function %d, flags %d", l.SharedFunctionInfo.Script, l.Frame.Function, l.SharedFunctionInfo.Flags)
	}
	l.probed("BytecodeArray", "Data", 72)
	want := map[string]Supplier{
		"SharedFunctionInfo.Script": FromSymbol, "Frame.Function": FromSymbol, "SharedFunctionInfo.Flags": FromTable,
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
	optional := []string{"UntrustedData", "FromBody", "KindMaglev", "KindBaseline", "KindInterpreted", "ArgCount", "CountsReceiver",
		"ClassVariableShift", "ContextExtensionShift", "ExitReceiver", "Flags", "LayoutDescriptor"}
	frames := []string{"String", "HeapNumber", "Map", "DescriptorArray", "Script", "ScopeInfo",
		"BytecodeArray", "Code", "DeoptimizationData", "JSGeneratorObject", "PromiseReaction", "Frame", "JSFunction", "UncompiledData"}
	for _, v := range []Version{v8(7, 8), v8(8, 4), v8(9, 4), v8(10, 2), v8(11, 3), v8(12, 4), v8(13, 6), v8(14, 1), v8(14, 6), v8(15, 0)} {
		for _, f := range newLayout(v, nil).Facts() {
			if f.Supplier == FromNowhere && slices.Contains(frames, f.Class) && !slices.Contains(optional, f.Field) {
				t.Errorf("%d.%d: nobody knows %s.%s", v.Major, v.Minor, f.Class, f.Field)
			}
		}
	}
}

func TestWarningsOfVersions(t *testing.T) {
	for _, c := range []struct {
		v    Version
		want string
	}{
		{Version{}, "unknown"}, {v8(6, 2), "older"}, {v8(15, 0), "newer"}, {v8(13, 6), ""}, {v8(14, 6), ""},
	} {
		v := newHeap(t, c.v).decoder()
		w := v.Warnings()
		if c.want == "" && len(w) != 0 || c.want != "" && (len(w) == 0 || !strings.Contains(w[0].Text, c.want)) {
			t.Errorf("%v: %v", c.v, w)
		}
	}
}
