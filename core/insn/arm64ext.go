package insn

import (
	"fmt"
	"strings"
)

// The decoder golang.org/x/arch/arm64/arm64asm knows the base set of ARMv8.0. The instructions here are
// in nearly every function of recent compilers: hints with names, pointer authentication, the atomics
// of LSE, memory tagging. Encodings: Arm Architecture Reference Manual for A-profile (DDI 0487),
// chapter C6.2, under the name of each instruction.

// hints are the names of the HINT instruction's operands.
var hints = map[uint32]string{
	0: "nop", 1: "yield", 2: "wfe", 3: "wfi", 4: "sev", 5: "sevl", 6: "dgh", 7: "xpaclri",
	8: "pacia1716", 10: "pacib1716", 12: "autia1716", 14: "autib1716",
	16: "esb", 17: "psb\tcsync", 18: "tsb\tcsync", 19: "gcsb\tdsync", 20: "csdb",
	24: "paciaz", 25: "paciasp", 26: "pacibz", 27: "pacibsp",
	28: "autiaz", 29: "autiasp", 30: "autibz", 31: "autibsp",
	32: "bti", 34: "bti\tc", 36: "bti\tj", 38: "bti\tjc", 40: "chkfeat\tx16",
}

// An arm64Form is an instruction whose operands are registers in their usual
// places: d bits 4:0, n bits 9:5, m bits 20:16; N and M may be sp.
type arm64Form struct {
	mask, value uint32
	text        string
}

var arm64Forms = []arm64Form{
	{0xffffffff, 0xd65f0bff, "retaa"},
	{0xffffffff, 0xd65f0fff, "retab"},
	{0xffffffff, 0xd69f0bff, "eretaa"},
	{0xffffffff, 0xd69f0fff, "eretab"},
	{0xfffffc1f, 0xd61f081f, "braaz\t%n"},
	{0xfffffc1f, 0xd61f0c1f, "brabz\t%n"},
	{0xfffffc1f, 0xd63f081f, "blraaz\t%n"},
	{0xfffffc1f, 0xd63f0c1f, "blrabz\t%n"},
	{0xfffffc00, 0xd71f0800, "braa\t%n, %D"},
	{0xfffffc00, 0xd71f0c00, "brab\t%n, %D"},
	{0xfffffc00, 0xd73f0800, "blraa\t%n, %D"},
	{0xfffffc00, 0xd73f0c00, "blrab\t%n, %D"},
	{0xffffffe0, 0xdac123e0, "paciza\t%d"},
	{0xffffffe0, 0xdac127e0, "pacizb\t%d"},
	{0xffffffe0, 0xdac12be0, "pacdza\t%d"},
	{0xffffffe0, 0xdac12fe0, "pacdzb\t%d"},
	{0xffffffe0, 0xdac133e0, "autiza\t%d"},
	{0xffffffe0, 0xdac137e0, "autizb\t%d"},
	{0xffffffe0, 0xdac13be0, "autdza\t%d"},
	{0xffffffe0, 0xdac13fe0, "autdzb\t%d"},
	{0xffffffe0, 0xdac143e0, "xpaci\t%d"},
	{0xffffffe0, 0xdac147e0, "xpacd\t%d"},
	{0xfffffc00, 0xdac10000, "pacia\t%d, %N"},
	{0xfffffc00, 0xdac10400, "pacib\t%d, %N"},
	{0xfffffc00, 0xdac10800, "pacda\t%d, %N"},
	{0xfffffc00, 0xdac10c00, "pacdb\t%d, %N"},
	{0xfffffc00, 0xdac11000, "autia\t%d, %N"},
	{0xfffffc00, 0xdac11400, "autib\t%d, %N"},
	{0xfffffc00, 0xdac11800, "autda\t%d, %N"},
	{0xfffffc00, 0xdac11c00, "autdb\t%d, %N"},
	{0xffe0fc00, 0x9ac03000, "pacga\t%d, %n, %M"},
	{0xfffffc00, 0x9adf1000, "irg\t%D, %N"},
	{0xffe0fc00, 0x9ac01000, "irg\t%D, %N, %m"},
	{0xffe0fc00, 0x9ac01400, "gmi\t%d, %N, %m"},
	{0xffe0fc00, 0x9ac00000, "subp\t%d, %N, %M"},
	{0xffe0fc00, 0xbac00000, "subps\t%d, %N, %M"},
	{0xffe0fc00, 0xce608000, "sha512h\t%qd, %qn, %vm.2d"},
	{0xffe0fc00, 0xce608400, "sha512h2\t%qd, %qn, %vm.2d"},
	{0xfffffc00, 0xcec08000, "sha512su0\t%vd.2d, %vn.2d"},
	{0xffe0fc00, 0xce608800, "sha512su1\t%vd.2d, %vn.2d, %vm.2d"},
	{0xffe0fc00, 0xce608c00, "rax1\t%vd.2d, %vn.2d, %vm.2d"},
	{0xffe08000, 0xce000000, "eor3\t%vd.16b, %vn.16b, %vm.16b, %va.16b"},
	{0xffe08000, 0xce200000, "bcax\t%vd.16b, %vn.16b, %vm.16b, %va.16b"},
	{0xffe00000, 0xce800000, "xar\t%vd.2d, %vn.2d, %vm.2d, #%i"},
	{0xfffffc00, 0xcec08400, "sm4e\t%vd.4s, %vn.4s"},
	{0xffff0000, 0x00000000, "udf\t#%u"},
	// Copies and fills: FEAT_MOPS, and the SVE code of C libraries.
	{0xffe0fc00, 0x19000400, "cpyfp\t[%d]!, [%m]!, %n!"},
	{0xffe0fc00, 0x19400400, "cpyfm\t[%d]!, [%m]!, %n!"},
	{0xffe0fc00, 0x19800400, "cpyfe\t[%d]!, [%m]!, %n!"},
	{0xffe0fc00, 0x1d000400, "cpyp\t[%d]!, [%m]!, %n!"},
	{0xffe0fc00, 0x1d400400, "cpym\t[%d]!, [%m]!, %n!"},
	{0xffe0fc00, 0x1d800400, "cpye\t[%d]!, [%m]!, %n!"},
	{0xffe0fc00, 0x19c00400, "setp\t[%d]!, %n!, %m"},
	{0xffe0fc00, 0x19c04400, "setm\t[%d]!, %n!, %m"},
	{0xffe0fc00, 0x19c08400, "sete\t[%d]!, %n!, %m"},
	{0xfff0e000, 0xa400a000, "ld1b\t{%z.b}, %p/z, %V"},
	{0xfff0e000, 0xe400e000, "st1b\t{%z.b}, %p, %V"},
	{0xffe0e000, 0xa4004000, "ld1b\t{%z.b}, %p/z, [%N, %m]"},
	{0xffe0e000, 0xe4004000, "st1b\t{%z.b}, %p, [%N, %m]"},
	{0xffe0fc10, 0x25201c00, "whilelo\t%P.b, %n, %m"},
	{0xfffffff0, 0x2518e3e0, "ptrue\t%P.b"},
	{0xffffffe0, 0x0420e3e0, "cntb\t%d"},
	{0xfffffc00, 0x05203800, "mov\t%z.b, %w"},
}

// decodeARM64Extension returns the text of an instruction that the base
// decoder does not know, with a tab after the mnemonic, or "".
func decodeARM64Extension(w uint32) string {
	if w&0xfffff01f == 0xd503201f {
		return hints[w>>5&0x7f]
	}
	for _, f := range arm64Forms {
		if w&f.mask == f.value {
			return strings.NewReplacer("%d", xreg(w, "xzr"), "%D", xreg(w, "sp"),
				"%n", xreg(w>>5, "xzr"), "%N", xreg(w>>5, "sp"),
				"%m", xreg(w>>16, "xzr"), "%M", xreg(w>>16, "sp"),
				"%vd", vreg(w), "%vn", vreg(w>>5), "%vm", vreg(w>>16), "%va", vreg(w>>10),
				"%qd", fmt.Sprint("q", w&31), "%qn", fmt.Sprint("q", w>>5&31),
				"%z", fmt.Sprint("z", w&31), "%p", fmt.Sprint("p", w>>10&7), "%P", fmt.Sprint("p", w&15),
				"%V", arm64Vectors(w), "%w", arm64Reg('w', w>>5, "wsp"),
				"%i", fmt.Sprint(w>>10&63), "%u", fmt.Sprint(w&0xffff)).Replace(f.text)
		}
	}
	for _, decode := range []func(uint32) string{arm64Atomic, arm64CompareSwap, arm64Tag, arm64LoadAuth, arm64Ordered} {
		if s := decode(w); s != "" {
			return s
		}
	}
	return ""
}

func xreg(w uint32, r31 string) string { return arm64Reg('x', w, r31) }

// arm64Vectors formats an address at a multiple of the size of vectors.
func arm64Vectors(w uint32) string {
	if n := signed(w>>16, 4); n != 0 {
		return fmt.Sprintf("[%s, #%d, mul vl]", xreg(w>>5, "sp"), n)
	}
	return "[" + xreg(w>>5, "sp") + "]"
}

func vreg(w uint32) string { return fmt.Sprint("v", w&31) }

// arm64Reg names the register in the low five bits of w.
func arm64Reg(width byte, w uint32, r31 string) string {
	if w&31 == 31 {
		return r31
	}
	return fmt.Sprintf("%c%d", width, w&31)
}

// arm64Width returns the register width, the zero register and the mnemonic's
// suffix for the size in bits 31:30.
func arm64Width(w uint32) (width byte, zero, suffix string) {
	width, zero, suffix = 'w', "wzr", [4]string{"b", "h", "", ""}[w>>30]
	if w>>30 == 3 {
		width, zero = 'x', "xzr"
	}
	return width, zero, suffix
}

// arm64Order returns the letters for acquire and release.
func arm64Order(acquire, release uint32) string {
	return [4]string{"", "a", "l", "al"}[acquire&1|release&1<<1]
}

// arm64Atomic decodes LDADD and its like, SWP and LDAPR.
func arm64Atomic(w uint32) string {
	if w&0x3f200c00 != 0x38200000 {
		return ""
	}
	width, zero, suffix := arm64Width(w)
	rs, rt, base := arm64Reg(width, w>>16, zero), arm64Reg(width, w, zero), xreg(w>>5, "sp")
	order := arm64Order(w>>23, w>>22)
	switch opc := w >> 12 & 15; {
	case opc < 8:
		op := [8]string{"add", "clr", "eor", "set", "smax", "smin", "umax", "umin"}[opc]
		if w&31 == 31 && w>>23&1 == 0 { // the result is thrown away
			return fmt.Sprintf("st%s%s%s\t%s, [%s]", op, order, suffix, rs, base)
		}
		return fmt.Sprintf("ld%s%s%s\t%s, %s, [%s]", op, order, suffix, rs, rt, base)
	case opc == 8:
		return fmt.Sprintf("swp%s%s\t%s, %s, [%s]", order, suffix, rs, rt, base)
	case opc == 12 && order == "a" && w>>16&31 == 31:
		return fmt.Sprintf("ldapr%s\t%s, [%s]", suffix, rt, base)
	}
	return ""
}

// arm64CompareSwap decodes CAS and CASP.
func arm64CompareSwap(w uint32) string {
	order := arm64Order(w>>22, w>>15)
	base := xreg(w>>5, "sp")
	switch {
	case w&0x3fa07c00 == 0x08a07c00:
		width, zero, suffix := arm64Width(w)
		return fmt.Sprintf("cas%s%s\t%s, %s, [%s]", order, suffix,
			arm64Reg(width, w>>16, zero), arm64Reg(width, w, zero), base)
	case w&0xbfa07c00 == 0x08207c00 && w>>16&1 == 0 && w&1 == 0:
		width, zero := byte('w'), "wzr"
		if w>>30&1 == 1 {
			width, zero = 'x', "xzr"
		}
		return fmt.Sprintf("casp%s\t%s, %s, %s, %s, [%s]", order,
			arm64Reg(width, w>>16, zero), arm64Reg(width, w>>16+1, zero),
			arm64Reg(width, w, zero), arm64Reg(width, w+1, zero), base)
	}
	return ""
}

// signed returns the low n bits of w as a signed number.
func signed(w uint32, n uint) int { return int(int32(w<<(32-n)) >> (32 - n)) }

// arm64Tag decodes the memory-tagging instructions with an immediate.
func arm64Tag(w uint32) string {
	rt, rn := xreg(w, "sp"), xreg(w>>5, "sp")
	switch w & 0xffc0c000 {
	case 0x91800000:
		return fmt.Sprintf("addg\t%s, %s, #%#x, #%#x", rt, rn, w>>16&63*16, w>>10&15)
	case 0xd1800000:
		return fmt.Sprintf("subg\t%s, %s, #%#x, #%#x", rt, rn, w>>16&63*16, w>>10&15)
	}
	if w&0xff200000 == 0xd9200000 {
		mode := w >> 10 & 3
		imm := signed(w>>12, 9) * 16
		if w&0x00c00c00 == 0x00400000 {
			return "ldg\t" + xreg(w, "xzr") + ", " + arm64Address(rn, imm, 2)
		}
		if mode != 0 {
			return [4]string{"stg", "stzg", "st2g", "stz2g"}[w>>22&3] + "\t" + rt + ", " + arm64Address(rn, imm, mode)
		}
	}
	if mode := w >> 23 & 7; w&0xfe400000 == 0x68000000 && mode >= 1 && mode <= 3 {
		return "stgp\t" + xreg(w, "xzr") + ", " + xreg(w>>10, "xzr") + ", " +
			arm64Address(rn, signed(w>>15, 7)*16, mode)
	}
	return ""
}

// arm64Address formats a base with an immediate: mode 1 is post-indexed, 2 an
// offset, 3 pre-indexed.
func arm64Address(base string, imm int, mode uint32) string {
	switch {
	case mode == 1:
		return fmt.Sprintf("[%s], #%d", base, imm)
	case mode == 3:
		return fmt.Sprintf("[%s, #%d]!", base, imm)
	case imm == 0:
		return "[" + base + "]"
	}
	return fmt.Sprintf("[%s, #%d]", base, imm)
}

// arm64LoadAuth decodes LDRAA and LDRAB.
func arm64LoadAuth(w uint32) string {
	if w&0xff200400 != 0xf8200400 {
		return ""
	}
	imm := signed(w>>22&1<<9|w>>12&0x1ff, 10) * 8
	mode := uint32(2)
	if w>>11&1 == 1 {
		mode = 3
	}
	return [2]string{"ldraa", "ldrab"}[w>>23&1] + "\t" + xreg(w, "xzr") + ", " +
		arm64Address(xreg(w>>5, "sp"), imm, mode)
}

// arm64Ordered decodes LDLAR and STLLR (FEAT_LOR) and the loads and stores with
// acquire and release at an offset (FEAT_LRCPC2).
func arm64Ordered(w uint32) string {
	width, zero, suffix := arm64Width(w)
	base := xreg(w>>5, "sp")
	switch {
	case w&0x3fe0fc00 == 0x08c07c00 || w&0x3fe0fc00 == 0x08807c00:
		return [2]string{"stllr", "ldlar"}[w>>22&1] + suffix + "\t" + arm64Reg(width, w, zero) + ", [" + base + "]"
	case w&0x3f200c00 == 0x19000000:
		address := arm64Address(base, signed(w>>12, 9), 2)
		opc := w >> 22 & 3
		if opc < 2 {
			return [2]string{"stlur", "ldapur"}[opc] + suffix + "\t" + arm64Reg(width, w, zero) + ", " + address
		}
		size := [4]string{"b", "h", "w", ""}[w>>30]
		if size == "" || size == "w" && opc == 3 {
			return ""
		}
		width, zero = 'x', "xzr"
		if opc == 3 {
			width, zero = 'w', "wzr"
		}
		return "ldapurs" + size + "\t" + arm64Reg(width, w, zero) + ", " + address
	}
	return ""
}
