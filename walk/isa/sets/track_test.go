package sets

import (
	"encoding/hex"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/walk/isa"
)

// TestTrackers: functions with a frame as GCC 12 compiles them at -O2, and the places of their frames
// and return addresses after the given bytes.
func TestTrackers(t *testing.T) {
	for _, c := range []struct {
		name  string
		arch  *core.Arch
		code  string // words as objdump prints them, without the part after "//"
		cfa   int64
		base  string // "" is the stack pointer
		saved map[string]int32
	}{
		{"riscv64", core.RISCV64, `
			0111     // add sp,sp,-32
			06ec     // sd ra,24(sp)
			22e8     // sd s0,16(sp)
			26e4     // sd s1,8(sp)
			eff01ffe // jal f_touch
			2a84     // mv s0,a0`, 32, "", map[string]int32{"ra": 8, "s0": 16, "s1": 24}},
		{"riscv64, large", core.RISCV64, `
			3971     // add sp,sp,-64
			22f8     // sd s0,48(sp)
			0564     // lui s0,0x1
			9d72     // lui t0,0xfffe7
			c102     // add t0,t0,16
			06fc     // sd ra,56(sp)
			1691     // add sp,sp,t0`, 64 + 0x19000 - 16, "", map[string]int32{"ra": 8, "s0": 16}},
		{"riscv64, frame pointer", core.RISCV64, `
			4111     // add sp,sp,-16
			22e0     // sd s0,0(sp)
			06e4     // sd ra,8(sp)
			0008     // add s0,sp,16
			33015140 // sub sp,sp,t0`, 0, "s0", map[string]int32{"ra": 8, "s0": 16}},
		{"loongarch64", core.LOONGARCH64, `
			63c0ff02 // addi.d sp,sp,-16
			6120c029 // st.d ra,sp,8
			ffdbff57 // bl f_touch
			8f001500 // move t3,a0`, 16, "", map[string]int32{"ra": 8}},
		{"loongarch64, alloca", core.LOONGARCH64, `
			6340ff02 // addi.d sp,sp,-48
			7920c029 // st.d s2,sp,8
			99048002 // addi.w s2,a0,1
			61a0c029 // st.d ra,sp,40
			7680c029 // st.d fp,sp,32
			7760c029 // st.d s0,sp,24
			76c0c002 // addi.d fp,sp,48
			7840c029 // st.d s1,sp,16
			26934000 // slli.w a2,s2,4
			63981100 // sub.d sp,sp,a2`, 0, "fp", map[string]int32{"ra": 8, "fp": 16, "s0": 24, "s1": 32, "s2": 40}},
		{"loongarch64, large", core.LOONGARCH64, `
			6380ff02 // addi.d sp,sp,-32
			7740c029 // st.d s0,sp,16
			37000014 // lu12i.w s0,1
			f7228e03 // ori s0,s0,0x388
			79000027 // stptr.d s2,sp,0
			edfcff15 // lu12i.w t1,-25
			6160c029 // st.d ra,sp,24
			63b41000 // add.d sp,sp,t1
			ffbff957 // bl memset`, 32 + 102400, "", map[string]int32{"ra": 8, "s0": 16, "s2": 32}},
		{"loongarch64, after a return", core.LOONGARCH64, `
			63c0ff02 // addi.d sp,sp,-16
			6120c029 // st.d ra,sp,8
			80100044 // bnez a0,16
			6120c028 // ld.d ra,sp,8
			6340c002 // addi.d sp,sp,16
			2000004c // ret`, 16, "", map[string]int32{"ra": 8}},
		{"s390, large", core.S390, `
			90aff028     // stm %r10,%r15,40(%r15)
			c0d00002a6ee // larl %r13,the constants
			18bf         // lr %r11,%r15
			5af0d004     // a %r15,4(%r13)
			18a2         // lr %r10,%r2`, 0, "r11", map[string]int32{"r10": -40, "r11": -44, "r12": -48, "r13": -52, "r14": -56}},
		{"x32", core.X32, `
			55           // push %rbp
			89e5         // mov %esp,%ebp
			4155         // push %r13
			53           // push %rbx
			83ec08       // sub $8,%esp
			29c4         // sub %eax,%esp
			e872f9ffff   // call memset`, 16, "rbp", map[string]int32{"rip": 8, "rbp": 16, "r13": 24, "rbx": 32}},
		{"x32, without a frame pointer", core.X32, `
			4154         // push %r12
			83ec10       // sub $16,%esp
			e872f9ffff   // call`, 32, "", map[string]int32{"rip": 8, "r12": 16}},
		{"ppc64le", core.PPC64LE, `
			a602087c // mflr r0
			f0ffc1fb // std r30,-16(r1)
			f8ffe1fb // std r31,-8(r1)
			100001f8 // std r0,16(r1)
			d1ff21f8 // stdu r1,-48(r1)
			adffff4b // bl f_touch
			781b7f7c // mr r31,r3`, 48, "", map[string]int32{"lr": -16, "r30": 16, "r31": 8}},
		{"ppc64le, before the frame", core.PPC64LE, `
			a602087c // mflr r0
			f8ffe1fb // std r31,-8(r1)`, 0, "", map[string]int32{"r31": 8}},
		{"ppc64le, large", core.PPC64LE, `
			a602087c // mflr r0
			100001f8 // std r0,16(r1)
			feff003c // lis r0,-2
			d06f0060 // ori r0,r0,28624
			6a01217c // stdux r1,r1,r0`, 0x20000 - 28624, "", map[string]int32{"lr": -16}},
		{"ppc64le, taken down", core.PPC64LE, `
			a602087c // mflr r0
			100001f8 // std r0,16(r1)
			d1ff21f8 // stdu r1,-48(r1)
			30002138 // addi r1,r1,48
			100001e8 // ld r0,16(r1)
			a603087c // mtlr r0`, 0, "", map[string]int32{}},
		{"ppc", core.PPC, `
			9421ffe0 // stwu r1,-32(r1)
			7c0802a6 // mflr r0
			429f0005 // bcl 20,31,$+4
			93c10018 // stw r30,24(r1)
			7fc802a6 // mflr r30
			90010024 // stw r0,36(r1)
			93e1001c // stw r31,28(r1)`, 32, "", map[string]int32{"lr": -4, "r30": 8, "r31": 4}},
		{"s390x", core.S390X, `
			ebaff0500024 // stmg %r10,%r15,80(%r15)
			e3f0ff60ff71 // lay %r15,-160(%r15)
			c0e5ffffffea // brasl %r14,f_touch
			b90400a2     // lgr %r10,%r2`, 160, "", map[string]int32{"r10": -80, "r11": -88, "r12": -96, "r13": -104, "r14": -112}},
		{"s390x, alloca", core.S390X, `
			ebaff0500024 // stmg %r10,%r15,80(%r15)
			e3f0ff60ff71 // lay %r15,-160(%r15)
			b90400bf     // lgr %r11,%r15
			b91900f1     // sgfr %r15,%r1`, 160, "r11", map[string]int32{"r10": -80, "r11": -88, "r12": -96, "r13": -104, "r14": -112}},
		{"s390x, taken down", core.S390X, `
			ebbff0580024 // stmg %r11,%r15,88(%r15)
			a7fbff60     // aghi %r15,-160
			ebbff0f80004 // lmg %r11,%r15,248(%r15)`, 0, "", map[string]int32{}},
		{"arm", core.ARM, `
			70402de9 // push {r4,r5,r6,lr}
			19da4de2 // sub sp,sp,#102400
			f4ffffeb // bl f_touch
			0040a0e1 // mov r4,r0`, 16 + 102400, "", map[string]int32{"lr": 4, "r6": 8, "r5": 12, "r4": 16}},
		{"arm, alloca", core.ARM, `
			f04b2de9 // push {r4-r9,fp,lr}
			017080e2 // add r7,r0,#1
			1cb08de2 // add fp,sp,#28
			02d04de0 // sub sp,sp,r2`, 4, "r11", map[string]int32{"lr": 4, "r11": 8, "r9": 12, "r8": 16, "r7": 20, "r6": 24, "r5": 28, "r4": 32}},
		{"arm, pairs", core.ARM, `
			f8416de1 // strd r4,r5,[sp,#-24]!
			08608de5 // str r6,[sp,#8]
			14e08de5 // str lr,[sp,#20]`, 24, "", map[string]int32{"lr": 4, "r6": 16, "r5": 20, "r4": 24}},
		{"arm, pairs taken down", core.ARM, `
			f8416de1 // strd r4,r5,[sp,#-24]!
			14e08de5 // str lr,[sp,#20]
			d040cde1 // ldrd r4,r5,[sp]
			14d08de2 // add sp,sp,#20`, 4, "", map[string]int32{"lr": 4}},
		{"thumb", core.ARM, `
			70b5     // push {r4,r5,r6,lr}
			41f28833 // movw r3,#5000
			0d4e     // ldr r6,[pc,#52]
			adf5c83d // sub.w sp,sp,#102400
			0146     // mov r1,r0`, 16 + 102400, "", map[string]int32{"lr": 4, "r6": 8, "r5": 12, "r4": 16}},
		{"thumb, alloca", core.ARM, `
			2de9f843 // stmdb sp!,{r3-r9,lr}
			00f10108 // add.w r8,r0,#1
			00af     // add r7,sp,#0
			adeb020d // sub.w sp,sp,r2`, 32, "r7", map[string]int32{"lr": 4, "r9": 8, "r8": 12, "r7": 16, "r6": 20, "r5": 24, "r4": 28}},
		{"mips", core.MIPS, `
			27bd8010 // addiu sp,sp,-32752
			3c030001 // lui v1,0x1
			34631038 // ori v1,v1,0x1038
			afbf7fec // sw ra,32748(sp)
			afb17fe8 // sw s1,32744(sp)
			03a3e823 // subu sp,sp,v1
			04116bcf // bal memset
			02002025 // move a0,s0`, 32752 + 0x11038, "", map[string]int32{"ra": 4, "s1": 8}},
		{"mips, after a return", core.MIPS, `
			27bdffe0 // addiu sp,sp,-32
			afbf001c // sw ra,28(sp)
			10800004 // beqz a0,24
			00000000 // nop
			8fbf001c // lw ra,28(sp)
			03e00008 // jr ra
			27bd0020 // addiu sp,sp,32`, 32, "", map[string]int32{"ra": 4}},
		{"m68k", core.M68K, `
			48e73038     // movem.l %d2-%d3/%a2-%a4,-(%sp)
			262f0018     // move.l 24(%sp),%d3
			2f0b         // move.l %a3,-(%sp)
			49f9800003d0 // lea f_touch,%a4
			4e94         // jsr (%a4)`, 28, "", map[string]int32{"pc": 4, "a4": 8, "a3": 12, "a2": 16, "d3": 20, "d2": 24}},
		{"m68k, alloca", core.M68K, `
			4e560000     // link.w %fp,#0
			48e73020     // movem.l %d2-%d3/%a2,-(%sp)
			242e0008     // move.l 8(%fp),%d2
			9fc0         // suba.l %d0,%sp
			244f         // movea.l %sp,%a2
			2f02         // move.l %d2,-(%sp)
			4eb980013f78 // jsr memset`, 8, "fp", map[string]int32{"pc": 4, "fp": 8, "a2": 12, "d3": 16, "d2": 20}},
		{"m68k, large", core.M68K, `
			480efffe7000 // link.l %fp,#-102400
			2f03         // move.l %d3,-(%sp)
			48780fa0     // pea 0xfa0
			48762930fffe7000 // pea (-102400,%fp,%d2.l)
			61ff000077c2 // bsr.l`, 8, "fp", map[string]int32{"pc": 4, "fp": 8, "d3": 102400 + 12}},
		{"m68k, arguments left", core.M68K, `
			4fefff00     // lea -256(%sp),%sp
			2f03         // move.l %d3,-(%sp)
			487800c0     // pea 0xc0
			61ff000077c2 // bsr.l
			13c38006e361 // move.b %d3,kept+1
			48680001     // pea 1(%a0)
			4eb9800003ea // jsr f_crash`, 4 + 256 + 12, "", map[string]int32{"pc": 4, "d3": 264}},
		{"m68k, after a return", core.M68K, `
			2f0a         // move.l %a2,-(%sp)
			2f02         // move.l %d2,-(%sp)
			246f000c     // movea.l 12(%sp),%a2
			4a8a         // tst.l %a2
			6f1e         // ble.s after rts
			486affff     // pea -1(%a2)
			4eb980000570 // jsr f_rec
			2400         // move.l %d0,%d2
			2f0a         // move.l %a2,-(%sp)
			4eb9800003d0 // jsr f_touch
			d082         // add.l %d2,%d0
			508f         // addq.l #8,%sp
			241f         // move.l (%sp)+,%d2
			245f         // movea.l (%sp)+,%a2
			4e75         // rts
			2f0a         // move.l %a2,-(%sp)
			4eb9800003ea // jsr f_crash`, 16, "", map[string]int32{"pc": 4, "a2": 8, "d2": 12}},
		{"m68k, a switch", core.M68K, `
			2f0a         // move.l %a2,-(%sp)
			2f02         // move.l %d2,-(%sp)
			202f000c     // move.l 12(%sp),%d0
			7205         // moveq #5,%d1
			b280         // cmp.l %d0,%d1
			650000d0     // bcs.w, beyond the table's cases
			d080         // add.l %d0,%d0
			303b0806     // move.w table(%pc,%d0.l),%d0
			4efb0002     // jmp table(%pc,%d0.w)
			004600700088 // the table: three cases
			00a6000c0032 // and three
			48780003     // pea 3
			4eb980000452 // jsr h`, 16, "", map[string]int32{"pc": 4, "a2": 8, "d2": 12}},
		{"m68k, taken down", core.M68K, `
			4e56fff0     // link.w %fp,#-16
			48d70404     // movem.l %d2/%a2,(%sp)
			4cd70404     // movem.l (%sp),%d2/%a2
			4e5e         // unlk %fp`, 4, "", map[string]int32{"pc": 4}},
		{"m68k, a constant taken off", core.M68K, `
			dffcffff0000 // adda.l #-65536,%sp
			f227f002     // fmovem.x %fp6,-(%sp)
			2f2f0004     // move.l 4(%sp),-(%sp)
			1f00         // move.b %d0,-(%sp)
			548f         // addq.l #2,%sp
			4e90         // jsr (%a0)`, 4 + 65536 + 12 + 4, "", map[string]int32{"pc": 4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			code := assembled(t, c.code)
			s, ok := For(c.arch).Prologue(append(code, 0, 0, 0, 0, 0, 0, 0, 0), len(code), isa.MaxInsns)
			base := ""
			if s.FromFP {
				base = c.arch.RegNames[s.Register(c.arch)]
			}
			if !ok || !s.Sure || base != c.base || s.CFAOff != c.cfa {
				t.Errorf("ok %v, sure %v, CFA %q+%d; want %q+%d", ok, s.Sure, base, s.CFAOff, c.base, c.cfa)
			}
			for slot, name := range c.arch.RegNames {
				if s.Saved[slot] != c.saved[name] {
					t.Errorf("%s is saved %d below the CFA, want %d", name, s.Saved[slot], c.saved[name])
				}
			}
		})
	}
}

func assembled(t *testing.T, text string) (code []byte) {
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "//")
		b, err := hex.DecodeString(strings.TrimSpace(line))
		if err != nil {
			t.Fatal(err)
		}
		code = append(code, b...)
	}
	return code
}

// TestCalls: which instructions before a return address are calls, and where they lead.
func TestCalls(t *testing.T) {
	for _, c := range []struct {
		arch   *core.Arch
		code   string
		to     int64
		direct bool
		ok     bool
	}{
		{core.RISCV64, "eff01ffe", -36, true, true},               // jal -32
		{core.RISCV64, "97000000e7800001", 8, true, true},         // auipc ra,0; jalr 16(ra)
		{core.RISCV64, "e7800700", 0, false, true},                // jalr a5
		{core.RISCV64, "8297", 0, false, true},                    // c.jalr a5
		{core.RISCV64, "8287", 0, false, false},                   // c.jr a5
		{core.PPC64LE, "adffff4b", -84 - 4, true, true},           // bl
		{core.PPC64LE, "2104804e", 0, false, true},                // bctrl
		{core.PPC, "4bffff88", 0, false, false},                   // b
		{core.S390X, "c0e5ffffffea", -44 - 6, true, true},         // brasl
		{core.S390X, "0de1", 0, false, true},                      // basr %r14,%r1
		{core.S390X, "0000a7e50010", 32 - 4, true, true},          // bras
		{core.S390X, "b90400a20701", 0, false, false},             // nopr
		{core.S390X, "c0e5", 0, false, false},                     // cut
		{core.PPC64, "4e800421", 0, false, true},                  // bctrl
		{core.PPC64, "4e800020", 0, false, false},                 // blr
		{core.RISCV64, "0100", 0, false, false},                   // nop
		{core.RISCV64, "67800000", 0, false, false},               // ret
		{core.S390, "c0e500000010", 32 - 6, true, true},           // brasl
		{core.PPC64LE, "0100", 0, false, false},                   // cut
		{core.MIPS, "04116bcf02002025", 0x6bcf*4 - 4, true, true}, // bal
		{core.MIPSEL, "09f8200300000000", 0, false, true},         // jalr t9
		{core.MIPS, "03e0000827bd0020", 0, false, false},          // jr ra
		{core.S390X, "07fe", 0, false, false},                     // br %r14
		{core.M68K, "61ff000077c2", 0x77c2 - 4, true, true},       // bsr.l
		{core.M68K, "6100fff0", -16 - 2, true, true},              // bsr.w
		{core.M68K, "6110", 16, true, true},                       // bsr.s
		{core.M68K, "4ebb017000000100", 0x100 - 6, true, true},    // jsr (256,%pc), of 32 bits
		{core.M68K, "4eb9800003ea", 0, false, true},               // jsr of an address
		{core.M68K, "4e94", 0, false, true},                       // jsr (%a4)
		{core.M68K, "4ed0", 0, false, false},                      // jmp (%a0)
		{core.M68K, "4e75", 0, false, false},                      // rts
	} {
		to, direct, ok := For(c.arch).Call(assembled(t, c.code))
		if to != c.to || direct != c.direct || ok != c.ok {
			t.Errorf("%s %s: %d, direct %v, %v; want %d, %v, %v", c.arch.Name, c.code, to, direct, ok, c.to,
				c.direct, c.ok)
		}
	}
}
