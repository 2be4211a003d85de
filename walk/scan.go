package walk

import "coredbg/core"

// The limits of scans: how many words up the stack a return address is looked
// for, how many of those found are checked against the code that they called, and
// how many words a walk may look at in all.
const (
	maxScan      = 1024
	maxProofs    = 64
	maxScanWords = 1 << 22
	// A proof follows no more than this much code, in bytes and instructions;
	// and so many call sites are kept for all walks of a target.
	maxProofCode  = 32 << 10
	maxProofInsns = 1 << 11
	maxCallSites  = 1 << 13
)

// A callSite is a function that was called, and how far it had got.
type callSite struct{ callee, pc core.Addr }

// scanUnwinder looks for a return address on the stack: the last resort.
type scanUnwinder struct{ w *walker }

// Step returns the frame of a word above f's stack pointer that is the address
// after a call instruction: the one that f's function has put there, if that can
// be proven, else the first whose call has led to f's function. Where that is not
// certain, as the call is indirect, what lies beyond must bear the frame out.
func (u scanUnwinder) Step(f *Frame) (Frame, error) {
	w := u.w
	if !w.here.exec || w.t.abi.call == nil || f.SP == 0 || f.Trampoline {
		return Frame{}, ErrDecline
	}
	if caller, ok := u.prove(f, ^core.Addr(0)); ok {
		return caller, nil
	}
	hidden, probes := false, 0
	for s := w.words(f.SP, ^core.Addr(0)); s.next(); {
		ok, sure := w.returnAddress(s.code)
		// Code that cannot be read may be the caller's: what comes after it
		// would be further out.
		hidden = hidden || ok && !sure
		if !ok || !sure {
			continue
		}
		switch w.calledBy(f, s.code) {
		case confirmed:
			return u.found(f, s.at, s.code), nil
		case possible:
			if probes++; hidden || probes > maxProofs {
				continue
			}
			if caller := u.found(f, s.at, s.code); w.borneOut(&caller) {
				return caller, nil
			}
		}
	}
	if w.ends(f) {
		return Frame{}, ErrRoot
	}
	if hidden && w.t.opts.Guess && len(w.runtimes) == 0 {
		return u.guess(f)
	}
	return Frame{}, ErrDecline
}

// maxGuess is how many words a guess looks at: Breakpad's bound for its own.
const maxGuess = 160

// guess returns the frame of the first word that leads into code of a module that cannot be
// read. The records of a runtime are better than that.
func (u scanUnwinder) guess(f *Frame) (Frame, error) {
	w := u.w
	for s := w.words(f.SP, f.SP+maxGuess*core.Addr(w.t.p.Arch.PtrSize)); s.next(); {
		if ok, sure := w.returnAddress(s.code); ok && !sure && w.t.p.Module(s.code) != nil {
			return u.found(f, s.at, s.code), nil
		}
	}
	return Frame{}, ErrDecline
}

// prove looks for a return address up to end that is after the call of a
// function whose instructions, followed up to f's program counter, keep their
// return address just there.
func (u scanUnwinder) prove(f *Frame, end core.Addr) (Frame, bool) {
	proofs := 0
	for s := u.w.words(f.SP, end); s.next(); {
		callee, ok, _ := u.w.called(s.code)
		if !ok || callee == 0 {
			continue
		}
		if caller, ok := u.proven(f, s.at, s.code, callee); ok {
			return caller, true
		}
		if proofs++; proofs == maxProofs {
			break
		}
	}
	return Frame{}, false
}

// wordScan goes through the words of a stack that are code addresses, within
// the limits of scans.
type wordScan struct {
	w        *walker
	at       core.Addr // of the word
	code     core.Addr // the word, as an address of code
	end      core.Addr
	from     core.Addr // of the next word
	left     int
	wordSize core.Addr
}

func (w *walker) words(from, end core.Addr) wordScan {
	size := core.Addr(w.t.p.Arch.PtrSize)
	return wordScan{w: w, end: end, from: from.Align(uint64(size)), wordSize: size,
		left: min(maxScan, maxScanWords-w.scanned)}
}

// next goes on to the next code address; it reports false at the end.
func (s *wordScan) next() bool {
	w := s.w
	for s.left > 0 && s.from < s.end {
		s.at = s.from
		s.from += s.wordSize
		s.left--
		w.scanned++
		word := w.stack.Pointer(s.at)
		if w.stack.Reset() != nil {
			return false
		}
		s.code = w.strip(word, false)
		if s.code <= 1 || !w.t.executable(s.code-1) && !w.t.executable(s.code) {
			continue
		}
		// Of two instruction sets, some word of data is always a call.
		if w.t.abi.mode == 0 || w.t.p.Module(s.code) != nil {
			return true
		}
	}
	return false
}

// proven returns the caller of f if the return address pc, found at at, is
// where the function at callee keeps its own.
func (u scanUnwinder) proven(f *Frame, at, pc, callee core.Addr) (Frame, bool) {
	w := u.w
	if w.t.abi.prologue == nil || callee > f.LookupPC() || f.PC-callee >= maxProofCode {
		return Frame{}, false
	}
	shape := w.t.proofShape(callSite{callee, f.PC})
	if shape == nil {
		return Frame{}, false
	}
	caller, err := prologueUnwinder(u).step(f, shape)
	if err != nil || caller.PC != pc {
		return Frame{}, false
	}
	arch := w.t.p.Arch
	slot := arch.PC
	if arch.LR >= 0 {
		slot = arch.LR
	}
	return caller, caller.SP-core.Addr(shape.saved[slot]) == at
}

// found makes the frame of the return address pc in the word at at. If the
// word before it leads to another frame record further out, it is the caller's
// frame pointer.
func (u scanUnwinder) found(f *Frame, at, pc core.Addr) Frame {
	w := u.w
	arch := w.t.p.Arch
	word := core.Addr(arch.PtrSize)
	caller := Frame{PC: pc, SP: at + word, Trust: Scanned}
	caller.Regs.Set(arch.PC, uint64(pc))
	if arch.LR < 0 {
		caller.Regs.Set(arch.SP, uint64(caller.SP))
	}
	if !w.t.abi.record {
		return caller
	}
	fp := w.stack.Pointer(at - word)
	if w.stack.Reset() != nil || fp <= at || fp%w.t.abi.align != 0 || !w.inStack(f.SP, fp) {
		return caller
	}
	next, err := w.record(fp)
	if err != nil {
		return caller
	}
	if ok, sure := w.returnAddress(next.PC); ok && sure {
		caller.FP = fp
		caller.Regs.Set(arch.FP, uint64(fp))
	}
	return caller
}

// proofShape analyses a function up to an instruction of it; nil if the one does
// not lead to the other, or if too many were analysed before.
func (t *Target) proofShape(c callSite) *frameShape {
	t.mu.RLock()
	shape, ok := t.callSites[c]
	full := len(t.callSites) >= maxCallSites
	t.mu.RUnlock()
	if ok || full {
		return shape
	}
	n := int(c.pc - c.callee)
	code, _ := t.p.Space.Slice(c.callee, n+behindPC)
	if len(code) >= n {
		if s, ok := t.abi.prologue(code, n, maxProofInsns); ok && s.sure {
			shape = &s
		}
	}
	t.mu.Lock()
	t.callSites[c] = shape
	t.mu.Unlock()
	return shape
}
