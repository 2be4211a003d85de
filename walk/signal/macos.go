package signal

import (
	"strings"

	"coredbg/core"
	"coredbg/walk/frame"
	"coredbg/walk/kernel"
	"coredbg/walk/step"
)

// On macOS the kernel calls _sigtramp of libsystem_platform.dylib, which calls the handler and then
// sigreturn. The frames of both are separated by an ordinary frame. Above its end the kernel has put
// the interrupted registers, in a structure that points into itself. Nothing else looks like it, so
// that neither the function's name nor its frame description is needed. The description would not do:
// on x86-64 it gives the address after the first byte of the interrupted instruction, which is not an
// instruction, and does not lead back from a call to nowhere; on arm64 it describes a C function, and
// leads past the interrupted frame.
//
// Sources: xnu-11417, bsd/dev/i386/unix_signal.c and bsd/dev/arm/unix_signal.c
// (sendsig), bsd/sys/_types/_ucontext64.h, osfmk/mach/i386/_structs.h and
// osfmk/mach/arm/_structs.h; libplatform-349, src/setjmp (_sigtramp).

// A MacOS steps out of the trampoline of macOS, to the frame that the
// signal interrupted.
type MacOS struct {
	Walk *step.Walk // the walk that it makes steps of
	// find returns the machine context that belongs to a trampoline's frame, and false for other
	// frames. It is nil if the kernel leaves a code sequence to return to.
	find func(u *MacOS, f *frame.Frame) (mcontext core.Addr, ok bool)
	// slots are the words of the thread state, after an exception state of 16
	// bytes.
	slots []int
	// mcontext is the address of the kernel's saved registers if the frame to step out of is a
	// trampoline; else 0.
	mcontext core.Addr
}

// NewMacOS returns the unwinder for a walk.
func NewMacOS(w *step.Walk) MacOS {
	u := MacOS{Walk: w, slots: kernel.ThreadStateOf(w.Text.Process)}
	switch {
	case u.slots == nil:
	case w.Text.Process.Arch == core.AMD64:
		u.find = (*MacOS).sigframeAMD64
	case w.Text.Process.Arch == core.ARM64:
		u.find = (*MacOS).sigframeARM64
	}
	return u
}

// Look looks whether the frame that is stepped out of next is the trampoline, and marks
// it if it is. Step steps out of the one that Look has seen.
func (u *MacOS) Look(f *frame.Frame) {
	if u.mcontext = 0; u.find == nil || f.Trust == frame.Runtime {
		return
	}
	if at, ok := u.find(u, f); ok {
		f.Trampoline, u.mcontext = true, at
	}
}

// Step reads the registers that the kernel saved.
func (u *MacOS) Step(f *frame.Frame) (frame.Frame, error) {
	w := u.Walk
	if !f.Trampoline || u.mcontext == 0 {
		return frame.Frame{}, frame.ErrDecline
	}
	c := &w.Stack
	const breakpoint, sigtrap = 3, 5
	trap := c.U16(u.mcontext) // x86-64: the exception's number
	if c.Reset() != nil {
		return frame.Frame{}, frame.ErrDecline // the frame description may know better
	}
	regs, err := savedRegs(c, w.Text.Process.Arch, u.mcontext+kernel.ExceptionSize, u.slots)
	if err != nil {
		return frame.Frame{}, frame.ErrDecline
	}
	pc := w.Text.Strip(core.Addr(regs.Val[w.Text.Process.Arch.PC]), false)
	regs.Set(w.Text.Process.Arch.PC, uint64(pc))
	caller := frame.FromRegs(w.Text.Process.Arch, regs)
	if trap == breakpoint {
		MarkTrap(w, &caller, sigtrap)
	}
	return caller, nil
}

// sigframeARM64 looks for siginfo, ucontext and machine context above the frame.
func (u *MacOS) sigframeARM64(f *frame.Frame) (core.Addr, bool) {
	cfa, ok := u.cfa(f)
	if !ok {
		return 0, false
	}
	at := cfa + kernel.SigInfoSize + kernel.UContextSize
	return at, u.ucontextAt(cfa+kernel.SigInfoSize, at)
}

// sigframeAMD64 looks for machine context, siginfo and ucontext above the frame. The size of the first
// depends on the processor, so that this is a search. It is made if the frame description is a signal
// frame's, with expressions for everything, and in the library of the trampoline.
func (u *MacOS) sigframeAMD64(f *frame.Frame) (core.Addr, bool) {
	const (
		word   = 8
		align  = 16  // of the machine context
		locals = 128 // the trampoline's own frame, its return address, and padding
	)
	w := u.Walk
	row := w.Here.Row
	low, reach := f.SP, core.Addr(locals)
	switch {
	case row == nil:
		return 0, false
	case row.Signal || row.CFAExpr != nil:
	case strings.HasPrefix(w.Here.Module.Module.Name(), platformLibrary):
		var ok bool
		if low, ok = u.cfa(f); !ok {
			return 0, false
		}
		reach = align
	default:
		return 0, false
	}
	low = low.Align(word)
	first := low + kernel.ExceptionSize + core.Addr(word*len(u.slots)) + kernel.SigInfoSize
	for uc := first; uc < first+kernel.MaxMContext; uc += word {
		at := w.Stack.Pointer(uc + kernel.MContextAt)
		if w.Stack.Reset() != nil {
			return 0, false
		}
		if at-low < reach && u.ucontextAt(uc, at) {
			return at, true
		}
	}
	return 0, false
}

// platformLibrary begins the name of the library that has _sigtramp.
const platformLibrary = "libsystem_platform"

// ucontextAt reports whether there is a ucontext at uc that belongs to the machine
// context at the address at.
func (u *MacOS) ucontextAt(uc, at core.Addr) bool {
	w := u.Walk
	size, to := w.Stack.U64(uc+kernel.MCSizeAt), w.Stack.Pointer(uc+kernel.MContextAt)
	if w.Stack.Reset() != nil || core.Addr(uint64(to)&^w.Text.Process.DataMask) != at {
		return false
	}
	if size < uint64(kernel.ExceptionSize+8*len(u.slots)) || size > kernel.MaxMContext {
		return false
	}
	// Where the context comes first it fills the place up to siginfo, except for
	// what aligns it.
	const slack = 64
	room := uint64(uc - kernel.SigInfoSize - at)
	return at > uc || room >= size && room-size < slack
}

// cfa returns the end of f's frame, as its table or its instructions say.
func (u *MacOS) cfa(f *frame.Frame) (core.Addr, bool) {
	w := u.Walk
	arch := w.Text.Process.Arch
	add := func(slot int, off int64) (core.Addr, bool) {
		v, ok := f.Regs.Get(slot)
		return core.Addr(v + uint64(off)), ok
	}
	row := w.Here.Row
	if row == nil || f.Exact() && w.Here.BodyOnly {
		if s := w.Here.Shape(); s != nil && (s.Sure || row == nil) {
			return add(s.Register(arch), s.CFAOff)
		}
	}
	if row == nil || row.CFAExpr != nil {
		return 0, false
	}
	return add(int(row.CFAReg), row.CFAOff)
}
