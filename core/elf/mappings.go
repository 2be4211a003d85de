package elf

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"sort"

	"coredbg/core"
)

// mappingAt returns the index of the mapping that holds a, -1 if none does.
func (l *loader) mappingAt(a core.Addr) int {
	ms := l.p.Mappings
	i := sort.Search(len(ms), func(i int) bool { return ms[i].End > a })
	if i < len(ms) && ms[i].Start <= a {
		return i
	}
	return -1
}

// uncovered adds the mappings that NT_FILE lists and no program header has:
// gcore leaves out what it did not dump. Their protection is not known. It
// also gives the other mappings their files.
func (l *loader) uncovered() {
	slices.SortStableFunc(l.files, func(a, b fileEntry) int { return cmp.Compare(a.start, b.start) })
	ms := l.p.Mappings
	var extra []core.Mapping
	i := 0
	for _, e := range l.files {
		for i < len(ms) && ms[i].End <= e.start {
			i++
		}
		at := e.start
		for j := i; j < len(ms) && ms[j].Start < e.end; j++ {
			if ms[j].Start > at {
				extra = append(extra, core.Mapping{Start: at, End: ms[j].Start, Path: e.path, Off: e.off + uint64(at-e.start)})
			}
			if ms[j].Start >= e.start {
				ms[j].Path, ms[j].Off = e.path, e.off+uint64(ms[j].Start-e.start)
			}
			at = max(at, ms[j].End)
		}
		if at < e.end {
			extra = append(extra, core.Mapping{Start: at, End: e.end, Path: e.path, Off: e.off + uint64(at-e.start)})
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
	// Of segments that overlap the later one counts, so these come first.
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
		if i := l.mappingAt(a); a != 0 && i >= 0 && ms[i].Path == "" {
			ms[i].Path = name
		}
	}
	name(l.aux(atRandom), "[stack]")
	name(l.aux(atExecfn), "[stack]")
	name(l.aux(atSysinfoEHDR), "[vdso]")
	if l.wide {
		name(0xffffffffff600000, "[vsyscall]")
	}
	for _, m := range l.p.Modules {
		for _, p := range m.Parts {
			if i := l.mappingAt(p.Start); i >= 0 && ms[i].Path == "" && m.Origin != core.FromFileNote {
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

// warnCut says that a core is not whole: its file ends early, its compressed
// stream did, or there are holes where something must be, as the limit on a
// core's size leaves them.
func (l *loader) warnCut() {
	size := uint64(l.src.Size())
	if l.needed > size {
		text := fmt.Sprintf("the core is truncated: the file has %d of %d bytes", size, l.needed)
		switch {
		case l.cutSegs == 1:
			text += ", 1 segment is cut"
		case l.cutSegs > 1:
			text += fmt.Sprintf(", %d segments are cut", l.cutSegs)
		}
		l.p.WarnCut(text)
	} else if a, what := l.holeAt(); what != "" {
		l.p.WarnCut(fmt.Sprintf("the core is truncated: zeros at %v, where %s must be; a limit on its size (RLIMIT_CORE) may have cut it", a, what))
	}
	if t, ok := l.src.(interface{ Truncated() error }); ok && t.Truncated() != nil {
		l.p.WarnCut("the core is truncated: " + t.Truncated().Error())
	}
}

// holeAt looks for zeros where there cannot be any: at the first page of an ELF
// file, which is dumped alone because it has the header, and on the page where
// a thread's stack ends. A thread that has just been made has nothing on its stack
// either, so that one must be followed by zeros to the end of the file: what is cut
// off is the end.
func (l *loader) holeAt() (core.Addr, string) {
	mem := l.p.Space.Dumped()
	const page = 4096
	zero := func(a core.Addr, n int) bool {
		b, err := mem.Slice(a, n)
		return err == nil && len(bytes.Trim(b, "\x00")) == 0
	}
	for i := len(l.p.Modules) - 1; i >= 0; i-- {
		m := l.p.Modules[i]
		j := l.mappingAt(m.Start)
		if j < 0 || len(m.Parts) == 0 || m.Parts[0].Off != 0 {
			continue
		}
		if d := l.p.Mappings[j].Dumped; d > 0 && d < uint64(l.p.Mappings[j].End-l.p.Mappings[j].Start) && zero(m.Start, 64) {
			return m.Start, "the ELF header of " + quote(m.Name())
		}
	}
	if l.p.Arch == nil {
		return 0, ""
	}
	for _, t := range l.p.Threads[:min(len(l.p.Threads), 64)] {
		sp, ok := t.Regs.Get(l.p.Arch.SP)
		if a := core.Addr(sp) &^ (page - 1); ok && sp != 0 && zero(a, page) && l.zerosFrom(a) {
			return a, fmt.Sprintf("the stack of thread %d", t.TID)
		}
	}
	return 0, ""
}

// zerosFrom reports whether the core's file has nothing but zeros from the byte at a
// on. It looks at a bounded part.
func (l *loader) zerosFrom(a core.Addr) bool {
	const most = 64 << 20
	seg, ok := l.p.Space.Dumped().Find(a)
	if !ok || seg.Kind != core.SegCore {
		return true
	}
	off := seg.Off + int64(a-seg.Start)
	for end := off + most; off < min(end, seg.Src.Size()); {
		start, stop := core.SourceData(seg.Src, off)
		if start >= seg.Src.Size() {
			break
		}
		b, err := core.SourceSlice(seg.Src, start, int(min(stop-start, 1<<20)))
		if len(bytes.Trim(b, "\x00")) != 0 {
			return false
		}
		if err != nil || len(b) == 0 {
			break
		}
		off = start + int64(len(b))
	}
	return true
}
