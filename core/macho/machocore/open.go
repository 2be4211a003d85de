package machocore

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"coredbg/core"
	"coredbg/core/macho/format"
	"coredbg/core/macho/thread"
)

// A loader makes a process of a core: its memory, its threads, its mappings.
type loader struct {
	format.Header
	src  core.Source
	p    *core.Process
	segs []core.Segment

	notes   notes
	threads []thread.Thread
	cut     int    // segments that the file does not hold whole
	needed  uint64 // the file size that the segments call for
	mapped  mapped // src, if it is one
}

// Open reads the Mach-O core in src; path is for messages. The process closes src; if Open fails the
// caller does. Damaged parts of the core are skipped and named in the process' warnings. The error
// wraps core.ErrUnknownFormat if src is not a Mach-O file; it is a *core.FormatError if src is a Mach-O
// file of another kind.
func Open(src core.Source, path string, opt Options) (*core.Process, error) {
	h, ok := format.ParseHeader(format.Slice(src, 0, format.HeaderSize))
	if !ok {
		return nil, fmt.Errorf("%s: its first bytes are not those of a 64-bit Mach-O file: %w", path,
			core.ErrUnknownFormat)
	}
	if h.FileType != format.MHCore {
		return nil, &core.FormatError{File: path, Off: 12, Msg: "this is a Mach-O file but not a core, its type is",
			Val: h.FileType}
	}
	arch := format.ArchOf(h.CPUType)
	if arch == nil {
		return nil, &core.FormatError{File: path, Off: 4, Msg: "a core of a processor that is not known, its type is",
			Val: h.CPUType}
	}
	l := &loader{Header: h, src: src, notes: notes{src: src}}
	if m, ok := src.(mapped); ok {
		l.mapped = m
		m.Random(true)
		defer m.Random(false)
	}
	l.p = &core.Process{Path: path, Format: "Mach-O core", OS: "darwin", Arch: arch, Machine: arch.Name,
		Order: arch.Order, PtrSize: arch.PtrSize, UID: -1, GID: -1}
	cmds, whole := format.Commands(format.Slice(src, format.HeaderSize, uint64(h.SizeOfCmds)), h.NCmds)
	if !whole {
		l.p.Warn("load commands", fmt.Sprintf("only %d of %d can be read", len(cmds), h.NCmds))
	}
	l.readCommands(cmds)
	l.p.Space = core.NewSpace(l.segs, nil)
	masks(l.p, l.CPUType, l.notes.low)
	l.finishThreads()
	r := &resolver{cputype: h.CPUType, opt: opt, p: l.p}
	l.p.Closers = []io.Closer{src, &r.opened}
	l.findModules(r)
	l.finishMappings()
	if end := format.HeaderSize + uint64(h.SizeOfCmds); uint64(src.Size()) < end {
		l.p.WarnCut(fmt.Sprintf("the core is cut short: the file has %d bytes, its load commands alone take %d",
			src.Size(), end))
	} else if l.cut > 0 {
		text := "1 segment is incomplete"
		if l.cut > 1 {
			text = fmt.Sprintf("%d segments are incomplete", l.cut)
		}
		l.p.WarnCut(fmt.Sprintf("the core is cut short: the file has %d of at least %d bytes, %s", src.Size(),
			l.needed, text))
	}
	return l.p, nil
}

func (l *loader) readCommands(cmds []format.Command) {
	badThreads, short := 0, 0
	for _, c := range cmds {
		switch c.Cmd {
		case format.LCSegment64:
			s, ok := format.ParseSegment(c.Data)
			if !ok {
				short++
				continue
			}
			l.addSegment(s)
		case format.LCThread, format.LCUnixThread:
			t, whole := thread.Parse(l.CPUType, c.Data)
			if !whole {
				badThreads++
			}
			l.threads = append(l.threads, t)
		case format.LCNote:
			if len(c.Data) < format.NoteSize {
				short++
				continue
			}
			off, size := le.Uint64(c.Data[24:]), le.Uint64(c.Data[32:])
			owner, d := format.Text(c.Data[8:24]), format.Slice(l.src, off, size)
			l.p.Notes = append(l.p.Notes, core.Note{Owner: owner, Name: owner, Off: int64(off & (1<<63 - 1)), Desc: d})
			if ok := l.notes.take(owner, d); uint64(len(d)) < size {
				l.p.Warn(fmt.Sprintf("LC_NOTE %q", owner),
					fmt.Sprintf("only %d of its %d bytes are in the file", len(d), size))
			} else if !ok {
				l.p.Warn(fmt.Sprintf("LC_NOTE %q", owner), "its contents make no sense")
			}
		}
	}
	if short > 0 {
		l.p.Warn("load commands", fmt.Sprintf("%d are too short for their type", short))
	}
	if badThreads > 0 {
		l.p.Warn("LC_THREAD", fmt.Sprintf("%d threads have states that exceed their command", badThreads))
	}
}

// addSegment adds a region of memory: the bytes in the file, the part that the file has lost, and the
// part that was left out.
func (l *loader) addSegment(s format.Segment) {
	if l.threadInfo(s) || s.VMSize == 0 {
		return
	}
	start := core.Addr(s.VMAddr)
	end := start + core.Addr(s.VMSize)
	if end < start {
		l.p.Warn("LC_SEGMENT_64", fmt.Sprintf("the region at %v wraps around the address space", start))
		return
	}
	size := min(s.FileSize, s.VMSize)
	have := size
	if total := uint64(l.src.Size()); s.FileOff >= total {
		have = 0
	} else {
		have = min(have, total-s.FileOff)
	}
	if have < size {
		l.cut++
		l.needed = max(l.needed, s.FileOff+size)
	}
	l.p.Mappings = append(l.p.Mappings, core.Mapping{Start: start, End: end, Prot: s.Prot, Dumped: have})
	at := func(n uint64) core.Addr { return start + core.Addr(n) }
	l.segs = append(l.segs,
		core.Segment{Start: start, End: at(have), Kind: core.SegCore, Prot: s.Prot, Src: l.src,
			Off: int64(s.FileOff & (1<<63 - 1))},
		core.Segment{Start: at(have), End: at(size), Prot: s.Prot, Gap: core.Truncated},
		core.Segment{Start: at(size), End: end, Prot: s.Prot, Gap: core.NotDumped})
}

// threadInfo reads the segment where createdump keeps thread ids; it is not memory of the process. Its
// place has moved between versions of .NET.
func (l *loader) threadInfo(s format.Segment) bool {
	if s.VMAddr != 0x7fffffff00000000 && s.VMAddr != 0x7ffffff00000 {
		return false
	}
	b := format.Slice(l.src, s.FileOff, s.FileSize)
	if len(b) < 24 || format.Text(b[:16]) != "THREADINFO" {
		return false
	}
	l.p.PID = int(le.Uint32(b[16:]))
	n := le.Uint32(b[20:])
	for b = b[24:]; n > 0 && len(b) >= 16; n, b = n-1, b[16:] {
		l.notes.tids = append(l.notes.tids, int(le.Uint32(b)))
	}
	return true
}

// findModules makes modules of the images of the process.
func (l *loader) findModules(r *resolver) {
	f := &finder{resolver: r, mapped: l.mapped}
	r.list = f.images(&l.notes)
	starts := segmentStarts(r.list)
	seen := map[core.Addr]bool{}
	var gaps []core.Segment
	for n, i := range r.list {
		f.forget(n, 64)
		if seen[i.load] {
			continue
		}
		seen[i.load] = true
		m, missing := r.module(i, starts)
		l.p.Modules = append(l.p.Modules, m)
		gaps = append(gaps, missing...)
	}
	slices.SortStableFunc(l.p.Modules, func(a, b *core.Module) int { return cmp.Compare(a.Start, b.Start) })
	// Memory in the core takes precedence over a gap in an image.
	l.p.Space = core.NewSpace(append(gaps, l.segs...), filler{r})
	r.checkExe()
	if len(l.p.Modules) == 0 {
		l.p.Warn("", "no images were found: neither a note lists them nor is dyld in the core")
	}
}
