package pack

import (
	stdelf "debug/elf"
	"slices"

	"coredbg/core"
	"coredbg/core/bundle/span"
	"coredbg/core/elf"
	"coredbg/core/sym/lines"
)

// leanHoles returns the parts of a module's file or debug file that only a lean bundle leaves out,
// joined.
func (m *moduleFile) leanHoles(t *touched, facts core.ModuleFacts) []span.Range {
	if m.f == nil {
		return nil
	}
	var code []uint64
	for _, a := range t.pcs {
		if a >= facts.Bias {
			code = append(code, uint64(a-facts.Bias))
		}
	}
	return span.Join(slices.Concat(m.frameHoles(t, facts.Bias), m.lineHoles(code), m.nameHoles(t, facts.Bias)),
		m.src.Size())
}

// lineHoles returns the parts of the DWARF that are left out: units that cover no address of code,
// which has link-time addresses. A unit's first entry, which says what it covers, stays.
func (m *moduleFile) lineHoles(code []uint64) (out []span.Range) {
	img, err := elf.NewFile(m.src, "")
	if err != nil {
		return nil
	}
	for _, r := range lines.Unneeded(img, code) {
		s := m.f.Section(r.Section)
		if s == nil || s.Flags&stdelf.SHF_COMPRESSED != 0 || uint64(r.End) > s.FileSize || r.End-r.Off < leastHole {
			continue
		}
		out = append(out, span.Between(int64(s.Offset)+int64(r.Off), int64(s.Offset)+int64(r.End)))
	}
	return out
}
