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
//	golang.go     the runtime of a process
//	tasks.go      its goroutines as tasks: their threads, stacks and states
//	whatis.go     the goroutine that an address belongs to
//	waits.go      which channel or semaphore a goroutine waits for
//	slots.go      which slots of spans have an object, which parts of stacks are in use
//	unwind.go     out of frames that need more than rows
//	switched.go   from a thread's stack to the stack of the goroutine it works for
//	callback.go   from a goroutine's stack to the stack of its C caller
//	heap.go       the memory of the heap: spans of objects, stacks
//	read.go       reading all goroutines
//	stacks.go     where stacks are
//	clock.go      the time
//	scheduler.go  where the runtime keeps goroutines
//	fields.go     the fields of a g
//	goroutine.go  a goroutine
//	labels.go     labels of profiles
//	threads.go    stacks that the threads alone show, where the file of the runtime is not at hand
//	types.go      type descriptors
//	memory.go     looking through the program's memory
//	abi.go        words that Go leaves on stacks, and its registers
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

	"coredbg/core"
	"coredbg/runtimes"
	"coredbg/walk"
)

// A Runtime is Go's in a process.
type Runtime struct {
	process
	others  []*core.Module // libraries that have a runtime of their own, too
	version string
	names   [1 << nameBits]atomic.Pointer[functionAt]

	once sync.Once // reads the fields below
	allGoroutines
	size      core.Addr // of a g, in bytes
	sudog     structure // where the runtime notes what a goroutine waits for
	waitingAt core.Addr // of a g's first sudog of a channel, in the g
	twoWords  bool      // a pointer of a sudog is two words
	waits     []string  // why goroutines wait, in the runtime's words
	err       error

	heapOnce sync.Once // reads heapList
	heapList []heapSpan
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
				r = &Runtime{process: process{t, m, abis[t.Process.Arch]}, version: version(s.Data)}
			case !r.module.Exe: // else it is a plugin
				r.others = append(r.others, m)
			}
		}
	}
	if r != nil {
		return r, nil
	}
	r = &Runtime{process: process{t: t, abi: abis[t.Process.Arch]}}
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

// Decode returns nothing: frames of Go are shown as what they are to the machine.
func (r *Runtime) Decode(*walk.Frame) ([]runtimes.SourceFrame, error) { return nil, nil }
