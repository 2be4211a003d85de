// Package elftest makes small ELF cores and images by hand, after the gABI and core(5), for the tests of
// what reads them.
package elftest

import (
	stdelf "debug/elf"
	"encoding/binary"

	"coredbg/core"
	"coredbg/core/elf/format"
	"coredbg/core/elf/note"
)

// A Builder makes a core, or an image for one.
type Builder struct {
	format.Class
	Machine stdelf.Machine
	Flags   uint32
	Notes   []byte // of the one segment of notes
	loads   []load
}

type load struct {
	vaddr, memsz uint64
	prot         core.Prot
	data         []byte
	typ          stdelf.ProgType
	claim        uint64 // of bytes in the file
}

// New returns a builder for a machine.
func New(m stdelf.Machine, order binary.ByteOrder, wide bool) *Builder {
	return &Builder{Class: format.Class{Order: order, Wide: wide}, Machine: m}
}

// AMD64 returns a builder for x86-64.
func AMD64() *Builder { return New(stdelf.EM_X86_64, binary.LittleEndian, true) }

// Append16 appends numbers of two bytes.
func (b *Builder) Append16(p []byte, v ...uint16) []byte {
	for _, x := range v {
		p = b.Order.(binary.AppendByteOrder).AppendUint16(p, x)
	}
	return p
}

// Append32 appends numbers of four bytes.
func (b *Builder) Append32(p []byte, v ...uint32) []byte {
	for _, x := range v {
		p = b.Order.(binary.AppendByteOrder).AppendUint32(p, x)
	}
	return p
}

// AppendWord appends words of the class' address size.
func (b *Builder) AppendWord(p []byte, v ...uint64) []byte {
	for _, x := range v {
		if b.Wide {
			p = b.Order.(binary.AppendByteOrder).AppendUint64(p, x)
		} else {
			p = b.Append32(p, uint32(x))
		}
	}
	return p
}

// Load adds a segment; memsz 0 means as much as data.
func (b *Builder) Load(vaddr, memsz uint64, prot core.Prot, data []byte) *Builder {
	if memsz == 0 {
		memsz = uint64(len(data))
	}
	return b.Segment(stdelf.PT_LOAD, vaddr, memsz, prot, data, uint64(len(data)))
}

// Segment adds a segment of a type that claims to have claim bytes in the file.
func (b *Builder) Segment(typ stdelf.ProgType, vaddr, memsz uint64, prot core.Prot, data []byte,
	claim uint64) *Builder {
	b.loads = append(b.loads, load{vaddr, memsz, prot, data, typ, claim})
	return b
}

// Note adds a note that claims size bytes of descriptor; size < 0 means as many
// as it has.
func (b *Builder) Note(owner string, typ uint32, desc []byte, size int) *Builder {
	if size < 0 {
		size = len(desc)
	}
	pad := func(p []byte) []byte {
		for len(p)%4 != 0 {
			p = append(p, 0)
		}
		return p
	}
	b.Notes = b.Append32(b.Notes, uint32(len(owner)+1), uint32(size), typ)
	b.Notes = pad(append(append(b.Notes, owner...), 0))
	b.Notes = pad(append(b.Notes, desc...))
	return b
}

// Status makes an NT_PRSTATUS descriptor with register number i set to base+i.
func (b *Builder) Status(tid, sig int, base uint64) []byte {
	layout, _ := note.StatusOf(format.Header{Class: b.Class, Machine: b.Machine, Flags: b.Flags})
	d := make([]byte, layout.Size+8)
	b.Order.PutUint16(d[12:], uint16(sig))
	b.Order.PutUint32(d[layout.PID:], uint32(tid))
	for i, r := range layout.Regs {
		if r.Size == 8 {
			b.Order.PutUint64(d[r.Off:], base+uint64(i))
		} else {
			b.Order.PutUint32(d[r.Off:], uint32(base)+uint32(i))
		}
	}
	return d[:layout.Size]
}

// Thread adds a thread.
func (b *Builder) Thread(tid, sig int, base uint64) *Builder {
	return b.Note("CORE", NTPRStatus, b.Status(tid, sig, base), -1)
}

// Mapped returns what NT_FILE lists of a mapping.
func Mapped(start, end core.Addr, off uint64, path string) note.FileMapping {
	return note.FileMapping{Start: start, End: end, Off: off, Path: path}
}

// Files makes an NT_FILE descriptor that claims count mappings.
func (b *Builder) Files(count uint64, es ...note.FileMapping) []byte {
	d := b.AppendWord(nil, count, 4096)
	for _, e := range es {
		d = b.AppendWord(d, uint64(e.Start), uint64(e.End), e.Off/4096)
	}
	for _, e := range es {
		d = append(append(d, e.Path...), 0)
	}
	return d
}

// Auxv makes an NT_AUXV descriptor of types and values.
func (b *Builder) Auxv(pairs ...uint64) []byte { return b.AppendWord(nil, append(pairs, 0, 0)...) }

// ProgBytes appends a program header.
func (b *Builder) ProgBytes(p []byte, typ stdelf.ProgType, flags uint32, off, vaddr, filesz, memsz uint64) []byte {
	if b.Wide {
		return b.AppendWord(b.Append32(p, uint32(typ), flags), off, vaddr, 0, filesz, memsz, 1)
	}
	p = b.Append32(p, uint32(typ), uint32(off), uint32(vaddr), 0, uint32(filesz), uint32(memsz))
	return b.Append32(p, flags, 1)
}

// HeaderBytes makes an ELF header.
func (b *Builder) HeaderBytes(typ stdelf.Type, phoff, shoff, phnum uint64) []byte {
	h := append([]byte(stdelf.ELFMAG), byte(stdelf.ELFCLASS32), byte(stdelf.ELFDATA2LSB), 1, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	if b.Wide {
		h[4] = byte(stdelf.ELFCLASS64)
	}
	if b.Order == binary.BigEndian {
		h[5] = byte(stdelf.ELFDATA2MSB)
	}
	h = b.Append32(b.Append16(h, uint16(typ), uint16(b.Machine)), 1)
	h = b.Append32(b.AppendWord(h, 0, phoff, shoff), b.Flags)
	return b.Append16(h, uint16(b.HeaderSize()), uint16(b.ProgSize()), uint16(min(phnum, format.PNXNum)),
		uint16(b.SectionSize()), 0, 0)
}

// Core lays the core out as the kernel does: header, program headers, notes,
// segments, and after them section header 0 where PN_XNUM needs it.
func (b *Builder) Core() []byte {
	n := uint64(len(b.loads) + 1)
	notes := uint64(b.HeaderSize()) + n*uint64(b.ProgSize())
	off := notes + uint64(len(b.Notes))
	ph := b.ProgBytes(nil, stdelf.PT_NOTE, 0, notes, 0, uint64(len(b.Notes)), 0)
	var data []byte
	for _, l := range b.loads {
		ph = b.ProgBytes(ph, l.typ, uint32(l.prot), off+uint64(len(data)), l.vaddr, l.claim, l.memsz)
		data = append(data, l.data...)
	}
	shoff := uint64(0)
	if n >= format.PNXNum {
		shoff = off + uint64(len(data))
		sh := b.Append32(nil, 0, 0)
		sh = b.AppendWord(sh, 0, 0, 0, 1)
		sh = b.Append32(sh, 0, uint32(n))
		data = append(data, b.AppendWord(sh, 0, 0)...)
	}
	out := append(b.HeaderBytes(stdelf.ET_CORE, uint64(b.HeaderSize()), shoff, n), ph...)
	return append(append(out, b.Notes...), data...)
}

// Library makes an image with a build-id in its only segment, which is text and
// has size bytes.
func (b *Builder) Library(id []byte, size uint64, fill byte) []byte {
	note := append(b.Append32(nil, 4, uint32(len(id)), NTGNUBuildID), "GNU\x00"...)
	note = append(note, id...)
	hdr := uint64(b.HeaderSize())
	noteOff := hdr + 2*uint64(b.ProgSize())
	out := b.HeaderBytes(stdelf.ET_DYN, hdr, 0, 2)
	out = b.ProgBytes(out, stdelf.PT_LOAD, uint32(core.Read|core.Exec), 0, 0, size, size)
	out = b.ProgBytes(out, stdelf.PT_NOTE, 4, noteOff, noteOff, uint64(len(note)), uint64(len(note)))
	out = append(out, note...)
	for uint64(len(out)) < size {
		out = append(out, fill)
	}
	return out
}

// At returns n bytes with 32-bit numbers at places of them.
func (b *Builder) At(n int, places map[int]uint32) []byte {
	d := make([]byte, n)
	for at, v := range places {
		b.Order.PutUint32(d[at:], v)
	}
	return d
}

// Put writes words of the class' size at a place.
func (b *Builder) Put(d []byte, at int, v ...uint64) []byte {
	copy(d[at:], b.AppendWord(nil, v...))
	return d
}

// Text puts a text at a place.
func Text(d []byte, at int, s string) []byte {
	copy(d[at:], s)
	return d
}

// Siginfo makes an NT_SIGINFO descriptor with fields after number, error and code.
func (b *Builder) Siginfo(signo, code int32, fields ...uint64) []byte {
	d := b.AppendWord(b.Append32(nil, uint32(signo), 0, uint32(code), 0), fields...)
	return append(d, make([]byte, 128-len(d))...)
}

// VectorNote makes a descriptor of NT_ARM_SVE, NT_ARM_SSVE or NT_ARM_ZA: its header, then
// size bytes that count up.
func (b *Builder) VectorNote(vl, flags uint16, size int) []byte {
	d := b.Append32(nil, uint32(16+size), uint32(16+size))
	d = b.Append16(d, vl, 256, flags, 0)
	for i := range size {
		d = append(d, byte(i))
	}
	return d
}

// SVESize is SVE_PT_SVE_SIZE without its header (Linux 6.18, arch/arm64/include/uapi/asm/ptrace.h).
func SVESize(vl int) int { return (32*vl+17*vl/8+15)&^15 + 16 }

// ARM64 returns a builder for arm64.
func ARM64() *Builder { return New(stdelf.EM_AARCH64, binary.LittleEndian, true) }
