package elf

import (
	stdelf "debug/elf"
	"encoding/binary"

	"coredbg/core"
)

// A builder makes small cores by hand, after the gABI and core(5).
type builder struct {
	class
	machine stdelf.Machine
	flags   uint32
	loads   []load
	notes   []byte
}

type load struct {
	vaddr, memsz uint64
	prot         core.Prot
	data         []byte
}

func newBuilder(m stdelf.Machine, order binary.ByteOrder, wide bool) *builder {
	return &builder{class: class{order, wide}, machine: m}
}

func amd64Builder() *builder { return newBuilder(stdelf.EM_X86_64, binary.LittleEndian, true) }

func (b *builder) append16(p []byte, v ...uint16) []byte {
	for _, x := range v {
		p = b.order.(binary.AppendByteOrder).AppendUint16(p, x)
	}
	return p
}

func (b *builder) append32(p []byte, v ...uint32) []byte {
	for _, x := range v {
		p = b.order.(binary.AppendByteOrder).AppendUint32(p, x)
	}
	return p
}

// appendWord appends words of the class' address size.
func (b *builder) appendWord(p []byte, v ...uint64) []byte {
	for _, x := range v {
		if b.wide {
			p = b.order.(binary.AppendByteOrder).AppendUint64(p, x)
		} else {
			p = b.append32(p, uint32(x))
		}
	}
	return p
}

// load adds a segment; memsz 0 means as much as data.
func (b *builder) load(vaddr, memsz uint64, prot core.Prot, data []byte) *builder {
	if memsz == 0 {
		memsz = uint64(len(data))
	}
	b.loads = append(b.loads, load{vaddr, memsz, prot, data})
	return b
}

// note adds a note that claims size bytes of descriptor; size < 0 means as many
// as it has.
func (b *builder) note(owner string, typ uint32, desc []byte, size int) *builder {
	if size < 0 {
		size = len(desc)
	}
	pad := func(p []byte) []byte {
		for len(p)%4 != 0 {
			p = append(p, 0)
		}
		return p
	}
	b.notes = b.append32(b.notes, uint32(len(owner)+1), uint32(size), typ)
	b.notes = pad(append(append(b.notes, owner...), 0))
	b.notes = pad(append(b.notes, desc...))
	return b
}

// prstatus makes an NT_PRSTATUS descriptor with register number i set to base+i.
func (b *builder) prstatus(tid, sig int, base uint64) []byte {
	g, _ := gregsOf(b.machine, b.class, b.flags)
	d := make([]byte, g.off+g.size+8)
	b.order.PutUint16(d[12:], uint16(sig))
	b.order.PutUint32(d[g.pid:], uint32(tid))
	for i, r := range g.list {
		at := g.off + r.off
		if r.size == 8 {
			b.order.PutUint64(d[at:], base+uint64(i))
		} else {
			b.order.PutUint32(d[at:], uint32(base)+uint32(i))
		}
	}
	return d[:g.status()]
}

// thread adds a thread.
func (b *builder) thread(tid, sig int, base uint64) *builder {
	return b.note("CORE", ntPRStatus, b.prstatus(tid, sig, base), -1)
}

// fileDesc makes an NT_FILE descriptor that claims count mappings.
func (b *builder) fileDesc(count uint64, es ...fileEntry) []byte {
	d := b.appendWord(nil, count, 4096)
	for _, e := range es {
		d = b.appendWord(d, uint64(e.start), uint64(e.end), e.off/4096)
	}
	for _, e := range es {
		d = append(append(d, e.path...), 0)
	}
	return d
}

// auxv makes an NT_AUXV descriptor of types and values.
func (b *builder) auxv(pairs ...uint64) []byte { return b.appendWord(nil, append(pairs, 0, 0)...) }

func (b *builder) phdrBytes(p []byte, typ stdelf.ProgType, flags uint32, off, vaddr, filesz, memsz uint64) []byte {
	if b.wide {
		return b.appendWord(b.append32(p, uint32(typ), flags), off, vaddr, 0, filesz, memsz, 1)
	}
	p = b.append32(p, uint32(typ), uint32(off), uint32(vaddr), 0, uint32(filesz), uint32(memsz))
	return b.append32(p, flags, 1)
}

// headerBytes makes an ELF header.
func (b *builder) headerBytes(typ stdelf.Type, phoff, shoff, phnum uint64) []byte {
	h := append([]byte(stdelf.ELFMAG), byte(stdelf.ELFCLASS32), byte(stdelf.ELFDATA2LSB), 1, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	if b.wide {
		h[4] = byte(stdelf.ELFCLASS64)
	}
	if b.order == binary.BigEndian {
		h[5] = byte(stdelf.ELFDATA2MSB)
	}
	h = b.append32(b.append16(h, uint16(typ), uint16(b.machine)), 1)
	h = b.append32(b.appendWord(h, 0, phoff, shoff), b.flags)
	return b.append16(h, uint16(b.headerSize()), uint16(b.phdrSize()), uint16(min(phnum, pnXNum)), uint16(b.shdrSize()), 0, 0)
}

// core lays the core out as the kernel does: header, program headers, notes,
// segments, and after them section header 0 where PN_XNUM needs it.
func (b *builder) core() []byte {
	n := uint64(len(b.loads) + 1)
	notes := uint64(b.headerSize()) + n*uint64(b.phdrSize())
	off := notes + uint64(len(b.notes))
	ph := b.phdrBytes(nil, stdelf.PT_NOTE, 0, notes, 0, uint64(len(b.notes)), 0)
	var data []byte
	for _, l := range b.loads {
		ph = b.phdrBytes(ph, stdelf.PT_LOAD, uint32(l.prot), off+uint64(len(data)), l.vaddr, uint64(len(l.data)), l.memsz)
		data = append(data, l.data...)
	}
	shoff := uint64(0)
	if n >= pnXNum {
		shoff = off + uint64(len(data))
		sh := b.append32(nil, 0, 0)
		sh = b.appendWord(sh, 0, 0, 0, 1)
		sh = b.append32(sh, 0, uint32(n))
		data = append(data, b.appendWord(sh, 0, 0)...)
	}
	out := append(b.headerBytes(stdelf.ET_CORE, uint64(b.headerSize()), shoff, n), ph...)
	return append(append(out, b.notes...), data...)
}

// library makes an image with a build-id in its only segment, which is text and
// has size bytes.
func (b *builder) library(id []byte, size uint64, fill byte) []byte {
	note := append(b.append32(nil, 4, uint32(len(id)), ntGNUBuildID), "GNU\x00"...)
	note = append(note, id...)
	hdr := uint64(b.headerSize())
	noteOff := hdr + 2*uint64(b.phdrSize())
	out := b.headerBytes(stdelf.ET_DYN, hdr, 0, 2)
	out = b.phdrBytes(out, stdelf.PT_LOAD, uint32(core.Read|core.Exec), 0, 0, size, size)
	out = b.phdrBytes(out, stdelf.PT_NOTE, 4, noteOff, noteOff, uint64(len(note)), uint64(len(note)))
	out = append(out, note...)
	for uint64(len(out)) < size {
		out = append(out, fill)
	}
	return out
}
