package walk

import "coredbg/core"

// windowUnwinder steps out of functions of SPARC V9, whose frames are register windows: the
// caller's %o are the function's own %i, and its %l and %i lie where its stack pointer
// points to (SPARC Compliance Definition 2.4, chapter 3P).
type windowUnwinder struct{ w *walker }

// The slots of %o0, %l0 and %i0, of 8 registers each, and of %o7 and %i7.
const (
	sparcO, sparcL, sparcI, sparcO7, sparcI7 = 8, 16, 24, 15, 31
)

// Step declines for other architectures. An interrupted function that has not yet made
// its window, or makes none, returns by %o7.
func (u windowUnwinder) Step(f *Frame) (Frame, error) {
	w, arch := u.w, u.w.t.p.Arch
	if arch != core.SPARC64 || f.Trampoline || !w.here.exec {
		return Frame{}, ErrDecline
	}
	own, known := true, true
	if f.Exact() {
		own, known = w.ownWindow(f.PC)
	}
	if !known {
		return Frame{}, ErrDecline
	}
	caller := Frame{SP: f.SP, Trust: Prologue, Regs: f.Regs}
	link := sparcO7
	if own {
		link = sparcI7
		sp, ok := f.Regs.Get(arch.FP)
		at := core.Addr(sp) + core.Addr(arch.CFAOff)
		if !ok || sp <= uint64(f.SP) || !w.inStack(f.SP+core.Addr(arch.CFAOff), at) {
			return Frame{}, ErrDecline
		}
		caller.SP, caller.Trust = core.Addr(sp), FramePointer
		for i := range 8 {
			caller.Regs.Forget(sparcO + i)
			if v, ok := f.Regs.Get(sparcI + i); ok {
				caller.Regs.Set(sparcO+i, v)
			}
		}
		for i := range 16 {
			v := w.stack.Word(at + core.Addr(8*i))
			if w.stack.Reset() != nil {
				caller.Regs.Forget(sparcL + i)
				continue
			}
			caller.Regs.Set(sparcL+i, v)
		}
	}
	ra, ok := f.Regs.Get(link)
	if !ok {
		return Frame{}, ErrDecline
	}
	if ra == 0 && own {
		return Frame{}, ErrRoot
	}
	caller.PC = core.Addr(ra + arch.ReturnBias)
	if ok, _ := w.returnAddress(caller.PC); !ok {
		return Frame{}, ErrDecline
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
func (w *walker) ownWindow(pc core.Addr) (own, known bool) {
	start, ok := w.t.funcStart(pc)
	if !ok || pc-start >= maxCode {
		return false, false
	}
	code, err := w.t.p.Space.Slice(start, int(pc-start))
	if err != nil {
		return false, false
	}
	order := w.t.p.Arch.Order
	for ; len(code) >= 4; code = code[4:] {
		switch order.Uint32(code) & 0xffffc000 {
		case 0x9de38000: // save %sp,…,%sp
			return true, true
		}
	}
	return false, true
}

// callSPARC knows call, and jmpl with %o7, before the instruction in the delay slot.
func callSPARC(code []byte) (to int64, direct, ok bool) {
	n := len(code)
	if n < 8 {
		return 0, false, false
	}
	w := core.SPARC64.Order.Uint32(code[n-8:])
	if w>>30 == 1 {
		return int64(int32(w<<2)) - 8, true, true
	}
	return 0, false, w&0xfff80000 == 0x9fc00000
}
