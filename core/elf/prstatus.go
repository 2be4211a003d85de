package elf

import (
	stdelf "debug/elf"

	"coredbg/core"
)

// NT_PRSTATUS is struct elf_prstatus (Linux, include/linux/elfcore.h): signal
// numbers, masks, ids, times, then the registers as the architecture's
// elf_gregset_t lays them out, then pr_fpvalid.

// prPIDOff is the offset of pr_pid.
func (c class) prPIDOff() int {
	if c.wide {
		return 32
	}
	return 24
}

// prRegOff is the offset of pr_reg.
func (c class) prRegOff() int {
	if c.wide {
		return 112
	}
	return 72
}

// A greg is a register's place in elf_gregset_t.
type greg struct {
	name string
	off  int // bytes from the start of pr_reg
	size int // bytes
	slot int // in core.Regs; -1 if unwinding never needs it
	set  string
}

// gregs is an elf_gregset_t.
type gregs struct {
	size int // bytes
	list []greg
}

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

// gregsOf returns the layout of a machine's elf_gregset_t.
func gregsOf(m stdelf.Machine, c class) (gregs, bool) {
	a := archOf(m, c)
	if a == nil {
		return gregs{}, false
	}
	switch m {
	case stdelf.EM_X86_64: // arch/x86/include/asm/user_64.h
		return gregs{27 * 8, words(a, 8, "r15", "r14", "r13", "r12", "rbp", "rbx", "r11", "r10", "r9", "r8",
			"rax", "rcx", "rdx", "rsi", "rdi", "orig_rax", "rip", "cs", "eflags", "rsp", "ss",
			"fs_base", "gs_base", "ds", "es", "fs", "gs")}, true
	case stdelf.EM_386: // arch/x86/include/asm/user_32.h
		return gregs{17 * 4, words(a, 4, "ebx", "ecx", "edx", "esi", "edi", "ebp", "eax", "ds", "es", "fs", "gs",
			"orig_eax", "eip", "cs", "eflags", "esp", "ss")}, true
	case stdelf.EM_AARCH64: // arch/arm64/include/uapi/asm/ptrace.h
		return gregs{34 * 8, words(a, 8, append(append([]string{}, a.RegNames[:33]...), "pstate")...)}, true
	case stdelf.EM_ARM: // arch/arm/include/uapi/asm/ptrace.h
		return gregs{18 * 4, words(a, 4, append(append([]string{}, a.RegNames[:16]...), "cpsr", "orig_r0")...)}, true
	case stdelf.EM_RISCV: // arch/riscv/include/uapi/asm/ptrace.h: pc takes the place of zero
		return gregs{32 * 8, words(a, 8, append([]string{"pc"}, a.RegNames[1:32]...)...)}, true
	case stdelf.EM_PPC64: // arch/powerpc/include/uapi/asm/ptrace.h
		return gregs{48 * 8, words(a, 8, append(append([]string{}, a.RegNames[:32]...), "pc", "msr", "orig_r3", "ctr",
			"lr", "xer", "cr", "softe", "trap", "dar", "dsisr", "result")...)}, true
	case stdelf.EM_S390: // arch/s390/include/uapi/asm/ptrace.h: psw, gprs, acrs, orig_gpr2
		l := words(a, 8, append([]string{"pswm", "pswa"}, a.RegNames[:16]...)...)
		for i := range 16 {
			l = append(l, greg{name: numberedName("acr", i), off: 144 + 4*i, size: 4, slot: -1, set: "system"})
		}
		return gregs{216, append(l, greg{name: "orig_r2", off: 208, size: 8, slot: -1, set: "system"})}, true
	}
	return gregs{}, false
}

// decode reads the registers that d, from pr_reg on, has.
func (g gregs) decode(c class, d []byte, visit func(greg, uint64)) {
	for _, r := range g.list {
		if r.off+r.size > len(d) {
			continue
		}
		if r.size == 8 {
			visit(r, c.order.Uint64(d[r.off:]))
		} else {
			visit(r, uint64(c.order.Uint32(d[r.off:])))
		}
	}
}

// thread makes a thread of an NT_PRSTATUS descriptor; nil if it is too short to
// have a thread id.
func (l *loader) thread(d []byte) *core.Thread {
	if len(d) < l.prPIDOff()+4 {
		return nil
	}
	t := &core.Thread{
		TID: int(int32(l.order.Uint32(d[l.prPIDOff():]))), Signal: int(l.order.Uint16(d[12:])), State: "Native",
	}
	if len(d) <= l.prRegOff() {
		return t
	}
	l.gregs.decode(l.class, d[l.prRegOff():], func(r greg, v uint64) {
		if r.slot >= 0 {
			t.Regs.Set(r.slot, v)
		}
		if l.machine == stdelf.EM_X86_64 && r.name == "fs_base" {
			t.TLS = core.Addr(v)
		}
	})
	switch l.machine {
	case stdelf.EM_RISCV:
		if v, ok := t.Regs.Get(4); ok { // tp
			t.TLS = core.Addr(v)
		}
	case stdelf.EM_PPC64:
		if v, ok := t.Regs.Get(13); ok { // r13
			t.TLS = core.Addr(v)
		}
	case stdelf.EM_S390: // access registers 0 and 1 hold the halves
		if acrs := d[l.prRegOff():]; len(acrs) >= 152 {
			t.TLS = core.Addr(uint64(l.order.Uint32(acrs[144:]))<<32 | uint64(l.order.Uint32(acrs[148:])))
		}
	}
	return t
}

// threadNote takes from a note of a thread what the thread's fields hold.
func (l *loader) threadNote(t *core.Thread, n core.Note) {
	if n.Name == "" {
		return
	}
	switch {
	case n.Type == ntARMTLS && len(n.Desc) >= 8:
		t.TLS = core.Addr(l.order.Uint64(n.Desc))
	case n.Type == ntARMPAC && len(n.Desc) >= 16 && l.p.CodeMask == 0:
		l.p.DataMask, l.p.CodeMask = l.order.Uint64(n.Desc), l.order.Uint64(n.Desc[8:])
	case n.Type == nt386TLS && l.machine == stdelf.EM_386:
		l.set386TLS(t, n.Desc)
	}
}

// set386TLS finds the descriptor that %gs selects among the thread's TLS
// entries, each a struct user_desc of 16 bytes: entry number, base, limit, flags.
func (l *loader) set386TLS(t *core.Thread, d []byte) {
	gs := uint64(0)
	for _, r := range t.Registers() {
		if r.Name == "gs" {
			gs = r.Value
		}
	}
	for ; len(d) >= 16; d = d[16:] {
		if uint64(l.order.Uint32(d)) == gs>>3 {
			t.TLS = core.Addr(l.order.Uint32(d[4:]))
		}
	}
}

// is reports whether n is the note of Linux of a type.
func is(n core.Note, typ uint32) bool { return n.Name != "" && n.Type == typ }

// registers decodes the full register set of a thread from its notes.
func (l *loader) registers(notes []core.Note) []core.Register {
	var out []core.Register
	var xlayout []byte
	for _, n := range notes {
		if is(n, ntX86Layout) {
			xlayout = n.Desc
		}
	}
	xstate := false
	for _, n := range notes {
		xstate = xstate || is(n, ntX86XState) && len(n.Desc) >= 576
	}
	for _, n := range notes {
		switch {
		case is(n, ntPRStatus) && len(n.Desc) > l.prRegOff():
			l.gregs.decode(l.class, n.Desc[l.prRegOff():], func(r greg, v uint64) {
				out = append(out, core.Register{Name: r.name, Value: v, Size: r.size, Set: r.set})
			})
		case l.machine == stdelf.EM_X86_64 || l.machine == stdelf.EM_386:
			out = append(out, l.x86Note(n, xlayout, xstate)...)
		default:
			out = append(out, l.vectorNote(n)...)
		}
	}
	return out
}

func numberedName(prefix string, i int) string {
	if i < 10 {
		return prefix + string(rune('0'+i))
	}
	return prefix + string(rune('0'+i/10)) + string(rune('0'+i%10))
}
