// Package elf reads ELF cores into processes, and executables, libraries and
// debug files into images.
//
// The object chain: ELF header, program headers (as many as section header 0
// says where 16 bits do not suffice: PN_XNUM); PT_LOAD to the address space;
// PT_NOTE to notes: NT_PRSTATUS and the notes after it to threads, NT_PRPSINFO,
// NT_SIGINFO and NT_AUXV to the process, NT_FILE to modules; AT_PHDR and DT_DEBUG
// to the dynamic linker's link_map, where NT_FILE is missing or damaged; ELF
// headers in memory to the rest. Sources: System V gABI; Linux 6.12, fs/binfmt_elf.c
// and include/uapi/linux/elf.h; core(5); GDB's gcore; QEMU, linux-user/elfload.c.
//
// Opening reads the headers and the notes. A module's file is looked for when
// its facts are asked for, or when bytes that the core left out are read.
//
// LIMITATIONS: registers of x86-64, x32, i386, aarch64, arm, riscv64, ppc, ppc64,
// s390, s390x, mips (o32, n32, n64), sparc64, loongarch64 and m68k; other machines
// open with mappings and memory only. No SVE and no AMX
// registers. Of cores of the BSDs and of illumos general
// registers are read, not those of floating point. Images
// inside an archive whose headers were not dumped are distinguished by its mappings
// alone if the archive is not to be had.
package elf

import (
	"cmp"
	stdelf "debug/elf"
	"fmt"
	"io"
	"math"
	"slices"

	"coredbg/core"
	"coredbg/core/file"
	"coredbg/core/find"
)

// Options say where a core's files are.
type Options struct {
	// Exe is the path of the executable, if the user named one. It must have
	// the build-id of the process' one, if that is known.
	Exe string
	// Files finds the files that were mapped; nil means this machine's disk.
	Files find.Finder
	// Trace is set as the Trace of the process' space before it is first read.
	Trace func(a core.Addr, n int)
}

// A loader makes a process of a core.
type loader struct {
	header
	src   core.Source
	path  string
	opt   Options
	p     *core.Process
	gregs gregs

	segs      []core.Segment
	disorder  bool   // the segments are not in order, or overlap
	needed    uint64 // the file size that the program headers call for
	cutSegs   int    // segments that the file does not hold whole
	files     []fileEntry
	filesGood bool
	noteEnd   []int // for each thread, the index after its last note
	signals   []threadSignal
	illumos   bool // or Solaris
	signalled int  // the thread that the signal hit, where a note names it; else 0
	anonymous bool // memory without a file behind it was dumped
	opened    file.Set
}

// Open reads the ELF core in src; path is for messages. The process closes src;
// if Open fails the caller does. What is damaged in the core costs only itself
// and is named in the process' warnings. The error wraps core.ErrUnknownFormat
// if src is not an ELF file; it is a *core.FormatError if it is another one.
func Open(src core.Source, path string, opt Options) (*core.Process, error) {
	head := slice(src, 0, 64)
	if !isELF(head) {
		return nil, notELF(head, src.Size(), path)
	}
	h, err := parseHeader(head, path)
	if err != nil {
		return nil, err
	}
	if h.typ != stdelf.ET_CORE {
		return nil, &core.FormatError{File: path, Off: -1, Msg: "this is " + kindOf(h.typ) + ", not a core"}
	}
	if opt.Files == nil {
		opt.Files = Disk{}
	}
	l := &loader{header: h, src: src, path: path, opt: opt}
	l.p = &core.Process{Path: path, Format: "ELF core", OS: "linux", Arch: archOf(h.machine, h.class, h.flags),
		Machine: machineName(h.machine), Order: h.order, PtrSize: h.ptr(), UID: -1, GID: -1}
	l.gregs, _ = gregsOf(h.machine, h.class, h.flags)
	if l.p.Arch == nil {
		bits := "32-bit"
		if h.wide {
			bits = "64-bit"
		}
		l.p.Warn("", fmt.Sprintf("registers of %s %s %s are not known: only mappings and memory are shown",
			bits, orderName(h.order), l.p.Machine))
	}
	notes := l.readPhdrs()
	l.findIllumos(notes)
	for _, n := range notes {
		l.readNotes(n)
	}
	l.finishThreads()
	l.uncovered()
	l.p.Space = core.NewSpace(l.segs, filler{l})
	l.p.Space.Trace = opt.Trace
	l.p.Closers = []io.Closer{src, &l.opened}
	if l.p.OS == "linux" {
		l.p.Siginfo = l.siginfo
	}
	l.findModules()
	l.nameMappings()
	l.weighCrashed()
	l.warnCut()
	return l.p, nil
}

// notELF says what a file is instead of a core.
func notELF(head []byte, size int64, path string) error {
	what := "neither its first bytes are ELF's nor is it text"
	switch {
	case size == 0:
		what = "the file is empty"
	case isText(head):
		what = "this is a text file"
	case len(head) > 0 && len(slices.DeleteFunc(slices.Clone(head), func(c byte) bool { return c == 0 })) == 0:
		what = "the file begins with zeros"
	}
	return fmt.Errorf("%s: %s: %w", path, what, core.ErrUnknownFormat)
}

func isText(b []byte) bool {
	for _, c := range b {
		if c < 0x20 && c != '\n' && c != '\t' && c != '\r' || c == 0x7f {
			return false
		}
	}
	return len(b) > 0
}

// kindOf names a type of ELF file in words.
func kindOf(t stdelf.Type) string {
	switch t {
	case stdelf.ET_EXEC:
		return "an executable"
	case stdelf.ET_DYN:
		return "an executable or shared library"
	case stdelf.ET_REL:
		return "an object file"
	}
	return fmt.Sprintf("an ELF file of type %d", uint16(t))
}

// readPhdrs makes mappings and segments of the program headers and returns
// those of notes.
func (l *loader) readPhdrs() (notes []phdr) {
	n := l.count()
	table := slice(l.src, l.phoff, uint64(n)*uint64(l.phentsize))
	if have := len(table) / l.phentsize; have < n {
		l.p.Warn("program headers", fmt.Sprintf("the file ends after %d of %d", have, n))
		l.needed = max(l.needed, satAdd(l.phoff, uint64(n)*uint64(l.phentsize)))
		n = have
	}
	l.p.Mappings = make([]core.Mapping, 0, n)
	l.segs = make([]core.Segment, 0, n+n/2)
	wrapped := 0
	for i := range n {
		switch ph := l.phdr(table[i*l.phentsize:]); ph.typ {
		case stdelf.PT_LOAD:
			if !l.load(ph) {
				wrapped++
			}
		case stdelf.PT_NOTE:
			if len(notes) < 1024 {
				notes = append(notes, ph)
			}
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

// count returns the number of program headers, which more than 65,534 put into
// section header 0 (gABI, PN_XNUM). That lies at the end of the file: if it is
// cut off, the notes, which follow the table, show how long the table is.
func (l *loader) count() int {
	if l.phnum != pnXNum {
		return l.phnum
	}
	if b := slice(l.src, l.shoff, uint64(l.shdrSize())); l.shoff != 0 && len(b) == l.shdrSize() {
		return int(min(uint64(l.shdr(b).info), uint64(l.src.Size())/uint64(l.phentsize)))
	}
	l.p.Warn("program headers", "their number is missing: the file ends before section header 0")
	if l.shoff != 0 {
		l.needed = max(l.needed, satAdd(l.shoff, uint64(l.shdrSize())))
	}
	b := slice(l.src, l.phoff, uint64(l.phdrSize()))
	if len(b) == l.phdrSize() {
		if ph := l.phdr(b); ph.typ == stdelf.PT_NOTE && ph.off > l.phoff {
			return int((ph.off - l.phoff) / uint64(l.phentsize))
		}
	}
	return pnXNum
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
func (l *loader) load(ph phdr) bool {
	start := core.Addr(ph.vaddr)
	size := max(ph.memsz, ph.filesz)
	end, whole := start+core.Addr(size), true
	if limit := l.limit(); end < start || end > limit {
		end, whole = limit, false
		if start >= end {
			return false
		}
	}
	if size == 0 {
		return true
	}
	l.needed = max(l.needed, satAdd(ph.off, ph.filesz))
	dumped := min(ph.filesz, uint64(end-start))
	have := dumped
	if fsize := uint64(l.src.Size()); ph.off >= fsize {
		have = 0
	} else {
		have = min(have, fsize-ph.off)
	}
	if have < dumped {
		l.cutSegs++
	}
	prot := core.Prot(ph.flags & 7)
	if n := len(l.p.Mappings); n > 0 && start < l.p.Mappings[n-1].End {
		l.disorder = true
	}
	l.p.Mappings = append(l.p.Mappings, core.Mapping{Start: start, End: end, Prot: prot, Dumped: have})
	add := func(s core.Segment) {
		if s.End > s.Start {
			l.segs = append(l.segs, s)
		}
	}
	add(core.Segment{Start: start, End: start + core.Addr(have), Kind: core.SegCore, Prot: prot, Src: l.src, Off: int64(ph.off)})
	add(core.Segment{Start: start + core.Addr(have), End: start + core.Addr(dumped), Prot: prot, Gap: core.Truncated})
	add(core.Segment{Start: start + core.Addr(dumped), End: end, Prot: prot, Gap: core.NotDumped})
	return whole
}

// limit returns the last address; a mapping may not reach beyond it.
func (l *loader) limit() core.Addr {
	if l.wide {
		return ^core.Addr(0)
	}
	return 1 << 32
}
