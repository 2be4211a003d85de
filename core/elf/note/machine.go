package note

import (
	stdelf "debug/elf"

	"coredbg/core"
	"coredbg/core/elf/format"
)

// A machine decodes the notes of single threads: registers and signals.
type machine struct {
	format.Class
	id      stdelf.Machine
	arch    *core.Arch // nil if its registers are not known
	gregs   gregs
	illumos bool // or Solaris: notes have Linux' first types, and structures of their own
}

// usualSize returns the size of a note that a machine's kernel always writes
// alike; 0 if it varies.
func (m *machine) usualSize(typ uint32) uint64 {
	switch {
	case typ == ntPRStatus && m.gregs.size > 0:
		return uint64(m.gregs.status())
	case typ == ntPRPSInfo && m.Wide:
		return 136
	case typ == ntSigInfo:
		return 128
	}
	return 0
}
