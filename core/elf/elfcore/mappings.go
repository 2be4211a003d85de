package elfcore

import (
	"cmp"
	"slices"
	"sort"

	"coredbg/core"
	"coredbg/core/elf/note"
)

// uncovered adds the mappings that NT_FILE lists and no program header has:
// gcore leaves out what it did not dump. Their protection is not known. It
// also gives the other mappings their files.
func (l *loader) uncovered() {
	slices.SortStableFunc(l.files, func(a, b note.FileMapping) int { return cmp.Compare(a.Start, b.Start) })
	ms := l.p.Mappings
	var extra []core.Mapping
	i := 0
	for _, e := range l.files {
		for i < len(ms) && ms[i].End <= e.Start {
			i++
		}
		at := e.Start
		for j := i; j < len(ms) && ms[j].Start < e.End; j++ {
			if ms[j].Start > at {
				extra = append(extra, core.Mapping{Start: at, End: ms[j].Start, Path: e.Path,
					Off: e.Off + uint64(at-e.Start)})
			}
			if ms[j].Start >= e.Start {
				ms[j].Path, ms[j].Off = e.Path, e.Off+uint64(ms[j].Start-e.Start)
			}
			at = max(at, ms[j].End)
		}
		if at < e.End {
			extra = append(extra, core.Mapping{Start: at, End: e.End, Path: e.Path, Off: e.Off + uint64(at-e.Start)})
		}
	}
	for _, m := range ms {
		if m.Path == "" && m.Dumped > 0 && m.Prot&core.Write != 0 {
			l.anonymous = true
			break
		}
	}
	if len(extra) == 0 {
		return
	}
	// Where segments overlap, the later one counts, so these come first.
	gaps := make([]core.Segment, 0, len(extra)+len(l.segs))
	for _, m := range extra {
		gaps = append(gaps, core.Segment{Start: m.Start, End: m.End, ProtUnknown: true, Gap: core.NotDumped})
	}
	l.segs = append(gaps, l.segs...)
	l.p.Mappings = append(ms, extra...)
	slices.SortStableFunc(l.p.Mappings, func(a, b core.Mapping) int { return cmp.Compare(a.Start, b.Start) })
}

// nameMappings names what has no file: the stack, the heap, the vdso. The heap
// is what grew after the executable; the core does not name it.
func (l *loader) nameMappings() {
	ms := l.p.Mappings
	name := func(a core.Addr, name string) {
		if i := mappingAt(l.p, a); a != 0 && i >= 0 && ms[i].Path == "" {
			ms[i].Path = name
		}
	}
	name(auxAddr(l.p, atRandom), "[stack]")
	name(auxAddr(l.p, atExecfn), "[stack]")
	name(auxAddr(l.p, atSysinfoEHDR), "[vdso]")
	if l.Wide {
		name(0xffffffffff600000, "[vsyscall]")
	}
	for _, m := range l.p.Modules {
		for _, p := range m.Parts {
			if i := mappingAt(l.p, p.Start); i >= 0 && ms[i].Path == "" && m.Origin != core.FromFileNote {
				ms[i].Path, ms[i].Off = m.Path, p.Off+uint64(ms[i].Start-p.Start)
			}
		}
		if !m.Exe {
			continue
		}
		i := sort.Search(len(ms), func(i int) bool { return ms[i].Start >= m.End })
		// Zeroed data lies right after the file's; the heap after a gap.
		for end := m.End; i < len(ms) && ms[i].Path == "" && ms[i].Start == end; i++ {
			end = ms[i].End
		}
		if i < len(ms) && ms[i].Path == "" && ms[i].Prot == core.Read|core.Write && ms[i].Start-m.End < 1<<40 {
			ms[i].Path = "[heap]"
		}
	}
}
