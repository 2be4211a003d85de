package note

import (
	stdelf "debug/elf"
	"encoding/binary"
	"testing"

	"coredbg/core"
	"coredbg/core/elf/format"
)

// TestSystemVectors: floating-point registers in the notes of the BSDs. The layouts were checked
// against cores of FreeBSD 13 (amd64, i386, arm64) and NetBSD 9 (amd64): every register that lldb's own
// tests of them expect.
func TestSystemVectors(t *testing.T) {
	fx := make([]byte, 512)
	binary.LittleEndian.PutUint16(fx, 0x37b)
	fx[160+16], fx[160+31] = 0x11, 0x22 // xmm1
	arm := make([]byte, 528)
	arm[16], arm[31], arm[512], arm[516] = 0x11, 0x22, 1, 2
	fn := make([]byte, 108)
	fn[0], fn[28+10] = 0x7b, 0x33 // fctrl, st1
	for _, c := range []struct {
		owner   string
		typ     uint32
		machine stdelf.Machine
		wide    bool
		desc    []byte
		reg     string
		want    core.Register // value, first and last byte
	}{
		{"FreeBSD", ntFPRegSet, stdelf.EM_X86_64, true, fx, "xmm1", core.Register{Bytes: []byte{0x11, 0x22}}},
		{"FreeBSD", ntFPRegSet, stdelf.EM_X86_64, true, fx, "fctrl", core.Register{Value: 0x37b}},
		{"FreeBSD", ntFPRegSet, stdelf.EM_386, false, fn, "st1", core.Register{Bytes: []byte{0x33, 0}}},
		{"FreeBSD", ntFPRegSet, stdelf.EM_AARCH64, true, arm, "fpsr", core.Register{Value: 1}},
		{"NetBSD-CORE@2", netFPRegs, stdelf.EM_X86_64, true, fx, "xmm1", core.Register{Bytes: []byte{0x11, 0x22}}},
		{"NetBSD-CORE@2", netXMMRegs, stdelf.EM_386, false, fx, "xmm1", core.Register{Bytes: []byte{0x11, 0x22}}},
		{"NetBSD-CORE@2", netFPRegsARM64, stdelf.EM_AARCH64, true, arm, "v1", core.Register{Bytes: []byte{0x11, 0x22}}},
		{"NetBSD-CORE@2", netFPRegsARM64, stdelf.EM_AARCH64, true, arm, "fpsr", core.Register{Value: 2}},
		{"OpenBSD@812", openFPRegs, stdelf.EM_X86_64, true, fx, "xmm1", core.Register{Bytes: []byte{0x11, 0x22}}},
		{"OpenBSD@812", openXFPRegs, stdelf.EM_386, false, fx, "xmm1", core.Register{Bytes: []byte{0x11, 0x22}}},
		// of the process, not of an LWP
		{"NetBSD-CORE", netFPRegs, stdelf.EM_X86_64, true, fx, "xmm1", core.Register{}},
		{"NetBSD-CORE@2", netFPRegs, stdelf.EM_X86_64, true, fx[:100], "xmm1", core.Register{}},
	} {
		m := &machine{Class: format.Class{Order: binary.LittleEndian, Wide: c.wide}, id: c.machine}
		var got core.Register
		for _, r := range m.registers([]core.Note{{Owner: c.owner, Type: c.typ, Desc: c.desc}}) {
			if r.Name == c.reg {
				got = r
			}
		}
		if b := got.Bytes; b != nil {
			got.Bytes = []byte{b[0], b[len(b)-1]}
		}
		if got.Value != c.want.Value || string(got.Bytes) != string(c.want.Bytes) {
			t.Errorf("%s %d: %s is %#x %x, want %#x %x", c.owner, c.typ, c.reg, got.Value, got.Bytes,
				c.want.Value, c.want.Bytes)
		}
	}
}
