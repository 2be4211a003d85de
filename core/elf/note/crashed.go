package note

import (
	"slices"

	"coredbg/core"
)

// findCrashed finds the thread that the signal hit, puts it first, and takes the process' signal from
// it.
//
// The kernel writes the thread that died first and gives all of them the same pr_cursig; NT_SIGINFO
// follows the first (Linux, fs/binfmt_elf.c). gcore writes the thread that the user looked at first,
// and NT_SIGINFO for each that was stopped by a signal (GDB, linux-tdep.c). .NET's createdump keeps the
// order of the threads: its older versions give all of them the same pr_cursig, its newer ones only the
// one that crashed (dotnet/runtime, src/coreclr/debug/createdump, dumpwriterelf.cpp).
func (dec *Decoder) findCrashed() {
	p := dec.p
	at := slices.IndexFunc(p.Threads, func(t *core.Thread) bool { return t.Signal != 0 })
	if p.OS != "linux" && p.Signal != nil {
		dec.crashedOther(at)
		return
	}
	if len(dec.signals) > 0 {
		g := dec.signals[0]
		for _, other := range dec.signals {
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
		p.Signal = dec.newSignal(p.Threads[at].Signal)
	}
	const sigtrap = 5 // the signal of a debugger's stop
	p.Snapshot = !DumpsCore(linuxNumber(p.Signal)) || dec.debugger && p.Signal.Number == sigtrap
	dec.crashed(at)
}

// crashedOther is findCrashed for systems whose notes say which signal ended the process. On NetBSD a
// note names the thread; on others a thread has the signal. Otherwise it is the first thread in the
// core, as kernels begin with it.
func (dec *Decoder) crashedOther(at int) {
	p := dec.p
	if dec.signalled != 0 {
		at = slices.IndexFunc(p.Threads, func(t *core.Thread) bool { return t.TID == dec.signalled })
	}
	p.Snapshot = !DumpsCore(linuxNumber(p.Signal))
	at = max(at, 0)
	p.Threads[at].Signal = p.Signal.Number
	dec.crashed(at)
}

// signalOnly takes the signal from an NT_PRSTATUS note whose registers are not
// known: pr_cursig is at the same place everywhere.
func (dec *Decoder) signalOnly(d []byte) {
	if len(d) < 14 || dec.p.Signal != nil {
		return
	}
	if n := int(dec.Order.Uint16(d[12:])); n != 0 {
		dec.p.Signal = dec.newSignal(n)
	}
}

// crashed puts the thread with the index at first, as the one that the signal hit.
func (dec *Decoder) crashed(at int) {
	t := dec.p.Threads[at]
	dec.p.Threads = slices.Insert(slices.Delete(dec.p.Threads, at, at+1), 0, t)
	for _, other := range dec.p.Threads {
		other.Crashed = other == t && !dec.p.Snapshot
	}
}

// PickCrashed finds the thread that crashed if the notes do not name it: they have no
// NT_SIGINFO, and give several threads the same signal. It picks the only thread whose
// program counter points to memory that cannot be executed. It needs the process' memory.
func (dec *Decoder) PickCrashed() {
	p := dec.p
	if p.Snapshot || p.Arch == nil || len(dec.signals) > 0 || len(p.Threads) < 2 || p.Threads[1].Signal == 0 ||
		dec.nowhere(p.Threads[0]) {
		return
	}
	only := -1
	for i, t := range p.Threads {
		if t.Signal == 0 || !dec.nowhere(t) {
			continue
		}
		if only >= 0 {
			return // the first is as good
		}
		only = i
	}
	if only > 0 {
		dec.crashed(only)
	}
}

// nowhere reports whether nothing can be fetched from a thread's program counter.
func (dec *Decoder) nowhere(t *core.Thread) bool {
	pc, ok := t.Regs.Get(dec.p.Arch.PC)
	return ok && !dec.p.Executable(dec.p.StripCode(core.Addr(pc)))
}
