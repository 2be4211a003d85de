package commands

import (
	"errors"
	"fmt"

	"coredbg/core"
	"coredbg/core/sym"
)

// A tlsImage is a core.Image that knows its thread-local segment (gABI, PT_TLS): its
// link-time address, its size and its alignment in bytes.
type tlsImage interface {
	TLS() (addr, size, align uint64, ok bool)
}

// threadLocal returns where the current thread has a thread-local variable.
func (s *Session) threadLocal(y sym.Symbol) (core.Addr, error) {
	a, err := s.ThreadLocal(s.Thread, y.Module, uint64(y.Addr))
	if err != nil {
		name := y.Name
		if y.Module != nil {
			name = y.Module.Name() + "`" + name
		}
		return 0, core.Unknown(fmt.Errorf("%s is thread-local, at offset %#x of its block: %w", sym.Clean(name), uint64(y.Addr), err))
	}
	return a, nil
}

// ThreadLocal returns where a thread has the byte at an offset of a module's thread-local
// block. The block of the executable lies where the ABI puts it (U. Drepper, "ELF Handling For
// Thread-Local Storage", variants I and II); those of libraries lie where the dynamic
// linker has put them, which is not known. An offset beyond the block that is a link-time
// address within it is taken for that: so GCC's split units have it (12.2, .debug_addr).
func (s *Session) ThreadLocal(t *core.Thread, m *core.Module, off uint64) (core.Addr, error) {
	switch {
	case t == nil || t.TLS == 0:
		return 0, core.Unknown(errors.New("the thread pointer of the current thread is not known"))
	case m == nil || !m.Exe || s.Process.OS != "linux":
		return 0, core.Unknown(errors.New("where the block of a library lies is not known"))
	}
	image, ok := m.Facts().Image.(tlsImage)
	if !ok {
		return 0, core.Unknown(errors.New("its image cannot be read"))
	}
	addr, size, align, ok := image.TLS()
	if !ok || align == 0 || align&(align-1) != 0 || size > 1<<32 || align > 1<<20 {
		return 0, core.Unknown(errors.New("its image has no PT_TLS segment"))
	}
	if off >= size {
		if off-addr >= size {
			return 0, core.Unknown(fmt.Errorf("the block has %d bytes", size))
		}
		off -= addr
	}
	first := addr & (align - 1)
	up := func(n uint64) uint64 { return (n + align - 1) &^ (align - 1) }
	switch ptr := uint64(s.Process.Arch.PtrSize); s.Process.Arch {
	case core.AMD64, core.X32, core.I386, core.S390X, core.S390:
		return t.TLS - core.Addr(up(size-min(size, first))+first) + core.Addr(off), nil
	case core.ARM64, core.ARM:
		return t.TLS + core.Addr(up(2*ptr-min(2*ptr, first))+first) + core.Addr(off), nil
	case core.RISCV64, core.LOONGARCH64:
		return t.TLS + core.Addr(first) + core.Addr(off), nil
	}
	return 0, core.Unknown(errors.New("the layout of " + s.Process.Arch.Name + " is not known"))
}
