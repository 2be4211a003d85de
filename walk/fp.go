package walk

import "coredbg/core"

// fpUnwinder steps by the frame-pointer chain: the frame pointer points to the
// caller's, with the return address after it.
type fpUnwinder struct{ w *walker }

// Step reads the frame record of f. It declines if the frame pointer cannot be
// one.
func (u fpUnwinder) Step(f *Frame) (Frame, error) {
	w := u.w
	if !w.t.abi.record {
		return Frame{}, ErrDecline
	}
	fp, ok := f.Regs.Get(w.t.p.Arch.FP)
	if !ok {
		return Frame{}, ErrDecline
	}
	at := core.Addr(fp)
	if at == 0 || at%w.t.abi.align != 0 || !w.inStack(f.SP, at) {
		return Frame{}, ErrDecline
	}
	if at < f.SP {
		// Inside a chain the pointer leads back: the chain is broken. Before
		// one it is a register like any other.
		if f.Trust == FramePointer {
			return Frame{}, &StopError{Kind: StopNoProgress, At: f.PC}
		}
		return Frame{}, ErrDecline
	}
	// A function that keeps no frame record is below the one that does. If
	// where it starts is not known, its caller may show it.
	if w.here.shape() == nil {
		if caller, ok := (scanUnwinder(u)).prove(f, at); ok {
			return caller, nil
		}
		if caller, ok := w.unseenLeaf(f, at); ok {
			return caller, nil
		}
	}
	caller, err := w.record(at)
	if err != nil {
		return Frame{}, ErrDecline
	}
	if caller.PC == 0 {
		if w.endsIn(f, &caller) {
			return Frame{}, w.null(f, &caller)
		}
		return Frame{}, ErrDecline
	}
	if ok, _ := w.returnAddress(caller.PC); !ok && !w.chained(f, at) {
		if f.Trust == FramePointer && !w.t.site(caller.PC, false).exec {
			return Frame{}, &StopError{Kind: StopNotExecutable, At: caller.PC}
		}
		return Frame{}, ErrDecline
	}
	return caller, nil
}

// unseenLeaf returns the caller of an interrupted function whose code is not in
// the core: most often the innermost one is a leaf without a frame record, whose
// return address is then on top of the stack, and the record at fp is its
// caller's. Nothing proves it, so the frame counts as scanned; taking the
// record instead would lose the caller for certain if it is true.
func (w *walker) unseenLeaf(f *Frame, fp core.Addr) (Frame, bool) {
	arch := w.t.p.Arch
	if !f.Exact() || arch.LR >= 0 || f.SP == fp {
		return Frame{}, false
	}
	w.code.U8(f.PC)
	if w.code.Reset() == nil {
		return Frame{}, false
	}
	pc := w.stack.Pointer(f.SP)
	if w.stack.Reset() != nil {
		return Frame{}, false
	}
	if w.calledBy(f, pc) == refuted {
		return Frame{}, false
	}
	caller := Frame{PC: pc, SP: f.SP + core.Addr(arch.PtrSize), FP: fp, Trust: Scanned}
	caller.Regs.Set(arch.PC, uint64(pc))
	caller.Regs.Set(arch.SP, uint64(caller.SP))
	caller.Regs.Set(arch.FP, uint64(fp))
	return caller, true
}

// record returns the frame that the frame record at fp returns to. Registers
// other than the frame pointer are unknown in it; so is the stack pointer where
// the ABI does not put the record at the end of the frame, and the frame's SP
// is then the least it can be.
func (w *walker) record(fp core.Addr) (Frame, error) {
	p := w.t.p
	word := core.Addr(p.Arch.PtrSize)
	saved := w.stack.Word(fp)
	pc := w.strip(w.stack.Pointer(fp+word), false)
	if err := w.stack.Reset(); err != nil {
		return Frame{}, err
	}
	f := Frame{PC: pc, SP: fp + 2*word, FP: core.Addr(saved), Trust: FramePointer}
	f.Regs.Set(p.Arch.PC, uint64(pc))
	f.Regs.Set(p.Arch.FP, saved)
	if w.t.abi.recordIsTop {
		f.Regs.Set(p.Arch.SP, uint64(f.SP))
	}
	return f, nil
}

// maxPieces bounds the segments that one stack is put together from.
const maxPieces = 64

// inStack reports whether a lies in the writable memory around sp.
func (w *walker) inStack(sp, a core.Addr) bool {
	if sp < w.lo || sp >= w.hi {
		w.lo, w.hi = w.region(sp)
	}
	return w.lo <= a && a < w.hi
}

// region returns the run of adjacent writable segments that holds sp. The
// stack pointer may be just below it, after an overflow into the guard page.
func (w *walker) region(sp core.Addr) (lo, hi core.Addr) {
	space := w.t.p.Space
	s, ok := space.Find(sp)
	if !ok || s.Prot&core.Write == 0 {
		return sp, sp
	}
	lo, hi = s.Start, s.End
	for range maxPieces {
		next, ok := space.Find(hi)
		if !ok || next.Prot&core.Write == 0 {
			break
		}
		hi = next.End
	}
	return lo, hi
}
