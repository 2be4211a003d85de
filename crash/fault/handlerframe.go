package fault

import (
	"coredbg/core"
	"coredbg/core/insn"
	"coredbg/crash/where"
	"coredbg/walk"
)

// A handlerFrame is where the kernel puts what a signal handler is called for, in
// bytes from the stack pointer of the trampoline: the siginfo, which only handlers
// with SA_SIGINFO get, the address of the last fault, and the registers that the thread is
// given when the handler returns (Linux: arch/x86/include/asm/sigframe.h and
// uapi/asm/sigcontext.h, cr2; arch/arm64/kernel/signal.c and uapi/asm/sigcontext.h,
// fault_address).
type handlerFrame struct {
	siginfo, fault, sp, pc core.Addr
}

// handlerFrames are the frames of handlers on the known architectures.
var handlerFrames = map[*core.Arch]*handlerFrame{
	core.AMD64: {304, 40 + 176, 40 + 8*15, 40 + 8*16},
	core.ARM64: {0, 128 + 176, 128 + 176 + 8 + 31*8, 128 + 176 + 8 + 32*8},
	core.I386:  {12, 160 + 4*21, 160 + 4*7, 160 + 4*14},
	core.ARM:   {0, 148 + 4*20, 148 + 4*16, 148 + 4*18},
}

// siginfoBytes is the size of a siginfo.
const siginfoBytes = 128

// signal returns a handler's signal, given the stack pointer of its trampoline and the interrupted
// frame; nil if that does not show.
func (h *handlerFrame) signal(p *core.Process, sp core.Addr, f *walk.Frame) *core.Signal {
	d, err := core.ReadBytes(p.Space, sp+h.siginfo, siginfoBytes)
	if g := p.Siginfo(d); err == nil && g != nil && g.Number > 0 && g.Number <= 64 && g.CodeName != "" {
		return g
	}
	c := p.Cursor()
	a := c.Pointer(sp + h.fault)
	if c.Err() == nil && refersTo(p, f, a) {
		return &core.Signal{HasAddr: true, Addr: a}
	}
	return nil
}

// ownSignal reports whether the process has sent itself a signal.
func ownSignal(p *core.Process, g *core.Signal) bool {
	return g.HasSender && g.PID != 0 && (g.PID == p.PID || p.Thread(g.PID) != nil)
}

// refersTo reports whether the instruction that was interrupted in f refers to a, or is at a.
func refersTo(p *core.Process, f *walk.Frame, a core.Addr) bool {
	if f.PC == a {
		return !p.Executable(a)
	}
	code, _ := p.Space.Slice(f.PC, insn.MaxLen)
	for _, x := range insn.EffectOf(p.Arch, code, f.PC, &insn.Registers{Regs: f.Regs, Memory: p.Cursor()}).Accesses {
		if where.Untagged(p.Arch, x.Addr) == where.Untagged(p.Arch, a) {
			return true
		}
	}
	return false
}
