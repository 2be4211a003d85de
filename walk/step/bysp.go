package step

import (
	"coredbg/core"
	"coredbg/walk/frame"
)

// FPBySP returns the frame pointer of f if its instructions show how far that is from the stack pointer,
// which is known.
func (w *Walk) FPBySP(f *frame.Frame) (fp core.Addr, ok bool) {
	s := w.Text.At(f.PC, f.AtPC()).Shape()
	if s == nil || !s.Sure || s.SPOff == 0 || s.Base != 0 {
		return 0, false
	}
	sp, ok := f.Regs.Get(w.Text.Process.Arch.SP)
	if !ok {
		return 0, false
	}
	return core.Addr(sp) + core.Addr(s.SPOff-s.CFAOff), true
}

// BySP reports whether the frame of f is found by its stack pointer alone. A frame pointer leads any
// function to the same caller, a stack pointer only the one whose frame has that size.
func (w *Walk) BySP(f *frame.Frame) bool {
	here := w.Text.At(f.PC, f.AtPC())
	if row := here.Row; row != nil && row.CFAExpr == nil && int(row.CFAReg) == w.Text.Process.Arch.SP {
		return true
	}
	s := here.Shape()
	return s != nil && s.Sure && (!s.FromFP || s.SPOff != 0)
}
