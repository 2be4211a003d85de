package walk

import (
	"context"
	"fmt"

	"coredbg/core"
)

// A ucontext is where a ucontext_t keeps registers: what getcontext and swapcontext
// save, makecontext prepares, and the kernel passes to a signal handler. C libraries
// have the kernel's layout, as setcontext takes what a handler got.
type ucontext struct {
	// regs returns the address of the saved registers, given that of the ucontext.
	regs func(c *core.Cursor, u core.Addr) core.Addr
	// slots are the registers in the order in which they are saved, as words; -1 skips
	// one.
	slots []int
	// link is the offset of uc_link in bytes.
	link core.Addr
}

// ucontextAfter is a ucontext with its registers at an offset, and uc_link after a word
// of flags.
func ucontextAfter(offset core.Addr, arch *core.Arch, slots []int) *ucontext {
	return &ucontext{func(_ *core.Cursor, u core.Addr) core.Addr { return u + offset }, slots, core.Addr(arch.PtrSize)}
}

// ucontextOf returns the layout of a ucontext_t in p; nil if it is not known. It is what
// a signal frame has (see the trampolines) and C libraries declare in sys/ucontext.h.
func ucontextOf(p *core.Process) *ucontext {
	arch := p.Arch
	if p.OS == "darwin" {
		s := sigtrampOf(p)
		if s == nil {
			return nil
		}
		const link = 32 // after a word of two halves and a stack_t
		return &ucontext{func(c *core.Cursor, u core.Addr) core.Addr { return c.Pointer(u+ucMContext) + excSize }, s.slots, link}
	}
	if p.OS != "" && p.OS != "linux" {
		return nil
	}
	switch arch {
	case core.AMD64:
		return ucontextAfter(40, arch, slotsAMD64)
	case core.I386:
		return ucontextAfter(20, arch, slotsI386)
	case core.ARM64:
		return ucontextAfter(176+8, arch, trampolinesARM64[0].slots)
	case core.ARM:
		return ucontextAfter(20+12, arch, slotsARM)
	case core.PPC64, core.PPC64LE:
		return ucontextAfter(232, arch, slotsPPC)
	case core.PPC:
		return &ucontext{func(c *core.Cursor, u core.Addr) core.Addr { return c.Pointer(u + 48) }, slotsPPC, 4}
	case core.S390X:
		return ucontextAfter(40, arch, slotsS390X)
	case core.S390:
		return ucontextAfter(24, arch, slotsS390X)
	case core.RISCV64:
		return ucontextAfter(176, arch, trampolinesRISCV64[0].slots)
	case core.MIPS, core.MIPSEL:
		return ucontextAfter(24+8, arch, trampolinesMIPS(arch)[1].slots)
	case core.MIPS64, core.MIPS64EL:
		return ucontextAfter(40, arch, trampolinesMIPS(arch)[0].slots)
	}
	return nil
}

// A Context is what a ucontext_t holds.
type Context struct {
	// Regs are the registers that it has words for. Of those that swapcontext need not
	// save, the words hold what was there before.
	Regs core.Regs
	PC   core.Addr
	SP   core.Addr
	// Link is uc_link: the context that follows when its function returns.
	Link core.Addr
}

// Context reads the ucontext_t at u. It fails where the process' layout is not known, memory is
// missing, or the stack pointer there leads nowhere.
func (t *Target) Context(u core.Addr) (Context, error) {
	layout := ucontextOf(t.p)
	if layout == nil {
		return Context{}, core.Unknown(fmt.Errorf("the layout of a ucontext is not known for %s on %s", t.p.OS, archName(t.p.Arch)))
	}
	w := newWalker(context.Background(), t, nil)
	ctx := Context{Link: w.stack.Pointer(u + layout.link)}
	at := layout.regs(&w.stack, u)
	regs, err := w.savedRegs(at, layout.slots)
	if err != nil {
		return Context{}, fmt.Errorf("no ucontext at %v: %w", u, err)
	}
	pc, _ := regs.Get(t.p.Arch.PC)
	regs.Set(t.p.Arch.PC, uint64(w.strip(core.Addr(pc), false)))
	top := w.frame(regs)
	ctx.Regs, ctx.PC, ctx.SP = top.Regs, top.PC, top.SP
	if _, ok := t.p.Space.Find(ctx.SP); !ok {
		return Context{}, fmt.Errorf("no ucontext at %v: its stack pointer would be %v, where nothing is mapped", u, ctx.SP)
	}
	return ctx, nil
}

// Runs reports whether the context's next instruction is code, as that of all but those
// is that a call through a wild pointer has left.
func (t *Target) Runs(c *Context) bool { return t.executable(c.PC) }

func archName(arch *core.Arch) string {
	if arch == nil {
		return "this machine"
	}
	return arch.Name
}

// suspended makes a frame of registers that were found elsewhere one after a call where
// they are what the called function saved: a call precedes the program counter, which is not the
// start of a function. Where a signal came just after a call, that is the same but for the place
// in the source.
func (w *walker) suspended(f *Frame) {
	if _, called, sure := w.called(f.PC); !called || !sure || w.t.site(f.PC, true).tramp != nil {
		return
	}
	if start, known := w.t.describedStart(f.PC); known && start == f.PC {
		return
	}
	if start, known := w.t.funcStart(f.PC); known && start == f.PC {
		return
	}
	f.Point = AfterCall
}
