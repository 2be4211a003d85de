package walk

import (
	"context"
	"iter"
	"slices"

	"coredbg/core"
	"coredbg/walk/frame"
	"coredbg/walk/function"
)

// WalkBlind is Walk without call frame information and without analysis of instructions.
func (t *Target) WalkBlind(ctx context.Context, th *core.Thread, runtime ...Unwinder) iter.Seq2[Frame, error] {
	return func(yield func(Frame, error) bool) {
		w := newWalker(ctx, t, runtime)
		w.chain = slices.DeleteFunc(w.chain, func(u frame.Stepper) bool {
			switch u.(type) {
			case function.Body, function.CFI, function.Prologue:
				return true
			}
			return false
		})
		w.run(frame.FromRegs(t.p.Arch, th.Regs), yield)
	}
}
