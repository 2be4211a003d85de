package insn

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/arch/x86/x86asm"
)

// attNames are the mnemonics that the library does not spell as objdump does.
var attNames = map[string]string{
	"cdqe":  "cltq",
	"callq": "call", "jmpq": "jmp", "retq": "ret", "leaveq": "leave", "enterq": "enter", "xbeginq": "xbegin",
	"lcallq": "lcall", "ljmpq": "ljmp", "lretq": "lret", "icebp": "int1",
	"pushq": "push", "popq": "pop", "pushl": "push", "popl": "pop", "pushfq": "pushf", "popfq": "popf",
}

// correct makes what the library writes in other words what objdump writes.
func (t *attInsn) correct(inst *instX86) {
	if name, ok := attNames[t.mnemonic]; ok {
		t.mnemonic = name
	}
	if inst.name != "" {
		t.mnemonic = inst.name
	}
	switch inst.Op {
	case x86asm.MOVSXD:
		if inst.DataSize == 64 {
			t.mnemonic = "movslq"
		}
	case x86asm.MOV:
		if _, ok := inst.Args[1].(x86asm.Imm); ok && inst.DataSize == 64 && inst.Opcode>>24&^7 == 0xb8 ||
			inst.isOffset() {
			t.mnemonic = "movabs"
		}
	case x86asm.ANDN, x86asm.BEXTR, x86asm.BLSI, x86asm.BLSMSK, x86asm.BLSR, x86asm.BZHI, x86asm.MULX,
		x86asm.PDEP, x86asm.PEXT,
		x86asm.RORX, x86asm.SARX, x86asm.SHLX, x86asm.SHRX:
		t.mnemonic = strings.ToLower(inst.Op.String())
	case x86asm.VPCMPB, x86asm.VPCMPW, x86asm.VPCMPD, x86asm.VPCMPQ, x86asm.VPCMPUB, x86asm.VPCMPUW, x86asm.VPCMPUD,
		x86asm.VPCMPUQ:
		t.nameCompare()
	case x86asm.XLATB:
		t.operands = "%ds:" + strings.TrimPrefix(t.operands, "%ds:")
	case x86asm.FIADD, x86asm.FICOM, x86asm.FICOMP, x86asm.FIDIV, x86asm.FIDIVR, x86asm.FILD, x86asm.FIMUL,
		x86asm.FIST, x86asm.FISTP,
		x86asm.FISTTP, x86asm.FISUB, x86asm.FISUBR:
		if inst.MemBytes == 2 {
			t.mnemonic += "s"
		}
	case x86asm.VPCLMULQDQ:
		t.nameMultiply()
	case x86asm.VPMOVM2B, x86asm.VPMOVM2W, x86asm.VPMOVM2D, x86asm.VPMOVM2Q, x86asm.VPBROADCASTMB2Q,
		x86asm.VPBROADCASTMW2D:
		to, ok1 := inst.Args[0].(x86asm.Reg)
		mask, ok2 := inst.Args[1].(x86asm.Reg)
		if ok1 && ok2 {
			t.operands = attRegister(mask) + "," + attRegister(to)
		}
	case x86asm.NOP:
		if t.operands == "" && len(t.prefixes) == 1 && t.prefixes[0] == "data16" {
			*t = attInsn{mnemonic: "xchg", operands: "%ax,%ax"}
		}
	}
	t.addPrefixes(inst)
	t.nameStack(inst)
	t.correctPrefixes(inst)
}

// addPrefixes adds the prefixes before a VEX or an EVEX prefix that change nothing.
func (t *attInsn) addPrefixes(inst *instX86) {
	names := map[byte]string{0x66: "data16", 0x2e: "cs", 0x3e: "ds", 0x26: "es", 0x36: "ss"}
	if !slices.ContainsFunc(inst.Args[:], isMemoryX86) {
		names[0x67] = "addr32"
	}
	for _, p := range inst.prefixes {
		if name := names[p]; name != "" {
			t.prefixes = append(t.prefixes, name)
		}
	}
}

// nameCompare puts the condition of a comparison of vectors into its name.
func (t *attInsn) nameCompare() {
	conditions := []string{"eq", "lt", "le", "", "neq", "nlt", "nle"}
	condition, rest, ok := strings.Cut(strings.TrimPrefix(t.operands, "$0x"), ",")
	if n, err := strconv.Atoi(condition); ok && err == nil && n < len(conditions) && conditions[n] != "" {
		t.mnemonic = "vpcmp" + conditions[n] + strings.TrimPrefix(t.mnemonic, "vpcmp")
		t.operands = rest
	}
}

// nameMultiply puts the halves that a carry-less multiplication takes into its name.
func (t *attInsn) nameMultiply() {
	halves := map[string]string{"$0x0": "lql", "$0x1": "hql", "$0x10": "lqh", "$0x11": "hqh"}
	immediate, rest, _ := strings.Cut(t.operands, ",")
	if half := halves[immediate]; half != "" {
		t.mnemonic, t.operands = "vpclmul"+half+"qdq", rest
	}
}

// nameStack tells the top of the floating-point stack as a number in the
// encoding, "%st(0)", from the implied one, "%st".
func (t *attInsn) nameStack(inst *instX86) {
	op, second := inst.Opcode>>24, inst.Opcode>>16&0xff
	if op < 0xd8 || op > 0xdf || second < 0xc0 {
		return
	}
	switch {
	case t.operands == "%st":
		t.operands = "%st(0)"
	case t.operands == "%st,%st" && (op == 0xdc || op == 0xde):
		t.operands = "%st,%st(0)"
	case t.operands == "%st,%st":
		t.operands = "%st(0),%st"
	}
}

// correctPrefixes names prefixes as objdump does. Segments have no meaning for
// operands of 64-bit code, except FS and GS.
func (t *attInsn) correctPrefixes(inst *instX86) {
	for i, p := range t.prefixes {
		switch {
		case p == "data32":
			t.prefixes[i] = "data16"
		case p == "addr64":
			t.prefixes[i] = "addr32"
		case p == "ds" && (t.mnemonic == "jmp" || t.mnemonic == "call") && strings.HasPrefix(t.operands, "*"):
			t.prefixes[i] = "notrack"
		case (p == "rep" || p == "repe") && !slices.Contains(repeated, t.mnemonic):
			t.prefixes[i] = "repz"
		case p == "repn" || p == "repne":
			t.prefixes[i] = "repnz"
		}
	}
	if inst.Mode != 64 {
		return
	}
	if rex := inst.emptyREX(); rex != "" && !slices.Contains(t.prefixes, rex) {
		t.prefixes = append(t.prefixes, rex)
	}
	for _, segment := range []string{"cs", "ds", "es", "ss"} {
		s := "%" + segment + ":"
		t.operands = strings.ReplaceAll(strings.ReplaceAll(t.operands, "%ds:"+s, "%ds:"), s+"%ds:", "%ds:")
		if strings.Contains(t.operands, "%ds:") {
			t.prefixes = slices.DeleteFunc(t.prefixes, func(p string) bool { return p == "ds" })
		}
		if strings.Contains(t.operands, s) && !isStringX86(inst) {
			t.operands = strings.Replace(t.operands, s, "", 1)
			t.prefixes = append(t.prefixes, segment)
		}
	}
}

// emptyREX returns the REX prefix of an instruction that has 64-bit operands without it.
func (inst *instX86) emptyREX() string {
	switch inst.Op {
	case x86asm.CALL, x86asm.JMP, x86asm.RET, x86asm.PUSH, x86asm.POP, x86asm.LEAVE, x86asm.ENTER:
	default:
		return ""
	}
	for _, p := range inst.Prefix {
		if p.IsREX() && p&x86asm.PrefixREXW != 0 {
			return "rex." + (p &^ x86asm.PrefixImplicit).String()[len("REX."):]
		}
	}
	return ""
}

// repeated are the string instructions that a prefix repeats without a condition.
var repeated = []string{"movsb", "movsw", "movsl", "movsq", "stos", "lods", "insb", "insw", "insl", "outsb",
	"outsw", "outsl"}

// isStringX86 reports whether an instruction has an operand in memory that its opcode implies.
func isStringX86(inst *instX86) bool {
	op := inst.Opcode >> 24
	return op >= 0xa4 && op <= 0xa7 || op >= 0xaa && op <= 0xaf || op == 0xd7 || op >= 0x6c && op <= 0x6f
}
