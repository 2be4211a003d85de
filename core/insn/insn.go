// Package insn decodes single instructions: their text, and the reasons why a processor may refuse
// them.
//
//	insn.go                     the text of an instruction: x86, x86-64, arm64
//	x86.go, x86like.go          the decoding of x86, and instructions that the library does not know
//	att.go, attname.go          AT&T syntax: operands and mnemonics
//	arm64.go, arm64ext.go       the text of arm64 instructions, and extensions that the library does not know
//	operand.go, operandarm64.go the places in memory that an instruction refers to
//
// LIMITATIONS: of 32-bit Arm, MIPS and RISC-V only the words are shown. Operands in
// memory are known on x86-64, i386 and arm64, except structures of arm64's vectors.
package insn

import (
	"fmt"
	"strings"

	"golang.org/x/arch/arm64/arm64asm"
	"golang.org/x/arch/x86/x86asm"

	"coredbg/core"
)

// An Instruction is one decoded instruction, or bytes that are not an instruction.
type Instruction struct {
	Addr core.Addr
	// Bytes are the instruction's bytes in memory.
	Bytes []byte
	// Text is the mnemonic and, after a tab, its operands, in AT&T syntax on x86 and in the
	// architecture manual's syntax on arm64.
	Text string
	// Target is the address that a branch, a call or a pc-relative operand refers to relative to the
	// instruction's own. It is valid if HasTarget.
	Target    core.Addr
	HasTarget bool
}

// MaxLen is the length in bytes of the longest instruction of all known architectures, which is an x86
// instruction.
const MaxLen = 15

// Known reports whether instructions of the architecture are known.
func Known(arch *core.Arch) bool {
	return arch == core.AMD64 || arch == core.I386 || arch == core.ARM64
}

// Disassemble decodes the instruction at the start of code, which is at address pc. It never fails:
// other bytes come back as data, one byte long on x86, one word elsewhere. It returns false if code is
// too short to tell.
func Disassemble(arch *core.Arch, code []byte, pc core.Addr) (Instruction, bool) {
	switch {
	case len(code) == 0:
		return Instruction{}, false
	case arch == core.AMD64:
		return disassembleX86(code, pc, 64), true
	case arch == core.I386:
		return disassembleX86(code, pc, 32), true
	case len(code) < 4:
		return Instruction{}, false
	case arch == core.ARM64:
		return disassembleARM64(code, pc), true
	}
	w := arch.Order.Uint32(code)
	return Instruction{Addr: pc, Bytes: code[:4], Text: fmt.Sprintf(".inst\t%#08x", w)}, true
}

func disassembleX86(code []byte, pc core.Addr, mode int) Instruction {
	in := Instruction{Addr: pc}
	code = code[:min(len(code), MaxLen)]
	if name, n := x86Extension(code); n > 0 {
		in.Bytes, in.Text = code[:n], name
		return in
	}
	inst, err := decodeX86(code, mode)
	if err != nil {
		in.Bytes, in.Text = code[:1], fmt.Sprintf(".byte\t%#02x", code[0])
		return in
	}
	in.Bytes = code[:inst.Len]
	next := uint64(pc) + uint64(inst.Len)
	for _, arg := range inst.Args {
		switch a := arg.(type) {
		case x86asm.Rel:
			in.Target, in.HasTarget = core.Addr((next+uint64(int64(a)))&(1<<mode-1)), true
		case x86asm.Mem:
			if a.Base == x86asm.RIP {
				in.Target, in.HasTarget = core.Addr(next+uint64(a.Disp)), true
			}
		}
	}
	in.Text = attText(&inst, &in)
	return in
}

// x86Extension knows instructions without operands that the decoder lacks: Intel SDM
// volume 2, ENDBR64, ENDBR32, RDPKRU, WRPKRU; VIA's PadLock.
func x86Extension(code []byte) (text string, n int) {
	for _, e := range []struct{ bytes, text string }{
		{"\xf3\x0f\x1e\xfa", "endbr64"}, {"\xf3\x0f\x1e\xfb", "endbr32"},
		{"\x0f\x01\xee", "rdpkru"}, {"\x0f\x01\xef", "wrpkru"},
		{"\x0f\xa7\xc0", "xstore-rng"}, {"\xf3\x0f\xa6\xc0", "repz montmul"}, {"\xf3\x0f\xa6\xc8", "repz xsha1"},
		{"\xf3\x0f\xa6\xd0", "repz xsha256"},
		{"\xf3\x0f\xa7\xc8", "repz xcrypt-ecb"}, {"\xf3\x0f\xa7\xd0", "repz xcrypt-cbc"},
		{"\xf3\x0f\xa7\xd8", "repz xcrypt-ctr"},
		{"\xf3\x0f\xa7\xe0", "repz xcrypt-cfb"}, {"\xf3\x0f\xa7\xe8", "repz xcrypt-ofb"},
	} {
		if strings.HasPrefix(string(code), e.bytes) {
			return e.text, len(e.bytes)
		}
	}
	return "", 0
}

func disassembleARM64(code []byte, pc core.Addr) Instruction {
	in := Instruction{Addr: pc, Bytes: code[:4]}
	w := core.ARM64.Order.Uint32(code)
	if in.Text = decodeARM64Extension(w); in.Text != "" {
		return in
	}
	inst, err := safeARM64(code[:4])
	if err != nil {
		in.Text = fmt.Sprintf(".inst\t%#08x ; unknown", w)
		return in
	}
	in.Text = armText(&inst, w)
	for _, arg := range inst.Args {
		if rel, ok := arg.(arm64asm.PCRel); ok {
			base := pc
			if inst.Op == arm64asm.ADRP {
				base &^= 0xfff
			}
			in.Target, in.HasTarget = base.Add(int64(rel)), true
			in.Text = strings.Replace(in.Text, rel.String(), in.Target.String(), 1)
		}
	}
	return in
}

// safeARM64 decodes a word. The decoder indexes tables by fields of the word;
// one that it did not foresee must not end the listing.
func safeARM64(code []byte) (inst arm64asm.Inst, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("decoding %x: %v", code, r)
		}
	}()
	return arm64asm.Decode(code)
}
