package hotspot

import (
	"coredbg/runtimes"
	"coredbg/runtimes/hotspot/frame"
	"coredbg/walk"
)

var _ runtimes.JavaVariabler = (*HotSpot)(nil)

// JavaVariables implements runtimes.JavaVariabler.
func (h *HotSpot) JavaVariables(f *walk.Frame, source int) (out []runtimes.JavaVariable, ok bool) {
	q, ok := f.Record.(*frame.Activation)
	if !ok {
		return nil, false
	}
	for _, v := range h.Variables(q, source, f) {
		out = append(out, runtimes.JavaVariable{Name: v.Name, Type: v.Type, Slot: v.Slot, Argument: v.Argument,
			Ref: v.Ref, At: v.At, Bits: v.Bits, Missing: v.Missing})
	}
	return out, true
}
