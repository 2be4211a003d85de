package golang

import (
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/walk"
)

// An unwinder leads from a thread's stack to the goroutine's.
type unwinder struct {
	*Runtime
	thread *core.Thread
}

// Begin implements runtimes.FrameDecoder.
func (r *Runtime) Begin(t *core.Thread) walk.Unwinder { return unwinder{r, t} }

// Next implements walk.Unwinder: there is no chain of records.
func (unwinder) Next(core.Addr) (walk.Frame, bool) { return walk.Frame{}, false }

// Step returns the caller of a function that has left the goroutine's stack, which is there.
func (u unwinder) Step(f *walk.Frame) (walk.Frame, any, error) {
	name := u.function(f.LookupPC())
	first := slices.Contains(firsts, name)
	switch {
	case f.Exact() || name == "" || u.abi == nil && !first:
		return walk.Frame{}, nil, walk.ErrDecline
	case name == mcall && u.abi != nil:
		if caller, ok := u.below(f); ok {
			return caller, nil, nil
		}
		return walk.Frame{}, nil, walk.ErrRoot
	case first:
		return walk.Frame{}, nil, walk.ErrRoot
	}
	var caller walk.Frame
	ok := false
	switch name {
	case "runtime.asmcgocall":
		caller, ok = u.goroutine(f)
	case "runtime.cgocallback":
		caller, ok = u.calledBack(f)
	case crosscall2:
		caller, ok = u.crossed(f)
	case "runtime.systemstack":
		if caller, _, ok = u.served(f); !ok {
			return walk.Frame{}, nil, &walk.StopError{Kind: walk.StopNoProgress, At: f.PC, Err: errNoGoroutine}
		}
	case "runtime.morestack":
		var known bool
		if caller, known, ok = u.served(f); !ok && known {
			return walk.Frame{}, nil, walk.ErrRoot // it was given away
		} else if !ok {
			return walk.Frame{}, nil, &walk.StopError{Kind: walk.StopNoProgress, At: f.PC, Err: errNoGoroutine}
		}
	}
	if !ok {
		return walk.Frame{}, nil, walk.ErrDecline
	}
	return caller, nil, nil
}

// goexit is the function that goroutines return to; goroutines leave their thread by mcall.
const (
	goexit = "runtime.goexit"
	mcall  = "runtime.mcall"
)

// firsts are functions that have no frames below them: goroutines return to goexit, and the others call
// the first function of a stack.
var firsts = []string{goexit, mcall, "runtime.clone"}

// injected are the functions that a signal handler has called at the interrupted place, as if the code
// there did (runtime/traceback.go, next). If calls keep the return address in a register, the old
// contents of that register are in a slot of injectedSlot bytes on the stack between
// (runtime/signal_arm64.go, pushCall).
var injected = []string{"runtime.sigpanic", "runtime.sigpanic0", "runtime.asyncPreempt", "runtime.debugCallV1",
	"runtime.debugCallV2"}

const injectedSlot = 16

// Amend implements frame.Amender.
func (u unwinder) Amend(f, caller *walk.Frame) {
	arch := u.t.Process.Arch
	switch {
	case caller.Point == walk.NoCall && u.function(caller.PC) == goexit && u.function(caller.PC-1) == goexit:
		caller.Point = walk.AfterCall // a goroutine begins as if goexit called it
	case caller.Trust == walk.Runtime || f.Trampoline || !slices.Contains(injected, u.function(f.LookupPC())):
	default:
		caller.Point = walk.NoCall
		lr := u.t.Process.Cursor()
		// A frame of Go begins with the frame pointer, which rows do not say, and C that has one needs.
		if fp := lr.Pointer(caller.SP - 16); arch == core.AMD64 && lr.Reset() == nil {
			caller.FP = fp
			caller.Regs.Set(arch.FP, uint64(fp))
		}
		if v := lr.Pointer(caller.SP); arch.LR >= 0 && lr.Err() == nil {
			caller.SP, caller.Point = caller.SP+injectedSlot, walk.Interrupted
			caller.Regs.Set(arch.SP, uint64(caller.SP))
			caller.Regs.Set(arch.LR, uint64(v))
		}
	}
}

// function names the function that holds an address; "" if there is no such function.
func (r *Runtime) function(a core.Addr) string {
	slot := &r.names[uint64(a)*0x9e3779b97f4a7c15>>(64-nameBits)]
	if n := slot.Load(); n != nil && n.at == a {
		return n.function
	}
	s, _, ok := r.t.Symbols.Lookup(a)
	if !ok {
		return ""
	}
	n := &functionAt{a, strings.TrimSuffix(s.Name, ".abi0")}
	slot.Store(n)
	return n.function
}

// A functionAt is an address with the name of the function that holds it.
type functionAt struct {
	at       core.Addr
	function string
}

// nameBits is the logarithm of how many of them are kept: threads meet the same places again and again.
const nameBits = 12

// goroutine returns the frame that called asmcgocall, whose frame f has called C. It checks the return
// address and stack.
func (u unwinder) goroutine(f *walk.Frame) (walk.Frame, bool) {
	c := u.t.Process.Cursor()
	for _, on := range []bool{true, false} { // there is a goroutine
		for _, p := range u.abi.left {
			g, at := c.Pointer(f.SP+p.g), c.Pointer(f.SP+p.depth)
			if on {
				low, high := c.Pointer(g), c.Pointer(g+core.Addr(u.t.Process.Arch.PtrSize))
				at = high - at
				if c.Reset() != nil || g == 0 || at < low || at >= high {
					continue
				}
			} else if c.Reset() != nil || g != 0 || at <= f.SP || at-f.SP > maxAligned {
				continue
			}
			if caller, ok := u.above(at, f.FP, on); ok {
				return caller, true
			}
		}
	}
	return walk.Frame{}, false
}

// maxAligned is how far up the stack asmcgocall's own frame may reach, in bytes.
const maxAligned = 128

// above returns the caller of a function of assembly, whose frame was the last of its stack and
// begins at an address; fp is the frame pointer there.
func (u unwinder) above(at, fp core.Addr, other bool) (walk.Frame, bool) {
	p, arch := u.t.Process, u.t.Process.Arch
	c := p.Cursor()
	// Where the frame pointer is pushed, the return address is above it.
	pc := c.Pointer(at)
	switch word := core.Addr(arch.PtrSize); {
	case arch.LR >= 0:
		fp = c.Pointer(at - word)
	case !p.Executable(pc):
		pc, fp, at = c.Pointer(at+word), pc, at+word
	}
	if c.Err() != nil || !p.Executable(pc) {
		return walk.Frame{}, false
	}
	caller := walk.Frame{PC: pc, SP: at + u.abi.frame, FP: fp, Trust: walk.Runtime, OtherStack: other}
	caller.Regs.Set(arch.FP, uint64(fp))
	caller.Regs.Set(arch.PC, uint64(pc))
	caller.Regs.Set(arch.SP, uint64(caller.SP))
	return caller, true
}
