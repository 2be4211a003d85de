// Package macho reads Mach-O cores of macOS into processes, and Mach-O files
// and in-memory images into images.
//
// The object chain of a core: mach_header_64 of type MH_CORE and its load commands;
// LC_SEGMENT_64 to the address space; LC_THREAD to threads, whose exception
// states say why the process died; LC_NOTE to address bits, thread ids and
// lists of images. Without a list, dyld is looked for, in memory and in the shared
// cache: its header leads to dyld_all_image_infos, and that to the images.
//
// That of an image: LC_SEGMENT_64 and its sections; in __LINKEDIT, the symbol table,
// the exports trie, function starts, fixups. An image is read from its file, from
// the core's memory, or from the files of the shared cache, which are the same but
// for where the bytes are. Its lines come from a dSYM bundle, or by the debug map of
// its symbol table from object files. What the core left out is read from an image's
// file where that is the same: code, and constants once the fixups of dyld were
// applied.
//
// Sources: xnu-11417, bsd/kern/kern_core.c and osfmk/mach; dyld-1284,
// include/mach-o/dyld_images.h, cache-builder/dyld_cache_format.h; cctools-1024,
// mach-o/loader.h, fixup-chains.h, stab.h; lldb 19, ObjectFileMachO.cpp; .NET 9,
// createdump/dumpwritermacho.cpp.
//
// LIMITATIONS: x86-64 and arm64 only, little endian. Pointers of constants that come
// from a file have no signature, and are bound as without interposing; threaded bind
// opcodes, which arm64e had before chained fixups, are not read. Data of the shared
// cache is not taken from its files: its pointers would have to be slid. The segments
// of an image whose header the core does not hold are those of its file. Object files
// whose DWARF has relocations that are not applied give no lines; Apple's compilers
// write none. AVX and AVX-512 states are shown without the upper halves of the
// registers.
package macho

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"
	"sync"

	"coredbg/core"
	"coredbg/core/file"
	"coredbg/core/find"
)

// Options say where a core's files are.
type Options struct {
	// Exe is the path of the executable, if the user named one.
	Exe string
	// Files finds the files of images; nil means that there are none.
	Files find.Finder
}

// A loader makes a process of a core.
type loader struct {
	header
	src  core.Source
	opt  Options
	p    *core.Process
	segs []core.Segment

	notes       notes
	threads     []thread
	cut         int    // segments that the file does not hold whole
	needed      uint64 // the file size that the segments call for
	opened      file.Set
	headerBytes uint64 // of load commands of images that were read
	mapped      mapped // src, if it is one
	cacheState

	boundMu sync.Mutex
	bound   map[boundSymbol]boundAddr
}

// A mapped Source is a file in memory, which takes hints of how it will be read; that
// of core/file is one on Linux.
type mapped interface {
	Random(on bool)
	Forget()
}

// forget gives memory back after each n-th step of long work: looking at a page here
// and there of a big core would pile up what the system maps around them.
func (l *loader) forget(step, n int) {
	if l.mapped != nil && step%n == n-1 {
		l.mapped.Forget()
	}
}

// Open reads the Mach-O core in src; path is for messages. The process closes
// src; if Open fails the caller does. What is damaged in the core costs only
// itself and is named in the process' warnings. The error wraps
// core.ErrUnknownFormat if src is not a Mach-O file; it is a *core.FormatError
// if it is another one than a core.
func Open(src core.Source, path string, opt Options) (*core.Process, error) {
	h, ok := parseHeader(slice(src, 0, headerSize))
	if !ok {
		return nil, fmt.Errorf("%s: its first bytes are not those of a 64-bit Mach-O file: %w", path, core.ErrUnknownFormat)
	}
	if h.filetype != mhCore {
		return nil, &core.FormatError{File: path, Off: 12, Msg: "this is a Mach-O file but not a core, its type is", Val: h.filetype}
	}
	arch := archOf(h.cputype)
	if arch == nil {
		return nil, &core.FormatError{File: path, Off: 4, Msg: "a core of a processor that is not known, its type is", Val: h.cputype}
	}
	l := &loader{header: h, src: src, opt: opt}
	if m, ok := src.(mapped); ok {
		l.mapped = m
		m.Random(true)
		defer m.Random(false)
	}
	l.p = &core.Process{Path: path, Format: "Mach-O core", OS: "darwin", Arch: arch, Machine: arch.Name,
		Order: arch.Order, PtrSize: arch.PtrSize, UID: -1, GID: -1}
	cmds, whole := commands(slice(src, headerSize, uint64(h.sizeofcmds)), h.ncmds)
	if !whole {
		l.p.Warn("load commands", fmt.Sprintf("only %d of %d can be read", len(cmds), h.ncmds))
	}
	l.readCommands(cmds)
	l.p.Space = core.NewSpace(l.segs, nil)
	l.masks()
	l.finishThreads()
	l.p.Closers = []io.Closer{src, &l.opened}
	l.findModules()
	l.finishMappings()
	if end := headerSize + uint64(h.sizeofcmds); uint64(src.Size()) < end {
		l.p.WarnCut(fmt.Sprintf("the core is cut short: the file has %d bytes, its load commands alone take %d", src.Size(), end))
	} else if l.cut > 0 {
		text := "1 segment is incomplete"
		if l.cut > 1 {
			text = fmt.Sprintf("%d segments are incomplete", l.cut)
		}
		l.p.WarnCut(fmt.Sprintf("the core is cut short: the file has %d of at least %d bytes, %s", src.Size(), l.needed, text))
	}
	return l.p, nil
}

func (l *loader) readCommands(cmds []command) {
	badThreads, short := 0, 0
	for _, c := range cmds {
		switch c.cmd {
		case lcSegment64:
			s, ok := parseSegment(c.data)
			if !ok {
				short++
				continue
			}
			l.addSegment(s)
		case lcThread, lcUnixThread:
			t, whole := parseThread(l.cputype, c.data)
			if !whole {
				badThreads++
			}
			l.threads = append(l.threads, t)
		case lcNote:
			if len(c.data) < noteSize {
				short++
				continue
			}
			off, size := le.Uint64(c.data[24:]), le.Uint64(c.data[32:])
			owner, d := fixed(c.data[8:24]), slice(l.src, off, size)
			if ok := l.note(owner, int64(off&(1<<63-1)), d); uint64(len(d)) < size {
				l.p.Warn(fmt.Sprintf("LC_NOTE %q", owner), fmt.Sprintf("only %d of its %d bytes are in the file", len(d), size))
			} else if !ok {
				l.p.Warn(fmt.Sprintf("LC_NOTE %q", owner), "its contents make no sense")
			}
		}
	}
	if short > 0 {
		l.p.Warn("load commands", fmt.Sprintf("%d are too short for what they are", short))
	}
	if badThreads > 0 {
		l.p.Warn("LC_THREAD", fmt.Sprintf("%d threads have states that exceed their command", badThreads))
	}
}

// addSegment takes a region of memory: what the file has of it, what it should
// have, and what was left out.
func (l *loader) addSegment(s segment) {
	if l.threadInfo(s) || s.vmsize == 0 {
		return
	}
	start := core.Addr(s.vmaddr)
	end := start + core.Addr(s.vmsize)
	if end < start {
		l.p.Warn("LC_SEGMENT_64", fmt.Sprintf("the region at %v wraps around the address space", start))
		return
	}
	size := min(s.filesize, s.vmsize)
	have := size
	if total := uint64(l.src.Size()); s.fileoff >= total {
		have = 0
	} else {
		have = min(have, total-s.fileoff)
	}
	if have < size {
		l.cut++
		l.needed = max(l.needed, s.fileoff+size)
	}
	l.p.Mappings = append(l.p.Mappings, core.Mapping{Start: start, End: end, Prot: s.prot, Dumped: have})
	at := func(n uint64) core.Addr { return start + core.Addr(n) }
	l.segs = append(l.segs,
		core.Segment{Start: start, End: at(have), Kind: core.SegCore, Prot: s.prot, Src: l.src, Off: int64(s.fileoff & (1<<63 - 1))},
		core.Segment{Start: at(have), End: at(size), Prot: s.prot, Gap: core.Truncated},
		core.Segment{Start: at(size), End: end, Prot: s.prot, Gap: core.NotDumped})
}

// threadInfo reads the segment in which createdump keeps thread ids; it is no
// memory of the process. Its place has moved between versions of .NET.
func (l *loader) threadInfo(s segment) bool {
	if s.vmaddr != 0x7fffffff00000000 && s.vmaddr != 0x7ffffff00000 {
		return false
	}
	b := slice(l.src, s.fileoff, s.filesize)
	if len(b) < 24 || fixed(b[:16]) != "THREADINFO" {
		return false
	}
	l.p.PID = int(le.Uint32(b[16:]))
	n := le.Uint32(b[20:])
	for b = b[24:]; n > 0 && len(b) >= 16; n, b = n-1, b[16:] {
		l.notes.tids = append(l.notes.tids, int(le.Uint32(b)))
	}
	return true
}

// darwinBits is the size in bits of user addresses of macOS on arm64.
const darwinBits = 47

// masks says which bits of code addresses may be a signature.
func (l *loader) masks() {
	if l.cputype != cpuARM64 {
		return
	}
	bits := l.notes.low
	if bits == 0 {
		bits = darwinBits
	}
	if bits < 64 {
		l.p.CodeMask = ^uint64(0) << bits
		l.p.DataMask = l.p.CodeMask
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
		th := l.threads[i].coreThread(l.cputype, tid, l.p.StripCode)
		if th.Regs.Known == 0 {
			l.p.Warn(fmt.Sprintf("thread %d", tid), "its registers are not in the core")
		}
		if f := l.threads[i].fault; f != nil && crashed < 0 {
			crashed = i
			_, mapped := l.p.Space.Find(f.addr)
			l.p.Signal = f.signal(mapped)
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

// finishMappings sorts the mappings, adds those that only images know of, and names
// those that images made.
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
