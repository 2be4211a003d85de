package function

import (
	"coredbg/core"
	"coredbg/walk/cfi"
	"coredbg/walk/frame"
	"coredbg/walk/site"
)

// maxSlots is how many return addresses of a search for a stack pointer are checked
// against what lies beyond them.
const maxSlots = 64

// spFromCall returns the stack pointer of a frame whose stack pointer is unknown, as it is beyond code
// that cannot be read on architectures whose calls leave the return address in a register. The row
// gives the place of the return address in the frame: it is the first word of the stack, from the
// lowest place that the frame can have, that follows a call of f's function, if the frames beyond lead
// on from there.
func (u CFI) spFromCall(f *frame.Frame, row *cfi.Row) (sp uint64, ok bool) {
	w := u.Walk
	arch := w.Text.Process.Arch
	if arch.LR < 0 || f.Regs.Has(arch.SP) || f.Exact() || int(row.CFAReg) != arch.SP || row.CFAExpr != nil {
		return 0, false
	}
	rule := row.Rule(arch.LR)
	if rule.Kind != cfi.Offset {
		return 0, false
	}
	tried := 0
	for s := w.Words(f.SP, ^core.Addr(0)); s.Next() && tried < maxSlots; {
		cfa := uint64(s.At) - uint64(rule.Off)
		sp := cfa - uint64(row.CFAOff)
		if core.Addr(sp) < f.SP || sp%arch.StackAlign != 0 {
			continue
		}
		if ok, sure := w.Text.ReturnAddress(s.Code); !ok || !sure || w.Text.CalledBy(f, s.Code) != site.Confirmed {
			continue
		}
		tried++
		if w.Probing || u.leadsOn(f, row, sp) {
			return sp, true
		}
	}
	return 0, false
}

// leadsOn reports whether the caller of f is one if f's stack pointer is sp.
func (u CFI) leadsOn(f *frame.Frame, row *cfi.Row, sp uint64) bool {
	w := u.Walk
	known := f.Regs
	known.Set(w.Text.Process.Arch.SP, sp)
	regs, cfa, err := row.Apply(&known, &w.Stack)
	if err != nil {
		return false
	}
	caller := u.made(row, regs, cfa)
	_, ok := w.Prober.Joins(&caller, true, nil)
	return ok
}
