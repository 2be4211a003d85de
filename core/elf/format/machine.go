package format

import (
	stdelf "debug/elf"
	"encoding/binary"
	"fmt"
	"strings"

	"coredbg/core"
)

// MIPSABI2 is EF_MIPS_ABI2, the flag of the n32 ABI.
const MIPSABI2 = 0x20

// ArchOf returns the architecture of a machine, nil if its registers are not
// known. One in a byte order that it is not known in is a copy.
func ArchOf(m stdelf.Machine, c Class, flags uint32) *core.Arch {
	little, big := archsOf(m, c.Wide, flags)
	a, other := little, big
	if c.Order == binary.BigEndian {
		a, other = big, little
	}
	if a != nil || other == nil {
		return a
	}
	swapped := *other
	swapped.Order = c.Order
	switch m {
	case stdelf.EM_AARCH64:
		swapped.Name = "aarch64_be"
	case stdelf.EM_ARM:
		swapped.Name = "armeb"
	default:
		return nil
	}
	return &swapped
}

// archsOf returns the architectures of a machine by byte order, nil for one that is
// not known.
func archsOf(m stdelf.Machine, wide bool, flags uint32) (little, big *core.Arch) {
	type key struct {
		m    stdelf.Machine
		wide bool
	}
	switch (key{m, wide}) {
	case key{stdelf.EM_X86_64, true}:
		return core.AMD64, nil
	case key{stdelf.EM_X86_64, false}:
		return core.X32, nil
	case key{stdelf.EM_386, false}:
		return core.I386, nil
	case key{stdelf.EM_AARCH64, true}:
		return core.ARM64, nil
	case key{stdelf.EM_ARM, false}:
		return core.ARM, nil
	case key{stdelf.EM_RISCV, true}:
		return core.RISCV64, nil
	case key{stdelf.EM_PPC64, true}:
		return core.PPC64LE, core.PPC64
	case key{stdelf.EM_PPC, false}:
		return nil, core.PPC
	case key{stdelf.EM_S390, true}:
		return nil, core.S390X
	case key{stdelf.EM_S390, false}:
		return nil, core.S390
	case key{stdelf.EM_MIPS, true}:
		return core.MIPS64EL, core.MIPS64
	case key{stdelf.EM_MIPS, false}:
		if flags&MIPSABI2 != 0 {
			return core.MIPSN32EL, core.MIPSN32
		}
		return core.MIPSEL, core.MIPS
	case key{stdelf.EM_SPARCV9, true}:
		return nil, core.SPARC64
	case key{stdelf.EM_LOONGARCH, true}:
		return core.LOONGARCH64, nil
	case key{stdelf.EM_68K, false}:
		return nil, core.M68K
	}
	return nil, nil
}

// MachineName names a machine in lower case, as "mips" or "loongarch".
func MachineName(m stdelf.Machine) string {
	switch m {
	case stdelf.EM_X86_64:
		return "x86-64"
	case stdelf.EM_386:
		return "i386"
	case stdelf.EM_S390:
		return "s390x"
	case stdelf.EM_68K:
		return "m68k"
	}
	s, ok := strings.CutPrefix(m.String(), "EM_")
	if !ok {
		s, ok = strings.CutPrefix(m.String(), "elf.EM_")
	}
	if !ok || strings.Contains(s, "Machine") {
		return fmt.Sprintf("machine %d", uint16(m))
	}
	return strings.ToLower(s)
}

// OrderName names a byte order.
func OrderName(o binary.ByteOrder) string {
	if o == binary.BigEndian {
		return "big-endian"
	}
	return "little-endian"
}
