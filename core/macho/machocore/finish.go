package machocore

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"coredbg/core"
	"coredbg/core/macho/format"
)

// darwinBits is the size in bits of user addresses of macOS on arm64.
const darwinBits = 47

// masks sets the bits of code addresses that may be a signature: all above the given number of bits, or
// above the default for 0.
func masks(p *core.Process, cputype uint32, bits uint) {
	if cputype != format.CPUARM64 {
		return
	}
	if bits == 0 {
		bits = darwinBits
	}
	if bits < 64 {
		p.CodeMask = ^uint64(0) << bits
		p.DataMask = p.CodeMask
	}
}

// finishThreads makes the threads and finds the one that crashed: the first
// whose exception state reports a fault. Without ids in the core they are
// numbered from 1 on.
func (l *loader) finishThreads() {
	crashed := -1
	for i := range l.threads {
		tid := i + 1
		if len(l.notes.tids) == len(l.threads) {
			tid = l.notes.tids[i]
		}
		th := l.threads[i].Core(l.CPUType, tid, l.p.StripCode)
		if th.Regs.Known == 0 {
			l.p.Warn(fmt.Sprintf("thread %d", tid), "its registers are not in the core")
		}
		if f := l.threads[i].Fault(); f != nil && crashed < 0 {
			crashed = i
			_, mapped := l.p.Space.Find(f.Addr())
			l.p.Signal = f.Signal(mapped)
			th.Crashed, th.Signal = true, l.p.Signal.Number
		}
		l.p.Threads = append(l.p.Threads, th)
	}
	if crashed > 0 {
		th := l.p.Threads[crashed]
		l.p.Threads = slices.Insert(slices.Delete(l.p.Threads, crashed, crashed+1), 0, th)
	}
	if len(l.threads) == 0 {
		l.p.Warn("", "the core has no threads")
	}
	l.p.Snapshot = crashed < 0 && len(l.threads) > 0
}

// finishMappings sorts the mappings, adds mappings that only images record, and names the mappings of
// images.
func (l *loader) finishMappings() {
	sortMappings(l.p.Mappings)
	overlaps := 0
	for i := 1; i < len(l.p.Mappings); i++ {
		if l.p.Mappings[i].Start < l.p.Mappings[i-1].End {
			overlaps++
		}
	}
	if overlaps > 0 {
		l.p.Warn("LC_SEGMENT_64", fmt.Sprintf("%d regions overlap the one before them; where they do, the later command counts", overlaps))
	}
	var more []core.Mapping
	for _, s := range l.p.Space.Segments() {
		if _, ok := l.p.Mapping(s.Start); !ok {
			more = append(more, core.Mapping{Start: s.Start, End: s.End, Prot: s.Prot})
		}
	}
	l.p.Mappings = append(l.p.Mappings, more...)
	sortMappings(l.p.Mappings)
	for i := range l.p.Mappings {
		m := &l.p.Mappings[i]
		if mod := l.p.MappedModule(m.Start); mod != nil {
			m.Path = mod.Path
			m.Off, _ = mod.FileOffset(m.Start)
		}
	}
	for _, th := range l.p.Threads {
		sp, ok := th.Regs.Get(l.p.Arch.SP)
		i := sort.Search(len(l.p.Mappings), func(i int) bool { return l.p.Mappings[i].End > core.Addr(sp) })
		if ok && i < len(l.p.Mappings) && l.p.Mappings[i].Start <= core.Addr(sp) && l.p.Mappings[i].Path == "" {
			l.p.Mappings[i].Path = "[stack]"
		}
	}
	for _, m := range l.p.Modules {
		if m.Exe {
			l.p.Exe, l.p.Name = m.Path, m.Path[strings.LastIndexByte(m.Path, '/')+1:]
		}
	}
}

func sortMappings(m []core.Mapping) {
	slices.SortStableFunc(m, func(a, b core.Mapping) int { return cmp.Compare(a.Start, b.Start) })
}
