package amend

import "coredbg/runtimes/v8/layout"

// leastVotes is how many functions must agree.
const leastVotes = 3

// maxFunctionSlots is how many slots the fields of functions may have moved by.
const maxFunctionSlots = 2

// Functions corrects where functions have their fields, if none of what lies on the stacks
// has a SharedFunctionInfo where the table has it: V8 12.9 with the sandbox has a handle of the
// dispatch table besides that of the code, which come before (objects/js-function.tq).
func (v *Build) Functions() {
	f := &v.Layout.JSFunction
	if f.Shared == layout.Unknown {
		return
	}
	votes := map[int]int{}
	for o := range v.StackReferences() {
		// Where the types of JavaScript's objects have moved they are found by their constructors, which are functions.
		if typ, ok := v.InstanceType(o); !ok || typ <= v.Types.MapType {
			continue
		}
		for moved := -maxFunctionSlots; moved <= maxFunctionSlots; moved++ {
			if s, ok := v.Field(o, f.Shared+v.Slots(moved)); ok && v.IsSharedFunctionInfo(s) {
				votes[moved]++
			}
		}
	}
	if votes[0] > 0 {
		return
	}
	best := 0
	for moved := -maxFunctionSlots; moved <= maxFunctionSlots; moved++ {
		if votes[moved] > votes[best] {
			best = moved
		}
	}
	if votes[best] < leastVotes {
		return
	}
	shared, context, prototype := f.Shared, f.Context, v.Layout.ObjectLayout.JSFunction.PrototypeOrInitialMap
	v.Layout.Probed("JSFunction", "Shared", shared+v.Slots(best))
	if context != layout.Unknown {
		v.Layout.Probed("JSFunction", "Context", context+v.Slots(best))
	}
	if prototype != layout.Unknown {
		v.Layout.Probed("JSFunction", "PrototypeOrInitialMap", v.initialMap(prototype, prototype+v.Slots(best), shared+v.Slots(best)))
	}
}

// initialMap returns at which of two offsets functions have the map of what they construct, which leads back to
// them: in V8 11.7 the code has moved from before it to before all fields, so that it is where it was.
func (v *Build) initialMap(was, moved, shared int) int {
	votes := map[int]int{}
	seen := map[layout.Tagged]bool{}
	for o := range v.StackReferences() {
		m, ok := v.MapOf(o)
		if !ok || !v.IsMap(m) {
			continue
		}
		fn, ok := v.Field(m, v.Layout.Map.Constructor)
		for i := 0; ok && v.IsMap(fn) && i < maxBackPointers; i++ {
			fn, ok = v.Field(fn, v.Layout.Map.Constructor)
		}
		if !ok || seen[fn] {
			continue
		}
		seen[fn] = true
		if s, ok := v.Field(fn, shared); !ok || !v.IsSharedFunctionInfo(s) {
			continue
		}
		for _, at := range []int{was, moved} {
			first, _ := v.Field(fn, at)
			if back, ok := v.Field(first, v.Layout.Map.Constructor); ok && v.IsMap(first) && back == fn {
				votes[at]++
			}
		}
	}
	if votes[was] > votes[moved] {
		return was
	}
	return moved
}

// maxBackPointers bounds the way from a map to the first of its transitions.
const maxBackPointers = 64
