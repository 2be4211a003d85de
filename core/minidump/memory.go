package minidump

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"coredbg/core"
)

// A memoryLoader makes the address space of a process and its mappings.
type memoryLoader struct {
	in *reader
	p  *core.Process

	segs    []core.Segment
	mapped  []core.Mapping   // by MemoryInfoList or LinuxMaps
	mapsSay bool             // mapped are all mappings that there were
	paths   map[string][]int // mappings by their paths
	work    int              // how many mappings were looked at for modules
}

// readMemory reads the memory of a dump, and its list of mappings.
func readMemory(in *reader) *memoryLoader {
	l := &memoryLoader{in: in, p: in.p}
	l.memoryInfo()
	l.linuxMaps()
	l.memory64()
	if s, ok := l.in.find(memoryList); ok {
		for _, e := range l.in.list(s, rangeSize) {
			l.addMemory(s, le.Uint64(e), locationAt(e[8:]))
		}
	}
	if s, ok := l.in.find(threadList); ok {
		// Most writers put stacks into MemoryList, too.
		for _, e := range l.in.list(s, threadSize) {
			if loc := locationAt(e[32:]); loc.rva != 0 {
				l.addMemory(s, le.Uint64(e[24:]), loc)
			}
		}
	}
	return l
}

// memory64 reads Memory64List: ranges whose bytes follow each other in the file.
func (l *memoryLoader) memory64() {
	s, ok := l.in.find(memory64List)
	if !ok {
		return
	}
	d := l.in.data(s)
	if len(d) < 16 {
		l.in.warn(s.name(), uint64(s.loc.rva), "%d bytes, too few for a count,", len(d))
		return
	}
	off := le.Uint64(d[8:])
	for _, e := range l.in.entries(s, d[16:], le.Uint64(d), rangeSize) {
		n := le.Uint64(e[8:])
		l.add(s, le.Uint64(e), off, n)
		if off+n < off {
			l.in.warn(s.name(), uint64(s.loc.rva), "the sizes of its ranges do not fit in a file,")
			return
		}
		off += n
	}
}

func (l *memoryLoader) addMemory(s stream, start uint64, loc location) {
	l.add(s, start, uint64(loc.rva), uint64(loc.size))
}

// add adds a range of memory: the bytes in the file, and the rest as cut off.
func (l *memoryLoader) add(s stream, start, off, size uint64) {
	if size == 0 {
		return
	}
	a := l.in.addr(start)
	end := a + core.Addr(size)
	if end < a || l.p.PtrSize == 4 && end > 1<<32 {
		l.in.warn(s.name(), uint64(s.loc.rva), "a range of %#x bytes from %v on, which wraps around the address space,",
			size, a)
		return
	}
	have := size
	if total := uint64(l.in.src.Size()); off >= total {
		have = 0
	} else {
		have = min(have, total-off)
	}
	if have < size {
		l.in.need(off+size, "memory")
	}
	prot, known := l.protAt(a)
	mid := a + core.Addr(have)
	l.segs = append(l.segs,
		core.Segment{Start: a, End: mid, Kind: core.SegCore, Prot: prot, ProtUnknown: !known, Src: l.in.src,
			Off: int64(off & (1<<63 - 1))},
		core.Segment{Start: mid, End: end, Prot: prot, ProtUnknown: !known, Gap: core.Truncated})
}

// protAt returns the protection of the mapping at a, if the dump says it; else the protection of data.
func (l *memoryLoader) protAt(a core.Addr) (core.Prot, bool) {
	i := sort.Search(len(l.mapped), func(i int) bool { return l.mapped[i].End > a })
	if i < len(l.mapped) && l.mapped[i].Start <= a {
		return l.mapped[i].Prot, true
	}
	return core.Read | core.Write, false
}

// States and protections of pages (winnt.h).
const (
	memFree       = 0x10000
	memReserve    = 0x2000
	pageReadOnly  = 0x02
	pageReadWrite = 0x04
	pageWriteCopy = 0x08
	pageExec      = 0x10
	pageExecRead  = 0x20
	pageExecWrite = 0x40
	pageExecCopy  = 0x80
)

// memoryInfo reads MemoryInfoList: all regions of the address space.
func (l *memoryLoader) memoryInfo() {
	s, ok := l.in.find(memoryInfoList)
	if !ok {
		return
	}
	d := l.in.data(s)
	if len(d) < infoHeaderSize {
		l.in.warn(s.name(), uint64(s.loc.rva), "%d bytes, too few for a header,", len(d))
		return
	}
	head, size := uint64(le.Uint32(d)), le.Uint32(d[4:])
	if head < infoHeaderSize || head > uint64(len(d)) || size < infoSize || size > 1<<16 {
		l.in.warn(s.name(), uint64(s.loc.rva), "a header of %d and entries of %d bytes,", head, size)
		return
	}
	for _, e := range l.in.entries(s, d[head:], le.Uint64(d[8:]), int(size)) {
		start, n, state := l.in.addr(le.Uint64(e)), le.Uint64(e[24:]), le.Uint32(e[32:])
		if end := start + core.Addr(n); end > start && state != memFree && state != memReserve {
			l.mapped = append(l.mapped, core.Mapping{Start: start, End: end, Prot: pageProt(le.Uint32(e[36:]))})
		}
	}
	l.sortMapped(s)
}

// sortMapped sorts the mappings of a stream. If two overlap, the second gives way.
func (l *memoryLoader) sortMapped(s stream) {
	slices.SortStableFunc(l.mapped, func(a, b core.Mapping) int { return cmp.Compare(a.Start, b.Start) })
	overlaps := 0
	out := l.mapped[:0]
	for _, m := range l.mapped {
		if n := len(out); n > 0 && m.Start < out[n-1].End {
			overlaps++
			m.Off += uint64(out[n-1].End - m.Start)
			if m.Start = out[n-1].End; m.Start >= m.End {
				continue
			}
		}
		out = append(out, m)
	}
	l.mapped = out
	l.mapsSay = len(out) > 0
	if overlaps > 0 {
		l.p.Warn(s.name(), fmt.Sprintf("%d regions overlap the one before them, which counts where they do", overlaps))
	}
}

func pageProt(p uint32) core.Prot {
	switch p & 0xff {
	case pageReadOnly:
		return core.Read
	case pageReadWrite, pageWriteCopy:
		return core.Read | core.Write
	case pageExec:
		return core.Exec
	case pageExecRead:
		return core.Read | core.Exec
	case pageExecWrite, pageExecCopy:
		return core.Read | core.Write | core.Exec
	}
	return 0
}

// space makes the address space. Under the memory of the dump it puts memory that is known to have
// existed, and the modules' memory.
func (l *memoryLoader) space(listed []module) {
	var under []core.Segment
	for _, m := range listed {
		// core/macho knows better where an image's segments are.
		if l.p.OS != "darwin" && m.size > 0 && m.start+core.Addr(m.size) > m.start {
			under = append(under, core.Segment{Start: m.start, End: m.start + core.Addr(m.size), ProtUnknown: true,
				Gap: core.NotInDump})
		}
	}
	for _, m := range l.mapped {
		under = append(under, core.Segment{Start: m.Start, End: m.End, Prot: m.Prot, Gap: core.NotInDump})
	}
	modules, pcs := inOrder(listed), l.programCounters()
	for i := range l.segs {
		guessProt(&l.segs[i], modules, pcs)
	}
	l.segs = append(under, l.segs...)
	l.fillBy(nil)
}

// fillBy lets gaps be filled from the modules' available files.
func (l *memoryLoader) fillBy(filler core.Filler) {
	l.p.Space = core.NewSpace(l.segs, filler)
	if !l.mapsSay {
		l.p.Space.Elsewhere = core.NotInDump
	}
}

// guessProt makes memory executable if the dump does not give its protection, and it is in a module or
// a thread executes it. The starts of modules and the program counters are in order.
func guessProt(s *core.Segment, modules []*module, pcs []core.Addr) {
	if !s.ProtUnknown {
		return
	}
	s.ProtUnknown = s.Kind == core.SegGap
	m := sort.Search(len(modules), func(i int) bool { return modules[i].start >= s.End }) - 1
	pc, _ := slices.BinarySearch(pcs, s.Start)
	if m >= 0 && modules[m].start+core.Addr(modules[m].size) > s.Start || pc < len(pcs) && pcs[pc] < s.End {
		s.Prot |= core.Exec
	}
}

// inOrder returns modules in order of address.
func inOrder(list []module) (modules []*module) {
	for i := range list {
		modules = append(modules, &list[i])
	}
	slices.SortFunc(modules, func(a, b *module) int { return cmp.Compare(a.start, b.start) })
	return modules
}

// programCounters returns the threads' program counters in order.
func (l *memoryLoader) programCounters() (pcs []core.Addr) {
	for _, t := range l.p.Threads {
		if pc, ok := t.Regs.Get(l.p.Arch.PC); ok {
			pcs = append(pcs, core.Addr(pc))
		}
	}
	slices.Sort(pcs)
	return pcs
}

// nameMappings makes the mappings, from the dump's list, or else from its memory. It names the mappings
// of modules and stacks.
func (l *memoryLoader) nameMappings() {
	p := l.p
	dumped := make([]core.Segment, 0, len(p.Space.Segments()))
	for _, s := range p.Space.Segments() {
		if s.Kind == core.SegCore {
			dumped = append(dumped, s)
		}
	}
	p.Mappings = slices.Clone(l.mapped)
	if !l.mapsSay {
		for _, s := range p.Space.Segments() {
			p.Mappings = append(p.Mappings, core.Mapping{Start: s.Start, End: s.End, Prot: s.Prot})
		}
	}
	for i := range p.Mappings {
		m := &p.Mappings[i]
		for j := sort.Search(len(dumped), func(j int) bool { return dumped[j].End > m.Start }); j < len(dumped) &&
			dumped[j].Start < m.End; j++ {
			m.Dumped += uint64(min(m.End, dumped[j].End) - max(m.Start, dumped[j].Start))
		}
		if mod := p.MappedModule(m.Start); mod != nil && m.Path == "" {
			m.Path = mod.Path
			m.Off, _ = mod.FileOffset(m.Start)
		}
	}
	for _, t := range p.Threads {
		sp, ok := t.Regs.Get(p.Arch.SP)
		i := sort.Search(len(p.Mappings), func(i int) bool { return p.Mappings[i].End > core.Addr(sp) })
		if ok && i < len(p.Mappings) && p.Mappings[i].Start <= core.Addr(sp) && p.Mappings[i].Path == "" {
			p.Mappings[i].Path = "[stack]"
		}
	}
}

// isFile reports whether a path of /proc/PID/maps names a file.
func isFile(path string) bool { return strings.HasPrefix(path, "/") }
