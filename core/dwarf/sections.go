package dwarf

import (
	"cmp"
	"errors"
	"fmt"

	"coredbg/core"
)

// sections are the parts of an image that are read, by the names they have in an image.
// In split DWARF they end in ".dwo" (DWARF 5, section 7.3.2).
type sections struct {
	info, typeInfo                                                                                    core.Section
	abbrev, str, lineStr, strOffsets, addr, ranges, rnglists, loc, loclists, aranges, names, gdbIndex []byte
	// lost is why one of the sections that say where values are cannot be read; nil if all can.
	lost error
	// forget gives back the memory of pages that were read; nil if the image cannot.
	forget func()
}

// enough is how many units, or bytes of them, are read here and there until the memory of their pages is
// given back: the system maps 64 KiB around each byte that is read.
const (
	enoughUnits = 256
	enoughBytes = 64 << 20
)

// passed releases the memory of the sections after each n-th unit that was read.
func (s *sections) passed(n int) {
	if n%enoughUnits == enoughUnits-1 && s.forget != nil {
		s.forget()
	}
}

// readSections reads the sections whose names end in a suffix.
func readSections(img core.Image, suffix string) (s sections, err error) {
	if f, ok := img.(interface{ Forget() }); ok {
		s.forget = f.Forget
	}
	for name, to := range map[string]*core.Section{".debug_info": &s.info, ".debug_types": &s.typeInfo} {
		if *to, err = joinedSection(img, name+suffix); err != nil {
			return s, fmt.Errorf("dwarf: %w", err)
		}
	}
	for name, to := range map[string]*[]byte{
		".debug_abbrev": &s.abbrev, ".debug_str": &s.str, ".debug_line_str": &s.lineStr,
		".debug_str_offsets": &s.strOffsets, ".debug_addr": &s.addr, ".debug_ranges": &s.ranges,
		".debug_rnglists": &s.rnglists, ".debug_loc": &s.loc, ".debug_loclists": &s.loclists,
		".debug_aranges": &s.aranges, ".debug_names": &s.names, ".gdb_index": &s.gdbIndex,
	} {
		got, err := img.Section(name + suffix)
		if err != nil && !errors.Is(err, core.ErrNoSection) {
			if name == ".debug_abbrev" {
				return s, fmt.Errorf("dwarf: %w", err)
			}
			s.lost = cmp.Or(s.lost, fmt.Errorf("dwarf: %w", err))
		}
		*to = got.Data
	}
	return s, nil
}

// joinedSection returns all sections of a name as one: files that were not linked, such as files of
// split units, have a section for each type unit. It is empty if there is no such section.
func joinedSection(img core.Image, name string) (core.Section, error) {
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
