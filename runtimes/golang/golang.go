// Package golang decodes the goroutines of Go programs: all of them, with their states, what they
// wait for, and their stacks. Frames of Go are frames of the machine, with call frame information
// and names of their own; what no such information can say is here.
//
// Goroutines: runtime.allgs lists a g for each. The program's own type descriptors, which a stripped
// program has as well, give the places of fields of g, m and gobuf. The list itself has a symbol, or is
// the slice of the program's data that holds only words that look like goroutines. A goroutine that no
// thread runs goes on where g.sched says, on the stack between g.stack.lo and g.stack.hi.
//
// C code that goroutines call runs on the thread's stack, and its caller on the goroutine's. Before it
// called C, runtime.asmcgocall, on the thread's stack (g0's), has put two words at its stack pointer,
// on x86-64 before Go 1.21 somewhat above it: the g, and the distance of its own stack pointer from the
// end of that g's stack, as stacks may move meanwhile. g.stack begins with the stack's bounds. If it
// was on the thread's stack already there is no g, and the other word is the stack pointer itself.
//
// The same holds for the runtime's work on the thread's stack for a goroutine (switched.go), and the
// other way for Go that C calls, whose caller is on the thread's stack (callback.go).
//
// The runtime is the program's own or, for a C program with a Go library, that library's. Plugins have
// no runtime.
//
// Files:
//
//	golang.go     the runtime of a process; out of frames that need more than rows
//	switched.go   from a thread's stack to the stack of the goroutine it works for
//	callback.go   from a goroutine's stack to the stack of its C caller
//	memory.go     looking through the program's memory
//	types.go      type descriptors
//	scheduler.go  where the runtime keeps goroutines, and how they look
//	goroutine.go  goroutines, and threads that stand for them
//	whatis.go     the goroutine that an address belongs to
//	clock.go      the time
//	stacks.go     where stacks are
//	heap.go       the memory of the heap: spans of objects, stacks
//	slots.go      which slots of spans have an object, which parts of stacks are in use
//	threads.go    the same by what threads have of the runtime, where its file is not at hand
//	waits.go      which channel or semaphore a goroutine waits for
//	labels.go     labels of profiles
//
// Sources: Go 1.26, runtime/asm_amd64.s and asm_arm64.s (asmcgocall, cgocallback, systemstack, morestack, mcall),
// runtime/runtime2.go (g, gobuf, stack, waitReasonStrings), runtime/proc.go (allgs), runtime/traceback.go,
// internal/abi/type.go, debug/buildinfo (the version in .go.buildinfo, as from Go 1.18 on).
//
// LIMITATIONS. If a C program has several Go libraries, each with a runtime of its own, one is decoded.
// Frames of C below Go, and functions on the thread's stack, are followed on x86-64 and aarch64 alone.
// The time that a goroutine has waited is measured to the latest time that the runtime has recorded, as
// no data in a core says when it ended. If no goroutine ran for long before the end, it is too short.
package golang

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/walk"
)

// A Runtime is Go's in a process.
type Runtime struct {
	t       runtimes.Target
	module  *core.Module   // the program, or the library; nil if its file is not available
	others  []*core.Module // libraries that have a runtime of their own, too
	version string
	abi     *abi // nil for other architectures
	names   [1 << nameBits]atomic.Pointer[functionAt]

	once      sync.Once // reads the fields below
	list      []*Goroutine
	stacks    []span                   // by address
	at        map[core.Addr]*Goroutine // by the address of the g
	size      core.Addr                // of a g, in bytes
	last      time.Duration            // the latest time of the runtime's clock that it has noted
	sudog     structure                // where the runtime notes what a goroutine waits for
	waitingAt core.Addr                // of a g's first sudog of a channel, in the g
	twoWords  bool                     // a pointer of a sudog is two words
	waits     []string                 // why goroutines wait, in the runtime's words
	err       error

	heapOnce sync.Once // reads heapList
	heapList []heapSpan
}

// An abi is what asmcgocall leaves on the thread's stack.
type abi struct {
	left []pair
	// frame is how far the caller's stack pointer is above the return address.
	frame core.Addr
	// register has the g while Go runs.
	register string
	// passed is how far what a function passes to the one that it calls is above its stack pointer, and back how
	// far the return address of cgocallback is below what is passed to it.
	passed, back core.Addr
}

// A pair is where the two words are, above its stack pointer.
type pair struct{ g, depth core.Addr }

var abis = map[*core.Arch]*abi{
	core.AMD64: {left: []pair{{8, 0}, {48, 40}}, frame: 8, register: "r14", passed: 0, back: 8},
	core.ARM64: {left: []pair{{0, 8}}, frame: 16, register: "x28", passed: 8, back: 56},
}

// Probe looks for a Go program, or for a Go library in another program, by one of its sections. Without
// its file, threads that have a g are Go's.
func Probe(_ context.Context, t runtimes.Target) (runtimes.Runtime, error) {
	if t.Process.Arch == nil {
		return nil, nil
	}
	var r *Runtime
	for _, exe := range []bool{true, false} {
		for _, m := range t.Process.Modules {
			if m.Exe != exe || !exe && m.End-m.Start < leastLibrary {
				continue
			}
			image := m.Facts().Image
			if image == nil {
				continue
			}
			s, err := image.Section(".go.buildinfo")
			switch {
			case err != nil:
			case r == nil:
				r = &Runtime{t: t, module: m, version: version(s.Data), abi: abis[t.Process.Arch]}
			case !r.module.Exe: // else it is a plugin
				r.others = append(r.others, m)
			}
		}
	}
	if r != nil {
		return r, nil
	}
	r = &Runtime{t: t, abi: abis[t.Process.Arch]}
	if !slices.ContainsFunc(t.Process.Threads, func(t *core.Thread) bool { return len(r.stacksOf(t)) > 0 }) {
		return nil, nil
	}
	return r, nil
}

// leastLibrary is less than the bytes of a library that has Go's runtime in it: smaller files are not opened for it.
const leastLibrary = 512 << 10

// version returns the version of Go in a section .go.buildinfo: after a header of 32 bytes, if its
// flags say so.
func version(data []byte) string {
	const magic, flagsAt, header, most = "\xff Go buildinf:", 15, 32, 256
	if len(data) < header || !bytes.HasPrefix(data, []byte(magic)) || data[flagsAt]&2 == 0 {
		return ""
	}
	n, used := binary.Uvarint(data[header:])
	text := data[header:]
	if used <= 0 || n > most || n > uint64(len(text)-used) {
		return ""
	}
	return strings.TrimPrefix(string(text[used:used+int(n)]), "go")
}

// Name implements runtimes.Runtime.
func (r *Runtime) Name() string { return "go" }

// Language implements runtimes.Speaker.
func (r *Runtime) Language() runtimes.Language { return runtimes.LanguageGo }

// Version returns the version of the toolchain, such as 1.26.1; "" if the program does not say.
func (r *Runtime) Version() string { return r.version }

// Warnings implements runtimes.Warner.
func (r *Runtime) Warnings() (list []core.Warning) {
	for _, m := range r.others {
		list = append(list, core.Warning{Place: "go",
			Text: m.Path + " has a runtime of its own: only goroutines of that in " + r.module.Path + " are known"})
	}
	return list
}

// Begin implements runtimes.FrameDecoder.
func (r *Runtime) Begin(t *core.Thread) walk.Unwinder { return unwinder{r, t} }

// Decode returns nothing: frames of Go are shown as what they are to the machine.
func (r *Runtime) Decode(*walk.Frame) ([]runtimes.SourceFrame, error) { return nil, nil }

// An unwinder leads from a thread's stack to the goroutine's.
type unwinder struct {
	*Runtime
	thread *core.Thread
}

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
