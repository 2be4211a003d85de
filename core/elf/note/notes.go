package note

import (
	"bytes"
	"fmt"
	"strings"

	"coredbg/core"
	"coredbg/core/elf/format"
)

// The types of notes that are decoded (Linux, include/uapi/linux/elf.h).
const (
	ntPRStatus  = 1
	ntFPRegSet  = 2
	ntPRPSInfo  = 3
	ntAuxv      = 6
	ntSigInfo   = 0x53494749
	ntFile      = 0x46494c45
	ntPRXFPReg  = 0x46e62b7f
	ntPPCVMX    = 0x100
	ntPPCVSX    = 0x102
	nt386TLS    = 0x200
	ntX86XState = 0x202
	ntX86Layout = 0x205
	ntS390High  = 0x300
	ntS390VLow  = 0x309
	ntS390VHigh = 0x30a
	ntARMVFP    = 0x400
	ntARMTLS    = 0x401
	ntARMSVE    = 0x405
	ntARMPAC    = 0x406
	ntARMTagCtl = 0x409
	ntARMPACKey = 0x40a
	ntARMSSVE   = 0x40b
	ntARMZA     = 0x40c
	ntARMZT     = 0x40d
	ntARMFPMR   = 0x40e
	ntARMPOE    = 0x40f
	ntARMGCS    = 0x410
	ntRISCVVec  = 0x901
	ntLoongLSX  = 0xa02
	ntLoongLASX = 0xa03
)

// noteName names a note of a Linux core by its type, which is another for each;
// "" if it is unknown. The owner is what the kernel and debuggers call themselves:
// which of the two names comes with a type differs between them.
func noteName(owner string, typ uint32) string {
	if owner != "CORE" && owner != "LINUX" {
		return ""
	}
	for _, list := range [][]noteType{coreNotes(), linuxNotes()} {
		for _, n := range list {
			if n.typ == typ {
				return n.name
			}
		}
	}
	return ""
}

// coreNotes lists the note types that Linux gives the owner "CORE"
// (include/uapi/linux/elf.h, Linux 6.12).
func coreNotes() []noteType {
	return []noteType{
		{ntPRStatus, "NT_PRSTATUS"}, {ntFPRegSet, "NT_PRFPREG"}, {ntPRPSInfo, "NT_PRPSINFO"}, {4, "NT_TASKSTRUCT"},
		{ntAuxv, "NT_AUXV"}, {ntSigInfo, "NT_SIGINFO"}, {ntFile, "NT_FILE"},
	}
}

type noteType struct {
	typ  uint32
	name string
}

// linuxNotes lists the notes of the owner "LINUX".
func linuxNotes() []noteType {
	return []noteType{
		{ntPRXFPReg, "NT_PRXFPREG"}, {ntX86XState, "NT_X86_XSTATE"}, {ntX86Layout, "NT_X86_XSAVE_LAYOUT"},
		{nt386TLS, "NT_386_TLS"}, {0x201, "NT_386_IOPERM"}, {0x204, "NT_X86_SHSTK"},
		{ntPPCVMX, "NT_PPC_VMX"}, {0x101, "NT_PPC_SPE"}, {ntPPCVSX, "NT_PPC_VSX"}, {0x103, "NT_PPC_TAR"},
		{0x104, "NT_PPC_PPR"}, {0x105, "NT_PPC_DSCR"}, {0x106, "NT_PPC_EBB"}, {0x107, "NT_PPC_PMU"},
		{0x108, "NT_PPC_TM_CGPR"}, {0x10d, "NT_PPC_TM_CTAR"}, {0x110, "NT_PPC_PKEY"}, {0x111, "NT_PPC_DEXCR"},
		{ntS390High, "NT_S390_HIGH_GPRS"}, {0x301, "NT_S390_TIMER"}, {0x302, "NT_S390_TODCMP"},
		{0x303, "NT_S390_TODPREG"}, {0x304, "NT_S390_CTRS"}, {0x305, "NT_S390_PREFIX"},
		{0x306, "NT_S390_LAST_BREAK"}, {0x307, "NT_S390_SYSTEM_CALL"}, {0x308, "NT_S390_TDB"},
		{ntS390VLow, "NT_S390_VXRS_LOW"}, {ntS390VHigh, "NT_S390_VXRS_HIGH"}, {0x30b, "NT_S390_GS_CB"},
		{0x30c, "NT_S390_GS_BC"}, {0x30d, "NT_S390_RI_CB"}, {0x30e, "NT_S390_PV_CPU_DATA"},
		{ntARMVFP, "NT_ARM_VFP"}, {ntARMTLS, "NT_ARM_TLS"}, {0x402, "NT_ARM_HW_BREAK"}, {0x403, "NT_ARM_HW_WATCH"},
		{0x404, "NT_ARM_SYSTEM_CALL"}, {ntARMSVE, "NT_ARM_SVE"}, {ntARMPAC, "NT_ARM_PAC_MASK"},
		{0x407, "NT_ARM_PACA_KEYS"}, {0x408, "NT_ARM_PACG_KEYS"}, {ntARMTagCtl, "NT_ARM_TAGGED_ADDR_CTRL"},
		{ntARMPACKey, "NT_ARM_PAC_ENABLED_KEYS"}, {ntARMSSVE, "NT_ARM_SSVE"}, {ntARMZA, "NT_ARM_ZA"},
		{ntARMZT, "NT_ARM_ZT"},
		{ntARMFPMR, "NT_ARM_FPMR"}, {ntARMPOE, "NT_ARM_POE"}, {ntARMGCS, "NT_ARM_GCS"},
		{0x900, "NT_RISCV_CSR"}, {ntRISCVVec, "NT_RISCV_VECTOR"}, {0x902, "NT_RISCV_TAGGED_ADDR_CTRL"},
		{0xa00, "NT_LOONGARCH_CPUCFG"}, {0xa01, "NT_LOONGARCH_CSR"}, {ntLoongLSX, "NT_LOONGARCH_LSX"},
		{ntLoongLASX, "NT_LOONGARCH_LASX"}, {0xa04, "NT_LOONGARCH_LBT"},
	}
}

// maxNotes bounds the notes of a core: a process of 32,768 threads has four
// each.
const maxNotes = 1 << 20

// A reader splits a note segment. A note that lies about its size costs
// only itself: the reader goes on at the next place that looks like the header
// of a known note.
type reader struct {
	format.Class
	base   int64                       // file offset of the segment
	expect func(typ uint32) (n uint64) // usual size of a note of Linux; 0 if it varies
	warn   func(off int64, text string)
}

// read calls yield for each note in b.
func (r *reader) read(b []byte, yield func(core.Note)) {
	at := uint64(0)
	for n := 0; n < maxNotes && at+12 <= uint64(len(b)); {
		hdr := b[at:]
		namesz, descsz, typ := uint64(r.Order.Uint32(hdr)), uint64(r.Order.Uint32(hdr[4:])), r.Order.Uint32(hdr[8:])
		if namesz == 0 && descsz == 0 && typ == 0 {
			at += 4 // padding
			continue
		}
		if !r.plausibleName(hdr) {
			next := r.resync(b, at+4)
			r.warn(r.base+int64(at), fmt.Sprintf("%d bytes that are not a note", next-at))
			at = next
			continue
		}
		owner := string(bytes.TrimRight(hdr[12:12+namesz], "\x00"))
		desc := at + 12 + (namesz+3)&^3
		end := r.descEnd(b, desc, descsz, owner, typ)
		yield(core.Note{Owner: owner, Type: typ, Name: r.name(owner, typ, descsz),
			Off: r.base + int64(desc), Desc: b[min(desc, uint64(len(b))):end:end]})
		at = (end + 3) &^ 3
		n++
	}
}

// name names a note. If the owner is unknown, the note counts as Linux' note of its type, provided that
// its size is the same and fixed.
func (r *reader) name(owner string, typ uint32, size uint64) string {
	if owner != "CORE" && !strings.Contains(owner, "BSD") && size > 0 && r.expect(typ) == size {
		owner = "CORE"
	}
	return noteName(owner, typ)
}

// descEnd returns where a note's descriptor ends: where its size says, unless
// that cannot be.
func (r *reader) descEnd(b []byte, desc, descsz uint64, owner string, typ uint32) uint64 {
	size := uint64(len(b))
	end := desc + descsz
	usual := uint64(0)
	if noteName(owner, typ) != "" {
		usual = r.expect(typ)
	}
	lying := ""
	switch {
	case end > size:
		lying = "runs past the end of the notes"
	case !r.startsNote(b, (end+3)&^3):
		lying = "is followed by something that is not a note"
	case usual != 0 && descsz > usual && r.startsNote(b, desc+usual): // it swallows others
		lying = fmt.Sprintf("is not the usual one, %d", usual)
	default:
		return end
	}
	// Its true end may be the usual one, or where the next note is.
	next := size
	switch {
	case usual != 0 && desc+usual <= size && r.startsNote(b, desc+usual):
		next = desc + usual
	case desc < size:
		next = r.resync(b, desc)
	}
	if next == size && end <= size && (end+3)&^3 >= size-min(size, 11) {
		return end // only padding follows
	}
	name := noteName(owner, typ)
	if name == "" {
		name = fmt.Sprintf("note %s %#x", format.Quote(owner), typ)
	}
	r.warn(r.base+int64(desc), fmt.Sprintf("%s: its size %d %s; took %d bytes", name, descsz, lying,
		next-min(desc, next)))
	return next
}

// maxPadding bounds the zeros that may be between two notes, in bytes.
const maxPadding = 4096

// startsNote reports whether a note may start at off, perhaps after zeros, or whether only zeros
// follow.
func (r *reader) startsNote(b []byte, off uint64) bool {
	for n := 0; off+12 <= uint64(len(b)); n++ {
		hdr := b[off:]
		if r.plausibleName(hdr) {
			return true
		}
		if r.Order.Uint32(hdr) != 0 || n >= maxPadding/4 {
			return false
		}
		off += 4
	}
	return off >= uint64(len(b)) || len(bytes.Trim(b[off:], "\x00")) == 0
}

// plausibleName reports whether hdr is a note's header with a readable name.
func (r *reader) plausibleName(hdr []byte) bool {
	namesz := uint64(r.Order.Uint32(hdr))
	if namesz == 0 {
		return false
	}
	if namesz > 64 || 12+namesz > uint64(len(hdr)) {
		return false
	}
	name := hdr[12 : 12+namesz]
	for i, c := range name {
		if c == 0 {
			return i > 0 && len(bytes.Trim(name[i:], "\x00")) == 0
		}
		if c < 0x20 || c >= 0x7f {
			return false
		}
	}
	return true // some writers leave the NUL out of the size
}

// resync returns the first offset from off on, a multiple of 4, where a note of a kernel starts. It
// returns the end of b if there is no such offset.
func (r *reader) resync(b []byte, off uint64) uint64 {
	for at := (off + 3) &^ 3; at+16 <= uint64(len(b)); at += 4 {
		switch string(b[at+12 : at+16]) {
		case "CORE", "LINU":
			if r.Order.Uint32(b[at:]) <= 8 && r.plausibleName(b[at:]) {
				return at
			}
		}
	}
	return uint64(len(b))
}
