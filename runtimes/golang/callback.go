package golang

import (
	"coredbg/core"
	"coredbg/walk"
)

// Go code called by C runs on the stack of a goroutine, and its caller on the thread's. The C code
// passes a function of Go and the address of its arguments, on the stack of C, to crosscall2. That
// passes both to runtime.cgocallback, which has a frame on both stacks. The frame on the thread's stack
// is next to the words that crosscall2 passes to it, below the arguments. The frame on the goroutine's
// stack has a copy, for cgocallbackg, and goes on where the goroutine had called C before, or to
// goexit, although C is between. As all arguments are at places of their own, the copy tells which
// frame on the thread's stack is the same.
//
// Meanwhile g0.sched.sp leads to it: below, the runtime calls functions of its own. A panic takes that
// back up to the outermost call, although the C code has not returned (runtime/cgocall.go, unwindm).
// The stack below is overwritten then: no more C frames are shown there than the goroutine's stack has.

// crosscall2 is the function of assembly that C code calls Go with.
const crosscall2 = "crosscall2"

// How far apart, in bytes, are at most what is on the thread's stack.
const (
	maxPassed = 4 << 10 // the arguments of Go and the words that crosscall2 passes on
	maxLeft   = 256     // that and the stack pointer of mcall, by which a goroutine leaves the thread
)

// calledBack returns the frame of crosscall2 that called cgocallback, whose frame on a goroutine's
// stack is f.
func (u unwinder) calledBack(f *walk.Frame) (walk.Frame, bool) {
	c, word := u.t.Process.Cursor(), core.Addr(u.t.Process.Arch.PtrSize)
	at := f.SP + u.abi.passed
	fn, args := c.Pointer(at), c.Pointer(at+word)
	if c.Err() != nil || args < maxPassed || args&(word-1) != 0 {
		return walk.Frame{}, false
	}
	live := u.live()
	for at := args - 2*word; at > args-maxPassed && at >= live; at -= word {
		if c.Pointer(at+word) != args || c.Pointer(at) != fn {
			if c.Err() != nil {
				return walk.Frame{}, false
			}
			continue
		}
		if caller, ok := u.passing(at); ok {
			return caller, true
		}
	}
	return walk.Frame{}, false
}

// below returns the frame of crosscall2 that is below f on the thread's stack. F is the frame of mcall,
// by which a goroutine that C has called has left the thread.
func (u unwinder) below(f *walk.Frame) (walk.Frame, bool) {
	c, word := u.t.Process.Cursor(), core.Addr(u.t.Process.Arch.PtrSize)
	for at := f.SP; at < f.SP+maxLeft; at += word {
		args := c.Pointer(at + word)
		if c.Err() != nil {
			return walk.Frame{}, false
		}
		if args <= at || args-at >= maxPassed {
			continue
		}
		if caller, ok := u.passing(at); ok {
			return caller, true
		}
	}
	return walk.Frame{}, false
}

// passing returns the frame of crosscall2 that has passed the words at an address to cgocallback. It
// returns false if there is no such frame.
func (u unwinder) passing(at core.Addr) (walk.Frame, bool) {
	arch, c := u.t.Process.Arch, u.t.Process.Cursor()
	pc, fp := c.Pointer(at-u.abi.back), c.Pointer(at-u.abi.back-core.Addr(arch.PtrSize))
	if c.Err() != nil || u.function(pc-1) != crosscall2 {
		return walk.Frame{}, false
	}
	sp := at - u.abi.passed
	caller := walk.Frame{PC: pc, SP: sp, FP: fp, Trust: walk.Runtime, OtherStack: true}
	caller.Regs.Set(arch.FP, uint64(fp))
	caller.Regs.Set(arch.PC, uint64(pc))
	caller.Regs.Set(arch.SP, uint64(sp))
	return caller, true
}

// crossed returns the C code that called crosscall2, with the registers that C keeps over calls and Go does
// not: crosscall2 has saved them, which its row does not say, and loads them before it returns.
func (u unwinder) crossed(f *walk.Frame) (walk.Frame, bool) {
	at := *f
	at.Point = walk.Interrupted // after the call
	caller, ok := walk.Leave(u.t.Process, &at, 0)
	caller.Trust = walk.Prologue
	return caller, ok
}

// live returns the lowest address of the thread's stack that the runtime has not overwritten; 0 if that
// is not known.
func (u unwinder) live() core.Addr {
	u.Goroutines()
	c := u.t.Process.Cursor()
	for _, g := range u.list {
		m := g.LockedM
		switch {
		case g.Thread == u.thread:
			m = g.M
		case g.task != u.thread:
			continue
		}
		if sp := c.Pointer(c.Pointer(m+mG0) + gSchedSP); m != 0 && c.Reset() == nil {
			return sp
		}
	}
	return 0
}
