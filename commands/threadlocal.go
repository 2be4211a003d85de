package commands

import (
	"fmt"

	"coredbg/core"
	"coredbg/core/sym"
	"coredbg/core/tls"
)

// ThreadLocalSymbol returns where the current thread has a thread-local variable. The error is core.ErrUnknown.
func (s *Target) ThreadLocalSymbol(y sym.Symbol) (core.Addr, error) {
	a, err := s.ThreadLocal(s.Thread, y.Module, uint64(y.Addr))
	if err != nil && y.Name == "errno" {
		if at, ok := s.Errno(); ok {
			return at, nil
		}
	}
	if err != nil {
		name := y.Name
		if y.Module != nil {
			name = y.Module.Name() + "`" + name
		}
		return 0, core.Unknown(fmt.Errorf("%s is thread-local, at offset %#x of its block: %w", sym.Clean(name),
			uint64(y.Addr), err))
	}
	return a, nil
}

// ThreadLocal returns where a thread has the byte at an offset of a module's thread-local block.
func (s *Target) ThreadLocal(t *core.Thread, m *core.Module, off uint64) (core.Addr, error) {
	return tls.Address(s.Process, t, m, off)
}

// Errno returns where the current thread has errno, if it is no variable, as on musl, or if no word of the
// library says where its block lies: the function that programs ask has that place in its code.
func (s *Target) Errno() (core.Addr, bool) {
	if at, ok := tls.MuslErrno(s.Process, s.Thread); ok || s.Symbols == nil {
		return at, ok
	}
	f, ok := s.Symbols.Find("", "__errno_location")
	if !ok || f.Kind != core.SymFunc {
		return 0, false
	}
	return tls.ErrnoBy(s.Process, s.Thread, f.Addr)
}
