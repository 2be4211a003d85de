package fault

import (
	"fmt"
	"strings"

	"coredbg/core"
	"coredbg/core/insn"
	"coredbg/core/sym"
	"coredbg/crash/bugs"
	"coredbg/crash/where"
	"coredbg/walk"
)

// A Subject is what a fault is explained by.
type Subject struct {
	Process *core.Process
	Symbols *sym.Table
	Walk    *walk.Target // to find handlers of signals; it may be nil
	Thread  *core.Thread // that crashed; nil if no thread is known to have crashed
}

// An explainer collects clauses about one signal and the registers that it found.
type explainer struct {
	s    *Subject
	p    *core.Process
	g    *core.Signal
	t    *core.Thread
	regs insn.Registers
	pc   core.Addr
	out  []string
	// cause and sure belong to the first clause that gives the kind of bug, and title describes it if
	// the cause alone does not. First is the signal that was handled; then follow the place where it
	// came and the registers that it found.
	cause bugs.Cause
	sure  bugs.Confidence
	title string
	first *core.Signal
	at    core.Addr
	then  insn.Registers
	// inferred is set if only the signal's handler shows that t has sent it.
	inferred bool
	// strayed is what is at the place of the first signal, if that is no code.
	strayed string
}

func newExplainer(s *Subject, g *core.Signal, t *core.Thread, regs core.Regs) *explainer {
	p := s.Process
	e := &explainer{s: s, p: p, g: g, t: t, regs: insn.Registers{Regs: regs, Memory: p.Cursor()}}
	if pc, ok := regs.Get(p.Arch.PC); ok {
		e.pc = p.StripCode(core.Addr(pc))
	}
	return e
}

// segments takes the bases of segments from a thread's registers.
func (e *explainer) segments(t *core.Thread) {
	if t.Registers == nil {
		return
	}
	for _, r := range t.Registers() {
		switch r.Name {
		case "fs_base":
			e.regs.FSBase = r.Value
		case "gs_base":
			e.regs.GSBase = r.Value
		}
	}
}

// is notes what kind of bug it looks like.
func (e *explainer) is(c bugs.Cause, sure bugs.Confidence) {
	if e.cause == bugs.None {
		e.cause, e.sure = c, sure
	}
}

// titled notes what a bug of a kind was, if that is its kind.
func (e *explainer) titled(c bugs.Cause, title string) {
	if e.cause == c {
		e.title = title
	}
}

func (e *explainer) say(format string, args ...any) {
	e.out = append(e.out, fmt.Sprintf(format, args...))
}

// code returns the instruction at the pc with its place.
func (e *explainer) code() string {
	at := where.Symbolic(e.s.Process, e.s.Symbols, e.pc)
	w, _ := e.p.Space.Slice(e.pc, insn.MaxLen)
	in, ok := insn.Disassemble(e.p.Arch, w, e.pc)
	if !ok || !insn.Known(e.p.Arch) {
		return at
	}
	text := strings.ReplaceAll(in.Text, "\t", " ")
	if at == "" {
		return text
	}
	return at + ": " + text
}
