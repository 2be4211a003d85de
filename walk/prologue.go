package walk

import (
	"bytes"
	"slices"

	"coredbg/core"
)

// A frameShape is what a function's instructions say about its frame at one of
// them.
type frameShape struct {
	fromFP bool  // the CFA is relative to the frame pointer, else to the stack pointer
	base   int   // the slot of another register that serves as frame pointer; else 0
	cfaOff int64 // bytes
	// saved[i] is how far below the CFA the register in slot i was saved; 0
	// if it was not. The return address is in the slot of the program counter
	// where the call pushes it, else in that of the link register.
	saved [core.MaxRegs]int32
	lost  uint64 // bit i: where the register in slot i was saved is not known
	// sure is set if the instructions lead from the function's start to the
	// place; else the frame is the one that most of the function has.
	sure  bool
	entry bool // the function is a thread's first: it has no caller
	// ahead is set if the shape is what the rest of the function takes down, over
	// calls, not what it has built up; see aheadOf.
	ahead bool
}

// register returns the slot of the register that the CFA is relative to.
func (s *frameShape) register(arch *core.Arch) int {
	switch {
	case !s.fromFP:
		return arch.SP
	case s.base != 0:
		return s.base
	}
	return arch.FP
}

// The limits of what is read of a function to understand its frame: up to the
// instruction in question, and after it, where jumps may come back from.
const (
	maxCode  = 256 << 10 // bytes
	behindPC = 8 << 10   // bytes
	maxInsns = 1 << 16
)

// atEntry is AT_ENTRY, the type of the auxiliary vector's entry point.
const atEntry = 9

// entryReach is how far after a program's entry point its first call may be.
const entryReach = 64

// shape analyses the function around s.
func (t *Target) shape(s *site) *frameShape {
	if !s.exec {
		return nil
	}
	if s.exact {
		if shape, ok := t.returns(s.pc); ok {
			return &shape
		}
	}
	if t.abi.prologue == nil {
		return nil
	}
	lookup := s.pc
	if !s.exact {
		if t.exits(s.pc) {
			return &frameShape{entry: true}
		}
		lookup--
	}
	var body *frameShape
	if start, known := t.funcStart(lookup); known && lookup-start < maxCode {
		code, _ := t.p.Space.Slice(start, int(s.pc-start)+behindPC)
		if len(code) >= int(s.pc-start) {
			if shape, ok := t.abi.prologue(code, int(s.pc-start), maxInsns); ok || shape.entry {
				body = &shape
			}
		}
	}
	if body != nil || !s.exact || t.abi.entered == nil {
		return body
	}
	const around = 4
	before, err := t.p.Space.Slice(s.pc-around, around)
	if err != nil {
		before = nil
	}
	after, _ := t.p.Space.Slice(s.pc, 8)
	if shape, ok := t.abi.entered(t.p.Arch, before, after); ok {
		return &shape
	}
	return nil
}

// exits reports whether the code at pc ends the thread with what was just
// returned, as it does after the call of a thread's function.
func (t *Target) exits(pc core.Addr) bool {
	const longest = 16
	code, _ := t.p.Space.Slice(pc, longest)
	return slices.ContainsFunc(t.abi.exits, func(exit []byte) bool { return bytes.HasPrefix(code, exit) })
}

// funcStart returns the start of the function that holds a: the nearest of those
// that the image lists and that symbols name, as either may lack some. Without
// both the only one known is the program's entry point.
func (t *Target) funcStart(a core.Addr) (core.Addr, bool) {
	start, known := t.listedStart(a)
	if t.opts.FuncStart != nil {
		if named, ok := t.opts.FuncStart(a); ok && named <= a && (!known || named > start) {
			start, known = named, true
		}
	}
	if known {
		return start, true
	}
	return t.entryOf(a)
}

// listedStart returns the last function at or before a in its image's list.
func (t *Target) listedStart(a core.Addr) (core.Addr, bool) {
	m := t.p.Module(a)
	if m == nil {
		return 0, false
	}
	link, ok := m.LinkAddr(a)
	if !ok {
		return 0, false
	}
	link &= uint64(t.p.Arch.AddrMask())
	starts := t.image(m).starts()
	i, found := slices.BinarySearch(starts, link)
	if !found {
		i--
	}
	if i < 0 {
		return 0, false
	}
	return a - core.Addr(link-starts[i]), true
}

// prologueUnwinder steps by what the function's instructions did to the stack,
// or, where it was interrupted, will do on the way out.
type prologueUnwinder struct{ w *walker }

// Step declines where neither is known, or what they lead to is not a return address.
func (u prologueUnwinder) Step(f *Frame) (Frame, error) {
	if f.Trampoline {
		return Frame{}, ErrDecline
	}
	s := u.w.here.shape()
	if s != nil && s.entry || u.w.t.calledFromEntry(f) {
		return Frame{}, ErrRoot
	}
	if way := u.w.here.way(); way != nil {
		if caller, err := u.step(f, way); err == nil {
			// What the function has built may show as much, by the frame pointer.
			if s != nil && s.sure {
				if same, err := u.step(f, s); err == nil && same.PC == caller.PC && same.SP == caller.SP {
					return same, nil
				}
			}
			if by, ok := u.w.recorded(f, caller.PC); ok && by.SP == caller.SP {
				caller.Trust = FramePointer
			}
			return caller, nil
		}
	}
	if s == nil {
		return Frame{}, ErrDecline
	}
	return u.step(f, s)
}

// step applies a shape.
func (u prologueUnwinder) step(f *Frame, s *frameShape) (Frame, error) {
	w := u.w
	arch := w.t.p.Arch
	v, ok := f.Regs.Get(s.register(arch))
	if !ok {
		return Frame{}, ErrDecline
	}
	cfa := core.Addr(v) + core.Addr(s.cfaOff)
	if !w.inStack(f.SP, cfa-1) {
		return Frame{}, ErrDecline
	}
	caller := Frame{SP: cfa, Trust: Prologue, Regs: f.Regs}
	if s.fromFP && w.t.abi.record {
		caller.Trust = FramePointer
	}
	caller.Regs.Known &= arch.CalleeSaved &^ s.lost
	for slot, n := range s.saved {
		if n == 0 {
			continue
		}
		v := w.stack.Word(cfa - core.Addr(n))
		if w.stack.Reset() == nil {
			caller.Regs.Set(slot, v)
		} else {
			caller.Regs.Forget(slot)
		}
	}
	return u.finish(f, caller, s)
}

// finish fills in the caller's program counter and checks it.
func (u prologueUnwinder) finish(f *Frame, caller Frame, s *frameShape) (Frame, error) {
	w := u.w
	arch := w.t.p.Arch
	ra := arch.PC
	if arch.LR >= 0 {
		ra = arch.LR
		if s.saved[ra] == 0 && f.Exact() {
			if lr, ok := f.Regs.Get(ra); ok {
				caller.Regs.Set(ra, lr)
			}
		}
	}
	pc, ok := caller.Regs.Get(ra)
	if !ok {
		return Frame{}, ErrDecline
	}
	caller.PC = w.strip(core.Addr(pc), false)
	if fp, known := caller.Regs.Get(arch.FP); caller.PC == 0 && s.sure && !s.ahead && known && fp == 0 {
		return Frame{}, w.null(f, &caller)
	}
	if ok, _ := w.returnAddress(caller.PC); !ok && !u.uncalled(f, &caller, s) {
		return Frame{}, ErrDecline
	}
	if arch.LR >= 0 {
		caller.Regs.Forget(arch.LR)
	}
	caller.Regs.Set(arch.PC, uint64(caller.PC))
	caller.Regs.Set(arch.SP, uint64(caller.SP))
	if fp, ok := caller.Regs.Get(arch.FP); ok {
		caller.FP = core.Addr(fp)
	}
	return caller, nil
}

// uncalled reports whether a return address that no call precedes is one all the
// same, because the shape is sure of its place. It is not where a function was
// interrupted, as it may return to jump, nor where the shape is what lies ahead,
// which may not be of the function: there the caller's frame records must bear it
// out.
func (u prologueUnwinder) uncalled(f, caller *Frame, s *frameShape) bool {
	w := u.w
	if !s.sure || !w.t.executable(caller.PC) {
		return false
	}
	if !f.Exact() && !s.ahead {
		return true
	}
	fp, ok := caller.Regs.Get(w.t.p.Arch.FP)
	at := core.Addr(fp)
	return ok && at >= caller.SP && at%w.t.abi.align == 0 && w.inStack(caller.SP, at) && w.chained(caller, at)
}
