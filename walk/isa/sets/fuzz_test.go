package sets

import (
	"testing"

	"coredbg/core"
	"coredbg/walk/isa"
)

// FuzzTrackers follows any bytes.
func FuzzTrackers(f *testing.F) {
	f.Add([]byte{0x94, 0x21, 0xff, 0xe0, 0x7c, 8, 2, 0xa6, 0xeb, 0xaf, 0xf0, 0x50, 0, 0x24}, uint16(8))
	f.Fuzz(func(t *testing.T, code []byte, pc uint16) {
		for _, arch := range []*core.Arch{core.RISCV64, core.PPC64LE, core.PPC, core.S390X, core.S390, core.ARM,
			core.MIPS, core.MIPS64EL, core.LOONGARCH64} {
			a := For(arch)
			s, ok := a.Prologue(code, int(pc), 1<<10)
			if ok && s.CFAOff < 0 {
				t.Errorf("%s: the frame is %d bytes", arch.Name, s.CFAOff)
			}
			a.Call(code)
			if a.Control != nil && len(code) >= 4 {
				a.Control(arch, code)
				a.SetsLink(code)
			}
		}
	})
}

// FuzzPrologue analyses arbitrary bytes as functions of all architectures.
func FuzzPrologue(f *testing.F) {
	f.Add([]byte{0xf3, 0x0f, 0x1e, 0xfa, 0x55, 0x48, 0x89, 0xe5, 0x53, 0x48, 0x83, 0xec, 0x18, 0x74, 0xf0, 0xc9,
		0xc3}, uint16(16))
	f.Add([]byte{0xeb, 0xfe}, uint16(2))                                            // jumps to itself
	f.Add([]byte{0xe8, 0, 0, 0, 0, 0x0f, 0x84, 0xf5, 0xff, 0xff, 0xff}, uint16(11)) // jumps back into an instruction
	f.Add([]byte{0xfd, 0x7b, 0xbd, 0xa9, 0xfd, 3, 0, 0x91, 0xc0, 3, 0x5f, 0xd6}, uint16(8))
	// m68k: a table of jumps
	f.Add([]byte{0x48, 0xe7, 0x30, 0x38, 0x4e, 0xfb, 0, 2, 0, 4, 0, 4, 0x4e, 0x94}, uint16(14))
	f.Add([]byte{0xff, 0x43, 0, 0xd1, 0xff, 0x63, 0x2c, 0xcb}, uint16(8))
	f.Fuzz(func(t *testing.T, code []byte, pc uint16) {
		if int(pc) > len(code) {
			return
		}
		for _, arch := range []*core.Arch{core.AMD64, core.X32, core.I386, core.ARM64, core.M68K} {
			set := For(arch)
			set.Prologue(code, int(pc), isa.MaxInsns)
			set.Call(code[:pc])
			if set.Entered != nil {
				set.Entered(arch, code[:pc], code[pc:])
			}
			way := isa.NewWay(arch)
			set.Step(&way, code)
		}
	})
}
