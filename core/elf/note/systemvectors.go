package note

import (
	stdelf "debug/elf"
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

// systemVectors returns the note of Linux that has the layout of a BSD's note of
// floating-point or vector registers, if n is one whose layout is known.
//
// On x86-64 all have what FXSAVE writes; on i386 what FNSAVE does, and NetBSD and OpenBSD
// what FXSAVE does in a second note; FreeBSD's NT_X86_XSTATE is as Linux's is (sys/x86:
// include/fpu.h, include/reg.h; NetBSD and OpenBSD, include/reg.h of the machine). On arm64
// 32 registers of 16 bytes and two words follow each other, which NetBSD has the other
// way around (sys/arch/aarch64/include/reg.h 1.4: fpcr, fpsr).
func (m *machine) systemVectors(n core.Note) (core.Note, bool) {
	typ, swap := uint32(0), false
	owner, _, of := strings.Cut(n.Owner, "@")
	x86 := m.id == stdelf.EM_X86_64 || m.id == stdelf.EM_386
	switch {
	case owner == "FreeBSD" && (x86 || m.id == stdelf.EM_AARCH64) && n.Type == ntFPRegSet,
		owner == "FreeBSD" && x86 && n.Type == ntX86XState,
		owner == "FreeBSD" && m.id == stdelf.EM_ARM && n.Type == ntARMVFP:
		typ = n.Type
	case owner == "NetBSD-CORE" && of && x86 && n.Type == netFPRegs,
		owner == "OpenBSD" && of && (x86 || m.id == stdelf.EM_AARCH64) && n.Type == openFPRegs:
		typ = ntFPRegSet
	case owner == "NetBSD-CORE" && of && m.id == stdelf.EM_386 && n.Type == netXMMRegs,
		owner == "OpenBSD" && of && m.id == stdelf.EM_386 && n.Type == openXFPRegs:
		typ = ntPRXFPReg
	case owner == "NetBSD-CORE" && of && m.id == stdelf.EM_AARCH64 && n.Type == netFPRegsARM64:
		typ, swap = ntFPRegSet, true
	default:
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
