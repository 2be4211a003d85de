package fit

import (
	"maps"
	"strings"

	"coredbg/core"
	"coredbg/runtimes/v8/amend"
	"coredbg/runtimes/v8/layout"
)

// Fields of functions that are on a stack say what type they hold, whatever the maps of
// the read-only heap were taken for.

// typeVotes counts, by the constants of their numbers, the types that words of the heap show.
type typeVotes struct {
	v  *Candidate
	by map[string]map[int]int
}

// count counts the type of the object w for a constant.
func (t typeVotes) count(constant string, w layout.Tagged) {
	if typ, is := t.v.InstanceType(w); is && typ != t.v.Types.Oddball {
		if t.by[constant] == nil {
			t.by[constant] = map[int]int{}
		}
		t.by[constant][typ]++
	}
}

// field counts the type of the object that a field of o refers to.
func (t typeVotes) field(constant string, o layout.Tagged, off int) {
	if w, ok := t.v.ProtectedField(o, off); ok {
		t.count(constant, w)
	}
}

// function counts what the fields of a function and of its information show.
func (t typeVotes) function(fn layout.Tagged) {
	v, l := t.v, t.v.Layout
	s, ok := v.Field(fn, l.JSFunction.Shared)
	if !ok || !v.IsSharedFunctionInfo(s) {
		return
	}
	if m, ok := v.MapOf(fn); ok {
		t.field("type_DescriptorArray__DESCRIPTOR_ARRAY_TYPE", m, l.Map.Descriptors)
		if d, ok := v.Field(m, l.Map.Descriptors); ok { // the length, which comes first (builtins/accessors.h)
			t.field("type_AccessorInfo__ACCESSOR_INFO_TYPE", d, l.DescriptorArray.Header+
				v.Slots(l.DescriptorArray.Value))
		}
	}
	t.field("type_FixedArray__FIXED_ARRAY_TYPE", fn, l.JSObject.Elements) // the empty one
	t.field("type_Script__SCRIPT_TYPE", s, l.SharedFunctionInfo.Script)
	// Those of the language have the hole in the place of feedback's metadata, which is no oddball from V8 11.7 on.
	if w, ok := v.Field(s, l.SharedFunctionInfo.Name+v.Slots(1)); ok && v.Types.Hole < 0 && !v.hasScript(fn) {
		if typ, ok := v.InstanceType(w); ok && v.Types.Names[typ] == "" {
			t.count("type_Hole__HOLE_TYPE", w)
		}
	}
	if n, ok := v.Field(s, l.SharedFunctionInfo.Name); ok && !v.Objects.IsString(n) {
		t.field("type_ScopeInfo__SCOPE_INFO_TYPE", s, l.SharedFunctionInfo.Name)
	}
	if d, ok := v.TrustedField(s, l.SharedFunctionInfo.FunctionData); ok && v.Is(d, v.Types.BytecodeArray) {
		elements, _ := v.Field(fn, l.JSObject.Elements)
		for constant, off := range bytecodeFields(v, d, elements) {
			t.field(constant, d, off)
		}
	}
}

// fieldTypes returns the types that fields of functions show, by the constants of their
// numbers, where most of the functions agree.
func (v *Candidate) fieldTypes() map[string]int {
	votes := typeVotes{v, map[string]map[int]int{}}
	if v.Sandbox != nil {
		v.Sandbox.Main = mainFields(v)
	}
	l := v.Layout
	for _, s := range amended(v).Codes() {
		if l.Code.FromBody == layout.Unknown {
			votes.count("type_Code__CODE_TYPE", s)
			votes.field("type_CodeDataContainer__CODE_DATA_CONTAINER_TYPE", s, l.Code.PositionTable+v.Slots(1))
			continue
		}
		votes.count("type_InstructionStream__INSTRUCTION_STREAM_TYPE", s)
		votes.field("type_Code__CODE_TYPE", s, l.Code.FromBody)
	}
	for _, fn := range v.sampleFunctions() {
		votes.function(fn)
	}
	for _, w := range promiseReactions(v) {
		votes.count("type_PromiseReaction__PROMISE_REACTION_TYPE", w)
	}
	for _, w := range accessorPairs(v) {
		votes.count("type_AccessorPair__ACCESSOR_PAIR_TYPE", w)
	}
	out := elected(votes.by)
	maps.Copy(out, amended(v).LazyTypes())
	return out
}

// elected returns the types that most votes for each constant are for, if there are enough.
func elected(votes map[string]map[int]int) map[string]int {
	out := map[string]int{}
	for constant, types := range votes {
		total := 0
		for _, n := range types {
			total += n
		}
		if best := amend.MostOf(types); types[best] >= leastFieldVotes && 2*types[best] > total {
			out[constant] = best
		}
	}
	return out
}

const (
	bytecodeType = "type_BytecodeArray__BYTECODE_ARRAY_TYPE"
	// maxFrameSize is more than the bytes of the registers of any function that a program has.
	maxFrameSize = 1 << 20
)

// bytecodeTypes returns the instance type of bytecode arrays, by the constant of its number. Most functions
// that were called have such an array. It has a length, constants and whole registers in the expected fields.
func bytecodeTypes(v *Candidate) map[string]int {
	votes, total := map[int]int{}, 0
	for _, fn := range v.sampleFunctions() {
		if typ, ok := bytecodeTypeOf(v, fn); ok {
			votes[typ]++
			total++
		}
	}
	if total < leastFieldVotes { // of a process that waits most of these were never called
		clear(votes)
		total = 0
		for fn := range heapObjects(v) {
			if typ, ok := bytecodeTypeOf(v, fn); ok {
				votes[typ]++
				total++
			}
			if total == fewFunctions {
				break
			}
		}
	}
	return elected(map[string]map[int]int{bytecodeType: votes})
}

// bytecodeTypeOf returns the type of the object in the bytecode array field of a function, if it looks like a
// bytecode array.
func bytecodeTypeOf(v *Candidate, fn layout.Tagged) (typ int, ok bool) {
	l := &v.Layout.BytecodeArray
	if l.FrameSize == layout.Unknown || l.ConstantPool == layout.Unknown || !v.IsFunction(fn) {
		return 0, false
	}
	s, _ := v.Field(fn, v.Layout.JSFunction.Shared)
	// The type of scripts may have another number, too; V8's own functions have undefined there.
	script, _ := v.Field(s, v.Layout.SharedFunctionInfo.Script)
	if typ, ok = v.InstanceType(script); !ok || typ == v.Types.Oddball {
		return 0, false
	}
	d, ok := v.TrustedField(s, v.Layout.SharedFunctionInfo.FunctionData)
	if !ok {
		return 0, false
	}
	typ, ok = v.InstanceType(d)
	length, ok1 := v.BytecodeLength(d)
	size, ok2 := v.U32Field(d, l.FrameSize)
	constants, ok3 := v.ProtectedField(d, l.ConstantPool)
	_, is := v.InstanceType(constants)
	return typ, ok && ok1 && ok2 && ok3 && is && length > 0 && size%8 == 0 && size < maxFrameSize
}

// promiseReactions returns the reactions of promises that have waiters. A list of reactions ends with 0; any
// other reaction leads to the next one (objects/promise.tq: PromiseReaction).
func promiseReactions(v *Candidate) (list []layout.Tagged) {
	next := v.Layout.PromiseReaction.Next
	if v.Types.JSPromise < 0 || next == layout.Unknown {
		return nil
	}
	for _, p := range v.samples(v.Types.JSPromise) {
		first, ok := v.Field(p, v.Layout.JSPromise.Reactions)
		after, ok1 := v.Field(first, next)
		typ, is := v.InstanceType(first)
		following, _ := v.InstanceType(after)
		if ok && ok1 && first.IsHeap() && is && typ < v.Types.MapType && typ != v.Types.Oddball &&
			(after == 0 || following == typ) {
			list = append(list, first)
		}
	}
	return list
}

// bytecodeFields returns which fields of an array of bytecodes say what types by the names of their
// constants: none where a FixedArray, as some elements are, is in the place of bytes, so that the table has
// them in another order.
func bytecodeFields(v *Candidate, array, elements layout.Tagged) map[string]int {
	const bytes, trusted = "type_ByteArray__BYTE_ARRAY_TYPE", "type_TrustedByteArray__TRUSTED_BYTE_ARRAY_TYPE"
	l := &v.Layout.BytecodeArray
	typeOf := func(off int) int {
		o, _ := v.ProtectedField(array, off)
		typ, _ := v.InstanceType(o)
		return typ
	}
	fixed, _ := v.InstanceType(elements)
	positions, handlers := typeOf(l.Positions), typeOf(l.HandlerTable)
	switch {
	case positions == fixed || handlers == fixed:
		return nil
	case l.Trusted == 0:
		return map[string]int{bytes: l.Positions}
	}
	fields := map[string]int{"type_TrustedFixedArray__TRUSTED_FIXED_ARRAY_TYPE": l.ConstantPool,
		trusted: l.HandlerTable}
	if positions != handlers { // in 12.3.219
		fields[bytes] = l.Positions
	}
	return fields
}

// withTypes returns the table with some types at other numbers, and nothing else there.
func withTypes(table *layout.Table, types map[string]int) *layout.Table {
	taken := map[int]bool{}
	for _, typ := range types {
		taken[typ] = true
	}
	out := *table
	out.Constants = maps.Clone(table.Constants)
	maps.DeleteFunc(out.Constants, func(name string, n int) bool {
		return taken[n] &&
			strings.HasPrefix(name, "type_")
	})
	maps.Copy(out.Constants, types)
	return &out
}

const (
	// maxAccessorMaps bounds the maps that are looked at for accessors, maxAccessors the accessors.
	maxAccessorMaps, maxAccessors = 1 << 12, 16
	// firstAccessors are the properties of a map that are looked at.
	firstAccessors = 16
)

// accessorPairs returns what properties have that a function called "get NAME" gives: the pair has that function first.
func accessorPairs(v *Candidate) (list []layout.Tagged) {
	l := &v.Layout.DescriptorArray
	if v.Layout.AccessorPair.Getter == layout.Unknown || v.Layout.Map.Descriptors == layout.Unknown {
		return nil
	}
	seen := map[layout.Tagged]bool{}
	v.objects().each(func(_ core.Addr, m layout.Tagged) bool {
		d, _ := v.Field(m, v.Layout.Map.Descriptors)
		n, ok := v.U32Field(d, v.Slots(1)) // how many there are, with how many there is room for
		if !ok || seen[d] {
			return true
		}
		seen[d] = true
		for i := range min(firstAccessors, int(n&0xffff)) {
			pair, ok := v.Field(d, l.Header+v.Slots(i*l.EntryWords+l.Value))
			typ, is := v.InstanceType(pair)
			if !ok || !is || typ >= v.Types.FirstReceiver {
				continue
			}
			get, _ := v.Field(pair, v.Layout.AccessorPair.Getter)
			if v.IsFunction(get) && strings.HasPrefix(v.Objects.ClosureName(get), "get ") {
				list = append(list, pair)
			}
		}
		return len(list) < maxAccessors && len(seen) < maxAccessorMaps
	})
	return list
}
