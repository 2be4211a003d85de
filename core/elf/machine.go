package elf

import (
	stdelf "debug/elf"
	"encoding/binary"
	"fmt"
	"strings"

	"coredbg/core"
)

// archOf returns the architecture of a machine, nil if its registers are not
// known. One in its other byte order is a copy.
func archOf(m stdelf.Machine, c class) *core.Arch {
	var a *core.Arch
	switch {
	case m == stdelf.EM_X86_64 && c.wide:
		a = core.AMD64
	case m == stdelf.EM_386 && !c.wide:
		a = core.I386
	case m == stdelf.EM_AARCH64 && c.wide:
		a = core.ARM64
	case m == stdelf.EM_ARM && !c.wide:
		a = core.ARM
	case m == stdelf.EM_RISCV && c.wide:
		a = core.RISCV64
	case m == stdelf.EM_PPC64 && c.wide:
		a = core.PPC64LE
	case m == stdelf.EM_S390 && c.wide:
		a = core.S390X
	default:
		return nil
	}
	if a.Order == c.order {
		return a
	}
	other := *a
	other.Order = c.order
	switch m {
	case stdelf.EM_PPC64:
		other.Name = "ppc64"
	case stdelf.EM_AARCH64:
		other.Name = "aarch64_be"
	case stdelf.EM_ARM:
		other.Name = "armeb"
	default:
		return nil
	}
	return &other
}

// machineName names a machine in lower case, as "mips" or "loongarch".
func machineName(m stdelf.Machine) string {
	switch m {
	case stdelf.EM_X86_64:
		return "x86-64"
	case stdelf.EM_386:
		return "i386"
	case stdelf.EM_S390:
		return "s390x"
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

// orderName names a byte order.
func orderName(o binary.ByteOrder) string {
	if o == binary.BigEndian {
		return "big-endian"
	}
	return "little-endian"
}
