package note

import (
	"strings"

	"coredbg/core"
)

// HoldsVectors reports whether a note of a thread holds floating-point or vector
// registers, or keys that pointers are signed with (Linux,
// include/uapi/linux/elf.h).
func HoldsVectors(n core.Note) bool {
	owner, _, of := strings.Cut(n.Owner, "@")
	switch {
	case n.Owner == "GNU", n.Owner == "NetBSD-CORE" && n.Type == ntFPRegSet: // its auxiliary vector
		return false
	case owner == "NetBSD-CORE" && of: // except the general registers' requests: any machine's
		return n.Type > 33
	case owner == "OpenBSD" && of:
		return n.Type > openRegs
	case n.Type == ntFPRegSet:
		return true
	case n.Type >= 0x109 && n.Type <= 0x10c: // of a transaction of ppc64: NT_PPC_TM_CFPR, _CVMX, _CVSX, _SPR
		return true
	}
	switch n.Type {
	case ntPRXFPReg, ntX86XState, ntPPCVMX, 0x101, ntPPCVSX, ntS390VLow, ntS390VHigh, // 0x101: NT_PPC_SPE
		ntARMVFP, ntARMSVE, 0x407, 0x408, ntARMSSVE, ntARMZA, ntARMZT, // 0x407, 0x408: NT_ARM_PACA_KEYS, _PACG_KEYS
		ntRISCVVec, ntLoongLSX, ntLoongLASX:
		return true
	}
	return false
}
