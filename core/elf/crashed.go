package elf

import (
	"slices"

	"coredbg/core"
)

// A threadSignal is a signal with the thread whose notes hold it, -1 if it comes
// before those of all threads.
type threadSignal struct {
	thread int // index in the order of the notes
	*core.Signal
}

// findCrashed finds the thread that the signal hit, puts it first, and takes what
// ended the process from it.
//
// The kernel writes the thread that died first and gives all of them the same
// pr_cursig; NT_SIGINFO follows the first (Linux, fs/binfmt_elf.c). gcore writes
// the thread that somebody looked at first, and NT_SIGINFO for each that was
// stopped by a signal (GDB, linux-tdep.c). .NET's createdump keeps the order of
// the threads: its older versions give all of them the same pr_cursig, its newer
// ones only the one that crashed (dotnet/runtime, src/coreclr/debug/createdump,
// dumpwriterelf.cpp).
func (l *loader) findCrashed() {
	p := l.p
	at := slices.IndexFunc(p.Threads, func(t *core.Thread) bool { return t.Signal != 0 })
	if p.OS != "linux" && p.Signal != nil {
		l.crashedOther(at)
		return
	}
	if len(l.signals) > 0 {
		g := l.signals[0]
		for _, other := range l.signals {
			if p.Threads[max(other.thread, 0)].Signal == other.Number {
				g = other
				break
			}
		}
		at, p.Signal = max(g.thread, 0), g.Signal
	}
	if at < 0 {
		p.Snapshot = true
		return
	}
	if p.Signal == nil {
		p.Signal = l.newSignal(p.Threads[at].Signal)
	}
	// A debugger stops programs with SIGTRAP; it writes section headers, which
	// the kernel does only for the number of very many program headers.
	const sigtrap = 5
	debugger := l.shnum > 1 && l.phnum != pnXNum
	p.Snapshot = !dumpsCore(linuxNumber(p.Signal)) || debugger && p.Signal.Number == sigtrap
	l.crashed(at)
}

// crashedOther is findCrashed for systems whose notes say which signal ended the process:
// of NetBSD one of them names the thread, on others a thread has the signal, and where
// none does the first in the core is it, as kernels begin with it.
func (l *loader) crashedOther(at int) {
	p := l.p
	if l.signalled != 0 {
		at = slices.IndexFunc(p.Threads, func(t *core.Thread) bool { return t.TID == l.signalled })
	}
	p.Snapshot = !dumpsCore(linuxNumber(p.Signal))
	at = max(at, 0)
	p.Threads[at].Signal = p.Signal.Number
	l.crashed(at)
}

// signalOnly takes the signal from an NT_PRSTATUS note whose registers are not
// known: pr_cursig is at the same place everywhere.
func (l *loader) signalOnly(d []byte) {
	if len(d) < 14 || l.p.Signal != nil {
		return
	}
	if n := int(l.order.Uint16(d[12:])); n != 0 {
		l.p.Signal = l.newSignal(n)
	}
}

// crashed puts the thread with the index at first, as the one that the signal hit.
func (l *loader) crashed(at int) {
	t := l.p.Threads[at]
	l.p.Threads = slices.Insert(slices.Delete(l.p.Threads, at, at+1), 0, t)
	for _, other := range l.p.Threads {
		other.Crashed = other == t && !l.p.Snapshot
	}
}

// weighCrashed looks for the thread that crashed where the notes do not say:
// without NT_SIGINFO, and with the same signal for several threads. What shows it
// is a program counter from which nothing can be fetched. It needs the process'
// memory.
func (l *loader) weighCrashed() {
	p := l.p
	if p.Snapshot || p.Arch == nil || len(l.signals) > 0 || len(p.Threads) < 2 || p.Threads[1].Signal == 0 || l.nowhere(p.Threads[0]) {
		return
	}
	only := -1
	for i, t := range p.Threads {
		if t.Signal == 0 || !l.nowhere(t) {
			continue
		}
		if only >= 0 {
			return // the first is as good
		}
		only = i
	}
	if only > 0 {
		l.crashed(only)
	}
}

// nowhere reports whether nothing can be fetched from a thread's program counter.
func (l *loader) nowhere(t *core.Thread) bool {
	pc, ok := t.Regs.Get(l.p.Arch.PC)
	return ok && !l.p.Executable(l.p.StripCode(core.Addr(pc)))
}

// dumpsCore reports whether the default action of a signal ends a process with a
// core: signal(7), "Standard signals", action Core. MIPS, whose numbers differ, is
// not among the architectures that are known.
func dumpsCore(n int) bool {
	switch n {
	case 3, 4, 5, 6, 7, 8, 11, 24, 25, 31: // QUIT, ILL, TRAP, ABRT, BUS, FPE, SEGV, XCPU, XFSZ, SYS
		return true
	}
	return false
}
