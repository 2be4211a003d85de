package elf

import (
	stdelf "debug/elf"
	"errors"
	"fmt"
	"slices"
	"sync"

	"coredbg/core"
	"coredbg/core/elf/format"
)

// A File is an executable, a library or a separate debug file, read from its
// file or, if that is not to be had, from the memory of the process that had it
// loaded. It implements core.Image. It is safe for concurrent use.
type File struct {
	exec executionView
	path string

	once     sync.Once // makes segments
	segments []core.ImageSegment

	sections func() ([]format.Section, error)
	dynamic  func() dynamic
	tlsWords func() []TLSWord

	mu       sync.Mutex
	unpacked map[*format.Section]core.Section
	cutNames map[*format.Section]*nameTable // string tables that a bundle has in pieces
}

// maxProgs bounds the program headers of an image; the gABI's own field has 16
// bits, and images have a dozen.
const maxProgs = 1 << 16

// maxProgSize bounds the size of a program header that a process has, in bytes.
const maxProgSize = 1 << 10

// NewFile reads the headers of the image in src, which it does not close. The
// error is a *core.FormatError.
func NewFile(src core.Source, path string) (*File, error) {
	head, unread := core.SourceSlice(src, 0, int(min(src.Size(), 64)))
	var gap *core.GapError
	if errors.As(unread, &gap) {
		return nil, fmt.Errorf("%s: its header cannot be read: %w", path, unread)
	}
	h, err := format.ParseHeader(head, path)
	if err != nil {
		return nil, err
	}
	f := &File{exec: executionView{head: h, src: src}, path: path}
	n := h.Phnum
	if n == format.PNXNum {
		n = f.extendedCount()
	}
	f.exec.progs = h.Progs(format.Slice(src, h.Phoff, uint64(n)*uint64(h.Phentsize)), min(n, maxProgs))
	f.init()
	return f, nil
}

// init sets up what is found on first use.
func (f *File) init() {
	f.sections = sync.OnceValues(f.readSections)
	f.dynamic = sync.OnceValue(f.exec.readDynamic)
	f.tlsWords = sync.OnceValue(func() []TLSWord { return f.exec.readTLSWords(f.dynamic()) })
	f.unpacked, f.cutNames = map[*format.Section]core.Section{}, map[*format.Section]*nameTable{}
}

// extendedCount returns sh_info of section header 0.
func (f *File) extendedCount() int {
	b := format.Slice(f.exec.src, f.exec.head.Shoff, uint64(f.exec.head.SectionSize()))
	if f.exec.head.Shoff == 0 || len(b) < f.exec.head.SectionSize() {
		return format.PNXNum
	}
	return int(f.exec.head.Section(b).Info)
}

// Path names the file that the bytes come from; "" for memory.
func (f *File) Path() string { return f.path }

// Machine names the architecture.
func (f *File) Machine() string { return format.MachineName(f.exec.head.Machine) }

// Entry returns the link-time address where the image starts to run.
func (f *File) Entry() uint64 { return f.exec.head.Entry }

// Source returns the file's bytes; nil for an image in memory.
func (f *File) Source() core.Source { return f.exec.src }

// Forget gives back the memory of the file's pages that were read, where it is mapped. They are read again when they
// are needed.
func (f *File) Forget() {
	if m, ok := f.exec.src.(interface{ Forget() }); ok {
		m.Forget()
	}
}

// Segments returns the loadable segments in the file's order.
func (f *File) Segments() []core.ImageSegment {
	f.once.Do(func() {
		for _, p := range f.exec.progs {
			if p.Type == stdelf.PT_LOAD {
				f.segments = append(f.segments, core.ImageSegment{Addr: p.Vaddr, Off: p.Off,
					FileSize: p.Filesz, MemSize: p.Memsz, Prot: core.Prot(p.Flags & 7)})
			}
		}
	})
	return slices.Clip(f.segments)
}

// OffsetToAddr returns the link-time address of the byte at an offset of the file, if it is loaded. If
// two segments share the byte, as their pages may, it returns the address of code, if one of them is
// code.
func (f *File) OffsetToAddr(off uint64) (link uint64, ok bool) {
	for _, p := range f.exec.progs {
		if p.Type == stdelf.PT_LOAD && off >= p.Off && off-p.Off < p.Filesz {
			if stdelf.ProgFlag(p.Flags)&stdelf.PF_X != 0 {
				return p.Vaddr + off - p.Off, true
			}
			if !ok {
				link, ok = p.Vaddr+off-p.Off, true
			}
		}
	}
	return link, ok
}

// NewMemoryFile reads the image whose ELF header is at base in mem: the vdso, or an image whose file is
// not available. The headers must be in mem; sections lack the bytes that mem lacks. It does not look
// for section headers, because they are not loaded.
func NewMemoryFile(mem core.Memory, base core.Addr) (*File, error) {
	head := lend(mem, base, 64)
	h, err := format.ParseHeader(head, "")
	if err != nil {
		return nil, fmt.Errorf("image at %v: %w", base, err)
	}
	f := &File{exec: executionView{head: h, mem: mem}}
	n := min(h.Phnum, maxProgs)
	f.exec.progs = h.Progs(lend(mem, base+core.Addr(h.Phoff), uint64(n)*uint64(h.Phentsize)), n)
	var ok bool
	if f.exec.bias, ok = f.BiasAt(base); !ok {
		return nil, fmt.Errorf("image at %v: %w", base,
			&core.FormatError{Off: int64(h.Phoff), Msg: "no loadable segment among its program headers"})
	}
	f.init()
	return f, nil
}

// BiasAt returns the bias of the image if its first byte is at base, in the segment with the lowest offset. Segments
// without bytes in the file do not count. It returns false if there is no segment.
func (f *File) BiasAt(base core.Addr) (bias core.Addr, ok bool) {
	var first format.Prog
	for _, p := range f.exec.progs {
		if p.Type != stdelf.PT_LOAD || ok && p.Filesz == 0 {
			continue
		}
		if !ok || first.Filesz == 0 || p.Off < first.Off || p.Off == first.Off && p.Vaddr < first.Vaddr {
			first, ok = p, true
		}
	}
	return base - core.Addr(first.Vaddr-first.Off), ok
}

// NewMemoryProgs makes an image of program headers alone, which a process has
// by AT_PHDR even where the page with the ELF header was not dumped as such: n of
// them at an address, of entsize bytes each. It returns nil if they do not say where
// the image is.
func NewMemoryProgs(mem core.Memory, c format.Class, machine stdelf.Machine, at core.Addr, entsize, n uint64) *File {
	count, size := int(min(n, maxProgs)), max(int(min(entsize, maxProgSize)), c.ProgSize())
	f := &File{exec: executionView{head: format.Header{Class: c, Machine: machine, Phentsize: size, Phnum: count},
		mem: mem}}
	f.exec.progs = f.exec.head.Progs(lend(mem, at, uint64(count)*uint64(size)), count)
	if p, ok := f.exec.prog(stdelf.PT_PHDR); ok {
		f.exec.bias = at - core.Addr(p.Vaddr)
	} else {
		found := false
		for _, p := range f.exec.progs {
			// The headers follow the ELF header in the segment of offset 0.
			if p.Type == stdelf.PT_LOAD && p.Off == 0 {
				f.exec.bias, found = at-core.Addr(p.Vaddr)-core.Addr(c.HeaderSize()), true
			}
		}
		if !found {
			return nil
		}
	}
	f.init()
	return f
}

// Bias returns what must be added to link-time addresses of an image in memory
// to get addresses of the process.
func (f *File) Bias() core.Addr { return f.exec.bias }

// TLS returns the link-time address, the size and the alignment in bytes of the
// thread-local segment; ok is false if there is none.
func (f *File) TLS() (addr, size, align uint64, ok bool) {
	for _, p := range f.exec.progs {
		if p.Type == stdelf.PT_TLS {
			return p.Vaddr, p.Memsz, max(p.Align, 1), true
		}
	}
	return 0, 0, 0, false
}
