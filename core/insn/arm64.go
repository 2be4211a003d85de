package insn

import (
	"fmt"
	"strings"

	"golang.org/x/arch/arm64/arm64asm"
)

// armText returns an instruction as GNU objdump writes it, with a tab after the mnemonic.
func armText(inst *arm64asm.Inst, w uint32) string {
	mnemonic, operands, ok := strings.Cut(strings.TrimSpace(arm64asm.GNUSyntax(*inst)), " ")
	if w>>24 == 0x54 && w&0x1f == 0x0f {
		mnemonic = "b.nv"
	}
	if !ok {
		return mnemonic
	}
	operands = strings.ReplaceAll(strings.ReplaceAll(operands, ",", ", "), ",  ", ", ")
	switch inst.Op {
	case arm64asm.MRS, arm64asm.MSR:
		for _, arg := range inst.Args {
			if r, ok := arg.(arm64asm.Systemreg); ok {
				raw := strings.ToLower(r.String())
				operands = strings.Replace(operands, raw, systemRegister(raw), 1)
			}
		}
	case arm64asm.FCMP, arm64asm.FCMPE, arm64asm.FCMLT, arm64asm.FCMLE, arm64asm.FCMGT, arm64asm.FCMGE, arm64asm.FCMEQ:
		if strings.HasSuffix(operands, "#0") {
			operands += ".0"
		}
	case arm64asm.BFM:
		if immr, imms := w>>16&0x3f, w>>10&0x3f; w>>5&31 == 31 && imms < immr {
			return fmt.Sprintf("bfc\t%s, #%d, #%d", strings.SplitN(operands, ",", 2)[0], (32<<(w>>31)-immr)&63, imms+1)
		}
	case arm64asm.CSEL, arm64asm.CSINC, arm64asm.CSINV, arm64asm.CSNEG, arm64asm.FCSEL, arm64asm.CCMN, arm64asm.CCMP,
		arm64asm.FCCMP, arm64asm.FCCMPE:
		if before, ok := strings.CutSuffix(operands, ", al"); ok && w>>12&15 == 15 {
			operands = before + ", nv"
		}
	}
	return mnemonic + "\t" + operands
}

// systemRegisters are the names of registers that programs read or write (DDI 0487, D19).
var systemRegisters = map[string]string{
	"s3_3_c13_c0_2": "tpidr_el0", "s3_3_c13_c0_3": "tpidrro_el0", "s3_3_c13_c0_5": "tpidr2_el0",
	"s3_3_c4_c4_0": "fpcr", "s3_3_c4_c4_1": "fpsr", "s3_3_c4_c2_0": "nzcv", "s3_3_c4_c2_1": "daif",
	"s3_3_c4_c2_5": "dit", "s3_3_c4_c2_6": "ssbs", "s3_3_c4_c2_7": "tco",
	"s3_3_c0_c0_1": "ctr_el0", "s3_3_c0_c0_7": "dczid_el0", "s3_3_c2_c4_0": "rndr", "s3_3_c2_c4_1": "rndrrs",
	"s3_3_c2_c5_1":  "gcspr_el0",
	"s3_3_c14_c0_0": "cntfrq_el0", "s3_3_c14_c0_1": "cntpct_el0", "s3_3_c14_c0_2": "cntvct_el0",
	"s3_3_c14_c0_6": "cntvctss_el0",
	"s3_0_c0_c0_0":  "midr_el1", "s3_0_c0_c0_5": "mpidr_el1", "s3_0_c0_c0_6": "revidr_el1",
	"s3_0_c0_c4_0": "id_aa64pfr0_el1", "s3_0_c0_c4_1": "id_aa64pfr1_el1", "s3_0_c0_c4_4": "id_aa64zfr0_el1",
	"s3_0_c0_c6_0": "id_aa64isar0_el1", "s3_0_c0_c6_1": "id_aa64isar1_el1", "s3_0_c0_c6_2": "id_aa64isar2_el1",
	"s3_0_c0_c7_0": "id_aa64mmfr0_el1", "s3_0_c0_c7_1": "id_aa64mmfr1_el1", "s3_0_c0_c7_2": "id_aa64mmfr2_el1",
}

// systemRegister returns the name of a register, or its encoding.
func systemRegister(raw string) string {
	if name := systemRegisters[raw]; name != "" {
		return name
	}
	return raw
}
