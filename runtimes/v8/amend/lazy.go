package amend

import "coredbg/runtimes/v8/layout"

// leastLazy is how many must agree, and none be as the table has it: a page has few functions that were never called.
const leastLazy = 2

// Lazy corrects where an UncompiledData, which functions have that are not compiled, keeps its name and the extent of the
// source: with the sandbox they come after a handle of its own since it is a trusted object, which it is not yet in V8 12.6
// (objects/shared-function-info.tq).
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

// isLazy reports whether d has a name and an extent so many bytes from where the table has them.
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
