package elfcore

import (
	"bytes"
	"fmt"

	"coredbg/core"
	"coredbg/core/elf/format"
)

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
		j := mappingAt(l.p, m.Start)
		if j < 0 || len(m.Parts) == 0 || m.Parts[0].Off != 0 {
			continue
		}
		if d := l.p.Mappings[j].Dumped; d > 0 && d < uint64(l.p.Mappings[j].End-l.p.Mappings[j].Start) &&
			zero(m.Start, 64) {
			return m.Start, "the ELF header of " + format.Quote(m.Name())
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

// zerosFrom reports whether the core's file has only zeros from the byte at a on. It looks at a bounded
// part.
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
