package amend

import "coredbg/runtimes/v8/layout"

// fewestArrays are the arrays of bytecodes that must agree on what their fields hold.
const fewestArrays = 3

// A fieldUse is what a field of arrays of bytecodes holds.
type fieldUse struct {
	at                  int
	bytes, fixed, empty int // how often, and how many of the bytes are empty
}

// BytecodeFields corrects the offsets of a bytecode array's constants, handlers and positions. Of the fields
// between its length and its frame size one has fixed arrays and two have byte arrays. The table of handlers is
// the byte array that is empty in most functions (objects/bytecode-array.tq @ 11.3, 12.1, 13.0, whose orders
// differ).
func (v *Build) BytecodeFields() {
	l := &v.Layout.BytecodeArray
	if l.Positions == layout.Unknown || l.ConstantPool == layout.Unknown || l.HandlerTable == layout.Unknown ||
		l.FrameSize == layout.Unknown {
		return
	}
	uses, total := v.fieldUses()
	var pool, positions, handlers *fieldUse
	for i := range uses {
		u := &uses[i]
		switch {
		case 2*u.fixed > total:
			if pool != nil {
				return
			}
			pool = u
		case 2*u.bytes <= total:
		case positions == nil:
			positions = u
		case handlers != nil:
			return
		default:
			handlers = u
		}
	}
	if total < fewestArrays || pool == nil || handlers == nil || pool.at == l.ConstantPool ||
		handlers.empty == positions.empty {
		return // where the constants are in their place the others are, too
	}
	if handlers.empty < positions.empty {
		positions, handlers = handlers, positions
	}
	v.Layout.Probed("BytecodeArray", "ConstantPool", pool.at)
	v.Layout.Probed("BytecodeArray", "HandlerTable", handlers.at)
	v.Layout.Probed("BytecodeArray", "Positions", positions.at)
}

// fieldUses returns what the fields of the arrays of some functions hold, and how many arrays these are.
func (v *Build) fieldUses() (uses []fieldUse, total int) {
	step := v.SlotSize()
	for at := v.BytecodeLengthAt() + step; at < v.Layout.BytecodeArray.FrameSize; at += step {
		uses = append(uses, fieldUse{at: at})
	}
	seen := map[layout.Tagged]bool{}
	for _, fn := range v.Closures() {
		shared, _ := v.Objects.ClosureShared(fn)
		array, ok := v.Objects.BytecodeOf(shared)
		if !ok || seen[array] {
			continue
		}
		seen[array] = true
		total++
		for i := range uses {
			u := &uses[i]
			switch o, _ := v.ProtectedField(array, u.at); {
			case v.TypeNamed(o, "FIXED_ARRAY"):
				u.fixed++
			case v.TypeNamed(o, "BYTE_ARRAY"):
				u.bytes++
				if n, ok := v.Objects.ArrayLength(o); ok && n == 0 {
					u.empty++
				}
			}
		}
	}
	return uses, total
}
