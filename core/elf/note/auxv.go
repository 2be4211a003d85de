package note

import (
	"coredbg/core"
	"coredbg/core/elf/format"
)

// Auxv reads an auxiliary vector as Linux gives it to a process of an architecture.
func Auxv(arch *core.Arch, d []byte) []core.AuxEntry {
	return parseAuxv(format.Class{Order: arch.Order, Wide: arch.PtrSize == 8}, d)
}

// parseAuxv reads the auxiliary vector up to its AT_NULL.
func parseAuxv(c format.Class, d []byte) []core.AuxEntry {
	var out []core.AuxEntry
	for w := c.Ptr(); len(d) >= 2*w; d = d[2*w:] {
		e := core.AuxEntry{Type: c.Word(d, 0), Value: c.Word(d, w)}
		if e.Type == 0 {
			break
		}
		e.Name = auxName(e.Type)
		out = append(out, e)
	}
	return out
}

// auxName names the type of an auxiliary vector entry (Linux,
// include/uapi/linux/auxvec.h and asm/auxvec.h).
func auxName(t uint64) string {
	names := [...]string{2: "AT_EXECFD", 3: "AT_PHDR", 4: "AT_PHENT", 5: "AT_PHNUM", 6: "AT_PAGESZ", 7: "AT_BASE",
		8: "AT_FLAGS", 9: "AT_ENTRY", 10: "AT_NOTELF", 11: "AT_UID", 12: "AT_EUID", 13: "AT_GID", 14: "AT_EGID",
		15: "AT_PLATFORM", 16: "AT_HWCAP", 17: "AT_CLKTCK", 18: "AT_FPUCW", 19: "AT_DCACHEBSIZE", 20: "AT_ICACHEBSIZE",
		21: "AT_UCACHEBSIZE", 22: "AT_IGNOREPPC", 23: "AT_SECURE", 24: "AT_BASE_PLATFORM", 25: "AT_RANDOM",
		26: "AT_HWCAP2", 27: "AT_RSEQ_FEATURE_SIZE", 28: "AT_RSEQ_ALIGN", 29: "AT_HWCAP3", 30: "AT_HWCAP4",
		31: "AT_EXECFN", 32: "AT_SYSINFO", 33: "AT_SYSINFO_EHDR", 40: "AT_L1I_CACHESIZE", 41: "AT_L1I_CACHEGEOMETRY",
		42: "AT_L1D_CACHESIZE", 43: "AT_L1D_CACHEGEOMETRY", 44: "AT_L2_CACHESIZE", 45: "AT_L2_CACHEGEOMETRY",
		46: "AT_L3_CACHESIZE", 47: "AT_L3_CACHEGEOMETRY", 51: "AT_MINSIGSTKSZ"}
	if t < uint64(len(names)) {
		return names[t]
	}
	return ""
}
