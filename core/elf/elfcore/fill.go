package elfcore

import (
	"errors"

	"coredbg/core"
	"coredbg/core/elf"
)

// filler fills what the core left out from the modules' files.
type filler struct {
	*resolver
	anonymous bool // memory without a file behind it was dumped
}

// Fill implements core.Filler. It reads a module's file where the core cannot
// hold anything else: pages that cannot be written to, and writable ones only
// if memory without a file was dumped, because then a page that was written to
// would have been.
func (fl filler) Fill(gap core.Segment, a core.Addr) core.Segment {
	m := fl.p.MappedModule(a)
	if m == nil || gap.Gap != core.NotDumped && gap.Gap != core.Truncated {
		return gap
	}
	var part core.ModulePart
	for _, p := range m.Parts {
		if p.Start <= a && a < p.End {
			part = p
		}
	}
	lo, hi := max(part.Start, gap.Start), min(part.End, gap.End)
	if hi <= lo {
		return gap
	}
	gap.Start, gap.End = lo, hi
	facts := m.Facts()
	img, _ := facts.Image.(*elf.File)
	if gap.ProtUnknown && img != nil {
		gap.Prot, gap.ProtUnknown = protAt(img, facts, a, part.Off+uint64(a-part.Start), uint64(pageSize(fl.p))), false
	}
	if img == nil || img.Source() == nil {
		return withoutFile(gap, m, facts)
	}
	if gap.Prot&core.Write != 0 && (gap.Gap == core.Truncated || !fl.anonymous) {
		gap.Detail = "it may have been written to"
		return gap
	}
	if gap.Gap == core.Truncated || !fl.anonymous {
		if s, e := img.Relro(facts.Bias); a >= s && a < e {
			gap.Detail = "it was written to when the program was loaded"
			return gap
		}
	}
	return fillFrom(img.Source(), gap, part)
}

// fillFrom makes a segment of file bytes for a gap within a mapping. The rest of the file's last page
// is zeros.
func fillFrom(src core.Source, gap core.Segment, part core.ModulePart) core.Segment {
	off, size := part.Off+uint64(gap.Start-part.Start), uint64(src.Size())
	if off >= size {
		gap.Detail = "past the end of the file"
		return gap
	}
	gap.Kind, gap.Gap, gap.Detail = core.SegFile, 0, ""
	gap.Src, gap.Off = src, int64(off)
	gap.End = min(gap.End, gap.Start+core.Addr(size-off))
	return gap
}

// protAt returns the protection of the segment that the byte at an address belongs to. A piece that is mapped elsewhere
// belongs to the segment with this offset.
func protAt(img *elf.File, facts core.ModuleFacts, a core.Addr, off, page uint64) core.Prot {
	prot := core.Prot(0)
	for _, p := range img.Segments() {
		lo, end := p.Off&^(page-1), uint64(core.Addr(p.Off+p.FileSize).Align(page))
		if off < lo || off >= end {
			continue
		}
		if facts.BiasKnown && facts.Bias+core.Addr(p.Addr+off-p.Off) == a {
			return p.Prot
		}
		if prot == 0 && off < p.Off+p.FileSize {
			prot = p.Prot
		}
	}
	return prot
}

// withoutFile marks a gap in a module as one that its file would have filled.
func withoutFile(gap core.Segment, m *core.Module, facts core.ModuleFacts) core.Segment {
	gap.Gap, gap.Detail = core.FileMissing, m.Path
	var mismatch *elf.MismatchError
	if errors.As(facts.Err, &mismatch) {
		gap.Gap, gap.Detail = core.FileMismatch, mismatch.Path
	}
	return gap
}
