package amend

import (
	"iter"

	"coredbg/runtimes/v8/layout"
)

// leastVotes is how many functions must agree.
const leastVotes = 3

// maxFunctionSlots is how many slots the fields of functions may have moved by.
const maxFunctionSlots = 2

// enoughVotes is the number of votes that ends the search.
const enoughVotes = 64

// Functions corrects the offsets of functions' fields, if no object on the stacks has a SharedFunctionInfo at
// the table's offset: V8 12.9 with the sandbox has a handle of the dispatch table as well as the code's, and
// both come before (objects/js-function.tq). The stacks of a waiting process have no functions; then the
// functions of the heap show it.
func (v *Build) Functions() {
	f := &v.Layout.JSFunction
	if f.Shared == layout.Unknown {
		return
	}
	objects := v.StackReferences()
	votes := v.sharedVotes(objects, 0)
	if votes[0] > 0 {
		return
	}
	if len(votes) == 0 {
		objects = v.HeapObjects
		votes = v.sharedVotes(objects, enoughVotes)
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
		v.Layout.Probed("JSFunction", "PrototypeOrInitialMap", v.initialMap(objects, prototype, prototype+v.Slots(best),
			shared+v.Slots(best)))
	}
}

// sharedVotes counts the distances in slots between the table's offset and the SharedFunctionInfo of objects
// that may be functions. It stops once enough objects have one, unless enough is 0.
func (v *Build) sharedVotes(objects iter.Seq[layout.Tagged], enough int) map[int]int {
	votes, total := map[int]int{}, 0
	for o := range objects {
		// Where the types of JavaScript's objects have moved they are found by their constructors, which are functions.
		if typ, ok := v.InstanceType(o); !ok || typ <= v.Types.MapType {
			continue
		}
		for moved := -maxFunctionSlots; moved <= maxFunctionSlots; moved++ {
			if s, ok := v.Field(o, v.Layout.JSFunction.Shared+v.Slots(moved)); ok && v.IsSharedFunctionInfo(s) {
				votes[moved]++
				total++
			}
		}
		if enough > 0 && total >= enough {
			break
		}
	}
	return votes
}

// initialMap returns the one of two offsets where functions have the map of the objects they construct, which
// leads back to them: in V8 11.7 the code has moved from before this map to before all fields, so that the
// map's offset is the old one.
func (v *Build) initialMap(objects iter.Seq[layout.Tagged], was, moved, shared int) int {
	votes := map[int]int{}
	seen := map[layout.Tagged]bool{}
	for o := range objects {
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
