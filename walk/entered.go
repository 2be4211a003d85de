package walk

import (
	"coredbg/core"
	"coredbg/walk/isa"
)

// Entered returns the registers of a thread whose program counter is at a call that has put its
// return address on the stack already as they are when that is done: at the first instruction of
// what it calls, or, where that does not show, before the call. Others it returns as they are. A
// processor is never between the two; Valgrind, which translates a call together with what it
// calls, writes such registers into its cores.
func (t *Target) Entered(regs core.Regs) core.Regs {
	arch := t.p.Arch
	if arch == nil || arch.LR >= 0 || t.text.Set.Call == nil {
		return regs
	}
	pc, known := regs.Get(arch.PC)
	sp, ok := regs.Get(arch.SP)
	if !known || !ok {
		return regs
	}
	c := t.p.Cursor()
	ra := c.Pointer(core.Addr(sp))
	n := ra - core.Addr(pc)
	if c.Err() != nil || n < 2 || n > isa.CallBytes {
		return regs
	}
	code, err := t.p.Space.Slice(core.Addr(pc), int(n))
	if err != nil {
		return regs
	}
	to, direct, called := t.text.Set.Call(code)
	switch callee := ra.Add(to) & arch.AddrMask(); {
	case !called:
	case direct && t.text.Executable(callee):
		regs.Set(arch.PC, uint64(callee))
	default:
		regs.Set(arch.SP, sp+uint64(arch.RegSize()))
	}
	return regs
}
