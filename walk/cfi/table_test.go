package cfi

import (
	"errors"
	"slices"
	"testing"

	"coredbg/core"
)

// searchable adds .eh_frame_hdr for the given pairs of address and FDE offset.
func searchable(a *assembler, pairs ...[2]uint64) Sections {
	hdr := []byte{1, 0x1b, 0x03, 0x3b}
	hdr = append(hdr, a.word(4, ehAddr-(hdrAddr+4))...)
	hdr = append(hdr, a.word(4, uint64(len(pairs)))...)
	for _, p := range pairs {
		hdr = append(hdr, a.word(4, p[0]-hdrAddr)...)
		hdr = append(hdr, a.word(4, ehAddr+p[1]-hdrAddr)...)
	}
	return Sections{EHFrame: core.Section{Addr: ehAddr, Data: a.buf},
		EHFrameHdr: core.Section{Addr: hdrAddr, Data: hdr}}
}

// threeFunctions assembles FDEs with CFA offsets 8, 16 and 24, and a hole.
func threeFunctions() (a *assembler, at [3]uint64, fdes [3]uint64) {
	a = newAssembler()
	c := a.cie("", nil, 16, initAMD64...)
	at = [3]uint64{fnAddr, fnAddr + 0x10, fnAddr + 0x40}
	// The section is not sorted; linkers do not sort it either.
	for _, i := range []int{2, 0, 1} {
		fdes[i] = uint64(a.fdeAt(c, false, at[i], 0x10, 0x0e, byte(8+8*i)))
	}
	return a, at, fdes
}

func TestLookup(t *testing.T) {
	a, at, fdes := threeFunctions()
	pairs := [][2]uint64{{at[0], fdes[0]}, {at[1], fdes[1]}, {at[2], fdes[2]}}
	lying := [][2]uint64{{at[0], fdes[1]}, {at[1], fdes[2]}, {at[2], fdes[0]}}
	tables := map[string]Sections{
		"scan":               {EHFrame: core.Section{Addr: ehAddr, Data: a.buf}},
		"search table":       searchable(a, pairs...),
		"lying search table": searchable(a, lying...),
	}
	cut := searchable(a, pairs...)
	cut.EHFrameHdr.Data = cut.EHFrameHdr.Data[:20]
	tables["search table cut short"] = cut
	stray := searchable(a, [2]uint64{at[0], 0x10000000}, [2]uint64{at[1], 1 << 31}, [2]uint64{at[2], 3})
	tables["search table that leads outside"] = stray

	for name, s := range tables {
		t.Run(name, func(t *testing.T) {
			table := New(core.AMD64, s)
			for _, c := range []struct {
				pc  uint64
				off int64
			}{
				{at[0] - 1, -1}, {at[0], 8}, {at[0] + 0xf, 8}, {at[1], 16}, {at[1] + 0xf, 16},
				{at[1] + 0x10, -1}, {at[2] - 1, -1}, {at[2], 24}, {at[2] + 0x10, -1}, {0, -1}, {^uint64(0), -1},
			} {
				row, err := table.Row(c.pc)
				if c.off < 0 {
					if !errors.Is(err, ErrNoEntry) {
						t.Errorf("%#x: %v, want no entry", c.pc, err)
					}
				} else if err != nil || row.CFAOff != c.off {
					t.Errorf("%#x: %v, %v, want offset %d", c.pc, row, err, c.off)
				}
			}
		})
	}
}

// TestSearchTableReadsNothingElse proves that a lookup by the search table does
// not read records that it does not need.
func TestSearchTableReadsNothingElse(t *testing.T) {
	a, at, fdes := threeFunctions()
	s := searchable(a, [2]uint64{at[0], fdes[0]}, [2]uint64{at[1], fdes[1]}, [2]uint64{at[2], fdes[2]})
	table := New(core.AMD64, s)
	table.ehIndex = func() []span { t.Error("the section was scanned"); return nil }
	for pc := at[0] - 8; pc < at[2]+0x18; pc++ {
		table.Row(pc)
	}
}

func TestDebugFrameBesideEHFrame(t *testing.T) {
	a := newAssembler()
	c := a.cie("", nil, 16, initAMD64...)
	a.fdeAt(c, false, fnAddr, 0x10, 0x0e, 16)
	d := newAssembler()
	d.debug = true
	c = d.cie("", nil, 16, initAMD64...)
	d.fdeAt(c, false, fnAddr, 0x10, 0x0e, 32)
	d.fdeAt(c, false, fnAddr+0x10, 0x10, 0x0e, 48)
	// A function that the linker dropped keeps an FDE at zero.
	d.fdeAt(c, false, 0, 0x10, 0x0e, 64)
	table := New(core.AMD64, Sections{
		EHFrame: core.Section{Addr: ehAddr, Data: a.buf}, DebugFrame: core.Section{Data: d.buf}})
	for pc, want := range map[uint64]int64{fnAddr: 16, fnAddr + 0x10: 48} {
		if row, err := table.Row(pc); err != nil || row.CFAOff != want {
			t.Errorf("%#x: %v, %v, want offset %d", pc, row, err, want)
		}
	}
}

// TestOverlap: of nested ranges the inner one is found, and after it the
// outer one again.
func TestOverlap(t *testing.T) {
	a := newAssembler()
	c := a.cie("", nil, 16, initAMD64...)
	a.fdeAt(c, false, fnAddr, 0x100, 0x0e, 16)
	a.fdeAt(c, false, fnAddr+0x20, 0x10, 0x0e, 32)
	table := a.table(core.AMD64)
	for pc, want := range map[uint64]int64{fnAddr: 16, fnAddr + 0x20: 32, fnAddr + 0x30: 16, fnAddr + 0xff: 16} {
		if row, err := table.Row(pc); err != nil || row.CFAOff != want {
			t.Errorf("%#x: %v, %v, want offset %d", pc, row, err, want)
		}
	}
}

// TestCutAnywhere reads tables that end at every byte.
func TestCutAnywhere(t *testing.T) {
	a, at, fdes := threeFunctions()
	full := searchable(a, [2]uint64{at[0], fdes[0]}, [2]uint64{at[1], fdes[1]}, [2]uint64{at[2], fdes[2]})
	for n := range full.EHFrame.Data {
		s := full
		s.EHFrame.Data = s.EHFrame.Data[:n]
		New(core.AMD64, s).Row(at[1])
		s.EHFrameHdr.Data = nil
		New(core.AMD64, s).Row(at[1])
	}
}

// TestGaps: in a table that lacks descriptions, the others are found. For code whose description is
// missing, the error says that it is missing, not that there is no description.
func TestGaps(t *testing.T) {
	a, at, fdes := threeFunctions()
	gap := core.SectionGap{Off: int(fdes[0]), End: int(fdes[1]), Err: &core.GapError{Gap: core.LeftOut}}
	for name, s := range map[string]Sections{
		"scan":         {EHFrame: core.Section{Addr: ehAddr, Data: a.buf}},
		"search table": searchable(a, [2]uint64{at[0], fdes[0]}, [2]uint64{at[1], fdes[1]}, [2]uint64{at[2], fdes[2]}),
	} {
		t.Run(name, func(t *testing.T) {
			s.EHFrame.Data = slices.Clone(s.EHFrame.Data)
			clear(s.EHFrame.Data[gap.Off:gap.End])
			s.EHFrame.Gaps = []core.SectionGap{gap}
			table := New(core.AMD64, s)
			var missing *core.GapError
			if _, err := table.Row(at[0]); !errors.As(err, &missing) || missing.Gap != core.LeftOut {
				t.Errorf("what was left out: %v", err)
			}
			for i, off := range map[int]int64{1: 16, 2: 24} {
				if row, err := table.Row(at[i]); err != nil || row.CFAOff != off {
					t.Errorf("%#x: %v, %v, want offset %d", at[i], row, err, off)
				}
			}
		})
	}
}
