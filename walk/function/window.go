package function

import (
	"coredbg/core"
	"coredbg/walk/frame"
	"coredbg/walk/isa"
	"coredbg/walk/step"
)

// Window steps out of functions of SPARC V9, whose frames are register windows: the
// caller's %o are the function's own %i, and its %l and %i lie where its stack pointer
// points to (SPARC Compliance Definition 2.4, chapter 3P).
type Window struct {
	Walk *step.Walk // the walk that it makes steps of
}

// The slots of %o0, %l0 and %i0, of 8 registers each, and of %o7 and %i7.
const (
	sparcO, sparcL, sparcI, sparcO7, sparcI7 = 8, 16, 24, 15, 31
)

// Step declines for other architectures. An interrupted function that has not yet made
// its window, or makes none, returns by %o7.
func (u Window) Step(f *frame.Frame) (frame.Frame, error) {
	w, arch := u.Walk, u.Walk.Text.Process.Arch
	if arch != core.SPARC64 || f.Trampoline || !w.Here.Exec {
		return frame.Frame{}, frame.ErrDecline
	}
	own, known := true, true
	if f.Exact() {
		own, known = u.ownWindow(f.PC)
	}
	if !known {
		return frame.Frame{}, frame.ErrDecline
	}
	caller := frame.Frame{SP: f.SP, Trust: frame.Prologue, Regs: f.Regs}
	link := sparcO7
	if own {
		link = sparcI7
		sp, ok := f.Regs.Get(arch.FP)
		at := core.Addr(sp) + core.Addr(arch.CFAOff)
		if !ok || sp <= uint64(f.SP) || !w.InStack(f.SP+core.Addr(arch.CFAOff), at) {
			return frame.Frame{}, frame.ErrDecline
		}
		caller.SP, caller.Trust = core.Addr(sp), frame.FramePointer
		for i := range 8 {
			caller.Regs.Forget(sparcO + i)
			if v, ok := f.Regs.Get(sparcI + i); ok {
				caller.Regs.Set(sparcO+i, v)
			}
		}
		for i := range 16 {
			v := w.Stack.Word(at + core.Addr(8*i))
			if w.Stack.Reset() != nil {
				caller.Regs.Forget(sparcL + i)
				continue
			}
			if sparcL+i == sparcI7 {
				v ^= w.Text.Process.WindowCookie
			}
			caller.Regs.Set(sparcL+i, v)
		}
	}
	ra, ok := f.Regs.Get(link)
	if !ok {
		return frame.Frame{}, frame.ErrDecline
	}
	if ra == 0 && own {
		return frame.Frame{}, frame.ErrRoot
	}
	caller.PC = core.Addr(ra + arch.ReturnBias)
	if ok, _ := w.Text.ReturnAddress(caller.PC); !ok {
		return frame.Frame{}, frame.ErrDecline
	}
	caller.Regs.Forget(sparcO7)
	caller.Regs.Set(arch.PC, uint64(caller.PC))
	caller.Regs.Set(arch.SP, uint64(caller.SP))
	if fp, ok := caller.Regs.Get(arch.FP); ok {
		caller.FP = core.Addr(fp)
	}
	return caller, nil
}

// ownWindow reports whether the function at pc has made a window of its own there, by save
// %sp; known is false if the function or its code is not.
func (u Window) ownWindow(pc core.Addr) (own, known bool) {
	w := u.Walk
	start, ok := w.Text.FuncStart(pc)
	if !ok || pc-start >= isa.MaxCode {
		return false, false
	}
	code, err := w.Text.Process.Space.Slice(start, int(pc-start))
	if err != nil {
		return false, false
	}
	order := w.Text.Process.Arch.Order
	for ; len(code) >= 4; code = code[4:] {
		switch order.Uint32(code) & 0xffffc000 {
		case 0x9de38000: // save %sp,…,%sp
			return true, true
		}
	}
	return false, true
}
