package elftest

// The types of notes that tests write (Linux, include/uapi/linux/elf.h).
const (
	NTPRStatus   = 1
	NTFPRegSet   = 2
	NTPRPSInfo   = 3
	NTAuxv       = 6
	NTSigInfo    = 0x53494749
	NTFile       = 0x46494c45
	NTX86XState  = 0x202
	NTX86Layout  = 0x205
	NTARMTLS     = 0x401
	NTARMSVE     = 0x405
	NTARMPAC     = 0x406
	NTARMSSVE    = 0x40b
	NTARMZA      = 0x40c
	NTARMZT      = 0x40d
	NTGNUBuildID = 3 // of images
)

// Those of the BSDs (FreeBSD, sys/elf_common.h; NetBSD and OpenBSD, sys/exec_elf.h), and of illumos
// (usr/src/uts/common/sys/elf.h).
const (
	FreePRPSInfo     = 3
	FreeThrMisc      = 7
	FreeProcessInfo  = 8
	FreeVMMap        = 10
	FreeAuxv         = 16
	FreeLWPInfo      = 17
	FreeSegBases     = 0x200
	NetProcInfo      = 1
	NetAuxv          = 2
	OpenProcInfo     = 10
	OpenRegs         = 20
	OpenCookie       = 23
	IllumosPStatus   = 10
	IllumosPSInfo    = 13
	IllumosLWPStatus = 16
)

// The entries of an auxiliary vector (Linux, include/uapi/linux/auxvec.h).
const (
	ATPHDR        = 3
	ATPHENT       = 4
	ATPHNUM       = 5
	ATPageSize    = 6
	ATEntry       = 9
	ATRandom      = 25
	ATSysinfoEHDR = 33
)
