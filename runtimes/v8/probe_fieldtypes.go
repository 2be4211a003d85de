package v8

import (
	"maps"
	"strings"

	"coredbg/runtimes/v8/layout"
)

// Fields of functions that are on a stack say what type they hold, whatever the maps of
// the read-only heap were taken for.

// leastFieldVotes is how many functions must agree on the type of a field.
const leastFieldVotes = 3

// fieldTypes returns the types that fields of functions show, by the constants of their
// numbers, where most of the functions agree.
func (v *V8) fieldTypes() map[string]int {
	votes := map[string]map[int]int{}
	count := func(constant string, w layout.Tagged) {
		if typ, is := v.InstanceType(w); is && typ != v.Types.Oddball {
			if votes[constant] == nil {
				votes[constant] = map[int]int{}
			}
			votes[constant][typ]++
		}
	}
	vote := func(constant string, o layout.Tagged, off int) {
		w, ok := v.Field(o, off)
		if strings.Contains(constant, "Trusted") {
			w, ok = v.ProtectedField(o, off)
		}
		if ok {
			count(constant, w)
		}
	}
	for _, s := range v.streams() {
		count("type_InstructionStream__INSTRUCTION_STREAM_TYPE", s)
		if code, ok := v.ProtectedField(s, streamCode); ok && v.Layout.Code.FromBody != layout.Unknown {
			count("type_Code__CODE_TYPE", code)
		}
	}
	l := v.Layout
	for _, fn := range v.someFunctions() {
		s, ok := v.Field(fn, l.JSFunction.Shared)
		if !ok || !v.IsSharedFunctionInfo(s) {
			continue
		}
		if m, ok := v.MapOf(fn); ok {
			vote("type_DescriptorArray__DESCRIPTOR_ARRAY_TYPE", m, l.Map.Descriptors)
		}
		vote("type_FixedArray__FIXED_ARRAY_TYPE", fn, v.Layout.JSObject.Elements) // the empty one
		vote("type_Script__SCRIPT_TYPE", s, l.SharedFunctionInfo.Script)
		// Those of the language have the hole in the place of feedback's metadata, which is no oddball from V8 11.7 on.
		if w, ok := v.Field(s, l.SharedFunctionInfo.Name+v.Slots(1)); ok && v.Types.Hole < 0 && !v.hasScript(fn) {
			if typ, ok := v.InstanceType(w); ok && v.Types.Names[typ] == "" {
				count("type_Hole__HOLE_TYPE", w)
			}
		}
		if n, ok := v.Field(s, l.SharedFunctionInfo.Name); ok && !v.Objects.IsString(n) {
			vote("type_ScopeInfo__SCOPE_INFO_TYPE", s, l.SharedFunctionInfo.Name)
		}
		if d, ok := v.TrustedField(s, l.SharedFunctionInfo.FunctionData); ok && v.Is(d, v.Types.BytecodeArray) {
			positions := "type_ByteArray__BYTE_ARRAY_TYPE"
			if l.Version.AtLeast(12, 3) { // objects/bytecode-array.tq @ 12.4; 11.3 has none that are trusted
				positions = "type_TrustedByteArray__TRUSTED_BYTE_ARRAY_TYPE"
				vote("type_TrustedFixedArray__TRUSTED_FIXED_ARRAY_TYPE", d, l.BytecodeArray.ConstantPool)
			}
			vote(positions, d, l.BytecodeArray.Positions)
		}
	}
	out := map[string]int{}
	for constant, types := range votes {
		total := 0
		best := -1
		for typ, n := range types {
			total += n
			if best < 0 || n > types[best] || n == types[best] && typ < best {
				best = typ
			}
		}
		if types[best] >= leastFieldVotes && 2*types[best] > total {
			out[constant] = best
		}
	}
	return out
}

// withTypes returns the table with some types at other numbers, and nothing else there.
func withTypes(table *layout.Table, types map[string]int) *layout.Table {
	taken := map[int]bool{}
	for _, typ := range types {
		taken[typ] = true
	}
	out := *table
	out.Constants = maps.Clone(table.Constants)
	maps.DeleteFunc(out.Constants, func(name string, n int) bool { return taken[n] && strings.HasPrefix(name, "type_") })
	maps.Copy(out.Constants, types)
	return &out
}
