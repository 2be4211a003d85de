package note

import (
	stdelf "debug/elf"
	"encoding/binary"
	"testing"

	"coredbg/core/elf/format"
)

// TestStatusSizes: the sizes of struct elf_prstatus, and the places of the registers in it, are the
// ones by which BFD recognises kernels (binutils 2.40, bfd/elf*-*.c, grok_prstatus; not read for ppc64,
// sparc64 and loongarch64).
func TestStatusSizes(t *testing.T) {
	le, be := binary.ByteOrder(binary.LittleEndian), binary.ByteOrder(binary.BigEndian)
	for _, c := range []struct {
		m         stdelf.Machine
		order     binary.ByteOrder
		wide      bool
		flags     uint32
		size, off int
		pc        int // offset of the program counter in NT_PRSTATUS
	}{
		{stdelf.EM_X86_64, le, true, 0, 336, 112, 112 + 128},
		{stdelf.EM_X86_64, le, false, 0, 296, 72, 72 + 128}, // x32
		{stdelf.EM_386, le, false, 0, 144, 72, 72 + 48},
		{stdelf.EM_AARCH64, le, true, 0, 392, 112, 112 + 256},
		{stdelf.EM_ARM, le, false, 0, 148, 72, 72 + 60},
		{stdelf.EM_PPC, be, false, 0, 268, 72, 72 + 128},
		{stdelf.EM_PPC64, be, true, 0, 504, 112, 112 + 256},
		{stdelf.EM_S390, be, false, 0, 224, 72, 72 + 4},
		{stdelf.EM_S390, be, true, 0, 336, 112, 112 + 8},
		{stdelf.EM_MIPS, be, false, 0, 256, 72, 72 + 160},
		{stdelf.EM_MIPS, be, true, 0, 480, 112, 112 + 272},
		{stdelf.EM_MIPS, be, false, format.MIPSABI2, 440, 72, 72 + 272},
		{stdelf.EM_SPARCV9, be, true, 0, 408, 112, 112 + 33*8},
		{stdelf.EM_LOONGARCH, le, true, 0, 480, 112, 112 + 33*8},
		{stdelf.EM_68K, be, false, 0, 154, 70, 70 + 72},
		{stdelf.EM_RISCV, le, true, 0, 376, 112, 112},
	} {
		g, ok := gregsOf(c.m, format.Class{Order: c.order, Wide: c.wide}, c.flags)
		a := format.ArchOf(c.m, format.Class{Order: c.order, Wide: c.wide}, c.flags)
		if !ok || g.status() != c.size || g.off != c.off {
			t.Errorf("%v: %d bytes with registers at %d, want %d, %d", c.m, g.status(), g.off, c.size, c.off)
		}
		for _, r := range g.list {
			if r.slot == a.PC && g.off+r.off != c.pc {
				t.Errorf("%s: the program counter is at %d, want %d", a.Name, g.off+r.off, c.pc)
			}
		}
	}
}
