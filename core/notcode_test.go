package core_test

import (
	"bytes"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
)

// areas is an image with a header, code and data.
type areas struct{ core.Image }

func (areas) AreaAt(link uint64) (what string, code, ok bool) {
	switch {
	case link < 0x40:
		return "the ELF header", false, true
	case link < 0x100:
		return ".text", true, true
	case link < 0x200:
		return ".rodata", false, true
	}
	return "", false, false
}

// TestNotCode: headers, sections without instructions and zeros are no code. Zeros are the instruction
// add %al,(%rax) on x86 and udf on arm64 (objdump 2.40), and one that does nothing on MIPS.
func TestNotCode(t *testing.T) {
	const text, jit = 0x400000, 0x600000
	nops := bytes.Repeat([]byte{0x90}, 0x1000)
	some := bytes.Repeat([]byte{0x90}, 64)
	copy(some[16:], make([]byte, 16)) // 16 zeros
	copy(some[40:], make([]byte, 8))  // fewer
	for _, c := range []struct {
		name string
		arch *core.Arch
		at   core.Addr
		want string
	}{
		{"ELF header", core.AMD64, text + 0x10, "the ELF header of prog"},
		{"code", core.AMD64, text + 0x80, ""},
		{"read-only data", core.AMD64, text + 0x180, ".rodata of prog"},
		{"between sections", core.AMD64, text + 0x300, ""},
		{"the first of zeros", core.AMD64, jit + 16, "zeros"},
		{"amid zeros", core.AMD64, jit + 24, "zeros"},
		{"the last instruction of zeros", core.AMD64, jit + 30, "zeros"},
		{"half of one", core.AMD64, jit + 31, ""},
		{"before zeros", core.AMD64, jit + 15, ""},
		{"a few zeros", core.AMD64, jit + 40, ""},
		{"arm64", core.ARM64, jit + 28, "zeros"},
		{"MIPS", core.MIPS64, jit + 20, ""},
		{"not executable", core.AMD64, 0x700000, ""},
		{"not mapped", core.AMD64, 0x800000, ""},
	} {
		p := coretest.New(c.arch).MapProt(text, nops, core.Read|core.Exec).MapProt(jit, some, core.Read|core.Exec).
			Map(0x700000, make([]byte, 64)).
			Module("/bin/prog", text, text+0x1000,
				core.ModuleFacts{Image: areas{}, Bias: text, BiasKnown: true}).Process()
		if got := p.NotCode(c.at); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
