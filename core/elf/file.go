package elf

import (
	stdelf "debug/elf"
	"fmt"
	"sync"

	"coredbg/core"
)

// A File is an executable, a library or a separate debug file, read from its
// file or, if that is not to be had, from the memory of the process that had it
// loaded. It implements core.Image. It is safe for concurrent use.
//
// The object chain: ELF header, program headers (all read by NewFile); section
// headers to sections by name, or, without those, PT_DYNAMIC to .dynsym,
// .dynstr and the hash table that gives their sizes, and PT_GNU_EH_FRAME to
// .eh_frame_hdr and .eh_frame. Source: System V gABI, chapters 4 and 5.
type File struct {
	header
	path  string
	src   core.Source // nil if the image is in memory
	mem   core.Memory
	bias  core.Addr // of the image in mem
	progs []phdr

	sections func() ([]shdr, error)
	dynamic  func() dynamic

	mu       sync.Mutex
	unpacked map[*shdr]core.Section
	cutNames map[*shdr]*nameTable // those that a bundle has in pieces
}

// maxProgs bounds the program headers of an image; the gABI's own field has 16
// bits, and images have a dozen.
const maxProgs = 1 << 16

// NewFile reads the headers of the image in src, which it does not close. The
// error is a *core.FormatError.
func NewFile(src core.Source, path string) (*File, error) {
	head := slice(src, 0, 64)
	h, err := parseHeader(head, path)
	if err != nil {
		return nil, err
	}
	f := &File{header: h, path: path, src: src}
	n := h.phnum
	if n == pnXNum {
		n = f.extendedCount()
	}
	f.progs = h.phdrs(slice(src, h.phoff, uint64(n)*uint64(h.phentsize)), min(n, maxProgs))
	f.init()
	return f, nil
}

// init sets up what is found on first use.
func (f *File) init() {
	f.sections = sync.OnceValues(f.readSections)
	f.dynamic = sync.OnceValue(f.readDynamic)
	f.unpacked, f.cutNames = map[*shdr]core.Section{}, map[*shdr]*nameTable{}
}

// pnXNum is PN_XNUM: the number of program headers is in section header 0.
const pnXNum = 0xffff

// extendedCount returns sh_info of section header 0.
func (f *File) extendedCount() int {
	b := slice(f.src, f.shoff, uint64(f.shdrSize()))
	if f.shoff == 0 || len(b) < f.shdrSize() {
		return pnXNum
	}
	return int(f.shdr(b).info)
}

// Path names the file that the bytes come from; "" for memory.
func (f *File) Path() string { return f.path }

// Machine names the architecture.
func (f *File) Machine() string { return machineName(f.machine) }

// Entry returns the link-time address where the image starts to run.
func (f *File) Entry() uint64 { return f.entry }

// Source returns the file's bytes; nil for an image in memory.
func (f *File) Source() core.Source { return f.src }

// Segments returns the loadable segments in the file's order.
func (f *File) Segments() []core.ImageSegment {
	var out []core.ImageSegment
	for _, p := range f.progs {
		if p.typ == stdelf.PT_LOAD {
			out = append(out, core.ImageSegment{Addr: p.vaddr, Off: p.off,
				FileSize: p.filesz, MemSize: p.memsz, Prot: core.Prot(p.flags & 7)})
		}
	}
	return out
}

// OffsetToAddr returns the link-time address of the byte at an offset of the
// file, if it is loaded. Of a byte that two segments share, as their pages may,
// it is the address where it is code, if there is one.
func (f *File) OffsetToAddr(off uint64) (link uint64, ok bool) {
	for _, p := range f.progs {
		if p.typ == stdelf.PT_LOAD && off >= p.off && off-p.off < p.filesz {
			if stdelf.ProgFlag(p.flags)&stdelf.PF_X != 0 {
				return p.vaddr + off - p.off, true
			}
			if !ok {
				link, ok = p.vaddr+off-p.off, true
			}
		}
	}
	return link, ok
}

// addrToOffset returns the file offset of a link-time address, and how many
// bytes of the file follow it in its segment.
func (f *File) addrToOffset(link uint64) (off, left uint64, ok bool) {
	for _, p := range f.progs {
		if p.typ == stdelf.PT_LOAD && link >= p.vaddr && link-p.vaddr < p.filesz {
			d := link - p.vaddr
			return p.off + d, p.filesz - d, true
		}
	}
	return 0, 0, false
}

// loaded returns up to n bytes at a link-time address, fewer if the segment, the
// file or the dumped memory ends before.
func (f *File) loaded(link, n uint64) []byte {
	if f.src != nil {
		off, left, ok := f.addrToOffset(link)
		if !ok {
			return nil
		}
		return slice(f.src, off, min(n, left))
	}
	for _, p := range f.progs {
		if p.typ == stdelf.PT_LOAD && link >= p.vaddr && link-p.vaddr < p.memsz {
			return lend(f.mem, f.bias+core.Addr(link), min(n, p.memsz-(link-p.vaddr)))
		}
	}
	return nil
}

// maxLent bounds what is copied from memory for one piece of an image, in bytes.
const maxLent = 1 << 30

// lend returns up to n bytes of m at a, without a copy if it can be.
func lend(m core.Memory, a core.Addr, n uint64) []byte {
	if w, ok := m.(core.Windower); ok {
		b, err := w.Window(a)
		if err != nil {
			return nil
		}
		if uint64(len(b)) >= n {
			return b[:n:n]
		}
	}
	b, _ := core.ReadBytes(m, a, min(n, maxLent))
	return b
}

// prog returns the first program header of a type.
func (f *File) prog(typ stdelf.ProgType) (phdr, bool) {
	for _, p := range f.progs {
		if p.typ == typ {
			return p, true
		}
	}
	return phdr{}, false
}

// progBytes returns the bytes of a program header's segment that can be had.
func (f *File) progBytes(p phdr) []byte {
	if f.src != nil {
		return slice(f.src, p.off, p.filesz)
	}
	return lend(f.mem, f.bias+core.Addr(p.vaddr), min(p.filesz, maxLent))
}

// NewMemoryFile reads the image whose ELF header lies at base in mem: the vdso,
// or one whose file is not to be had. Whatever of it is not in mem is missing
// from its sections; only the headers must be there. Its section headers are
// not looked for, because they are not loaded.
func NewMemoryFile(mem core.Memory, base core.Addr) (*File, error) {
	head := lend(mem, base, 64)
	h, err := parseHeader(head, "")
	if err != nil {
		return nil, fmt.Errorf("image at %v: %w", base, err)
	}
	f := &File{header: h, mem: mem}
	n := min(h.phnum, maxProgs)
	f.progs = h.phdrs(lend(mem, base+core.Addr(h.phoff), uint64(n)*uint64(h.phentsize)), n)
	if !f.placeAt(base) {
		return nil, fmt.Errorf("image at %v: %w", base,
			&core.FormatError{Off: int64(h.phoff), Msg: "no loadable segment among its program headers"})
	}
	f.init()
	return f, nil
}

// placeAt finds the bias of an image whose first byte lies at base.
func (f *File) placeAt(base core.Addr) bool {
	lowest, ok := phdr{}, false
	for _, p := range f.progs {
		if p.typ == stdelf.PT_LOAD && (!ok || p.vaddr < lowest.vaddr) {
			lowest, ok = p, true
		}
	}
	f.bias = base - core.Addr(lowest.vaddr-lowest.off)
	return ok
}

// newMemoryProgs makes an image of program headers alone, which a process has
// by AT_PHDR even where the page with the ELF header was not dumped as such.
func newMemoryProgs(mem core.Memory, c class, machine stdelf.Machine, at core.Addr, entsize, n int) *File {
	f := &File{header: header{class: c, machine: machine, phentsize: max(entsize, c.phdrSize()), phnum: n}, mem: mem}
	n = min(n, maxProgs)
	f.progs = f.phdrs(lend(mem, at, uint64(n)*uint64(f.phentsize)), n)
	if p, ok := f.prog(stdelf.PT_PHDR); ok {
		f.bias = at - core.Addr(p.vaddr)
	} else {
		found := false
		for _, p := range f.progs {
			// The headers follow the ELF header in the segment of offset 0.
			if p.typ == stdelf.PT_LOAD && p.off == 0 {
				f.bias, found = at-core.Addr(p.vaddr)-core.Addr(c.headerSize()), true
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
func (f *File) Bias() core.Addr { return f.bias }

// TLS returns the link-time address, the size and the alignment in bytes of the
// thread-local segment; ok is false if there is none.
func (f *File) TLS() (addr, size, align uint64, ok bool) {
	for _, p := range f.progs {
		if p.typ == stdelf.PT_TLS {
			return p.vaddr, p.memsz, max(p.pAlign, 1), true
		}
	}
	return 0, 0, 0, false
}
