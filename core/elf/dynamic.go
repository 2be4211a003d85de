package elf

import (
	stdelf "debug/elf"

	"coredbg/core"
	"coredbg/core/elf/format"
)

// dynamic is what the dynamic section says (gABI, "Dynamic Section"), with
// addresses as link-time ones.
type dynamic struct {
	symtab, strtab   uint64
	strsz, syment    uint64
	hash, gnuHash    uint64
	debug            uint64 // DT_DEBUG: the process' r_debug; not translated
	debugAt          uint64 // link-time address of that word
	soname           uint64
	haveSoname, have bool
	relocs           map[stdelf.DynTag]uint64 // the entries that name tables of relocations; not translated
}

// maxDynamic bounds the entries of a dynamic section.
const maxDynamic = 4096

func (v *executionView) readDynamic() (d dynamic) {
	p, ok := v.prog(stdelf.PT_DYNAMIC)
	if !ok {
		return d
	}
	b := v.progBytes(p)
	w := v.head.Ptr()
	for i := 0; i < maxDynamic && (2*i+2)*w <= len(b); i++ {
		tag, val := stdelf.DynTag(v.head.Word(b, 2*i*w)), v.head.Word(b, (2*i+1)*w)
		d.have = true
		switch tag {
		case stdelf.DT_NULL:
			return d
		case stdelf.DT_SYMTAB:
			d.symtab = v.toLink(val)
		case stdelf.DT_STRTAB:
			d.strtab = v.toLink(val)
		case stdelf.DT_STRSZ:
			d.strsz = val
		case stdelf.DT_SYMENT:
			d.syment = val
		case stdelf.DT_HASH:
			d.hash = v.toLink(val)
		case stdelf.DT_GNU_HASH:
			d.gnuHash = v.toLink(val)
		case stdelf.DT_RELA, stdelf.DT_RELASZ, stdelf.DT_REL, stdelf.DT_RELSZ, stdelf.DT_JMPREL, stdelf.DT_PLTRELSZ,
			stdelf.DT_PLTREL:
			if d.relocs == nil {
				d.relocs = map[stdelf.DynTag]uint64{}
			}
			d.relocs[tag] = val
		case stdelf.DT_SONAME:
			d.soname, d.haveSoname = val, true
		case stdelf.DT_DEBUG:
			d.debug, d.debugAt = val, p.Vaddr+uint64((2*i+1)*w)
		}
	}
	return d
}

// symSize returns the size of a symbol in bytes.
func symSize(c format.Class) uint64 {
	if c.Wide {
		return 24
	}
	return 16
}

// dynSymbols returns how many symbols the dynamic table has.
func (v *executionView) dynSymbols(d *dynamic) uint64 {
	if d.symtab == 0 {
		return 0
	}
	room := uint64(len(v.loaded(d.symtab, 1<<32))) / symSize(v.head.Class)
	if d.hash != 0 {
		// Words of the hash table have 4 bytes, on s390x 8.
		if b := v.loaded(d.hash, 16); v.head.Machine == stdelf.EM_S390 && v.head.Wide && len(b) == 16 {
			return min(room, v.head.Order.Uint64(b[8:]))
		} else if len(b) >= 8 {
			return min(room, uint64(v.head.Order.Uint32(b[4:])))
		}
	}
	if n, ok := v.gnuHashSymbols(d.gnuHash); ok {
		return min(room, n)
	}
	if d.strtab > d.symtab { // linkers put the strings after the symbols
		return min(room, (d.strtab-d.symtab)/symSize(v.head.Class))
	}
	return 0
}

// gnuHashSymbols returns one more than the highest index in a DT_GNU_HASH table:
// the last chain's end (binutils, elf.c; glibc, elf/dl-lookup.c).
func (v *executionView) gnuHashSymbols(at uint64) (uint64, bool) {
	head := v.loaded(at, 16)
	if at == 0 || len(head) < 16 {
		return 0, false
	}
	nbuckets, first, bloom := v.head.Order.Uint32(head), v.head.Order.Uint32(head[4:]), v.head.Order.Uint32(head[8:])
	buckets := at + 16 + uint64(bloom)*uint64(v.head.Ptr())
	b := v.loaded(buckets, 4*uint64(nbuckets))
	if uint64(len(b)) < 4*uint64(nbuckets) {
		return 0, false
	}
	last := uint32(0)
	for i := range int(nbuckets) {
		last = max(last, v.head.Order.Uint32(b[4*i:]))
	}
	if last < first {
		return uint64(first), true
	}
	chain := v.loaded(buckets+4*uint64(nbuckets)+4*uint64(last-first), 1<<24)
	for i := 0; 4*i+4 <= len(chain); i++ {
		if v.head.Order.Uint32(chain[4*i:])&1 != 0 {
			return uint64(last) + uint64(i) + 1, true
		}
	}
	return 0, false
}

// SoName returns a library's DT_SONAME, or "" if it is not set.
func (f *File) SoName() string {
	d := f.dynamic()
	if !d.haveSoname {
		return ""
	}
	return format.CString(f.exec.loaded(d.strtab, d.strsz), d.soname)
}

// DebugEntry returns what DT_DEBUG, the address of the process' r_debug, has in the image's dynamic
// section, and the link-time address of that word; both are 0 if there is no such entry. It reports
// false if the image has no dynamic section that can be read.
func (f *File) DebugEntry() (r core.Addr, at uint64, ok bool) {
	d := f.dynamic()
	return core.Addr(d.debug), d.debugAt, d.have
}

// synthetic finds a section without section headers.
func (f *File) synthetic(name string) (core.Section, bool) {
	d := f.dynamic()
	s := core.Section{Name: name}
	switch name {
	case ".dynamic":
		if p, ok := f.exec.prog(stdelf.PT_DYNAMIC); ok {
			s.Addr, s.Data = p.Vaddr, f.exec.progBytes(p)
		}
	case ".dynsym":
		s.Addr, s.Data = d.symtab, f.exec.loaded(d.symtab, f.exec.dynSymbols(&d)*symSize(f.exec.head.Class))
	case ".dynstr":
		s.Addr, s.Data = d.strtab, f.exec.loaded(d.strtab, d.strsz)
	case ".eh_frame_hdr":
		if p, ok := f.exec.prog(stdelf.PT_GNU_EH_FRAME); ok {
			s.Addr, s.Data = p.Vaddr, f.exec.progBytes(p)
		}
	case ".eh_frame":
		s.Addr = f.exec.ehFrame()
		if s.Addr != 0 {
			s.Data = f.exec.loaded(s.Addr, maxLent)
		}
	case ".note.gnu.build-id":
		for _, p := range f.exec.progs {
			if p.Type == stdelf.PT_NOTE && buildIDOf(f.exec.head.Class, f.exec.progBytes(p)) != nil {
				s.Addr, s.Data = p.Vaddr, f.exec.progBytes(p)
				break
			}
		}
	}
	return s, len(s.Data) > 0
}

// ehFrame returns the link-time address of .eh_frame, which .eh_frame_hdr names
// in its first encoded pointer (LSB, "Exception Frames"); 0 if there is none.
// How long it is the header does not say; its last record is a zero length.
func (v *executionView) ehFrame() uint64 {
	p, ok := v.prog(stdelf.PT_GNU_EH_FRAME)
	if !ok {
		return 0
	}
	b := v.progBytes(p)
	if len(b) < 12 || b[0] != 1 {
		return 0
	}
	var at uint64
	switch b[1] & 0x0f { // DW_EH_PE_absptr, udata2, udata4, udata8, sdata2, sdata4, sdata8
	case 0x00:
		at = v.head.Word(b, 4)
	case 0x02:
		at = uint64(v.head.Order.Uint16(b[4:]))
	case 0x03:
		at = uint64(v.head.Order.Uint32(b[4:]))
	case 0x04, 0x0c:
		at = v.head.Order.Uint64(b[4:])
	case 0x0a:
		at = uint64(int64(int16(v.head.Order.Uint16(b[4:]))))
	case 0x0b:
		at = uint64(int64(int32(v.head.Order.Uint32(b[4:]))))
	default:
		return 0
	}
	switch b[1] & 0x70 {
	case 0x10: // DW_EH_PE_pcrel
		at += p.Vaddr + 4
	case 0x30: // DW_EH_PE_datarel
		at += p.Vaddr
	}
	if !v.head.Wide {
		at = uint64(uint32(at))
	}
	return at
}
