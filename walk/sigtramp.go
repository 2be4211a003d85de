package walk

import (
	"strings"

	"coredbg/core"
)

// On macOS the kernel calls _sigtramp of libsystem_platform.dylib, which calls the
// handler and then sigreturn: between the frames of both is an ordinary frame,
// above whose end the kernel has put what it interrupted. What that is, the
// kernel says itself, in a structure that points into itself; nothing else looks
// like it, so that neither the function's name nor its frame description is
// needed. The description would not do: on x86-64 it gives the address after the
// first byte of the interrupted instruction, which is not an instruction, and does
// not lead back from a call to nowhere; on arm64 it is that of a C function, and
// leads past the interrupted frame.
//
// Sources: xnu-11417, bsd/dev/i386/unix_signal.c and bsd/dev/arm/unix_signal.c
// (sendsig), bsd/sys/_types/_ucontext64.h, osfmk/mach/i386/_structs.h and
// osfmk/mach/arm/_structs.h; libplatform-349, src/setjmp (_sigtramp).

// A sigtramp says where the kernel of macOS puts what a signal interrupted.
type sigtramp struct {
	// find returns the machine context that belongs to a frame, if the frame is
	// that of the trampoline.
	find func(w *walker, f *Frame) (mcontext core.Addr, ok bool)
	// slots are the words of the thread state, after an exception state of 16
	// bytes.
	slots []int
}

// Offsets and sizes in bytes in struct user_ucontext64 and what comes with it.
const (
	ucMCSize   = 40
	ucMContext = 48
	ucSize     = 56
	infoSize   = 104 // user64_siginfo_t
	excSize    = 16  // the exception state before a thread state
	maxMC      = 8 << 10
)

var (
	sigtrampAMD64 = &sigtramp{(*walker).sigframeAMD64, []int{0, 3, 2, 1, 5, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}}
	sigtrampARM64 = &sigtramp{(*walker).sigframeARM64, trampolinesARM64[0].slots}
)

// sigtrampOf returns how signals are delivered in p; nil if it is not by calling
// a function.
func sigtrampOf(p *core.Process) *sigtramp {
	switch {
	case p.OS != "darwin":
		return nil
	case p.Arch == core.AMD64:
		return sigtrampAMD64
	case p.Arch == core.ARM64:
		return sigtrampARM64
	}
	return nil
}

// sigframeARM64 looks for siginfo, ucontext and machine context above the frame.
func (w *walker) sigframeARM64(f *Frame) (core.Addr, bool) {
	cfa, ok := w.cfa(f)
	if !ok {
		return 0, false
	}
	at := cfa + infoSize + ucSize
	return at, w.ucontextAt(cfa+infoSize, at)
}

// sigframeAMD64 looks for machine context, siginfo and ucontext above the frame.
// How large the first is depends on the processor, so that this is a search. It is
// made where the frame description is that of a signal frame, with expressions for
// everything, and in the library of the trampoline.
func (w *walker) sigframeAMD64(f *Frame) (core.Addr, bool) {
	const (
		word   = 8
		align  = 16  // of the machine context
		locals = 128 // the trampoline's own frame, its return address, and padding
	)
	row := w.here.row
	low, reach := f.SP, core.Addr(locals)
	switch {
	case row == nil:
		return 0, false
	case row.Signal || row.CFAExpr != nil:
	case strings.HasPrefix(w.here.image.module.Name(), platformLibrary):
		var ok bool
		if low, ok = w.cfa(f); !ok {
			return 0, false
		}
		reach = align
	default:
		return 0, false
	}
	low = low.Align(word)
	first := low + excSize + core.Addr(word*len(w.t.sigtramp.slots)) + infoSize
	for u := first; u < first+maxMC; u += word {
		at := w.stack.Pointer(u + ucMContext)
		if w.stack.Reset() != nil {
			return 0, false
		}
		if at-low < reach && w.ucontextAt(u, at) {
			return at, true
		}
	}
	return 0, false
}

// platformLibrary begins the name of the library that has _sigtramp.
const platformLibrary = "libsystem_platform"

// ucontextAt reports whether there is a ucontext at u that belongs to the machine
// context at the address at.
func (w *walker) ucontextAt(u, at core.Addr) bool {
	size, to := w.stack.U64(u+ucMCSize), w.stack.Pointer(u+ucMContext)
	if w.stack.Reset() != nil || core.Addr(uint64(to)&^w.t.p.DataMask) != at {
		return false
	}
	if size < uint64(excSize+8*len(w.t.sigtramp.slots)) || size > maxMC {
		return false
	}
	// Where the context comes first it fills the place up to siginfo, except for
	// what aligns it.
	const slack = 64
	room := uint64(u - infoSize - at)
	return at > u || room >= size && room-size < slack
}

// cfa returns the end of f's frame, as its table or its instructions say.
func (w *walker) cfa(f *Frame) (core.Addr, bool) {
	arch := w.t.p.Arch
	add := func(slot int, off int64) (core.Addr, bool) {
		v, ok := f.Regs.Get(slot)
		return core.Addr(v + uint64(off)), ok
	}
	row := w.here.row
	if row == nil || f.Exact() && w.here.bodyOnly {
		if s := w.here.shape(); s != nil && (s.sure || row == nil) {
			return add(s.register(arch), s.cfaOff)
		}
	}
	if row == nil || row.CFAExpr != nil {
		return 0, false
	}
	return add(int(row.CFAReg), row.CFAOff)
}

// sigtrampUnwinder steps out of the trampoline of macOS, to the frame that the
// signal interrupted.
type sigtrampUnwinder struct{ w *walker }

// Step reads the registers that the kernel saved.
func (u sigtrampUnwinder) Step(f *Frame) (Frame, error) {
	w := u.w
	if !f.Trampoline || w.mcontext == 0 {
		return Frame{}, ErrDecline
	}
	c := &w.stack
	const breakpoint, sigtrap = 3, 5
	trap := c.U16(w.mcontext) // x86-64: the exception's number
	if c.Reset() != nil {
		return Frame{}, ErrDecline // the frame description may know better
	}
	regs, err := w.savedRegs(w.mcontext+excSize, w.t.sigtramp.slots)
	if err != nil {
		return Frame{}, ErrDecline
	}
	pc := w.strip(core.Addr(regs.Val[w.t.p.Arch.PC]), false)
	regs.Set(w.t.p.Arch.PC, uint64(pc))
	caller := w.frame(regs)
	if trap == breakpoint {
		w.markTrap(&caller, sigtrap)
	}
	return caller, nil
}
