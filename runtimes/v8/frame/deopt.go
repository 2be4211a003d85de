package frame

import (
	"sync"

	"coredbg/runtimes/v8/callsite"
	"coredbg/runtimes/v8/layout"
	"coredbg/runtimes/v8/object"
)

// A Deopt reads what optimised code keeps for the deoptimizer and the
// collector.
type Deopt struct {
	*layout.Memory
	objects *object.Reader
	sites   *callsite.Reader
	sets    sync.Map // of translations, by the table that is written with it
}

// literal returns an element of the literal array as a strong reference.
func (dec *Deopt) literal(deoptData layout.Tagged, id int) (layout.Tagged, bool) {
	arr, ok := dec.objects.ProtectedElement(deoptData, dec.Layout.DeoptimizationData.LiteralArray)
	if !ok {
		return 0, false
	}
	l, ok := dec.objects.Element(arr, id)
	if !ok || l.IsSmi() {
		return l, ok
	}
	return l &^ 2, l.IsHeap()
}

// SharedLiteral returns a literal that is a SharedFunctionInfo, or its wrapper
// from V8 13 on.
func (dec *Deopt) SharedLiteral(deoptData layout.Tagged, id int) (layout.Tagged, bool) {
	l, ok := dec.literal(deoptData, id)
	if !ok {
		return 0, false
	}
	if dec.Is(l, dec.Types.SharedProxy) {
		if l, ok = dec.Field(l, dec.Slots(1)); !ok {
			return 0, false
		}
	}
	return l, dec.IsSharedFunctionInfo(l)
}

// SmiElement returns the Smi at index i of the array o.
func (dec *Deopt) SmiElement(o layout.Tagged, i int) (int, bool) {
	e, ok := dec.objects.Element(o, i)
	return int(e.Smi()), ok && e.IsSmi()
}

// RegisterCount returns how many registers a function's frames have, or -1.
func (dec *Deopt) RegisterCount(bytecode layout.Tagged) int {
	size, ok := dec.U32Field(bytecode, dec.Layout.BytecodeArray.FrameSize)
	if !ok || size%8 != 0 || size/8 > maxLocals {
		return -1
	}
	return int(size / 8)
}

// maxLocals bounds the variables of one frame.
const maxLocals = 1 << 12
