package site

import (
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
)

// FuzzCode follows arbitrary bytes to where they return and where they lead.
func FuzzCode(f *testing.F) {
	f.Add([]byte{0x74, 0x06, 0x48, 0x83, 0xc4, 0x18, 0x5b, 0xc3, 0xe8, 0, 0, 0, 0, 0xc9, 0xc3})
	f.Add([]byte{0xf3, 0x0f, 0x1e, 0xfa, 0xff, 0x25, 0xf6, 0x13, 0, 0})
	f.Add([]byte{0xeb, 0xfe})
	f.Add([]byte{0x10, 0, 0, 0xb0, 0x11, 2, 0x44, 0xf9, 0x20, 2, 0x1f, 0xd6}) // adrp; ldr; br
	f.Add([]byte{0xfd, 0x7b, 0xc2, 0xa8, 0xc0, 3, 0x5f, 0xd6})                // ldp; ret
	const textAt, textSize = 0x400000, 0x2000
	f.Fuzz(func(t *testing.T, code []byte) {
		if len(code) > textSize {
			return
		}
		for _, arch := range []*core.Arch{core.AMD64, core.I386, core.ARM64, core.ARM} {
			p := coretest.New(arch).MapProt(textAt, code, core.Read|core.Exec).Thread(1, nil).Process()
			text := New(p, nil, nil)
			for _, exact := range []bool{true, false} {
				if s := text.aheadOf(text.At(textAt, exact)); s != nil && s.CFAOff < 0 && !s.FromFP {
					t.Errorf("%s: the caller's stack ends %d bytes below its own", arch.Name, -s.CFAOff)
				}
			}
			text.leads(textAt, textAt+core.Addr(len(code)), maxTailCall)
			text.At(textAt+core.Addr(len(code)), false)
		}
	})
}
