package walk

import "coredbg/core"

// maxChain bounds the frame records that one look ahead goes through, and
// maxChainWords those of all of them in one walk.
const (
	maxChain      = 1 << 16
	maxChainWords = 1 << 20
)

// chained reports whether the frame records from the one at fp on, which f's
// frame pointer leads to, bear each other out so well that its return address
// counts although no call precedes it. Each lies further out than the one
// before, in the same stack, and returns to code; they lead to one that returns
// after a call, or end with the null frame pointer of a thread's first function.
//
// Code that no file holds was made by the process, and how it is entered is its
// maker's affair: HotSpot's interpreter returns to where a table points to. In an
// image no call precedes where one was injected: Go's signal handler makes it
// look as if the faulting instruction had called sigpanic. So of those there are
// never two in a row.
func (w *walker) chained(f *Frame, fp core.Addr) bool {
	word := core.Addr(w.t.p.Arch.PtrSize)
	if fp == w.chainNext && fp < w.chainEnd {
		// The look ahead of a frame further in has passed it.
		w.chainNext = core.Addr(w.stack.Word(fp))
		return w.stack.Reset() == nil
	}
	injected := false
	at := fp
	for range maxChain {
		if w.records++; w.records > maxChainWords {
			return false
		}
		next := core.Addr(w.stack.Word(at))
		pc := w.strip(w.stack.Pointer(at+word), false)
		if w.stack.Reset() != nil || pc == 0 {
			return false
		}
		if ok, _ := w.returnAddress(pc); ok {
			w.chainNext, w.chainEnd = core.Addr(w.stack.Word(fp)), at
			return true
		}
		if injected || !w.t.executable(pc) {
			return false
		}
		injected = w.t.p.Module(pc) != nil
		if next == 0 {
			// A record that a register happens to point to proves nothing.
			return f.Trust == FramePointer
		}
		if next <= at || next%w.t.abi.align != 0 || !w.inStack(f.SP, next) {
			return false
		}
		at = next
	}
	return false
}
