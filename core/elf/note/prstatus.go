package note

import (
	stdelf "debug/elf"
	"slices"
	"strconv"

	"coredbg/core"
	"coredbg/core/elf/format"
)

// NT_PRSTATUS is struct elf_prstatus (Linux, include/linux/elfcore.h): signal
// numbers, masks, ids, times, then the registers as the architecture's
// elf_gregset_t lays them out, then pr_fpvalid.

// A Status says where NT_PRSTATUS has a thread's id and its general registers, in bytes from the
// start of the descriptor.
type Status struct {
	Size int // of the descriptor
	PID  int
	Regs []StatusReg // in the note's order
}

// A StatusReg is the place of a register.
type StatusReg struct {
	Name      string
	Off, Size int
}

// StatusOf returns the layout of NT_PRSTATUS for the kernel of a core with the header h. It returns
// false if the layout is not known.
func StatusOf(h format.Header) (Status, bool) {
	g, ok := gregsOf(h.Machine, h.Class, h.Flags)
	s := Status{Size: g.status(), PID: g.pid}
	for _, r := range g.list {
		s.Regs = append(s.Regs, StatusReg{r.name, g.off + r.off, r.size})
	}
	return s, ok
}

// gregsOf returns the layout of a machine's elf_gregset_t.
func gregsOf(m stdelf.Machine, c format.Class, flags uint32) (gregs, bool) {
	a := format.ArchOf(m, c, flags)
	if a == nil {
		return gregs{}, false
	}
	size, list := registersOf(m, a)
	g := gregs{size: size, list: list, pid: 24, off: 72, align: 4}
	switch {
	case c.Wide:
		g.pid, g.off, g.align = 32, 112, 8
	case m == stdelf.EM_68K: // longs are aligned to 2
		g.pid, g.off, g.align = 22, 70, 2
	case m == stdelf.EM_S390, len(list) > 0 && list[0].size == 8: // x32, n32
		g.align = 8
	}
	return g, size > 0
}

// registersOf returns an architecture's elf_gregset_t: its size in bytes and its registers (Linux 6.12,
// arch/*/include/uapi/asm/ptrace.h, and elf.h where that is named).
func registersOf(m stdelf.Machine, a *core.Arch) (size int, list []greg) {
	names := func(n int, more ...string) []string { return append(append([]string{}, a.RegNames[:n]...), more...) }
	switch m {
	case stdelf.EM_X86_64: // arch/x86/include/asm/user_64.h; x32 has the same
		return 27 * 8, words(a, 8, "r15", "r14", "r13", "r12", "rbp", "rbx", "r11", "r10", "r9", "r8",
			"rax", "rcx", "rdx", "rsi", "rdi", "orig_rax", "rip", "cs", "eflags", "rsp", "ss",
			"fs_base", "gs_base", "ds", "es", "fs", "gs")
	case stdelf.EM_386: // arch/x86/include/asm/user_32.h
		return 17 * 4, words(a, 4, "ebx", "ecx", "edx", "esi", "edi", "ebp", "eax", "ds", "es", "fs", "gs",
			"orig_eax", "eip", "cs", "eflags", "esp", "ss")
	case stdelf.EM_AARCH64:
		return 34 * 8, words(a, 8, names(33, "pstate")...)
	case stdelf.EM_ARM:
		return 18 * 4, words(a, 4, names(16, "cpsr", "orig_r0")...)
	case stdelf.EM_RISCV: // pc takes the place of zero
		return 32 * 8, words(a, 8, append([]string{"pc"}, a.RegNames[1:32]...)...)
	case stdelf.EM_PPC64, stdelf.EM_PPC:
		return 48 * a.PtrSize, words(a, a.PtrSize, names(32, "pc", "msr", "orig_r3", "ctr",
			"lr", "xer", "cr", "softe", "trap", "dar", "dsisr", "result")...)
	case stdelf.EM_S390: // psw, gprs, acrs, orig_gpr2
		w := a.PtrSize
		l := words(a, w, append([]string{"pswm", "pswa"}, a.RegNames[:16]...)...)
		for i := range 16 {
			l = append(l, greg{name: "acr" + strconv.Itoa(i), off: 18*w + 4*i, size: 4, slot: -1, set: "system"})
		}
		size = (19*w + 64 + 7) &^ 7 // the psw is aligned to 8
		return size, append(l, greg{name: "orig_r2", off: 18*w + 64, size: w, slot: -1, set: "system"})
	case stdelf.EM_MIPS: // arch/mips/include/uapi/asm/reg.h; zero is not kept
		after := []string{"lo", "hi", "pc", "badvaddr", "status", "cause"}
		if a == core.MIPS || a == core.MIPSEL {
			return 45 * 4, words(a, 4, append(append(make([]string, 7), a.RegNames[1:32]...), after...)...)
		}
		return 45 * 8, words(a, 8, append(append(make([]string, 1), a.RegNames[1:32]...), after...)...)
	case stdelf.EM_SPARCV9: // arch/sparc/include/asm/elf_64.h
		return 36 * 8, words(a, 8, names(32, "tstate", "pc", "npc", "y")...)
	case stdelf.EM_LOONGARCH:
		return 45 * 8, words(a, 8, names(32, "orig_a0", "pc", "badvaddr")...)
	case stdelf.EM_68K: // arch/m68k/include/asm/elf.h
		return 20 * 4, words(a, 4, "d1", "d2", "d3", "d4", "d5", "d6", "d7", "a0", "a1", "a2", "a3", "a4", "a5", "fp",
			"d0", "sp", "orig_d0", "sr", "pc", "format")
	}
	return 0, nil
}

// decode reads the registers that d, from pr_reg on, has.
func (g gregs) decode(c format.Class, d []byte, visit func(greg, uint64)) {
	for _, r := range g.list {
		if r.off+r.size > len(d) {
			continue
		}
		switch r.size {
		case 8:
			visit(r, c.Order.Uint64(d[r.off:]))
		case 2:
			visit(r, uint64(c.Order.Uint16(d[r.off:])))
		default:
			visit(r, uint64(c.Order.Uint32(d[r.off:])))
		}
	}
}

// thread makes a thread of an NT_PRSTATUS descriptor; nil if it is too short to
// have a thread id.
func (m *machine) thread(d []byte) *core.Thread {
	if len(d) < m.gregs.pid+4 {
		return nil
	}
	t := &core.Thread{
		TID: int(int32(m.Order.Uint32(d[m.gregs.pid:]))), Signal: int(m.Order.Uint16(d[12:])), State: "Native",
	}
	if len(d) <= m.gregs.off {
		return t
	}
	m.gregs.decode(m.Class, d[m.gregs.off:], func(r greg, v uint64) {
		if r.slot >= 0 {
			t.Regs.Set(r.slot, v&m.addrMask(r))
		}
		if m.id == stdelf.EM_X86_64 && r.name == "fs_base" {
			t.TLS = core.Addr(v)
		}
	})
	t.TLS = max(t.TLS, m.threadPointer(t, d[m.gregs.off:]))
	t.CPU = m.cpuTime(d)
	return t
}

// addrMask is the mask of the bits of a register's value that count. It clears the bit of s390's
// program counter that is not part of the address.
func (m *machine) addrMask(r greg) uint64 {
	if m.arch == core.S390 && r.slot == core.S390.PC {
		return 1<<core.S390.AddrBits - 1
	}
	return ^uint64(0)
}

// threadPointer returns a thread's pointer to its local storage where a general
// register or an access register has it; else 0.
func (m *machine) threadPointer(t *core.Thread, regs []byte) core.Addr {
	slot := -1
	switch m.id {
	case stdelf.EM_RISCV:
		slot = 4 // tp
	case stdelf.EM_PPC64:
		slot = 13
	case stdelf.EM_PPC, stdelf.EM_LOONGARCH:
		slot = 2
	case stdelf.EM_SPARCV9:
		slot = 7 // %g7
	case stdelf.EM_S390: // access registers 0 and 1 hold the halves, 0 all of 31 bits
		acrs := 18 * m.Ptr()
		if len(regs) < acrs+8 {
			return 0
		}
		high := core.Addr(m.Order.Uint32(regs[acrs:]))
		if !m.Wide {
			return high
		}
		return high<<32 | core.Addr(m.Order.Uint32(regs[acrs+4:]))
	}
	v, _ := t.Regs.Get(slot)
	return core.Addr(v)
}

// set386TLS finds the descriptor that %gs selects among the thread's TLS
// entries, each a struct user_desc of 16 bytes: entry number, base, limit, flags.
func (m *machine) set386TLS(t *core.Thread, d []byte) {
	gs := uint64(0)
	for _, r := range t.Registers() {
		if r.Name == "gs" {
			gs = r.Value
		}
	}
	for ; len(d) >= 16; d = d[16:] {
		if uint64(m.Order.Uint32(d)) == gs>>3 {
			t.TLS = core.Addr(m.Order.Uint32(d[4:]))
		}
	}
}

// registers decodes the full register set of a thread from its notes.
func (m *machine) registers(notes []core.Note) []core.Register {
	notes = slices.Clone(notes)
	var out []core.Register
	var xlayout []byte
	for _, n := range notes {
		if is(n, ntX86Layout) {
			xlayout = n.Desc
		}
	}
	xstate := false
	for i, n := range notes {
		if as, ok := m.systemVectors(n); ok {
			notes[i], n = as, as
		}
		xstate = xstate || is(n, ntX86XState) && len(n.Desc) >= 576
	}
	for _, n := range notes {
		if r, ok := m.systemRegs(n); ok {
			gregs{list: r.list}.decode(m.Class, r.data, func(r greg, v uint64) {
				out = append(out, core.Register{Name: r.name, Value: v, Size: r.size, Set: r.set})
			})
			continue
		}
		switch {
		case is(n, ntPRStatus) && len(n.Desc) > m.gregs.off:
			m.gregs.decode(m.Class, n.Desc[m.gregs.off:], func(r greg, v uint64) {
				out = append(out, core.Register{Name: r.name, Value: v, Size: r.size, Set: r.set})
			})
		case m.id == stdelf.EM_X86_64 || m.id == stdelf.EM_386:
			out = append(out, m.x86Note(n, xlayout, xstate)...)
		default:
			out = append(out, m.vectorNote(n)...)
		}
	}
	out = append(out, m.streamVector(notes)...)
	return out
}
