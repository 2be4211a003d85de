package fit

import (
	"coredbg/runtimes/v8/bytecode"
	"coredbg/runtimes/v8/layout"
)

// Probing finds numbers that no constant gives by looking at known objects of
// the core: the functions on its stacks. It corrects the rows by
// version where the two disagree, as they may for a version that the rows do
// not have. Constants of the image stay; a difference from them is a conflict.
// Objects are recognised by their types, which are constants.

// probe corrects the layout. It reads a few functions of the stacks.
func (v *Candidate) probe() {
	functions := v.stackFunctions(maxProbed)
	shareds := make([]layout.Tagged, 0, len(functions))
	for _, fn := range functions {
		if s, ok := v.Objects.ClosureShared(fn); ok {
			shareds = append(shareds, s)
		}
	}
	l := v.Layout
	v.probeSlot(shareds, "SharedFunctionInfo", "FunctionData", &l.SharedFunctionInfo.FunctionData, 8, 48,
		func(w layout.Tagged) bool {
			typ, ok := v.InstanceType(w)
			return ok && (typ == v.Types.BytecodeArray || typ == v.Types.InterpreterData ||
				typ == v.Types.BaselineData || typ == v.Types.Code)
		})
	v.probeSlot(shareds, "SharedFunctionInfo", "Name", &l.SharedFunctionInfo.Name, 8, 48, func(w layout.Tagged) bool {
		return v.Objects.IsString(w) || v.Is(w, v.Types.ScopeInfo)
	})
	v.probeSlot(shareds, "SharedFunctionInfo", "Script", &l.SharedFunctionInfo.Script, 8, 64,
		func(w layout.Tagged) bool {
			return v.Objects.ScriptOf(w) != 0
		})
	var arrays, scripts []layout.Tagged
	for _, s := range shareds {
		if b, ok := v.Objects.BytecodeOf(s); ok {
			arrays = append(arrays, b)
		}
		if f, ok := v.Objects.SharedInfo(s); ok && f.Script != 0 {
			scripts = append(scripts, f.Script)
		}
	}
	v.probeSlot(arrays, "BytecodeArray", "Positions", &l.BytecodeArray.Positions, 16, 48, func(w layout.Tagged) bool {
		table, ok := v.Objects.ByteArray(w, bytecode.MaxTable)
		if !ok {
			return false
		}
		entries, err := bytecode.DecodePositions(table, v.Objects.PositionEncoding(l.Frame.FirstCodeOffset))
		return err == nil && len(entries) > 0
	})
	v.probeSlot(scripts, "Script", "Source", &l.Script.Source, 8, 48, func(w layout.Tagged) bool {
		info, err := v.Objects.StringInfo(w)
		return err == nil && info.Length > 0
	})
}

// probeSlot finds the one slot in [from, to] that suits most of the objects,
// and more of them than the one that the layout has.
func (v *Candidate) probeSlot(objects []layout.Tagged, class, field string, known *int, from, to int,
	suits func(layout.Tagged) bool) {
	count := func(off int) (n int) {
		for _, o := range objects {
			if w, ok := v.Field(o, off); ok && w.IsHeap() && suits(w) {
				n++
			}
		}
		return n
	}
	best, most := *known, 0
	if best != layout.Unknown {
		most = count(best)
	}
	if len(objects) == 0 || 2*most > len(objects) {
		return // what is known suits
	}
	for off := from; off <= to; off += 8 {
		if n := count(off); n > most && 2*n > len(objects) {
			best, most = off, n
		}
	}
	if best != *known {
		v.Layout.Probed(class, field, best)
	}
}
