package tables

import (
	"errors"

	"coredbg/core"
	"coredbg/walk/cfi"
	"coredbg/walk/compact"
)

// machO is what an image has instead of tables that hold at every instruction.
type machO struct {
	unwind *compact.Table
	stubs  []core.Section
	leaf   *cfi.Row // of a function that does nothing to the stack
}

// stubSections hold jumps through pointers that dyld binds (dyld's "lazy" and
// "non-lazy" symbol stubs); compact entries of the functions around them cover
// them too, wrongly.
var stubSections = [...]string{"__stubs", "__auth_stubs"}

// newMachO returns the compact unwind information of an image; nil if the image has no such section.
func newMachO(arch *core.Arch, image core.Image, header uint64) *machO {
	info, err := image.Section("__unwind_info")
	if err != nil {
		return nil
	}
	text, _ := image.Section("__text") // without it, few encodings cannot be used
	t := compact.New(arch, info.Data, header, text)
	if t == nil {
		return nil
	}
	m := &machO{unwind: t}
	for _, name := range stubSections {
		if s, err := image.Section(name); err == nil {
			m.stubs = append(m.stubs, s)
		}
	}
	leaf := cfi.Row{CFAReg: int8(arch.SP), RA: int8(arch.LR)}
	if arch.LR < 0 {
		leaf.RA, leaf.CFAOff = int8(arch.PC), int64(arch.PtrSize)
		leaf.Rules = []cfi.SlotRule{{Slot: leaf.RA, Rule: cfi.Rule{Kind: cfi.Offset, Off: -leaf.CFAOff}}}
	}
	m.leaf = cfi.NewRow(arch, leaf)
	return m
}

// row returns the row for the link-time address pc and whether it holds in the
// body of the function only. Table is the image's __eh_frame, which compilers for
// Apple's systems write for the body only too; it may be nil.
func (m *machO) row(pc uint64, table *cfi.Table) (row *cfi.Row, body bool, err error) {
	for _, s := range m.stubs {
		if pc >= s.Addr && pc-s.Addr < uint64(len(s.Data)) {
			return m.leaf, false, nil
		}
	}
	row, err = m.unwind.Row(pc)
	if dwarf := (*compact.DWARFError)(nil); errors.As(err, &dwarf) || errors.Is(err, compact.ErrNoEntry) {
		if table == nil {
			return nil, true, cfi.ErrNoEntry
		}
		row, err = table.Row(pc)
	}
	return row, true, err
}
