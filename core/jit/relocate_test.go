package jit

import (
	stdelf "debug/elf"
	"encoding/binary"
	"testing"

	"coredbg/core/elf/format"
)

// TestRelocate applies one relocation of each kind. S is 0x1000 (a section at 0xf00, a symbol 0x100 in it),
// the addend 0x10, the place 0x2008. The processors' ELF ABIs define the results.
func TestRelocate(t *testing.T) {
	le, be := binary.LittleEndian, binary.BigEndian
	for _, c := range []struct {
		name    string
		machine stdelf.Machine
		order   binary.ByteOrder
		wide    bool
		rela    bool
		typ     uint32
		before  uint64 // at the place
		size    int
		want    uint64
	}{
		{"R_X86_64_64", stdelf.EM_X86_64, le, true, true, 1, 99, 8, 0x1010},
		{"R_X86_64_PC32", stdelf.EM_X86_64, le, true, true, 2, 99, 4, 0x1010 - 0x2008&0xffffffff + 1<<32},
		{"R_X86_64_32", stdelf.EM_X86_64, le, true, true, 10, 99, 4, 0x1010},
		{"R_386_32, whose addend is at the place", stdelf.EM_386, le, false, false, 1, 0x10, 4, 0x1010},
		{"R_386_PC32", stdelf.EM_386, le, false, false, 2, 0x10, 4, 0x1010 - 0x2008&0xffffffff + 1<<32},
		{"R_AARCH64_ABS64", stdelf.EM_AARCH64, le, true, true, 257, 99, 8, 0x1010},
		{"R_ARM_ABS32", stdelf.EM_ARM, le, false, false, 2, 0x10, 4, 0x1010},
		{"R_RISCV_ADD32", stdelf.EM_RISCV, le, true, true, 35, 5, 4, 0x1015},
		{"R_RISCV_SUB32", stdelf.EM_RISCV, le, true, true, 39, 0x2000, 4, 0xff0},
		{"R_390_64", stdelf.EM_S390, be, true, true, 22, 99, 8, 0x1010},
		{"R_PPC64_ADDR64", stdelf.EM_PPC64, be, true, true, 38, 99, 8, 0x1010},
		{"an unknown one", stdelf.EM_X86_64, le, true, true, 77, 99, 4, 99},
	} {
		cl := format.Class{Order: c.order, Wide: c.wide}
		r := &relocator{Header: format.Header{Class: cl, Machine: c.machine}}
		w := r.Ptr()
		word := func(b []byte, v uint64) []byte {
			x := make([]byte, w)
			r.put(x, v)
			return append(b, x...)
		}
		value, shndx, size := r.symbolOff()
		syms := make([]byte, 2*size)
		r.put(syms[size+value:size+value+w], 0x100)
		c.order.PutUint16(syms[size+shndx:], 1)
		info := uint64(1)<<32 | uint64(c.typ)
		if !c.wide {
			info = 1<<8 | uint64(c.typ)
		}
		table := word(word(nil, 8), info)
		kind := stdelf.SHT_REL
		if c.rela {
			table, kind = word(table, 0x10), stdelf.SHT_RELA
		}
		place := make([]byte, 16)
		r.put(place[8:8+c.size], c.before)
		r.data = append(append(append([]byte{}, syms...), table...), place...)
		at := func(n int) uint64 { return uint64(n) }
		r.sections = []format.Section{{}, {Type: stdelf.SHT_PROGBITS, Flags: stdelf.SHF_ALLOC, Addr: 0xf00},
			{Type: stdelf.SHT_SYMTAB, Off: 0, Size: at(len(syms))},
			{Type: kind, Off: at(len(syms)), Size: at(len(table)), Link: 2, Info: 4},
			{Type: stdelf.SHT_PROGBITS, Addr: 0x2000, Off: at(len(syms) + len(table)), Size: 16}}
		r.all()
		b := r.data[len(syms)+len(table)+8:]
		got := r.get(b[:c.size])
		want := c.want
		if c.size == 4 {
			want &= 1<<32 - 1
		}
		if got != want {
			t.Errorf("%s: %#x, want %#x", c.name, got, want)
		}
		if v := r.Word(r.data, size+value); v != 0x1000 {
			t.Errorf("%s: the symbol is at %#x", c.name, v)
		}
	}
}
