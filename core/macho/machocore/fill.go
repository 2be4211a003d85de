package machocore

import (
	"errors"
	"sort"

	"coredbg/core"
	"coredbg/core/macho"
	"coredbg/core/macho/cache"
)

// filler fills what the core left out from the modules' files.
type filler struct{ *resolver }

// Fill implements core.Filler. It reads a module's file where the process cannot
// have changed what dyld made of it: segments that nothing may write to, and those
// that may be written to only while dyld works on them.
func (fl filler) Fill(gap core.Segment, a core.Addr) core.Segment {
	m := fl.p.MappedModule(a)
	if m == nil || gap.Gap != core.NotDumped && gap.Gap != core.NotInDump && gap.Gap != core.Truncated {
		return gap
	}
	i := sort.Search(len(m.Parts), func(i int) bool { return m.Parts[i].Start > a }) - 1
	if i < 0 || a >= m.Parts[i].End {
		return gap
	}
	lo, hi := max(m.Parts[i].Start, gap.Start), min(m.Parts[i].End, gap.End)
	if hi <= lo {
		return gap
	}
	gap.Start, gap.End = lo, hi
	facts := m.Facts()
	f, _ := facts.Image.(*macho.File)
	if f == nil || facts.InMemory || !facts.BiasKnown {
		gap.Gap, gap.Detail = core.FileMissing, m.Path
		var mismatch *macho.MismatchError
		if errors.As(facts.Err, &mismatch) {
			gap.Gap, gap.Detail = core.FileMismatch, mismatch.Path
		}
		return gap
	}
	return fl.fillFrom(f, facts.Bias, gap, a)
}

// fillFrom makes a segment of file bytes of a gap, or says why it cannot.
func (r *resolver) fillFrom(f *macho.File, bias core.Addr, gap core.Segment, a core.Addr) core.Segment {
	if mem := f.Cached(); mem != nil {
		return cache.Fill(mem, bias, gap, a)
	}
	link := uint64(a - bias)
	segs := f.Layout()
	for i := range segs {
		s := &segs[i]
		if s.Name == "__PAGEZERO" || link < s.VMAddr || link-s.VMAddr >= s.VMSize {
			continue
		}
		start := core.Addr(s.VMAddr) + bias
		if gap.ProtUnknown {
			if gap.Prot, gap.ProtUnknown = s.Prot, false; s.ReadOnly {
				gap.Prot &^= core.Write
			}
		}
		gap.Start, gap.End = max(gap.Start, start), min(gap.End, start+core.Addr(s.VMSize))
		switch {
		case s.Prot&core.Write != 0 && !s.ReadOnly:
			gap.Detail = "it may have been written to"
			return gap
		case link-s.VMAddr >= s.FileSize:
			gap.Start = max(gap.Start, start+core.Addr(s.FileSize))
			gap.Kind, gap.Gap, gap.Detail = core.SegZero, 0, ""
			return gap
		}
		gap.End = min(gap.End, start+core.Addr(s.FileSize))
		gap.Kind, gap.Gap, gap.Detail = core.SegFile, 0, ""
		gap.Src, gap.Off = f.Fixed(i, bias, r.find), int64(gap.Start-start)
		return gap
	}
	gap.Detail = "not in a segment of the file"
	return gap
}
