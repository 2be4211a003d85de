package cfi

import (
	"cmp"
	"errors"
	"slices"
	"sync"

	"coredbg/core"
)

// Sections are the parts of an image that hold call frame information, each
// with its link-time address. Those that are absent are zero.
type Sections struct {
	EHFrame    core.Section
	EHFrameHdr core.Section
	DebugFrame core.Section
	// Text and GOT are the bases of the rare pointers that are relative to
	// them; 0 if unknown.
	Text, GOT uint64
}

// A Table is the call frame information of one image. Each query reads only the parts that it needs. A
// Table is safe for concurrent use.
type Table struct {
	eh, debug *section
	hdr       *searchTable
	ehIndex   func() []span
	dbgIndex  func() []span
}

// New returns the table of an image for the given architecture.
func New(arch *core.Arch, s Sections) *Table {
	t := &Table{}
	if len(s.EHFrame.Data) > 0 {
		t.eh = newSection(".eh_frame", s.EHFrame, arch, s)
		t.eh.eh = true
		t.ehIndex = sync.OnceValue(t.eh.index)
		t.hdr = newSearchTable(s.EHFrameHdr, arch)
	}
	if len(s.DebugFrame.Data) > 0 {
		t.debug = newSection(".debug_frame", s.DebugFrame, arch, s)
		t.debug.base.section = 0
		t.dbgIndex = sync.OnceValue(t.debug.index)
	}
	return t
}

func newSection(name string, c core.Section, arch *core.Arch, s Sections) *section {
	return &section{name: name, data: c.Data, gaps: core.Section{Gaps: c.Gaps}, arch: arch,
		base: bases{section: c.Addr, text: s.Text, data: s.GOT, ptr: arch.PtrSize}}
}

// Row returns what holds at the link-time address pc: ErrNoEntry if no frame
// description covers it, a *core.SectionError if the one that does is malformed, an error
// that wraps a *core.GapError if it may be among what was left out of a bundle.
func (t *Table) Row(pc uint64) (*Row, error) {
	s, f, err := t.find(pc)
	if err != nil {
		return nil, err
	}
	return s.execute(f, pc)
}

// Range returns the extent of the function part that covers pc, as its frame description gives it. It
// returns the same errors as Row.
func (t *Table) Range(pc uint64) (begin, end uint64, err error) {
	_, f, err := t.find(pc)
	if err != nil {
		return 0, 0, err
	}
	return f.begin, f.end, nil
}

func (t *Table) find(pc uint64) (*section, *fde, error) {
	first := ErrNoEntry
	if t.eh != nil {
		f, err := t.eh.search(t.hdr, t.ehIndex, pc)
		if err == nil {
			return t.eh, f, nil
		}
		first = err
	}
	if t.debug != nil {
		f, err := t.debug.search(nil, t.dbgIndex, pc)
		if err == nil {
			return t.debug, f, nil
		}
		if first == ErrNoEntry {
			first = err
		}
	}
	return nil, nil, first
}

// search finds the FDE that covers pc, by the search table if it is usable.
func (s *section) search(hdr *searchTable, index func() []span, pc uint64) (*fde, error) {
	if hdr != nil {
		begin, at, ok := hdr.lookup(pc)
		if !ok {
			return nil, ErrNoEntry
		}
		f, err := s.fdeAt(int(int64(at - s.base.section)))
		if err == nil && f.begin == begin {
			if pc >= f.end {
				return nil, ErrNoEntry
			}
			return f, nil
		}
		if gap := (*core.GapError)(nil); errors.As(err, &gap) {
			return nil, err
		}
		// The table does not lead to the function it names: it belongs to
		// another .eh_frame, so the section has to speak for itself.
	}
	spans := index()
	i, found := slices.BinarySearchFunc(spans, pc, func(a span, pc uint64) int { return cmp.Compare(a.begin, pc) })
	if !found {
		i--
	}
	for ; i >= 0; i-- {
		if pc < spans[i].end {
			return s.fdeAt(spans[i].off)
		}
		if spans[i].reach <= pc {
			break
		}
	}
	if err := s.missing(0, len(s.data)); err != nil {
		return nil, err // it may be among what is missing
	}
	return nil, ErrNoEntry
}

// A span is the extent of one FDE.
type span struct {
	begin, end uint64
	reach      uint64 // the largest end up to here, where extents overlap
	off        int
}

// index scans the section once for all FDEs. A malformed one is left out, and with it, if its length is
// wrong, the rest of the section.
func (s *section) index() []span {
	var out []span
	cies := map[int]*cie{}
	for off := 0; off < len(s.data); {
		if gap := s.gaps.Gap(off, off+1); gap != nil {
			off = gap.End // where a record begins
			continue
		}
		rec, err := s.record(off)
		if err != nil {
			break
		}
		off = rec.end
		if rec.cie || rec.body == rec.end || rec.cieOff < 0 {
			continue
		}
		c, seen := cies[rec.cieOff]
		if !seen {
			c, _ = s.cie(rec.cieOff)
			cies[rec.cieOff] = c
		}
		if c == nil {
			continue
		}
		if f, err := s.fde(rec, c); err == nil && f.end > f.begin {
			out = append(out, span{begin: f.begin, end: f.end, off: rec.off})
		}
	}
	slices.SortStableFunc(out, func(a, b span) int { return cmp.Compare(a.begin, b.begin) })
	reach := uint64(0)
	for i := range out {
		reach = max(reach, out[i].end)
		out[i].reach = reach
	}
	return out
}
