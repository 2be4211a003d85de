package frame

import "coredbg/core"

// Trust says how a frame was found, the least reliable first.
type Trust uint8

// How a frame was found.
const (
	Scanned      Trust = iota // a word on the stack that looks like a return address
	Prologue                  // by reading the function's instructions
	FramePointer              // by the frame-pointer chain
	CFI                       // by call frame information of the ABI
	Compact                   // by Mach-O compact unwind information
	Runtime                   // by a managed runtime's own records
	Registers                 // from registers that the core or a signal frame recorded
)

// String returns the word that records use: "cfi", "fp", "scan" …
func (t Trust) String() string {
	return [...]string{"scan", "prologue", "fp", "cfi", "compact", "runtime", "registers", "?"}[min(t, 7)]
}

// MarshalText gives t the form that it has in JSON.
func (t Trust) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// Mark returns the one-character form that stacks print before a frame.
func (t Trust) Mark() byte { return "?pfcur= "[min(t, 7)] }

// A Frame is one activation on a thread's stack.
type Frame struct {
	// PC is the program counter; Point says where it points. SP is the stack pointer, or if that is not
	// known (Regs), a lower bound for it.
	PC, SP core.Addr
	// FP is the value of the frame-pointer register; 0 if it is unknown.
	FP core.Addr
	// Regs are the registers as they were in this frame.
	Regs core.Regs
	// Trust is how the frame was found.
	Trust Trust
	// Point says what PC is.
	Point Point
	// Trampoline is set if the frame is a signal trampoline: the kernel made
	// it, and its caller was interrupted.
	Trampoline bool
	// Gap is set if frames may be missing between this one and the one that it seems to have
	// called: code that they were in could not be read.
	Gap bool
	// OtherStack is set if a runtime knows that the frame is on another stack than the frame that it
	// has called.
	OtherStack bool
	// Record is the record of the frame from a runtime's unwinder, or nil.
	Record any
}

// A Point says what the PC of a frame is.
type Point uint8

// The kinds of program counters.
const (
	// AfterCall is a return address.
	AfterCall Point = iota
	// Interrupted is the next instruction: in the innermost frame, and in the
	// one below a signal handler.
	Interrupted
	// Trapped is Interrupted where the instruction before PC raised the signal:
	// breakpoints leave the program counter after themselves.
	Trapped
	// NoCall is set for a return address if the code before it can be read and makes no call. Either
	// the caller was interrupted there and the call was injected (Go's sigpanic), or the address was
	// put there by hand, as interpreters that jump do. Trust says how the frame was found in spite of
	// that.
	NoCall
	// Virtual is what a runtime's record has for a program counter: the record
	// is at SP and is not a frame of the machine, whose code executes it.
	Virtual
)

// Same reports whether f and g are one frame of the machine, or one record of a runtime.
func (f *Frame) Same(g *Frame) bool { return f.PC == g.PC && f.SP == g.SP && f.FP == g.FP }

// Exact reports whether the frame was interrupted at PC.
func (f *Frame) Exact() bool { return f.Point == Interrupted || f.Point == Trapped }

// LookupPC is the address to look up symbols, lines and unwind rows with: the
// PC itself where it is exact or nothing calls before it, else the last byte of
// the instruction before it.
func (f *Frame) LookupPC() core.Addr {
	if f.AtPC() || f.Trampoline || f.PC == 0 {
		return f.PC
	}
	return f.PC - 1
}

// AtPC reports whether what holds in f is what holds at PC, not in the call before
// it.
func (f *Frame) AtPC() bool { return f.Point == Interrupted || f.Point == NoCall }

// FromRegs returns the frame of an interrupted thread with the given registers.
func FromRegs(arch *core.Arch, regs core.Regs) Frame {
	f := Frame{Regs: regs, Trust: Registers, Point: Interrupted}
	if pc, ok := regs.Get(arch.PC); ok {
		f.PC = core.Addr(pc)
	}
	if sp, ok := regs.Get(arch.SP); ok {
		f.SP = core.Addr(sp)
	}
	if fp, ok := regs.Get(arch.FP); ok {
		f.FP = core.Addr(fp)
	}
	return f
}
