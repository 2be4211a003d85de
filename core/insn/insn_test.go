package insn

import (
	"bytes"
	"encoding/binary"
	"testing"

	"coredbg/core"
)

// The operands are what objdump 2.40 prints for the instructions.
func TestEffectARM64(t *testing.T) {
	regs := Registers{}
	for i := range 31 {
		regs.Set(i, uint64(0x1000*i))
	}
	regs.Set(core.ARM64.SP, 0x90000)
	for _, c := range []struct {
		insn    uint32
		operand string
		addr    core.Addr
		write   bool
	}{
		{0xb9400000, "x0", 0, false},                   // ldr w0, [x0]
		{0xb9000c41, "x2+0xc", 0x200c, true},           // str w1, [x2, #12]
		{0xf85f8041, "x2-0x8", 0x1ff8, false},          // ldur x1, [x2, #-8]
		{0xa9bd7bfd, "sp-0x30", 0x8ffd0, true},         // stp x29, x30, [sp, #-48]!
		{0xa8c37bfd, "sp", 0x90000, false},             // ldp x29, x30, [sp], #48
		{0xf8408c41, "x2+0x8", 0x2008, false},          // ldr x1, [x2, #8]!
		{0xf8408441, "x2", 0x2000, false},              // ldr x1, [x2], #8
		{0xf8637841, "x2+x3", 0x2000 + 0x18000, false}, // ldr x1, [x2, x3, lsl #3]
		{0xb8234841, "x2+x3", 0x5000, true},            // str w1, [x2, w3, uxtw]
		{0x3dc00440, "x2+0x10", 0x2010, false},         // ldr q0, [x2, #16]
		{0x3d800440, "x2+0x10", 0x2010, true},          // str q0, [x2, #16]
		{0x58000041, "pc+0x8", 0x400008, false},        // ldr x1, 400008
		{0xc85f7c41, "x2", 0x2000, false},              // ldxr x1, [x2]
		{0xc8037c41, "x2", 0x2000, true},               // stxr w3, x1, [x2]
		{0xf8e10041, "x2", 0x2000, true},               // ldaddal x1, x1, [x2]
		{0x4c407040, "x2", 0x2000, false},              // ld1 {v0.16b}, [x2]
		{0, "", 0, false},                              // udf #0
		{0xf9800040, "", 0, false},                     // prfm pldl1keep, [x2]
		{0x8b030041, "", 0, false},                     // add x1, x2, x3
	} {
		code := binary.LittleEndian.AppendUint32(nil, c.insn)
		got := EffectOf(core.ARM64, code, 0x400000, &regs).Accesses
		if c.operand == "" {
			if len(got) != 0 {
				t.Errorf("%08x: %+v, want no access", c.insn, got)
			}
			continue
		}
		if len(got) != 1 || got[0].Operand != c.operand || got[0].Addr != c.addr || got[0].Write != c.write {
			t.Errorf("%08x: %+v, want %s at %v, write: %t", c.insn, got, c.operand, c.addr, c.write)
		}
	}
}

func TestDisassembleNeverFails(t *testing.T) {
	for _, arch := range []*core.Arch{core.AMD64, core.I386, core.ARM64, core.RISCV64} {
		for w := uint32(1); w != 0; w *= 3 {
			b := binary.LittleEndian.AppendUint32(nil, w)
			if w > 0xf0000000 {
				break
			}
			in, ok := Disassemble(arch, b, 0x1000)
			if !ok || len(in.Bytes) == 0 || len(in.Bytes) > len(b) || in.Text == "" {
				t.Errorf("%s: %08x: %+v, %v", arch.Name, w, in, ok)
			}
		}
		if _, ok := Disassemble(arch, nil, 0); ok {
			t.Errorf("%s: an instruction in no bytes", arch.Name)
		}
	}
}

// The expectations are what GNU objdump 2.40 prints.
func TestDisassemble(t *testing.T) {
	for _, c := range []struct {
		arch   *core.Arch
		code   []byte
		text   string
		target core.Addr
	}{
		{core.AMD64, []byte{0xe8, 0xfb, 0xff, 0xff, 0xff}, "call\t0x1000", 0x1000},
		{core.AMD64, []byte{0xf3, 0x0f, 0x1e, 0xfa}, "endbr64", 0},
		{core.AMD64, []byte{0x48, 0x8d, 0x05, 0x10, 0, 0, 0}, "lea\t0x10(%rip),%rax", 0x1017},
		{core.AMD64, []byte{0x06}, ".byte\t0x06", 0},
		{core.ARM64, []byte{0x02, 0x00, 0x00, 0x94}, "bl\t0x1008", 0x1008},
		{core.ARM64, []byte{0x3f, 0x23, 0x03, 0xd5}, "paciasp", 0},
		{core.ARM64, []byte{0, 0, 0, 0}, "udf\t#0", 0},
		{core.ARM64, []byte{0xff, 0xff, 0xff, 0xff}, ".inst\t0xffffffff ; unknown", 0},
	} {
		in, ok := Disassemble(c.arch, c.code, 0x1000)
		if !ok || in.Text != c.text || in.Target != c.target || in.HasTarget != (c.target != 0) {
			t.Errorf("% x: %+v, want %q, target %v", c.code, in, c.text, c.target)
		}
	}
}

func FuzzDisassemble(f *testing.F) {
	f.Add([]byte{0x48, 0x8b, 0x44, 0x8b, 0x08})
	f.Add([]byte{0x3f, 0x23, 0x03, 0xd5})
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, arch := range []*core.Arch{core.AMD64, core.I386, core.ARM64} {
			in, ok := Disassemble(arch, b, 0x1000)
			if ok && (len(in.Bytes) == 0 || len(in.Bytes) > len(b) || !bytes.Equal(in.Bytes, b[:len(in.Bytes)])) {
				t.Fatalf("%s: %x: %+v", arch.Name, b, in)
			}
			EffectOf(arch, b, 0x1000, &Registers{Regs: core.Regs{Known: ^uint64(0)}})
		}
	})
}

// An instruction with a VEX or an EVEX prefix finds its operand as others do; only the
// moves that say so need an aligned one. The texts are objdump's.
func TestEffectVEX(t *testing.T) {
	regs := Registers{FSBase: 0x700000}
	regs.Set(core.AMD64.SlotOf("rax"), 0xffffffff00001008)
	for _, c := range []struct {
		code    string
		operand string
		addr    core.Addr
		align   uint64
	}{
		// vpbroadcastd 0x10(%rip),%ymm0
		{"\xc4\xe2\x7d\x58\x05\x10\x00\x00\x00", "rip+0x10", 0x400019, 0},
		// vmovdqa32 0x10(%rip),%zmm0
		{"\x62\xf1\x7d\x48\x6f\x05\x10\x00\x00\x00", "rip+0x10", 0x40001a, 64},
		// vmovdqu64 0x10(%rax),%xmm0
		{"\x62\xf1\xfe\x08\x6f\x40\x01", "rax+0x10", 0xffffffff00001018, 0},
		// vmovdqa 0x20(%rax),%ymm0
		{"\xc5\xfd\x6f\x40\x20", "rax+0x20", 0xffffffff00001028, 32},
		// vmovdqu %fs:0x20(%rax),%xmm0
		{"\x64\xc5\xfa\x6f\x40\x20", "fs:rax+0x20", 0xffffffff00701028, 0},
		// movabs 0x1122334455667788,%rax
		{"\x48\xa1\x88\x77\x66\x55\x44\x33\x22\x11", "+0x1122334455667788", 0x1122334455667788, 0},
		{"\x66\x4c\x0f\x38\xf6\x50\x10", "rax+0x10", 0xffffffff00001018, 0}, // adcx 0x10(%rax),%r10
	} {
		got := EffectOf(core.AMD64, []byte(c.code), 0x400000, &regs).Accesses
		if len(got) != 1 || got[0].Operand != c.operand || got[0].Addr != c.addr ||
			got[0].Align != c.align || got[0].Write {
			t.Errorf("% x: %+v, want %s at %v, align %d", c.code, got, c.operand, c.addr, c.align)
		}
	}
}
