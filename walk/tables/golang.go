package tables

import (
	"coredbg/core"
	"coredbg/core/sym/pcln"
	"coredbg/walk/cfi"
)

// goFrame returns the frame of a function of a program of Go at a link-time address; ok is false if the
// module is no such program.
func (im *Module) goFrame(pc uint64) (f pcln.Frame, ok bool) {
	if g := im.golang(); g != nil && im.arch != nil {
		return g.Frame(pc)
	}
	return f, false
}

// goRow returns the row for the link-time address pc of a program of Go, as its linker would have written it in
// .debug_frame (cmd/link/internal/ld/dwarf.go, writeframes); nil if it is not known.
func (im *Module) goRow(pc uint64) *cfi.Row {
	f, ok := im.goFrame(pc)
	if !ok {
		return nil
	}
	return cfi.NewRow(im.arch, goRule(im.arch, f))
}

func goRule(arch *core.Arch, f pcln.Frame) cfi.Row {
	row := cfi.Row{CFAReg: int8(arch.SP), CFAOff: f.Depth, RA: int8(arch.LR)}
	if arch.LR < 0 {
		row.CFAOff, row.RA = f.Depth+int64(arch.PtrSize), int8(arch.PC)
		row.Rules = []cfi.SlotRule{{Slot: row.RA, Rule: cfi.Rule{Kind: cfi.Offset, Off: -int64(arch.PtrSize)}}}
		return row
	}
	// The link register is saved where the frame ends.
	ra := cfi.Rule{Kind: cfi.SameValue}
	switch {
	case f.Top:
		ra.Kind = cfi.Undefined
	case f.Depth > 0:
		ra = cfi.Rule{Kind: cfi.Offset, Off: -f.Depth}
	}
	row.Rules = []cfi.SlotRule{{Slot: int8(arch.LR), Rule: ra},
		{Slot: int8(arch.SP), Rule: cfi.Rule{Kind: cfi.ValOffset}}}
	if arch.SP < arch.LR {
		row.Rules[0], row.Rules[1] = row.Rules[1], row.Rules[0]
	}
	return row
}
