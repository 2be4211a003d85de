package fit

import (
	"testing"

	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/v8test"
)

// TestProbe: a version to come has moved slots; the functions on the stack
// tell where to.
func TestProbe(t *testing.T) {
	h := v8test.NewHeap(t, layout.V(15, 2))
	f := h.Function("later")
	h.Frame(map[int]uint64{-16: uint64(f.Closure), -32: uint64(f.Bytecode)})
	h.Build.Thread(1, map[string]uint64{"rsp": v8test.StackBase})
	v := New(h.Memory())
	if !v.Uncertain() {
		t.Fatal("a version to come counts as known")
	}
	// The hand-made heap has the layout of 13.6: make the table wrong.
	v.Layout.FixedArray.RawLength = 0
	v.Layout.BytecodeArray.Positions = 40
	v.Layout.SharedFunctionInfo.Script = 16
	v.Layout.Script.Source = 24
	v.probe()
	for what, c := range map[string][2]int{
		"positions": {v.Layout.BytecodeArray.Positions, 24}, "script": {v.Layout.SharedFunctionInfo.Script, 40},
		"source": {v.Layout.Script.Source, 8}, "name": {v.Layout.SharedFunctionInfo.Name, 24},
		"data": {v.Layout.SharedFunctionInfo.FunctionData, 8},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: got %d, want %d", what, c[0], c[1])
		}
	}
	for _, f := range v.Layout.Facts() {
		if f.Class == "BytecodeArray" && f.Field == "Positions" && f.Supplier != layout.FromProbe {
			t.Errorf("supplier: %s", f.Supplier)
		}
	}
}
