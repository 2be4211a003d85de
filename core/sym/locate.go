package sym

import (
	"sort"

	"coredbg/core"
)

// locate returns the module that contains a, and a as a link-time address of the module's image.
func (t *Table) locate(a core.Addr) (*module, uint64, bool) {
	m := t.p.Module(a)
	if m == nil {
		return t.locateUnbacked(a)
	}
	f := m.Facts()
	if f.Image == nil {
		return nil, 0, false
	}
	e := t.module(m)
	link := uint64(a - f.Bias)
	off, mapped := fileOffset(m, a)
	if !mapped {
		return e, link, f.BiasKnown
	}
	segs := e.segs()
	if f.BiasKnown {
		for i := range segs {
			if s := &segs[i]; inSegment(s, link) && s.Off+(link-s.Addr) == off {
				return e, link, true
			}
		}
	}
	// Not where the bias puts it: a copy of the file mapped once more, or no
	// bias is known.
	for i := range segs {
		if s := &segs[i]; off >= s.Off && off-s.Off < s.FileSize {
			return e, s.Addr + (off - s.Off), true
		}
	}
	return e, link, f.BiasKnown
}

// locateUnbacked looks for a in memory that a module's image asks for but its
// file does not back: .bss.
func (t *Table) locateUnbacked(a core.Addr) (*module, uint64, bool) {
	mods := t.p.Modules
	i := sort.Search(len(mods), func(i int) bool { return mods[i].Start > a }) - 1
	if i < 0 {
		return nil, 0, false
	}
	m := mods[i]
	f := m.Facts()
	if f.Image == nil || !f.BiasKnown {
		return nil, 0, false
	}
	e := t.module(m)
	link := uint64(a - f.Bias)
	segs := e.segs()
	for i := range segs {
		if inSegment(&segs[i], link) {
			return e, link, true
		}
	}
	return nil, 0, false
}

func inSegment(s *core.ImageSegment, link uint64) bool {
	return link >= s.Addr && link-s.Addr < max(s.MemSize, s.FileSize)
}

// fileOffset returns the offset in m's file, in bytes, of the byte mapped at a.
func fileOffset(m *core.Module, a core.Addr) (uint64, bool) {
	i := sort.Search(len(m.Parts), func(i int) bool { return m.Parts[i].Start > a }) - 1
	if i < 0 || a >= m.Parts[i].End {
		return 0, false
	}
	return m.Parts[i].Off + uint64(a-m.Parts[i].Start), true
}
