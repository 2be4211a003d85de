package elf

import (
	stdelf "debug/elf"
	"encoding/binary"

	"coredbg/core"
)

// A class is how words of a file or a process are written: their byte order,
// and whether addresses have 8 bytes or 4.
type class struct {
	order binary.ByteOrder
	wide  bool
}

// ptr returns the size of an address in bytes.
func (c class) ptr() int {
	if c.wide {
		return 8
	}
	return 4
}

// word reads an address at off in b, which must have it.
func (c class) word(b []byte, off int) uint64 {
	if c.wide {
		return c.order.Uint64(b[off:])
	}
	return uint64(c.order.Uint32(b[off:]))
}

// A header is the ELF header (gABI, "ELF Header"), of either class.
type header struct {
	class
	typ     stdelf.Type
	machine stdelf.Machine
	flags   uint32 // of the processor
	entry   uint64
	phoff   uint64
	shoff   uint64

	phentsize, phnum           int
	shentsize, shnum, shstrndx int
}

// size returns the size of an ELF header of the class in bytes.
func (c class) headerSize() int {
	if c.wide {
		return 64
	}
	return 52
}

// phdrSize and shdrSize return the sizes of table entries in bytes.
func (c class) phdrSize() int {
	if c.wide {
		return 56
	}
	return 32
}

func (c class) shdrSize() int {
	if c.wide {
		return 64
	}
	return 40
}

// isELF reports whether b begins as an ELF file does.
func isELF(b []byte) bool { return len(b) >= 4 && string(b[:4]) == stdelf.ELFMAG }

// parseClass reads e_ident.
func parseClass(b []byte, path string) (class, error) {
	var c class
	if !isELF(b) || len(b) < stdelf.EI_NIDENT {
		return c, &core.FormatError{File: path, Off: 0, Msg: "no ELF header"}
	}
	switch stdelf.Class(b[stdelf.EI_CLASS]) {
	case stdelf.ELFCLASS32:
	case stdelf.ELFCLASS64:
		c.wide = true
	default:
		return c, &core.FormatError{File: path, Off: stdelf.EI_CLASS, Msg: "ELF class is neither 32 nor 64 bit:", Val: b[stdelf.EI_CLASS]}
	}
	switch stdelf.Data(b[stdelf.EI_DATA]) {
	case stdelf.ELFDATA2LSB:
		c.order = binary.LittleEndian
	case stdelf.ELFDATA2MSB:
		c.order = binary.BigEndian
	default:
		return c, &core.FormatError{File: path, Off: stdelf.EI_DATA, Msg: "ELF byte order is neither little nor big:", Val: b[stdelf.EI_DATA]}
	}
	return c, nil
}

// parseHeader reads the ELF header at the start of b.
func parseHeader(b []byte, path string) (h header, err error) {
	if h.class, err = parseClass(b, path); err != nil {
		return h, err
	}
	if len(b) < h.headerSize() {
		return h, &core.FormatError{File: path, Off: int64(len(b)), Msg: "the file ends inside its ELF header"}
	}
	o := h.order
	h.typ, h.machine = stdelf.Type(o.Uint16(b[16:])), stdelf.Machine(o.Uint16(b[18:]))
	p := h.ptr()
	h.entry, h.phoff, h.shoff = h.word(b, 24), h.word(b, 24+p), h.word(b, 24+2*p)
	h.flags = o.Uint32(b[24+3*p:])
	rest := b[24+3*p+4+2:] // after e_flags and e_ehsize
	half := func(i int) int { return int(o.Uint16(rest[2*i:])) }
	h.phentsize, h.phnum = half(0), half(1)
	h.shentsize, h.shnum, h.shstrndx = half(2), half(3), half(4)
	// An entry smaller than its fields is a lie, and the usual size the best
	// guess.
	if h.phentsize < h.phdrSize() {
		h.phentsize = h.phdrSize()
	}
	if h.shentsize < h.shdrSize() {
		h.shentsize = h.shdrSize()
	}
	return h, nil
}

// A phdr is a program header (gABI, "Program Header").
type phdr struct {
	typ                               stdelf.ProgType
	flags                             uint32
	off, vaddr, filesz, memsz, pAlign uint64
}

// phdr decodes the program header at the start of b.
func (c class) phdr(b []byte) phdr {
	o := c.order
	if c.wide {
		return phdr{
			typ: stdelf.ProgType(o.Uint32(b)), flags: o.Uint32(b[4:]),
			off: o.Uint64(b[8:]), vaddr: o.Uint64(b[16:]),
			filesz: o.Uint64(b[32:]), memsz: o.Uint64(b[40:]), pAlign: o.Uint64(b[48:]),
		}
	}
	return phdr{
		typ: stdelf.ProgType(o.Uint32(b)), flags: o.Uint32(b[24:]),
		off: uint64(o.Uint32(b[4:])), vaddr: uint64(o.Uint32(b[8:])),
		filesz: uint64(o.Uint32(b[16:])), memsz: uint64(o.Uint32(b[20:])), pAlign: uint64(o.Uint32(b[28:])),
	}
}

// phdrs decodes the program headers that b holds, at most n.
func (h *header) phdrs(b []byte, n int) []phdr {
	n = min(n, len(b)/h.phentsize)
	out := make([]phdr, 0, n)
	for i := range n {
		out = append(out, h.phdr(b[i*h.phentsize:]))
	}
	return out
}

// A shdr is a section header (gABI, "Sections").
type shdr struct {
	nameOff          uint32
	typ              stdelf.SectionType
	flags            stdelf.SectionFlag
	addr, off, size  uint64
	link, info       uint32
	addralign, entsz uint64
	name             string
}

// shdr decodes the section header at the start of b.
func (c class) shdr(b []byte) shdr {
	o, p := c.order, c.ptr()
	tail := b[8+4*p:]
	return shdr{
		nameOff: o.Uint32(b), typ: stdelf.SectionType(o.Uint32(b[4:])),
		flags: stdelf.SectionFlag(c.word(b, 8)),
		addr:  c.word(b, 8+p), off: c.word(b, 8+2*p), size: c.word(b, 8+3*p),
		link: o.Uint32(tail), info: o.Uint32(tail[4:]),
		addralign: c.word(tail, 8), entsz: c.word(tail, 8+p),
	}
}

// slice returns up to n bytes of src at off, fewer if it ends before.
func slice(src core.Source, off, n uint64) []byte {
	size := uint64(src.Size())
	if off >= size || n == 0 {
		return nil
	}
	b, _ := core.SourceSlice(src, int64(off), int(min(n, size-off)))
	return b
}
