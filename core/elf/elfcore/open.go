package elfcore

import (
	stdelf "debug/elf"
	"fmt"
	"io"
	"slices"

	"coredbg/core"
	"coredbg/core/elf"
	"coredbg/core/elf/format"
	"coredbg/core/elf/note"
)

// A loader makes a process of a core: its mappings and its memory.
type loader struct {
	format.Header
	src core.Source
	p   *core.Process

	segs      []core.Segment
	disorder  bool               // the segments are not in order, or overlap
	needed    uint64             // the file size that the program headers call for
	cutSegs   int                // segments that the file does not hold whole
	files     []note.FileMapping // as a note lists them
	anonymous bool               // memory without a file behind it was dumped
}

// Open reads the ELF core in src; path is for messages. The process closes src; if Open fails the
// caller does. Damaged parts of the core are skipped and named in the process' warnings. The error
// wraps core.ErrUnknownFormat if src is not an ELF file; it is a *core.FormatError if src is an ELF
// file of another kind.
func Open(src core.Source, path string, opt Options) (*core.Process, error) {
	head := format.Slice(src, 0, 64)
	if !format.IsELF(head) {
		return nil, notELF(head, src.Size(), path)
	}
	h, err := format.ParseHeader(head, path)
	if err != nil {
		return nil, err
	}
	if h.Type != stdelf.ET_CORE {
		return nil, &core.FormatError{File: path, Off: -1, Msg: "this is " + kindOf(h.Type) + ", not a core"}
	}
	if opt.Files == nil {
		opt.Files = elf.Disk{}
	}
	p := &core.Process{Path: path, Format: "ELF core", OS: "linux", Arch: format.ArchOf(h.Machine, h.Class, h.Flags),
		Machine: format.MachineName(h.Machine), Order: h.Order, PtrSize: h.Ptr(), UID: -1, GID: -1}
	if p.Arch == nil {
		bits := "32-bit"
		if h.Wide {
			bits = "64-bit"
		}
		p.Warn("", fmt.Sprintf("registers of %s %s %s are not known: only mappings and memory are shown",
			bits, format.OrderName(h.Order), p.Machine))
	}
	l := &loader{Header: h, src: src, p: p}
	notes := note.NewDecoder(h, p)
	l.readNotes(notes, l.readPhdrs())
	whole := false
	l.files, whole = notes.Files()
	l.uncovered()
	r := &resolver{Class: h.Class, machine: h.Machine, opt: opt, p: p}
	p.Space = core.NewSpace(l.segs, filler{r, l.anonymous})
	p.Space.Trace = opt.Trace
	l.sortTags()
	p.Closers = []io.Closer{src, &r.opened}
	f := &finder{resolver: r, files: l.files, filesGood: whole}
	f.findModules()
	l.nameMappings()
	notes.PickCrashed()
	l.warnCut()
	return p, nil
}

// readNotes takes what the segments of notes say.
func (l *loader) readNotes(notes *note.Decoder, segments []format.Prog) {
	for _, ph := range segments {
		notes.Probe(format.Slice(l.src, ph.Off, ph.Filesz))
	}
	for _, ph := range segments {
		l.needed = max(l.needed, satAdd(ph.Off, ph.Filesz))
		b := format.Slice(l.src, ph.Off, ph.Filesz)
		if uint64(len(b)) < ph.Filesz {
			l.p.Warn("notes", fmt.Sprintf("the file ends after %d of their %d bytes", len(b), ph.Filesz))
		}
		notes.Read(b, int64(ph.Off))
	}
	notes.Finish()
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
