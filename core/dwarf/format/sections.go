package format

import (
	"cmp"
	"errors"
	"fmt"

	"coredbg/core"
)

// Sections are the parts of an image that are read, by the names they have in an image.
// In split DWARF they end in ".dwo" (DWARF 5, section 7.3.2).
type Sections struct {
	Info, TypeInfo                                                                                    core.Section
	Abbrev, Str, LineStr, StrOffsets, Addr, Ranges, Rnglists, Loc, Loclists, Aranges, Names, GDBIndex []byte
	// Lost is why one of the sections that say where values are cannot be read; nil if all can.
	Lost error
	// Forget gives back the memory of pages that were read; nil if the image cannot.
	Forget func()
}

// EnoughBytes and enoughUnits are how many bytes of units, or units, are read here and there until the memory of
// their pages is given back: the system maps 64 KiB around each byte that is read.
const (
	enoughUnits = 256
	EnoughBytes = 64 << 20
)

// Passed releases the memory of the sections after each n-th unit that was read.
func (s *Sections) Passed(n int) {
	if n%enoughUnits == enoughUnits-1 && s.Forget != nil {
		s.Forget()
	}
}

// ReadSections reads the sections whose names end in a suffix.
func ReadSections(img core.Image, suffix string) (s Sections, err error) {
	if f, ok := img.(interface{ Forget() }); ok {
		s.Forget = f.Forget
	}
	for name, to := range map[string]*core.Section{".debug_info": &s.Info, ".debug_types": &s.TypeInfo} {
		if *to, err = JoinedSection(img, name+suffix); err != nil {
			return s, fmt.Errorf("dwarf: %w", err)
		}
	}
	for name, to := range map[string]*[]byte{
		".debug_abbrev": &s.Abbrev, ".debug_str": &s.Str, ".debug_line_str": &s.LineStr,
		".debug_str_offsets": &s.StrOffsets, ".debug_addr": &s.Addr, ".debug_ranges": &s.Ranges,
		".debug_rnglists": &s.Rnglists, ".debug_loc": &s.Loc, ".debug_loclists": &s.Loclists,
		".debug_aranges": &s.Aranges, ".debug_names": &s.Names, ".gdb_index": &s.GDBIndex,
	} {
		got, err := img.Section(name + suffix)
		if err != nil && !errors.Is(err, core.ErrNoSection) {
			if name == ".debug_abbrev" {
				return s, fmt.Errorf("dwarf: %w", err)
			}
			s.Lost = cmp.Or(s.Lost, fmt.Errorf("dwarf: %w", err))
		}
		*to = got.Data
	}
	return s, nil
}

// JoinedSection returns all sections of a name as one: files that were not linked, such as files of
// split units, have a section for each type unit. It is empty if there is no such section.
func JoinedSection(img core.Image, name string) (core.Section, error) {
	out, err := img.Section(name)
	if errors.Is(err, core.ErrNoSection) {
		return core.Section{}, nil
	}
	more, ok := img.(interface {
		Sections(name string, yield func(core.Section, error) bool)
	})
	if err != nil || !ok {
		return out, err
	}
	n := 0
	more.Sections(name, func(s core.Section, e error) bool {
		if n++; n == 1 {
			return true
		}
		if err = e; err != nil {
			return false
		}
		if n == 2 {
			out = core.Section{Name: name, Data: append([]byte(nil), out.Data...), Gaps: out.Gaps}
		}
		for _, g := range s.Gaps {
			out.Gaps = append(out.Gaps, core.SectionGap{Off: g.Off + len(out.Data),
				End: g.End + len(out.Data), Err: g.Err})
		}
		out.Data = append(out.Data, s.Data...)
		return true
	})
	return out, err
}
