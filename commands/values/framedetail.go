package values

import (
	"fmt"
	"strings"

	"coredbg/commands"
	"coredbg/commands/out"
	"coredbg/core"
	"coredbg/core/sym"
)

// A frameDetailRecord has the facts about a frame, without its variables.
type frameDetailRecord struct {
	_        out.Record        `record:"frame-detail"`
	TID      int               `json:"tid"`
	Task     uint64            `json:"goroutine,omitempty"`
	Frame    int               `json:"frame"`
	Function string            `json:"function"`
	PC       core.Addr         `json:"pc" dot:"always"`
	SP       core.Addr         `json:"sp"`
	CFA      core.Addr         `json:"cfa,omitzero"` // the caller's stack pointer before the call
	Caller   string            `json:"caller,omitempty"`
	CallerPC core.Addr         `json:"caller_pc,omitzero"`
	File     string            `json:"file,omitempty"`
	Line     int               `json:"line,omitempty"`
	Module   string            `json:"module,omitempty"`
	Trust    string            `json:"trust"` // how the frame was found, as ::stack -v has it
	Language string            `json:"language,omitempty"`
	Regs     map[string]string `json:"regs"` // registers that are known there
	// Saved are the places where the function has saved registers of its caller.
	Saved map[string]core.Addr `json:"saved,omitempty"`
	saved []string
	order []string
	code  string
	ptr   int
}

// Text writes a line for each fact, then the registers in two columns.
func (r *frameDetailRecord) Text(w *out.Writer) {
	w.Printf("#%d ", r.Frame)
	w.Paint(out.Function, "%s", sym.Clean(r.Function))
	w.Printf("\n")
	line := func(name, text string) { w.Printf("    %-8s%s\n", name, sym.Clean(text)) }
	if r.File != "" {
		line("source", fmt.Sprintf("%s:%d", r.File, r.Line))
	}
	line("code", fmt.Sprintf("%v  %s", r.PC, r.code))
	if r.Module != "" {
		line("object", r.Module)
	}
	if r.CallerPC != 0 {
		line("caller", fmt.Sprintf("%v  %s", r.CallerPC, r.Caller))
	}
	if r.Language != "" {
		line("lang", r.Language)
	}
	line("stack", fmt.Sprintf("sp %v, before the call %v, found by %s", r.SP, r.CFA, r.Trust))
	if len(r.order) == 0 {
		return
	}
	w.Printf("    registers at that place:\n")
	half := (len(r.order) + 1) / 2
	for i := range half {
		w.Printf("      %-8s%-*s", r.order[i], 2*r.ptr+6, r.Regs[r.order[i]])
		if k := i + half; k < len(r.order) {
			w.Printf("%-8s%s", r.order[k], r.Regs[r.order[k]])
		}
		w.Printf("\n")
	}
	if len(r.saved) == 0 {
		return
	}
	w.Printf("    the caller's, saved:\n")
	var places []string
	for _, name := range r.saved {
		places = append(places, name+" at "+r.Saved[name].String())
	}
	w.Printf("      %s\n", strings.Join(places, ", "))
}

// detailOf returns the record of a frame.
func detailOf(s *commands.Session, t *core.Thread, a *activation) *frameDetailRecord {
	r := &frameDetailRecord{TID: t.TID, Task: taskOf(t), Frame: a.Index, Function: functionOf(a), PC: a.PC, SP: a.SP,
		CFA: a.CFA, File: a.File, Line: a.Line,
		Module: a.Module, Trust: a.Trust.String(), Regs: map[string]string{}, code: a.Symbolic()}
	if r.File == "" && !a.managed {
		if p := positionOf(s, a.machine.LookupPC()); p != nil { // of a library, by its own debug file
			r.File, r.Line = p.file, p.line
		}
	}
	if c := a.caller; c != nil {
		r.Caller, r.CallerPC = fmt.Sprintf("#%d %s", c.Index, functionOf(c)), c.PC
	}
	arch := s.Process.Arch
	if arch == nil || a.Async {
		return r
	}
	if scope := a.scope(); scope != nil && a.read != nil && a.read.Data != nil {
		if u := a.read.Data.UnitAt(a.read.PC); u != nil {
			r.Language = languageName(u.Lang())
		}
	}
	if a.CFA != 0 && s.Walk != nil && !a.managed {
		for _, x := range s.Walk.SavedIn(&a.machine, a.CFA+core.Addr(arch.CFAOff)) {
			if r.Saved == nil {
				r.Saved = map[string]core.Addr{}
			}
			name := arch.RegNames[x.Slot]
			r.Saved[name], r.saved = x.At, append(r.saved, name)
		}
	}
	r.ptr = arch.PtrSize
	for slot, name := range arch.RegNames {
		if v, ok := a.machine.Regs.Get(slot); ok && name != "" {
			r.order = append(r.order, name)
			r.Regs[name] = core.Addr(v).String()
		}
	}
	return r
}
