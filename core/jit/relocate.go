package jit

import (
	stdelf "debug/elf"
	"encoding/binary"

	"coredbg/core/elf/format"
)

// A fix is what a relocation does to its place.
type fix struct {
	size int  // bytes
	pc   bool // relative to the place
	op   byte // '+' or '-' changes the value that is there, 0 replaces it
}

// fixes are the relocations of debugging information and call frame information, by machine.
var fixes = map[stdelf.Machine]map[uint32]fix{
	stdelf.EM_X86_64:  {1: {size: 8}, 2: {size: 4, pc: true}, 10: {size: 4}, 11: {size: 4}, 24: {size: 8, pc: true}},
	stdelf.EM_386:     {1: {size: 4}, 2: {size: 4, pc: true}},
	stdelf.EM_AARCH64: {257: {size: 8}, 258: {size: 4}, 260: {size: 8, pc: true}, 261: {size: 4, pc: true}},
	stdelf.EM_ARM:     {2: {size: 4}, 3: {size: 4, pc: true}, 38: {size: 4}},
	stdelf.EM_PPC64:   {1: {size: 4}, 26: {size: 4, pc: true}, 38: {size: 8}, 44: {size: 8, pc: true}},
	stdelf.EM_PPC:     {1: {size: 4}, 26: {size: 4, pc: true}},
	stdelf.EM_S390:    {4: {size: 4}, 5: {size: 4, pc: true}, 22: {size: 8}, 23: {size: 8, pc: true}},
	stdelf.EM_MIPS:    {2: {size: 4}, 18: {size: 8}, 248: {size: 4, pc: true}},
	stdelf.EM_LOONGARCH: {1: {size: 4}, 2: {size: 8}, 47: {1, false, '+'}, 48: {2, false, '+'}, 50: {4, false, '+'},
		51: {8, false, '+'}, 52: {1, false, '-'}, 53: {2, false, '-'}, 55: {4, false, '-'}, 56: {8, false, '-'},
		99: {size: 4, pc: true}, 109: {size: 8, pc: true}},
	stdelf.EM_RISCV: {1: {size: 4}, 2: {size: 8}, 33: {1, false, '+'}, 34: {2, false, '+'}, 35: {4, false, '+'},
		36: {8, false, '+'}, 37: {1, false, '-'}, 38: {2, false, '-'}, 39: {4, false, '-'}, 40: {8, false, '-'},
		54: {size: 1}, 55: {size: 2}, 56: {size: 4}, 57: {size: 4, pc: true}},
}

// maxRelocations bounds the relocations that are applied to one object.
const maxRelocations = 4 << 20

// A relocator applies the relocations of an object file to a copy of its bytes.
type relocator struct {
	format.Header
	data     []byte
	sections []format.Section
	left     int // relocations that may be applied
}

// all applies the relocations of sections that do not hold code or data, and moves symbols to where their sections are.
// Code and data are in memory as they run.
func (r *relocator) all() {
	r.left = maxRelocations
	for i := range r.sections {
		s := &r.sections[i]
		if (s.Type == stdelf.SHT_RELA || s.Type == stdelf.SHT_REL) && int(s.Info) < len(r.sections) &&
			int(s.Link) < len(r.sections) {
			if to := &r.sections[s.Info]; to.Flags&(stdelf.SHF_COMPRESSED|stdelf.SHF_EXECINSTR|stdelf.SHF_WRITE) == 0 &&
				to.Type != stdelf.SHT_NOBITS {
				r.section(s, to)
			}
		}
	}
	for i := range r.sections {
		if r.sections[i].Type == stdelf.SHT_SYMTAB {
			r.symbols(&r.sections[i])
		}
	}
}

// bytes returns the bytes of a section in the copy, fewer if the file ends before.
func (r *relocator) bytes(s *format.Section) []byte {
	if s.Type == stdelf.SHT_NOBITS || s.Off >= uint64(len(r.data)) {
		return nil
	}
	return r.data[s.Off : s.Off+min(s.Size, uint64(len(r.data))-s.Off)]
}

// section applies the relocations in s to the section to.
func (r *relocator) section(s, to *format.Section) {
	known := fixes[r.Machine]
	w := r.Ptr()
	entry := 2 * w
	if s.Type == stdelf.SHT_RELA {
		entry = 3 * w
	}
	table, data, syms := r.bytes(s), r.bytes(to), r.bytes(&r.sections[s.Link])
	for ; len(table) >= entry && r.left > 0; table = table[entry:] {
		r.left--
		at, info := r.Word(table, 0), r.Word(table, w)
		sym, typ := info>>32, uint32(info)
		switch {
		case !r.Wide:
			sym, typ = info>>8, uint32(info&0xff)
		case r.Machine == stdelf.EM_MIPS && r.Order == binary.LittleEndian: // r_sym, r_ssym, r_type3, r_type2, r_type
			sym, typ = info&(1<<32-1), uint32(info>>56)
		}
		f, ok := known[typ]
		if !ok || at > uint64(len(data)) || uint64(len(data))-at < uint64(f.size) {
			continue
		}
		place := data[at : at+uint64(f.size)]
		value, ok := r.value(syms, sym)
		if !ok {
			continue
		}
		if s.Type == stdelf.SHT_RELA {
			value += r.signed(table, 2*w)
		} else {
			value += r.get(place)
		}
		switch {
		case f.pc:
			value -= to.Addr + at
		case f.op == '+':
			value += r.get(place)
		case f.op == '-':
			value = r.get(place) - value
		}
		r.put(place, value)
	}
}

// signed reads a word as a signed number.
func (r *relocator) signed(b []byte, off int) uint64 {
	v := r.Word(b, off)
	if !r.Wide {
		v = uint64(int64(int32(v)))
	}
	return v
}

// symbolOff returns where st_value and st_shndx are in a symbol, and its size in bytes.
func (r *relocator) symbolOff() (value, shndx, size int) {
	if r.Wide {
		return 8, 6, 24
	}
	return 4, 14, 16
}

// value returns the address that a symbol stands for; ok is false if its section was not put anywhere.
func (r *relocator) value(syms []byte, n uint64) (v uint64, ok bool) {
	value, shndx, size := r.symbolOff()
	if n >= uint64(len(syms)/size) {
		return 0, false
	}
	b := syms[n*uint64(size):]
	v = r.Word(b, value)
	section := stdelf.SectionIndex(r.Order.Uint16(b[shndx:]))
	switch {
	case n == 0, section == stdelf.SHN_ABS:
		return v, true
	case int(section) >= len(r.sections), section == stdelf.SHN_UNDEF:
		return 0, false
	}
	s := &r.sections[section]
	return v + s.Addr, s.Addr != 0 || s.Flags&stdelf.SHF_ALLOC == 0
}

// symbols adds to the values of symbols the addresses of their sections. Those of sections that were not put anywhere
// become undefined.
func (r *relocator) symbols(s *format.Section) {
	value, shndx, size := r.symbolOff()
	for b := r.bytes(s); len(b) >= size; b = b[size:] {
		section := stdelf.SectionIndex(r.Order.Uint16(b[shndx:]))
		if section == stdelf.SHN_UNDEF || int(section) >= len(r.sections) {
			continue
		}
		to := &r.sections[section]
		if to.Addr == 0 && to.Flags&stdelf.SHF_ALLOC != 0 {
			r.Order.PutUint16(b[shndx:], uint16(stdelf.SHN_UNDEF))
			continue
		}
		r.put(b[value:value+r.Ptr()], r.Word(b, value)+to.Addr)
	}
}

// get reads a number of the size of b.
func (r *relocator) get(b []byte) uint64 {
	switch len(b) {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(r.Order.Uint16(b))
	case 4:
		return uint64(r.Order.Uint32(b))
	}
	return r.Order.Uint64(b)
}

// put writes a number of the size of b.
func (r *relocator) put(b []byte, v uint64) {
	switch len(b) {
	case 1:
		b[0] = byte(v)
	case 2:
		r.Order.PutUint16(b, uint16(v))
	case 4:
		r.Order.PutUint32(b, uint32(v))
	default:
		r.Order.PutUint64(b, v)
	}
}
