package note

import (
	stdelf "debug/elf"
	"fmt"

	"coredbg/core"
	"coredbg/core/elf/format"
)

// finishThreads gives threads their full registers, and the process what its
// threads tell.
func (dec *Decoder) finishThreads() {
	p := dec.p
	lo := 0
	for i, t := range p.Threads {
		hi := dec.noteEnd[i]
		for lo < hi && !dec.startsThread(p.Notes[lo]) {
			lo++
		}
		own := p.Notes[lo:hi:hi]
		t.Registers = func() []core.Register { return dec.registers(own) }
		for _, n := range own {
			dec.threadNote(t, n)
		}
		if t.TID == p.PID && t.Name == "" {
			t.Name = p.Name
		}
		lo = hi
	}
	if p.OS != "linux" && len(p.Threads) == 0 {
		p.Warn("", "a core of "+p.OS+": its notes are listed, but its threads are not read")
	} else if len(p.Threads) == 0 && dec.arch != nil {
		p.Warn("", "the core has no threads")
	}
	if len(p.Threads) == 0 {
		if len(dec.signals) > 0 {
			p.Signal = dec.signals[0].Signal
		}
		return
	}
	if p.PID == 0 {
		p.PID = p.Threads[0].TID
	}
	p.ByDebugger = dec.debugger
	dec.settleTimes()
	dec.findCrashed()
}

// startsThread reports whether a note is the first of a thread.
func (dec *Decoder) startsThread(n core.Note) bool {
	_, other := dec.systemRegs(n)
	return other || is(n, ntPRStatus)
}

// systemThread makes a thread of a note, and reports whether it is one of a thread's
// registers.
func (dec *Decoder) systemThread(n core.Note) bool {
	r, ok := dec.systemRegs(n)
	if !ok {
		return false
	}
	t := &core.Thread{TID: r.tid, Signal: r.sig, State: "Native"}
	gregs{list: r.list}.decode(dec.Class, r.data, func(g greg, v uint64) {
		if g.slot >= 0 {
			t.Regs.Set(g.slot, v)
		}
		if g.name == "fs_base" && dec.arch == core.AMD64 || g.name == "tpidr" {
			t.TLS = core.Addr(v)
		}
	})
	dec.p.Threads = append(dec.p.Threads, t)
	dec.noteEnd = append(dec.noteEnd, len(dec.p.Notes))
	return true
}

// sizedABI looks at the size of a first NT_PRSTATUS, which distinguishes MIPS' n32 from
// o32 where the flags of a core do not: not all kernels set them.
func (dec *Decoder) sizedABI(size int) {
	if dec.id != stdelf.EM_MIPS || dec.Wide || len(dec.p.Threads) > 0 {
		return
	}
	if g, ok := gregsOf(dec.id, dec.Class, format.MIPSABI2); ok && size == g.status() {
		dec.gregs, dec.arch = g, format.ArchOf(dec.id, dec.Class, format.MIPSABI2)
		dec.p.Arch = dec.arch
	}
}

// threadNote takes from a note of a thread what the thread's fields hold.
func (dec *Decoder) threadNote(t *core.Thread, n core.Note) {
	if n.Name == "" {
		return
	}
	switch {
	case n.Type == ntARMTLS && len(n.Desc) >= 8:
		t.TLS = core.Addr(dec.Order.Uint64(n.Desc))
	case n.Type == ntARMPAC && len(n.Desc) >= 16 && dec.p.CodeMask == 0:
		dec.p.DataMask, dec.p.CodeMask = dec.Order.Uint64(n.Desc), dec.Order.Uint64(n.Desc[8:])
	case (n.Type == ntARMSVE || n.Type == ntARMSSVE) && dec.id == stdelf.EM_AARCH64:
		dec.vectorLength(t, n)
	case n.Type == nt386TLS && dec.id == stdelf.EM_386:
		dec.set386TLS(t, n.Desc)
	}
}

// vectorLength gives unwinding the length of the vectors of the mode that a thread is in:
// NT_ARM_SSVE comes after NT_ARM_SVE.
func (dec *Decoder) vectorLength(t *core.Thread, n core.Note) {
	vl, scalable := dec.vector(n.Desc)
	switch {
	case vl == 0:
		if k := len(dec.p.Warnings); k == 0 || dec.p.Warnings[k-1].Place != n.Name+" note" {
			dec.p.Warn(n.Name+" note", fmt.Sprintf("of thread %d, and perhaps others: %d bytes with no length of a vector: its registers are not read", t.TID, len(n.Desc)))
		}
	case n.Type == ntARMSVE, scalable:
		t.Regs.Set(core.VG, uint64(vl/8))
	}
}

// settleTimes subtracts the other threads' times from the leader's, whose record has the whole process'
// times. It removes all times if the core's writer did not record any.
func (dec *Decoder) settleTimes() {
	p := dec.p
	var lead *core.Thread
	var all, others core.CPUTime
	for _, t := range p.Threads {
		if t.CPU == nil {
			continue
		}
		all.User, all.System = all.User+t.CPU.User, all.System+t.CPU.System
		if t.TID == p.PID {
			lead = t
		} else {
			others.User, others.System = others.User+t.CPU.User, others.System+t.CPU.System
		}
	}
	if all.Total() == 0 {
		for _, t := range p.Threads {
			t.CPU = nil
		}
		return
	}
	if lead != nil {
		lead.CPU.User, lead.CPU.System = max(lead.CPU.User-others.User, 0), max(lead.CPU.System-others.System, 0)
		lead.CPU.Most = true
	}
}
