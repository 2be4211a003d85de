package arm64

import (
	"encoding/binary"
	"testing"

	"coredbg/core"
	"coredbg/walk/isa"
)

// TestPrologueARM64 has frames that begin with vector registers, and that are
// aligned further than the ABI asks: the code is clang's for uv_fs_lutime and
// ecp_sm2p256_windowed_mul in Node 26's binary for macOS.
func TestPrologueARM64(t *testing.T) {
	for name, c := range map[string]struct {
		code  []uint32
		fp    bool
		cfa   int64
		saved map[int]int32
	}{
		"vector pair first": {[]uint32{
			0x6dbd23e9, // stp d9,d8,[sp,#-0x30]!
			0xa9014ff4, // stp x20,x19,[sp,#0x10]
			0xa9027bfd, // stp x29,x30,[sp,#0x20]
			0x910083fd, // add x29,sp,#0x20
		}, true, 16, map[int]int32{19: 24, 20: 32, 29: 16, 30: 8}},
		"vector register pushed and popped": {[]uint32{
			0xfc1f0fe8, // str d8,[sp,#-16]!
			0xf81f0ff3, // str x19,[sp,#-16]!
			0xf84107f3, // ldr x19,[sp],#16
		}, false, 16, map[int]int32{}},
		"aligned": {[]uint32{
			0xa9bb5ff8, // stp x24,x23,[sp,#-0x50]!
			0xa9047bfd, // stp x29,x30,[sp,#0x40]
			0x910103fd, // add x29,sp,#0x40
			0xd12183e9, // sub x9,sp,#0x860
			0x927ae53f, // and sp,x9,#~0x3f
			0xa9004ff8, // stp x24,x19,[sp]
			0xa9404ff8, // ldp x24,x19,[sp]
		}, true, 16, map[int]int32{23: 72, 24: 80, 29: 16, 30: 8}},
		"aligned, taken down": {[]uint32{
			0xa9bb5ff8, 0xa9047bfd, 0x910103fd, 0xd12183e9, 0x927ae53f,
			0xd10103bf, // sub sp,x29,#0x40
			0xa9447bfd, // ldp x29,x30,[sp,#0x40]
			0xa8c55ff8, // ldp x24,x23,[sp],#0x50
		}, false, 0, map[int]int32{}},
		"a loop that is entered in its middle": {[]uint32{
			0xf81e0ffe, // str x30,[sp,#-0x20]!
			0x14000002, // b .+8
			0xd503201f, // nop: only the end of the loop leads here
			0xd503201f, // nop
		}, false, 32, map[int]int32{30: 32}},
	} {
		t.Run(name, func(t *testing.T) {
			var code []byte
			for _, w := range c.code {
				code = binary.LittleEndian.AppendUint32(code, w)
			}
			s, ok := prologue(append(code, 0xc0, 3, 0x5f, 0xd6), len(code), isa.MaxInsns)
			if !ok || !s.Sure || s.FromFP != c.fp || s.CFAOff != c.cfa {
				t.Errorf("ok %v, sure %v, fp %v, CFA %d; want fp %v, %d", ok, s.Sure, s.FromFP, s.CFAOff, c.fp, c.cfa)
			}
			for slot := range core.MaxRegs {
				if s.Saved[slot] != c.saved[slot] {
					t.Errorf("x%d is saved %d below the CFA, want %d", slot, s.Saved[slot], c.saved[slot])
				}
			}
		})
	}
}
