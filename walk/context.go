package walk

import (
	"coredbg/core"
	"coredbg/walk/signal"
)

// Context reads the ucontext_t at u. It fails where the process' layout is not known, memory is
// missing, or the stack pointer there leads nowhere.
func (t *Target) Context(u core.Addr) (Context, error) { return signal.ReadContext(t.text, u) }

// Runs reports whether the context's next instruction is code. It is not in a context that a call
// through a wild pointer has left.
func (t *Target) Runs(c *Context) bool { return t.text.Executable(c.PC) }

// suspended makes f a frame after a call if its registers, which were found elsewhere, are the ones
// that the called function saved: a call precedes the program counter, which is not the start of a
// function. If a signal came just after a call, only the place in the source differs.
func (w *walker) suspended(f *Frame) {
	if _, called, sure := w.Text.Called(f.PC); !called || !sure || w.Text.At(f.PC, true).Trampoline != nil {
		return
	}
	if start, known := w.Text.DescribedStart(f.PC); known && start == f.PC {
		return
	}
	if start, known := w.Text.FuncStart(f.PC); known && start == f.PC {
		return
	}
	f.Point = AfterCall
}
