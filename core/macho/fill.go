package macho

import (
	"errors"
	"sort"

	"coredbg/core"
)

// filler fills what the core left out from the modules' files.
type filler struct{ l *loader }

// Fill implements core.Filler. It reads a module's file where the process cannot
// have changed what dyld made of it: segments that nothing may write to, and those
// that may be written to only while dyld works on them.
func (fl filler) Fill(gap core.Segment, a core.Addr) core.Segment {
	l := fl.l
	m := l.p.MappedModule(a)
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
	f, _ := facts.Image.(*File)
	if f == nil || facts.InMemory || !facts.BiasKnown {
		gap.Gap, gap.Detail = core.FileMissing, m.Path
		var mismatch *MismatchError
		if errors.As(facts.Err, &mismatch) {
			gap.Gap, gap.Detail = core.FileMismatch, mismatch.Path
		}
		return gap
	}
	return l.fillFrom(f, facts.Bias, gap, a)
}

// fillFrom makes a segment of file bytes of a gap, or says why it cannot.
func (l *loader) fillFrom(f *File, bias core.Addr, gap core.Segment, a core.Addr) core.Segment {
	if f.cached {
		return f.fillFromCache(bias, gap, a)
	}
	link := uint64(a - bias)
	for i := range f.segs {
		s := &f.segs[i]
		if s.name == "__PAGEZERO" || link < s.vmaddr || link-s.vmaddr >= s.vmsize {
			continue
		}
		start := core.Addr(s.vmaddr) + bias
		if gap.ProtUnknown {
			if gap.Prot, gap.ProtUnknown = s.prot, false; s.readOnly {
				gap.Prot &^= core.Write
			}
		}
		gap.Start, gap.End = max(gap.Start, start), min(gap.End, start+core.Addr(s.vmsize))
		switch {
		case s.prot&core.Write != 0 && !s.readOnly:
			gap.Detail = "it may have been written to"
			return gap
		case link-s.vmaddr >= s.filesize:
			gap.Start = max(gap.Start, start+core.Addr(s.filesize))
			gap.Kind, gap.Gap, gap.Detail = core.SegZero, 0, ""
			return gap
		}
		gap.End = min(gap.End, start+core.Addr(s.filesize))
		gap.Kind, gap.Gap, gap.Detail = core.SegFile, 0, ""
		gap.Src, gap.Off = f.content(i, bias, l.find), int64(gap.Start-start)
		return gap
	}
	gap.Detail = "not in a segment of the file"
	return gap
}

// content returns the bytes of a segment, made once.
func (f *File) content(seg int, bias core.Addr, find func(*File, *imported) (core.Addr, error)) core.Source {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fixed[seg] == nil {
		if f.fixed == nil {
			f.fixed = map[int]*fixedSegment{}
		}
		f.fixed[seg] = &fixedSegment{f: f, seg: seg, bias: bias, find: find}
	}
	return f.fixed[seg]
}
