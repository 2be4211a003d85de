package chain

import (
	"coredbg/core"
	"coredbg/walk/frame"
	"coredbg/walk/site"
	"coredbg/walk/step"
)

// Back steps by the back chain (PowerPC, 64-Bit ELF V2 ABI 2.2.2, "The Stack
// Frame"; ELF ABI s390x Supplement 1.6, "Back chain", GCC's -mbackchain).
type Back struct {
	Walk *step.Walk // the walk that it makes steps of
}

// Step declines where there is no chain. An interrupted function may have no frame: it
// has one if it has called something, and then its own return address is the one that
// its chain leads to.
func (u Back) Step(f *frame.Frame) (frame.Frame, error) {
	w := u.Walk
	chain, arch := w.Links.Back, w.Text.Process.Arch
	sp, known := f.Regs.Get(arch.SP)
	if chain == nil || !known || f.Trampoline || !w.Here.Exec {
		return frame.Frame{}, frame.ErrDecline
	}
	top := core.Addr(sp)
	next := w.Stack.Pointer(top)
	if next == 0 && w.Stack.Err() == nil && u.first(f) {
		return frame.Frame{}, w.Null(f, &frame.Frame{SP: top + core.Addr(arch.PtrSize)})
	}
	if w.Stack.Reset() != nil || next <= top || uint64(next)%arch.StackAlign != 0 || !w.InStack(top, next) {
		return frame.Frame{}, frame.ErrDecline
	}
	pc := w.Text.Strip(w.Stack.Pointer(next+chain.Link), false)
	if w.Stack.Reset() != nil || pc == 0 {
		return frame.Frame{}, frame.ErrDecline
	}
	if ok, sure := w.Text.ReturnAddress(pc); !ok || !sure {
		return frame.Frame{}, frame.ErrDecline
	}
	caller := frame.Frame{PC: pc, SP: next, Trust: frame.FramePointer}
	caller.Regs.Set(arch.PC, uint64(pc))
	caller.Regs.Set(arch.SP, uint64(next))
	switch w.Text.CalledBy(f, pc) {
	case site.Refuted:
		return frame.Frame{}, frame.ErrDecline
	case site.Possible:
		if (chain.Optional || f.Exact()) && !w.Prober.Corroborated(&caller) {
			return frame.Frame{}, frame.ErrDecline
		}
	}
	return caller, nil
}

// first reports whether the null that f's stack pointer points to is the end of the chain, which
// "the first stack frame" has (PowerPC, 64-Bit ELF V2 ABI 2.2.2.1). Where all code keeps one, a
// function that has called something has its own link there; the innermost may not have one yet.
func (u Back) first(f *frame.Frame) bool {
	return !u.Walk.Links.Back.Optional && !f.Exact() && f.Trust > frame.Scanned
}
