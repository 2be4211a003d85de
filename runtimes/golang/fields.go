package golang

import "coredbg/core"

// gFields are the fields of a g that are read for each goroutine.
type gFields struct {
	id, low, high, status, reason, since, creator, start, parent, m, lockedM, panic, labels, tracking, runnable slot
}

// A slot is the offset of a field that may be missing.
type slot struct {
	off   core.Addr
	known bool
}

// fieldsOfG looks up the fields of a g and of its stack.
func fieldsOfG(g, stack structure) gFields {
	at := func(name string) slot {
		f, ok := g[name]
		return slot{f.off, ok}
	}
	return gFields{id: at("goid"), low: slot{stack["lo"].off, true}, high: slot{stack["hi"].off, true},
		status: slot{g["atomicstatus"].off, true},
		reason: at("waitreason"), since: at("waitsince"), creator: at("gopc"), start: at("startpc"),
		parent: at("parentGoid"), m: at("m"),
		lockedM: at("lockedm"), panic: at("_panic"), labels: at("labels"), tracking: at("trackingStamp"),
		runnable: at("runnableStamp")}
}

// A savedRegister is a register that a g keeps.
type savedRegister struct {
	register int
	at       slot // in the g
}

// savedInG returns the registers in the g of a goroutine that has let another run, and the registers in the g
// of one in a system call.
func savedInG(arch *core.Arch, g, gobuf structure) (sched, called []savedRegister) {
	of := func(register int, base core.Addr, in structure, name string) savedRegister {
		f, ok := in[name]
		return savedRegister{register, slot{base + f.off, ok}}
	}
	at := g["sched"].off
	sched = []savedRegister{of(arch.PC, at, gobuf, "pc"), of(arch.SP, at, gobuf, "sp"),
		of(arch.FP, at, gobuf, "bp"), of(arch.LR, at, gobuf, "lr")}
	called = []savedRegister{of(arch.PC, 0, g, "syscallpc"), of(arch.SP, 0, g, "syscallsp"),
		of(arch.FP, 0, g, "syscallbp")}
	return sched, called
}
