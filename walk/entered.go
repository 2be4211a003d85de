package walk

import (
	"coredbg/core"
	"coredbg/walk/isa"
)

// Entered returns the registers of a thread after a call that is half done: the return address is on
// the stack, but the program counter is still at the call. In the result the program counter is at the
// first instruction of the called function, or if that is not known, before the call. It returns other
// registers unchanged. A processor is never in this state; Valgrind, which translates a call together
// with the called code, writes such registers into its cores.
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
