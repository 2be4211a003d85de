package step

import (
	"coredbg/core"
	"coredbg/walk/frame"
)

// Record returns the frame that the frame record at fp returns to. Registers
// other than the frame pointer are unknown in it; so is the stack pointer where
// the ABI does not put the record at the end of the frame, and the frame's SP
// is then the least it can be.
func (w *Walk) Record(fp core.Addr) (frame.Frame, error) {
	p := w.Text.Process
	word := core.Addr(p.Arch.RegSize())
	saved := w.Stack.Register(fp)
	pc := w.Text.Strip(core.Addr(w.Stack.Register(fp+word)), false)
	if err := w.Stack.Reset(); err != nil {
		return frame.Frame{}, err
	}
	f := frame.Frame{PC: pc, SP: fp + 2*word, FP: core.Addr(saved), Trust: frame.FramePointer}
	f.Regs.Set(p.Arch.PC, uint64(pc))
	f.Regs.Set(p.Arch.FP, saved)
	if w.Links.recordIsTop {
		f.Regs.Set(p.Arch.SP, uint64(f.SP))
	}
	return f, nil
}

// Recorded returns the frame that f's record leads to if f has made one: it holds
// the same return address pc.
func (w *Walk) Recorded(f *frame.Frame, pc core.Addr) (frame.Frame, bool) {
	at, ok := f.Regs.Get(w.Text.Process.Arch.FP)
	fp := core.Addr(at)
	if !ok || !w.Links.Record || fp < f.SP || fp%w.Links.Align != 0 || !w.InStack(f.SP, fp) {
		return frame.Frame{}, false
	}
	caller, err := w.Record(fp)
	return caller, err == nil && caller.PC == pc
}

// maxChain bounds the frame records that one look ahead goes through, and maxChainWords the records of
// all looks in one walk.
const (
	maxChain      = 1 << 16
	maxChainWords = 1 << 20
)

// Chained reports whether the frame records from fp on, which f's frame pointer leads to, corroborate
// each other so well that its return address counts although no call precedes it. Each record is
// further out than the one before, in the same stack, and returns to code. They lead to one that
// returns after a call, or end with the null frame pointer of a thread's first function.
//
// Code that is in no file was made by the process, and may be entered without a call: HotSpot's
// interpreter returns to places from a table. In an image no call precedes where one was injected: Go's
// signal handler makes it look as if the faulting instruction had called sigpanic. So there are never
// two such places in a row in an image.
func (w *Walk) Chained(f *frame.Frame, fp core.Addr) bool {
	word := core.Addr(w.Text.Process.Arch.RegSize())
	if fp == w.chainNext && fp < w.chainEnd {
		// The look ahead of a frame further in has passed it.
		w.chainNext = core.Addr(w.Stack.Register(fp))
		return w.Stack.Reset() == nil
	}
	injected := false
	at := fp
	for range maxChain {
		if w.records++; w.records > maxChainWords {
			return false
		}
		next := core.Addr(w.Stack.Register(at))
		pc := w.Text.Strip(core.Addr(w.Stack.Register(at+word)), false)
		if w.Stack.Reset() != nil || pc == 0 {
			return false
		}
		if ok, _ := w.Text.ReturnAddress(pc); ok {
			w.chainNext, w.chainEnd = core.Addr(w.Stack.Register(fp)), at
			return true
		}
		if injected || !w.Text.Executable(pc) {
			return false
		}
		injected = w.Text.Process.Module(pc) != nil
		if next == 0 {
			// A record that a register happens to point to proves nothing.
			return f.Trust == frame.FramePointer
		}
		if next <= at || next%w.Links.Align != 0 || !w.InStack(f.SP, next) {
			return false
		}
		at = next
	}
	return false
}

// LookedAhead returns how many frame records were looked at to see whether those nearer
// are borne out.
func (w *Walk) LookedAhead() int { return w.records }
