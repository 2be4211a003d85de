package amend

import (
	"maps"
	"slices"

	"coredbg/runtimes/v8/layout"
)

// leastLazy is how many must agree, and none be as the table has it: a page has few functions that were never called.
const leastLazy = 2

// Lazy corrects where an UncompiledData, which functions have that are not compiled, keeps its name and the
// extent of the source: with the sandbox they come after a handle of its own since it is a trusted object,
// which it is not yet in V8 12.6 (objects/shared-function-info.tq).
func (v *Build) Lazy() {
	l := &v.Layout.UncompiledData
	if l.InferredName == layout.Unknown || l.StartPosition == layout.Unknown || l.EndPosition == layout.Unknown {
		return
	}
	votes, seen := map[int]int{}, map[layout.Tagged]bool{}
	for fn := range v.HeapObjects {
		if len(seen) == enoughVotes {
			break
		}
		shared, ok := v.Field(fn, v.Layout.JSFunction.Shared)
		if !ok || !v.IsSharedFunctionInfo(shared) {
			continue
		}
		d, ok := v.Objects.UncompiledData(shared)
		if !ok || seen[d] {
			continue
		}
		seen[d] = true
		for moved := -1; moved <= 1; moved++ {
			if v.isLazy(d, v.Slots(moved)) {
				votes[moved]++
			}
		}
	}
	best := -1
	if votes[1] > votes[best] {
		best = 1
	}
	if votes[best] < leastLazy || votes[0] > 0 {
		return
	}
	name, start, end := l.InferredName, l.StartPosition, l.EndPosition
	v.Layout.Probed("UncompiledData", "InferredName", name+v.Slots(best))
	v.Layout.Probed("UncompiledData", "StartPosition", start+v.Slots(best))
	v.Layout.Probed("UncompiledData", "EndPosition", end+v.Slots(best))
}

// Constants for the types of uncompiled functions' data, by object size (objects/shared-function-info.tq): the
// parser's results about inner functions come last.
const (
	lazyType     = "type_UncompiledDataWithoutPreparseData__UNCOMPILED_DATA_WITHOUT_PREPARSE_DATA_TYPE"
	preparseType = "type_UncompiledDataWithPreparseData__UNCOMPILED_DATA_WITH_PREPARSE_DATA_TYPE"
)

// LazyTypes returns the types of the data of uncompiled functions, by the names of their constants, if the
// table has others. The candidates are objects in the bytecode field of enough functions that look like such
// data. Each type is the commonest one of its size, if there are one or two sizes.
func (v *Build) LazyTypes() map[string]int {
	if v.Layout.UncompiledData.InferredName == layout.Unknown || v.Layout.Map.InstanceSize == layout.Unknown {
		return nil
	}
	votes, seen := map[byte]map[int]int{}, map[layout.Tagged]bool{} // by size
	for fn := range v.HeapObjects {
		if len(seen) == enoughVotes {
			break
		}
		shared, ok := v.Field(fn, v.Layout.JSFunction.Shared)
		if !ok || !v.IsSharedFunctionInfo(shared) || seen[shared] {
			continue
		}
		if d, ok := v.lazyData(shared); ok {
			seen[shared] = true
			typ, size := v.typeAndSize(d)
			if votes[size] == nil {
				votes[size] = map[int]int{}
			}
			votes[size][typ]++
		}
	}
	out := map[string]int{}
	names := []string{lazyType, preparseType}
	for _, size := range slices.Sorted(maps.Keys(votes)) {
		typ := MostOf(votes[size])
		if votes[size][typ] < leastLazy {
			continue
		}
		if len(names) == 0 {
			return nil
		}
		out[names[0]], names = typ, names[1:]
	}
	return out
}

// lazyData returns what a SharedFunctionInfo has in the place of bytecodes if that looks like a function that
// is not compiled.
func (v *Build) lazyData(shared layout.Tagged) (layout.Tagged, bool) {
	l := &v.Layout.SharedFunctionInfo
	for _, off := range []int{l.FunctionData, l.UntrustedData} {
		d, ok := v.DataField(shared, off)
		if !ok || !d.IsHeap() || v.Is(d, v.Types.BytecodeArray) || v.Is(d, v.Types.Code) {
			continue
		}
		for moved := -1; moved <= 1; moved++ {
			if v.isLazy(d, v.Slots(moved)) {
				return d, true
			}
		}
	}
	return 0, false
}

// typeAndSize returns the instance type of an object and the size of such, in words.
func (v *Build) typeAndSize(o layout.Tagged) (typ int, size byte) {
	typ, _ = v.InstanceType(o)
	var b [1]byte
	if m, ok := v.MapOf(o); ok {
		v.Bytes(b[:], m.Addr().Add(int64(v.Layout.Map.InstanceSize)))
	}
	return typ, b[0]
}

// MostOf returns what has most votes, of equals the least; -1 if there are none.
func MostOf(votes map[int]int) int {
	best := -1
	for n, count := range votes {
		if best < 0 || count > votes[best] || count == votes[best] && n < best {
			best = n
		}
	}
	return best
}

// isLazy reports whether d has a name and an extent moved bytes from the table's offsets.
func (v *Build) isLazy(d layout.Tagged, moved int) bool {
	l := &v.Layout.UncompiledData
	if l.InferredName+moved < v.Slots(1) {
		return false
	}
	name, ok := v.Field(d, l.InferredName+moved)
	start, ok1 := v.U32Field(d, l.StartPosition+moved)
	end, ok2 := v.U32Field(d, l.EndPosition+moved)
	return ok && ok1 && ok2 && v.Objects.IsString(name) && start < end && end < 1<<31
}
