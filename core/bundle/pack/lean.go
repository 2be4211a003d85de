package pack

import (
	stdelf "debug/elf"
	"slices"

	"coredbg/core"
	"coredbg/core/bundle/span"
	"coredbg/core/elf"
	"coredbg/core/sym/lines"
)

// leanHoles returns what of a module's file, or of its debug file, a lean bundle leaves
// out of what it would otherwise take; joined.
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
	return span.Join(slices.Concat(m.frameHoles(t, facts.Bias), m.lineHoles(code), m.nameHoles(t, facts.Bias)), m.src.Size())
}

// lineHoles returns what of the DWARF is left out: units that cover none of the code, at
// link-time addresses, but for the entry that says what they cover.
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
