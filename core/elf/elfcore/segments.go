package elfcore

import (
	"cmp"
	stdelf "debug/elf"
	"fmt"
	"math"
	"slices"

	"coredbg/core"
	"coredbg/core/elf/format"
)

// readPhdrs makes mappings and segments from the program headers and returns the headers of notes.
func (l *loader) readPhdrs() (notes []format.Prog) {
	n := l.count()
	table := format.Slice(l.src, l.Phoff, uint64(n)*uint64(l.Phentsize))
	if have := len(table) / l.Phentsize; have < n {
		l.p.Warn("program headers", fmt.Sprintf("the file ends after %d of %d", have, n))
		l.needed = max(l.needed, satAdd(l.Phoff, uint64(n)*uint64(l.Phentsize)))
		n = have
	}
	l.p.Mappings = make([]core.Mapping, 0, n)
	l.segs = make([]core.Segment, 0, n+n/2)
	wrapped := 0
	for i := range n {
		switch ph := l.Prog(table[i*l.Phentsize:]); ph.Type {
		case stdelf.PT_LOAD:
			if !l.load(ph) {
				wrapped++
			}
		case stdelf.PT_NOTE:
			if len(notes) < 1024 {
				notes = append(notes, ph)
			}
		case ptAArch64MemTag:
			l.tags(ph)
		}
	}
	if wrapped > 0 {
		l.p.Warn("program headers", fmt.Sprintf("%d segments wrap around the end of the address space and were left out or cut", wrapped))
	}
	if l.disorder {
		ms := l.p.Mappings
		slices.SortStableFunc(ms, func(a, b core.Mapping) int { return cmp.Compare(a.Start, b.Start) })
		overlaps := 0
		for i := 1; i < len(ms); i++ {
			if ms[i].Start < ms[i-1].End {
				overlaps++
			}
		}
		if overlaps > 0 {
			l.p.Warn("program headers", fmt.Sprintf("%d segments overlap others: of bytes that two have, the later one's are shown", overlaps))
		}
	}
	return notes
}

// count returns the number of program headers. If it exceeds 65,534, it is in section header 0 (gABI,
// PN_XNUM), which is at the end of the file. If the end is cut off, the notes, which follow the table,
// show how long the table is.
func (l *loader) count() int {
	if l.Phnum != format.PNXNum {
		return l.Phnum
	}
	if b := format.Slice(l.src, l.Shoff, uint64(l.SectionSize())); l.Shoff != 0 && len(b) == l.SectionSize() {
		return int(min(uint64(l.Section(b).Info), uint64(l.src.Size())/uint64(l.Phentsize)))
	}
	l.p.Warn("program headers", "their number is missing: the file ends before section header 0")
	if l.Shoff != 0 {
		l.needed = max(l.needed, satAdd(l.Shoff, uint64(l.SectionSize())))
	}
	b := format.Slice(l.src, l.Phoff, uint64(l.ProgSize()))
	if len(b) == l.ProgSize() {
		if ph := l.Prog(b); ph.Type == stdelf.PT_NOTE && ph.Off > l.Phoff {
			return int((ph.Off - l.Phoff) / uint64(l.Phentsize))
		}
	}
	return format.PNXNum
}

func satAdd(a, b uint64) uint64 {
	if a+b < a {
		return math.MaxUint64
	}
	return a + b
}

// load makes a mapping of a PT_LOAD, of its bytes in the file a segment of the
// core, and of the rest a gap: a kernel that writes fewer bytes than the
// mapping has left them out, they are not zero. It reports false if the segment
// wraps around.
func (l *loader) load(ph format.Prog) bool {
	start := core.Addr(ph.Vaddr)
	size := max(ph.Memsz, ph.Filesz)
	end, whole := start+core.Addr(size), true
	if limit := l.Limit(); end < start || end > limit {
		end, whole = limit, false
		if start >= end {
			return false
		}
	}
	if size == 0 {
		return true
	}
	l.needed = max(l.needed, satAdd(ph.Off, ph.Filesz))
	dumped := min(ph.Filesz, uint64(end-start))
	have := dumped
	if fsize := uint64(l.src.Size()); ph.Off >= fsize {
		have = 0
	} else {
		have = min(have, fsize-ph.Off)
	}
	if have < dumped {
		l.cutSegs++
	}
	prot := core.Prot(ph.Flags & 7)
	if n := len(l.p.Mappings); n > 0 && start < l.p.Mappings[n-1].End {
		l.disorder = true
	}
	l.p.Mappings = append(l.p.Mappings, core.Mapping{Start: start, End: end, Prot: prot, Dumped: have})
	add := func(s core.Segment) {
		if s.End > s.Start {
			l.segs = append(l.segs, s)
		}
	}
	add(core.Segment{Start: start, End: start + core.Addr(have), Kind: core.SegCore, Prot: prot, Src: l.src,
		Off: int64(ph.Off)})
	add(core.Segment{Start: start + core.Addr(have), End: start + core.Addr(dumped), Prot: prot, Gap: core.Truncated})
	add(core.Segment{Start: start + core.Addr(dumped), End: end, Prot: prot, Gap: core.NotDumped})
	return whole
}
