package note

import (
	stdelf "debug/elf"
	"slices"
	"strings"

	"coredbg/core"
)

// The types of notes of floating-point registers: NetBSD's are PT_GETFPREGS and
// PT_GETXMMREGS, requests of ptrace (sys/arch/*/include/ptrace.h: amd64 1.3, i386 1.26,
// aarch64 1.2), OpenBSD's are in its sys/exec_elf.h.
const (
	netFPRegs      = 35 // x86
	netXMMRegs     = 37 // i386
	netFPRegsARM64 = 34
	openFPRegs     = 21
	openXFPRegs    = 22
)

// vectorNotes are the notes of the BSDs for floating-point and vector registers.
var vectorNotes = []struct {
	owner    string
	machines []stdelf.Machine
	typ      uint32
	as       uint32 // the type of Linux's note with that layout
	swap     bool   // two words are in the other order there
}{
	{"FreeBSD", []stdelf.Machine{stdelf.EM_X86_64, stdelf.EM_386, stdelf.EM_AARCH64}, ntFPRegSet, ntFPRegSet, false},
	{"FreeBSD", []stdelf.Machine{stdelf.EM_X86_64, stdelf.EM_386}, ntX86XState, ntX86XState, false},
	{"FreeBSD", []stdelf.Machine{stdelf.EM_ARM}, ntARMVFP, ntARMVFP, false},
	{"NetBSD-CORE", []stdelf.Machine{stdelf.EM_X86_64, stdelf.EM_386}, netFPRegs, ntFPRegSet, false},
	{"NetBSD-CORE", []stdelf.Machine{stdelf.EM_386}, netXMMRegs, ntPRXFPReg, false},
	{"NetBSD-CORE", []stdelf.Machine{stdelf.EM_AARCH64}, netFPRegsARM64, ntFPRegSet, true},
	{"OpenBSD", []stdelf.Machine{stdelf.EM_X86_64, stdelf.EM_386, stdelf.EM_AARCH64}, openFPRegs, ntFPRegSet, false},
	{"OpenBSD", []stdelf.Machine{stdelf.EM_386}, openXFPRegs, ntPRXFPReg, false},
}

// systemVectors returns the note of Linux that has the layout of a BSD's note of
// floating-point or vector registers, if n is one whose layout is known.
//
// On x86-64 all have what FXSAVE writes; on i386 what FNSAVE does, and NetBSD and OpenBSD
// what FXSAVE does in a second note; FreeBSD's NT_X86_XSTATE is as Linux's is (sys/x86:
// include/fpu.h, include/reg.h; NetBSD and OpenBSD, include/reg.h of the machine). On arm64
// 32 registers of 16 bytes and two words follow each other, which NetBSD has the other
// way around (sys/arch/aarch64/include/reg.h 1.4: fpcr, fpsr).
func (m *machine) systemVectors(n core.Note) (core.Note, bool) {
	owner, _, of := strings.Cut(n.Owner, "@") // a thread's number follows, except on FreeBSD
	typ, swap := uint32(0), false
	for _, x := range vectorNotes {
		if x.owner == owner && (of || owner == "FreeBSD") && x.typ == n.Type && slices.Contains(x.machines, m.id) {
			typ, swap = x.as, x.swap
		}
	}
	if typ == 0 {
		return n, false
	}
	as := core.Note{Owner: "CORE", Type: typ, Name: noteName("CORE", typ), Off: n.Off, Desc: n.Desc}
	const control = 32 * 16
	if swap && len(n.Desc) >= control+8 {
		d := append([]byte{}, n.Desc...)
		copy(d[control:], n.Desc[control+4:control+8])
		copy(d[control+4:], n.Desc[control:control+4])
		as.Desc = d
	}
	return as, true
}
