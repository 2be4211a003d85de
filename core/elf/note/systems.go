package note

import (
	stdelf "debug/elf"
	"strconv"
	"strings"

	"coredbg/core"
)

// A systemRegs is the general registers of a thread in a note of a system that is not
// Linux.
type systemRegs struct {
	list []greg
	data []byte // from the first register on
	tid  int
	sig  int // what ended the process, in this thread; 0 if not known
}

// systemRegs returns the registers of a thread, if n is the note of them.
//
// FreeBSD has a struct prstatus for each thread (sys/procfs.h): version, three sizes, release, signal,
// thread id, registers. NetBSD has ptrace's structures, by the number of the request, as notes of
// NetBSD-CORE@LWP (sys/exec_elf.h, machine/ptrace.h), OpenBSD likewise by OpenBSD@TID (sys/exec_elf.h).
// illumos has struct lwpstatus (sys/procfs.h), whose registers follow a siginfo_t and other fields of
// the thread.
func (m *machine) systemRegs(n core.Note) (r systemRegs, ok bool) {
	word := func(at int) int { return int(int32(m.Order.Uint32(n.Desc[at:]))) }
	owner, id, _ := strings.Cut(n.Owner, "@")
	at := -1
	switch {
	case owner == "FreeBSD" && n.Type == ntPRStatus:
		sig, tid := 20, 24
		if at = 28; m.Wide {
			sig, tid, at = 36, 40, 48
		}
		if len(n.Desc) < at || word(0) != 1 { // PRSTATUS_VERSION
			return r, false
		}
		r.sig, r.tid, r.list = word(sig), word(tid), freeBSDRegs(m.id, m.arch)
	case owner == "NetBSD-CORE" && n.Type == netBSDGetRegs(m.id), owner == "OpenBSD" && n.Type == openRegs:
		tid, err := strconv.Atoi(id)
		if err != nil {
			return r, false
		}
		at, r.tid, r.list = 0, tid, netBSDRegs(m.id, m.arch, owner == "OpenBSD")
	case m.illumos && n.Owner == "CORE" && n.Type == illumosLWPStatus:
		if at = 344; m.Wide {
			at = 544
		}
		if len(n.Desc) >= at {
			r.sig, r.tid = int(int16(m.Order.Uint16(n.Desc[12:]))), word(4)
		}
		r.list = illumosRegs(m.id, m.arch)
	}
	if at < 0 || len(n.Desc) <= at || len(r.list) == 0 {
		return r, false
	}
	r.data = n.Desc[at:]
	return r, true
}

// freeBSDRegs is struct reg of FreeBSD (sys/x86, arm64, arm, riscv and powerpc/include/reg.h,
// the last since cr and xer are words of their own on 64 bits, too).
func freeBSDRegs(m stdelf.Machine, a *core.Arch) []greg {
	if a == nil {
		return nil
	}
	switch m {
	case stdelf.EM_X86_64: // from trapno to ds 16 bytes: trapno of 4, fs, gs, err of 4, es, ds
		list := words(a, 8, "r15", "r14", "r13", "r12", "r11", "r10", "r9", "r8", "rdi", "rsi", "rbp", "rbx",
			"rdx", "rcx", "rax",
			"", "", "rip", "cs", "eflags", "rsp", "ss")
		const trapno = 15 * 8
		for i, name := range []string{"fs", "gs", "", "", "es", "ds"} {
			if name != "" {
				list = append(list, greg{name: name, off: trapno + 4 + 2*i, size: 2, slot: -1, set: "system"})
			}
		}
		return list
	case stdelf.EM_386:
		return words(a, 4, "fs", "es", "ds", "edi", "esi", "ebp", "", "ebx", "edx", "ecx", "eax", "", "", "eip", "cs",
			"eflags", "esp", "ss", "gs")
	case stdelf.EM_AARCH64:
		return words(a, 8, append(append([]string{}, a.RegNames[:33]...), "pstate")...)
	case stdelf.EM_ARM:
		return words(a, 4, append(append([]string{}, a.RegNames[:16]...), "cpsr")...)
	case stdelf.EM_RISCV:
		return words(a, 8, "ra", "sp", "gp", "tp", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "s0", "s1", "s2",
			"s3", "s4", "s5",
			"s6", "s7", "s8", "s9", "s10", "s11", "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "pc")
	case stdelf.EM_PPC, stdelf.EM_PPC64:
		return words(a, a.PtrSize, append(append([]string{}, a.RegNames[:32]...), "lr", "cr", "xer", "ctr", "pc")...)
	}
	return nil
}

// netBSDGetRegs is PT_GETREGS, the first or second of the machine's own requests (NetBSD,
// sys/arch/*/include/ptrace.h: amd64 1.3, arm 1.6, aarch64 1.2).
func netBSDGetRegs(m stdelf.Machine) uint32 {
	const firstMach = 32
	if m == stdelf.EM_AARCH64 {
		return firstMach
	}
	return firstMach + 1
}

// openRegs is NT_OPENBSD_REGS.
const openRegs = 20

// netBSDRegs is struct reg of NetBSD and OpenBSD, which differ only on x86-64 (NetBSD, sys/arch:
// amd64/include/frame_regs.h 1.3, aarch64 and arm/include/reg.h 1.2, struct reg32 of
// amd64/include/netbsd32_machdep.h; OpenBSD, sys/arch/*/include/reg.h: amd64 1.6, i386 1.3, arm64 and
// arm 1.2; sparc64 as seen in a core).
func netBSDRegs(m stdelf.Machine, a *core.Arch, openBSD bool) []greg {
	if a == nil {
		return nil
	}
	switch m {
	case stdelf.EM_X86_64:
		list := []string{"rdi", "rsi", "rdx", "rcx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
			"rbp", "rbx", "rax"}
		if openBSD {
			return words(a, 8, append(list, "rsp", "rip", "eflags", "cs", "ss", "ds", "es", "fs", "gs")...)
		}
		return words(a, 8, append(list, "gs", "fs", "es", "ds", "trapno", "err", "rip", "cs", "eflags", "rsp", "ss")...)
	case stdelf.EM_386:
		return words(a, 4, "eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi", "eip", "eflags", "cs", "ss", "ds",
			"es", "fs", "gs")
	case stdelf.EM_AARCH64:
		return words(a, 8, append(append([]string{}, a.RegNames[:33]...), "pstate", "tpidr")...)
	case stdelf.EM_ARM:
		return words(a, 4, append(append([]string{}, a.RegNames[:16]...), "cpsr")...)
	case stdelf.EM_SPARCV9:
		if openBSD { // struct reg64 of sparc64; %y is an int, aligned to 8 bytes after it
			list := words(a, 8, append([]string{"tstate", "pc", "npc", ""}, a.RegNames[:32]...)...)
			return append(list, greg{name: "y", off: 24, size: 4, slot: -1, set: "system"})
		}
	}
	return nil
}

// illumosLWPStatus is NT_LWPSTATUS, of owner CORE (illumos, usr/src/uts/common/sys/elf.h).
const illumosLWPStatus = 16

// illumosRegs is prgregset_t (illumos, usr/src/uts/intel/sys/regset.h,
// usr/src/uts/sparc/sys/procfs_isa.h).
func illumosRegs(m stdelf.Machine, a *core.Arch) []greg {
	if a == nil {
		return nil
	}
	switch m {
	case stdelf.EM_X86_64:
		return words(a, 8, "r15", "r14", "r13", "r12", "r11", "r10", "r9", "r8", "rdi", "rsi", "rbp", "rbx",
			"rdx", "rcx", "rax",
			"trapno", "err", "rip", "cs", "eflags", "rsp", "ss", "fs", "gs", "es", "ds", "fs_base", "gs_base")
	case stdelf.EM_386: // the eighth word is the kernel's own stack pointer
		return words(a, 4, "gs", "fs", "es", "ds", "edi", "esi", "ebp", "", "ebx", "edx", "ecx", "eax", "trapno",
			"err", "eip", "cs",
			"eflags", "esp", "ss")
	case stdelf.EM_SPARCV9:
		return words(a, 8, append(append([]string{}, a.RegNames[:32]...), "ccr", "pc", "npc", "y", "asi", "fprs")...)
	}
	return nil
}
