package signal

import (
	"fmt"

	"coredbg/core"
	"coredbg/walk/frame"
	"coredbg/walk/kernel"
	"coredbg/walk/site"
)

// A Context is what a ucontext_t holds.
type Context struct {
	// Regs are the registers that it has words for. For registers that swapcontext need not save, the
	// words hold older contents.
	Regs core.Regs
	PC   core.Addr // where execution continues
	SP   core.Addr // its stack pointer
	// Link is uc_link: the context that follows when its function returns.
	Link core.Addr
}

// ReadContext reads the ucontext_t at u of a process. It fails with a core.Unknown error
// where the process' layout is not known, and where memory is missing, or the stack
// pointer there leads nowhere.
func ReadContext(t *site.Text, u core.Addr) (Context, error) {
	layout := kernel.UContextOf(t.Process)
	if layout == nil {
		return Context{}, core.Unknown(fmt.Errorf("the layout of a ucontext is not known for %s on %s", t.Process.OS,
			archName(t.Process.Arch)))
	}
	c := t.Process.Cursor()
	ctx := Context{Link: c.Pointer(u + layout.Link)}
	at := layout.Regs(c, u)
	regs, err := savedRegs(c, t.Process.Arch, at, layout.Slots)
	if err != nil {
		return Context{}, fmt.Errorf("no ucontext at %v: %w", u, err)
	}
	pc, _ := regs.Get(t.Process.Arch.PC)
	regs.Set(t.Process.Arch.PC, uint64(t.Strip(core.Addr(pc), false)))
	top := frame.FromRegs(t.Process.Arch, regs)
	ctx.Regs, ctx.PC, ctx.SP = top.Regs, top.PC, top.SP
	if _, ok := t.Process.Space.Find(ctx.SP); !ok {
		return Context{}, fmt.Errorf("no ucontext at %v: its stack pointer would be %v, where nothing is mapped", u,
			ctx.SP)
	}
	return ctx, nil
}

func archName(arch *core.Arch) string {
	if arch == nil {
		return "this machine"
	}
	return arch.Name
}
