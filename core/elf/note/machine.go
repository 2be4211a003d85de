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

// A greg is a register's place in elf_gregset_t.
type greg struct {
	name string
	off  int // bytes from the start of pr_reg
	size int // bytes
	slot int // in core.Regs; -1 if unwinding never needs it
	set  string
}

// gregs is an elf_gregset_t, and the struct elf_prstatus around it.
type gregs struct {
	size  int // bytes
	list  []greg
	pid   int // offset of pr_pid
	off   int // offset of pr_reg
	align int // of struct elf_prstatus, in bytes
}

// status returns the size of struct elf_prstatus, which ends with pr_fpvalid.
func (g gregs) status() int { return (g.off + g.size + 4 + g.align - 1) &^ (g.align - 1) }

// words lists registers of n bytes each in order; a name "" skips a word. A
// register named in the architecture's file gets its slot.
func words(a *core.Arch, n int, names ...string) []greg {
	var out []greg
	for i, name := range names {
		if name == "" {
			continue
		}
		g := greg{name: name, off: i * n, size: n, slot: a.SlotOf(name), set: "general"}
		if g.slot < 0 {
			g.set = "system"
		}
		out = append(out, g)
	}
	return out
}

// is reports whether n is the note of Linux of a type.
func is(n core.Note, typ uint32) bool { return n.Name != "" && n.Type == typ }
