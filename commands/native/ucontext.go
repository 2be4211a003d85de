package native

import (
	"context"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/walk"
)

var ucontextCommands = []commands.Command{{
	Name: "ucontext", Addr: commands.AddrRequired,
	Summary: "show the registers that a ucontext_t holds",
	Detail: `The address is a ucontext_t: registers that getcontext and swapcontext have saved, as libraries for
coroutines do, or that makecontext has prepared, or the third argument of a signal handler.
Registers that a function need not keep may hold what was there before. ADDR::stack shows the stack from
there on, and so does a pipeline:
    ADDR::ucontext | ::stack
The link is the context that follows when the function of this one returns (uc_link).`,
	Example: "caller::ucontext",
	SeeAlso: []string{"stack", "regs"},
	Run:     runUcontext,
}}

// A ucontextRecord is what a ucontext_t holds.
type ucontextRecord struct {
	_       out.Record        `record:"ucontext"`
	Context core.Addr         `json:"addr"`
	Link    core.Addr         `json:"link,omitempty"` // uc_link
	Regs    map[string]string `json:"regs"`

	context walk.Context
	form    *regsRecord
}

// Addr returns the address of the ucontext.
func (r *ucontextRecord) Addr() (core.Addr, bool) { return r.Context, true }

// Text writes the registers as ::regs does, and the link.
func (r *ucontextRecord) Text(w *out.Writer) {
	r.form.Text(w)
	if r.Link != 0 {
		w.Printf("link: %v\n", r.Link)
	}
}

func runUcontext(_ context.Context, c *commands.Call) error {
	saved, err := c.Session.Walk.Context(c.Dot)
	if err != nil {
		return err
	}
	form := newRegs(c, &core.Thread{Regs: saved.Regs}, isGeneral)
	return c.Emit(&ucontextRecord{Context: c.Dot, Link: saved.Link, Regs: form.Regs, context: saved, form: form})
}

// savedBy returns the ucontext that a call got from a pipeline, or nil.
func savedBy(c *commands.Call) *ucontextRecord {
	if !c.Piped {
		return nil
	}
	r, _ := commands.Plain(c.Input).(*ucontextRecord)
	return r
}
