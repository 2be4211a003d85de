// Package walk turns the registers of a dead thread into its frames. A walk
// asks a chain of unwinders in order; the first that does not decline finds the
// caller, and the frame says which one it was. A walk always ends, and says why.
//
// The chain: a signal trampoline, known by its instructions, by augmentation S of
// its frame description, or (macOS) by what the kernel has put above its frame,
// leads to the registers that the kernel saved; a managed runtime's unwinder knows
// its own frames; a call through a null or wild pointer is taken back; call frame
// information (walk/cfi, walk/compact) is followed as long as the registers it
// needs are known, but in an interrupted function whose information holds in the
// body only its instructions come first, as a return does before any information
// that disagrees with it; without it the function's instructions are: in an
// interrupted one those that lead to its return, with the link register where
// they do not show it, else those that lead there from its start, or, where that is
// not known, the rest of the function up to its return; then the frame-pointer
// chain or the ABI's back chain, whose records count also where no call precedes a return address if those
// further out bear them out. At last the stack is searched for return addresses:
// those first that the code they called confirms, then those whose call leads to the
// function, directly or by tail jumps and stubs; where a call is indirect, the frames
// beyond must bear it out, and else there is no caller. Registers that a step does
// not recover are unknown in the caller, never stale.
// Runtimes whose code has no such information find the caller of an interrupted frame
// with Leave, which follows the instructions with the frame's registers.
//
// What is found so is merged with the records that runtimes keep of their frames:
// the walk goes on with whichever is nearer on the stack, and ends where there is
// neither.
//
// What must be true of every caller is checked in one place: it lies further
// out on the stack (but for the frame below a signal handler, once, and the
// caller of a leaf), and it returns to executable memory. So loops and
// overwritten stacks end where they begin to lie.
//
// Facts are from the System V ABI for x86-64 and i386, the AAPCS64, the Intel
// and Arm manuals for instructions, and Linux for signal frames (each named
// where it is used). x86-64, i386 and aarch64 have everything; 32-bit Arm, riscv64,
// ppc, ppc64, s390, s390x and mips have instructions up to where a frame is (tracker), Arm
// exception tables (walk/ehabi) as well, PowerPC and s390 the back chain, sparc64 its windows; other architectures
// have call frame information, calls through wild pointers, and the link register.
//
// LIMITATIONS. Stacks in pieces (-fsplit-stack) end at the first piece.
// Instructions are followed along direct jumps only; a function that jumps
// through a table is taken to have the frame there that most of its calls are
// made in, unless it was interrupted on its way out. On aarch64 and Arm a frame
// pointer step leaves the stack pointer unknown where no frame description says
// it.
package walk

import (
	"errors"
	"fmt"

	"coredbg/core"
)

// Trust says how a frame was found, the least reliable first.
type Trust uint8

// The ways in which a frame can be found.
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
	PC, SP core.Addr
	// FP is the value of the frame-pointer register; 0 if it is unknown.
	FP core.Addr
	// Regs are the registers as they were in this frame.
	Regs  core.Regs
	Trust Trust
	// Point says what PC is.
	Point Point
	// Trampoline is set if the frame is a signal trampoline: the kernel made
	// it, and its caller was interrupted.
	Trampoline bool
	// OtherStack is set if a runtime knows that the frame lies on another stack than the one
	// that it has called.
	OtherStack bool
	// Record is what a runtime's unwinder knows of the frame; nil if nothing.
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
	// NoCall is what should be a return address, and the code before it can be
	// read and makes no call: the caller was interrupted there and the call was
	// injected (Go's sigpanic), or the address was put there by hand, as
	// interpreters that jump have it. What says so in spite of that is Trust.
	NoCall
	// Virtual is what a runtime's record has for a program counter: the record
	// is at SP and is not a frame of the machine, whose code executes it.
	Virtual
)

// Exact reports whether the frame was interrupted at PC.
func (f *Frame) Exact() bool { return f.Point == Interrupted || f.Point == Trapped }

// LookupPC is the address to look up symbols, lines and unwind rows with: the
// PC itself where it is exact or nothing calls before it, else the last byte of
// the instruction before it.
func (f *Frame) LookupPC() core.Addr {
	if f.at() || f.Trampoline || f.PC == 0 {
		return f.PC
	}
	return f.PC - 1
}

// at reports whether what holds in f is what holds at PC, not in the call before
// it.
func (f *Frame) at() bool { return f.Point == Interrupted || f.Point == NoCall }

// ErrDecline is returned by an Unwinder that has no opinion about a frame.
var ErrDecline = errors.New("walk: not mine")

// ErrRoot is returned by an Unwinder that knows the frame to be the outermost.
var ErrRoot = errors.New("walk: outermost frame")

// An Unwinder steps out of a runtime's frames, and knows where on the stack its
// records have more of them. It belongs to one walk, so it may keep state.
type Unwinder interface {
	// Step returns the caller of f, and what it knows of f itself, which
	// becomes f's Record; that may come with an error. The error is ErrDecline
	// if f is none of the runtime's, ErrRoot if f has no caller, or says why
	// the caller cannot be found.
	Step(f *Frame) (caller Frame, record any, err error)
	// Next returns the innermost frame that the runtime's own records have at
	// a stack address or further out; ok is false if they have none. A PC of
	// 0 says that the record does not say where in its code the frame is.
	// From an address that is not on the stack of the records, such as one of
	// a signal handler's, it returns the first of them.
	Next(from core.Addr) (f Frame, ok bool)
}

// Stop is the kind of reason why a walk ended.
type Stop string

// The reasons; they are words of the JSON form.
const (
	StopRoot          Stop = "root"
	StopUnreadable    Stop = "unreadable"
	StopNoProgress    Stop = "no-progress"
	StopNotExecutable Stop = "not-executable"
	StopLimit         Stop = "limit"
)

// A StopError says why a walk ended. A walk that reached the thread's start
// ends with Kind StopRoot.
type StopError struct {
	Kind Stop
	At   core.Addr // the frame's pc, or the address that could not be read
	Err  error     // more detail; may be nil
}

// Error returns the reason with its place.
func (e *StopError) Error() string {
	s := string(e.Kind)
	if e.Kind != StopRoot {
		s = fmt.Sprintf("%s %v", e.Kind, e.At)
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap returns the detail.
func (e *StopError) Unwrap() error { return e.Err }
