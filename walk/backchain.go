package walk

import "coredbg/core"

// A backChain is how an ABI links frames by the stack pointer: it points to the
// caller's stack pointer, and the frame's return address lies at a fixed place above
// that.
type backChain struct {
	link core.Addr // bytes above the caller's stack pointer
	// optional is set if only code that was compiled for it has a chain.
	optional bool
}

// chainUnwinder steps by the back chain (PowerPC, 64-Bit ELF V2 ABI 2.2.2, "The Stack
// Frame"; ELF ABI s390x Supplement 1.6, "Back chain", GCC's -mbackchain).
type chainUnwinder struct{ w *walker }

// Step declines where there is no chain. An interrupted function may have no frame: it
// has one if it has called something, and then its own return address is the one that
// its chain leads to.
func (u chainUnwinder) Step(f *Frame) (Frame, error) {
	w := u.w
	chain, arch := w.t.abi.chain, w.t.p.Arch
	sp, known := f.Regs.Get(arch.SP)
	if chain == nil || !known || f.Trampoline || !w.here.exec {
		return Frame{}, ErrDecline
	}
	top := core.Addr(sp)
	next := w.stack.Pointer(top)
	if w.stack.Reset() != nil || next <= top || uint64(next)%arch.StackAlign != 0 || !w.inStack(top, next) {
		return Frame{}, ErrDecline
	}
	pc := w.strip(w.stack.Pointer(next+chain.link), false)
	if w.stack.Reset() != nil || pc == 0 {
		return Frame{}, ErrDecline
	}
	if ok, sure := w.returnAddress(pc); !ok || !sure {
		return Frame{}, ErrDecline
	}
	caller := Frame{PC: pc, SP: next, Trust: FramePointer}
	caller.Regs.Set(arch.PC, uint64(pc))
	caller.Regs.Set(arch.SP, uint64(next))
	switch w.calledBy(f, pc) {
	case refuted:
		return Frame{}, ErrDecline
	case possible:
		if (chain.optional || f.Exact()) && !w.borneOut(&caller) {
			return Frame{}, ErrDecline
		}
	}
	return caller, nil
}
