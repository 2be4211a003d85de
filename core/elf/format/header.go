package format

import (
	stdelf "debug/elf"
	"encoding/binary"

	"coredbg/core"
)

// A Class is how words of a file or a process are written: their byte order,
// and whether addresses have 8 bytes or 4.
type Class struct {
	Order binary.ByteOrder
	Wide  bool
}

// Ptr returns the size of an address in bytes.
func (c Class) Ptr() int {
	if c.Wide {
		return 8
	}
	return 4
}

// Word reads an address at off in b, which must have it.
func (c Class) Word(b []byte, off int) uint64 {
	if c.Wide {
		return c.Order.Uint64(b[off:])
	}
	return uint64(c.Order.Uint32(b[off:]))
}

// Limit returns the end of the address space: no mapping reaches beyond it.
func (c Class) Limit() core.Addr {
	if c.Wide {
		return ^core.Addr(0)
	}
	return 1 << 32
}

// A Header is the ELF header (gABI, "ELF Header"), of either class.
type Header struct {
	Class
	Type    stdelf.Type
	Machine stdelf.Machine
	Flags   uint32 // of the processor
	Entry   uint64
	Phoff   uint64 // in bytes, as Shoff is
	Shoff   uint64

	Phentsize, Phnum           int // the first in bytes, as Shentsize is
	Shentsize, Shnum, Shstrndx int
}

// HeaderSize returns the size of an ELF header of the class in bytes.
func (c Class) HeaderSize() int {
	if c.Wide {
		return 64
	}
	return 52
}

// ProgSize returns the size of a program header in bytes.
func (c Class) ProgSize() int {
	if c.Wide {
		return 56
	}
	return 32
}

// SectionSize returns the size of a section header in bytes.
func (c Class) SectionSize() int {
	if c.Wide {
		return 64
	}
	return 40
}

// PNXNum is PN_XNUM: the number of program headers is in section header 0.
const PNXNum = 0xffff

// IsELF reports whether b begins as an ELF file does.
func IsELF(b []byte) bool { return len(b) >= 4 && string(b[:4]) == stdelf.ELFMAG }

// parseClass reads e_ident.
func parseClass(b []byte, path string) (Class, error) {
	var c Class
	if !IsELF(b) || len(b) < stdelf.EI_NIDENT {
		return c, &core.FormatError{File: path, Off: 0, Msg: "no ELF header"}
	}
	switch stdelf.Class(b[stdelf.EI_CLASS]) {
	case stdelf.ELFCLASS32:
	case stdelf.ELFCLASS64:
		c.Wide = true
	default:
		return c, &core.FormatError{File: path, Off: stdelf.EI_CLASS, Msg: "ELF class is neither 32 nor 64 bit:",
			Val: b[stdelf.EI_CLASS]}
	}
	switch stdelf.Data(b[stdelf.EI_DATA]) {
	case stdelf.ELFDATA2LSB:
		c.Order = binary.LittleEndian
	case stdelf.ELFDATA2MSB:
		c.Order = binary.BigEndian
	default:
		return c, &core.FormatError{File: path, Off: stdelf.EI_DATA, Msg: "ELF byte order is neither little nor big:",
			Val: b[stdelf.EI_DATA]}
	}
	return c, nil
}

// ParseHeader reads the ELF header at the start of b; path is for the error, which is a
// *core.FormatError.
func ParseHeader(b []byte, path string) (h Header, err error) {
	if h.Class, err = parseClass(b, path); err != nil {
		return h, err
	}
	if len(b) < h.HeaderSize() {
		return h, &core.FormatError{File: path, Off: int64(len(b)), Msg: "the file ends inside its ELF header"}
	}
	o := h.Order
	h.Type, h.Machine = stdelf.Type(o.Uint16(b[16:])), stdelf.Machine(o.Uint16(b[18:]))
	p := h.Ptr()
	h.Entry, h.Phoff, h.Shoff = h.Word(b, 24), h.Word(b, 24+p), h.Word(b, 24+2*p)
	h.Flags = o.Uint32(b[24+3*p:])
	rest := b[24+3*p+4+2:] // after e_flags and e_ehsize
	half := func(i int) int { return int(o.Uint16(rest[2*i:])) }
	h.Phentsize, h.Phnum = half(0), half(1)
	h.Shentsize, h.Shnum, h.Shstrndx = half(2), half(3), half(4)
	// An entry smaller than its fields is a lie, and the usual size the best
	// guess.
	if h.Phentsize < h.ProgSize() {
		h.Phentsize = h.ProgSize()
	}
	if h.Shentsize < h.SectionSize() {
		h.Shentsize = h.SectionSize()
	}
	return h, nil
}

// A Prog is a program header (gABI, "Program Header").
type Prog struct {
	Type                             stdelf.ProgType
	Flags                            uint32
	Off, Vaddr, Filesz, Memsz, Align uint64 // in bytes
}

// Prog decodes the program header at the start of b.
func (c Class) Prog(b []byte) Prog {
	o := c.Order
	if c.Wide {
		return Prog{
			Type: stdelf.ProgType(o.Uint32(b)), Flags: o.Uint32(b[4:]),
			Off: o.Uint64(b[8:]), Vaddr: o.Uint64(b[16:]),
			Filesz: o.Uint64(b[32:]), Memsz: o.Uint64(b[40:]), Align: o.Uint64(b[48:]),
		}
	}
	return Prog{
		Type: stdelf.ProgType(o.Uint32(b)), Flags: o.Uint32(b[24:]),
		Off: uint64(o.Uint32(b[4:])), Vaddr: uint64(o.Uint32(b[8:])),
		Filesz: uint64(o.Uint32(b[16:])), Memsz: uint64(o.Uint32(b[20:])), Align: uint64(o.Uint32(b[28:])),
	}
}

// Progs decodes the program headers that b holds, at most n.
func (h *Header) Progs(b []byte, n int) []Prog {
	n = min(n, len(b)/h.Phentsize)
	out := make([]Prog, 0, n)
	for i := range n {
		out = append(out, h.Prog(b[i*h.Phentsize:]))
	}
	return out
}

// A Section is a section header (gABI, "Sections").
type Section struct {
	NameOff            uint32
	Type               stdelf.SectionType
	Flags              stdelf.SectionFlag
	Addr, Off, Size    uint64 // in bytes
	Link, Info         uint32
	Addralign, Entsize uint64
	Name               string // set by who reads the table of names
}

// Section decodes the section header at the start of b.
func (c Class) Section(b []byte) Section {
	o, p := c.Order, c.Ptr()
	tail := b[8+4*p:]
	return Section{
		NameOff: o.Uint32(b), Type: stdelf.SectionType(o.Uint32(b[4:])),
		Flags: stdelf.SectionFlag(c.Word(b, 8)),
		Addr:  c.Word(b, 8+p), Off: c.Word(b, 8+2*p), Size: c.Word(b, 8+3*p),
		Link: o.Uint32(tail), Info: o.Uint32(tail[4:]),
		Addralign: c.Word(tail, 8), Entsize: c.Word(tail, 8+p),
	}
}

// Slice returns up to n bytes of src at off, fewer if it ends before.
func Slice(src core.Source, off, n uint64) []byte {
	size := uint64(src.Size())
	if off >= size || n == 0 {
		return nil
	}
	b, _ := core.SourceSlice(src, int64(off), int(min(n, size-off)))
	return b
}
