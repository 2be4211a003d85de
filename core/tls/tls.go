package tls

import (
	"errors"
	"fmt"

	"coredbg/core"
)

// A segmented image knows its thread-local segment (gABI, PT_TLS): its link-time address, its
// size and its alignment in bytes.
type segmented interface {
	TLS() (addr, size, align uint64, ok bool)
}

// Address returns where a thread has the byte at an offset of a module's thread-local block. An
// offset beyond the block that is a link-time address within it is taken for that address, as
// GCC's split units have it (12.2, .debug_addr). The errors are core.ErrUnknown.
func Address(p *core.Process, t *core.Thread, m *core.Module, off uint64) (core.Addr, error) {
	if t == nil || t.TLS == 0 {
		return 0, unknown("the thread pointer of the current thread is not known")
	}
	if m == nil {
		return 0, unknown("the module of the variable is not known")
	}
	image, ok := m.Facts().Image.(segmented)
	if !ok {
		return 0, unknown("its image cannot be read")
	}
	addr, size, align, ok := image.TLS()
	if !ok || align == 0 || align&(align-1) != 0 || size > 1<<32 || align > 1<<20 {
		return 0, unknown("its image has no PT_TLS segment")
	}
	if off >= size {
		if off-addr >= size {
			return 0, unknown(fmt.Sprintf("the block has %d bytes", size))
		}
		off -= addr
	}
	block, err := core.Addr(0), error(nil)
	if m.Exe && p.OS == "linux" {
		block, err = ofExecutable(p.Arch, t.TLS, addr, size, align)
	} else {
		block, err = ofLibrary(p, t, m)
	}
	if err != nil {
		return 0, err
	}
	return block + core.Addr(off), nil
}

// ofExecutable returns where the ABI puts the block of the executable (Drepper, section 3.4:
// variant II ends at the thread pointer, variant I begins after two words).
func ofExecutable(arch *core.Arch, tp core.Addr, addr, size, align uint64) (core.Addr, error) {
	first := addr & (align - 1)
	up := func(n uint64) uint64 { return (n + align - 1) &^ (align - 1) }
	switch ptr := uint64(arch.PtrSize); arch {
	case core.AMD64, core.X32, core.I386, core.S390X, core.S390:
		return tp - core.Addr(up(size-min(size, first))+first), nil
	case core.ARM64, core.ARM:
		return tp + core.Addr(up(2*ptr-min(2*ptr, first))+first), nil
	case core.RISCV64, core.LOONGARCH64:
		return tp + core.Addr(first), nil
	}
	return 0, unknown("the layout of " + arch.Name + " is not known")
}

func unknown(why string) error { return core.Unknown(errors.New(why)) }
