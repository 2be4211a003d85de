package note

import (
	stdelf "debug/elf"
	"encoding/binary"
	"testing"

	"coredbg/core/elf/format"
)

// TestTracedStop: if a tracer stopped the process, the field of a fault's address holds the process'
// own id. The codes come from ptrace(2), PTRACE_GETSIGINFO.
func TestTracedStop(t *testing.T) {
	for _, c := range []struct {
		signal, code uint32
		name         string
		addr         bool
	}{
		{5, 0x85, "SIGTRAP | 0x80", false}, {5, 3<<8 | 5, "PTRACE_EVENT_CLONE", false},
		{5, 128<<8 | 5, "PTRACE_EVENT_STOP", false},
		{5, 1, "TRAP_BRKPT", true}, {11, 1, "SEGV_MAPERR", true}, {5, 99<<8 | 5, "", false},
		{5, 0x80, "SI_KERNEL", false},
	} {
		d := make([]byte, 128)
		binary.LittleEndian.PutUint32(d, c.signal)
		binary.LittleEndian.PutUint32(d[8:], c.code)
		binary.LittleEndian.PutUint32(d[16:], 4711)
		m := &machine{Class: format.Class{Order: binary.LittleEndian, Wide: true}, id: stdelf.EM_X86_64}
		s := m.siginfo(d)
		if s.CodeName != c.name || s.HasAddr != c.addr || s.HasSender {
			t.Errorf("%d, %#x: %+v, want code %q, address %v", c.signal, c.code, s, c.name, c.addr)
		}
	}
}
