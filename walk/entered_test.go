package walk

import (
	"testing"

	"coredbg/core"
)

// TestEntered: a call that has put its return address on the stack, as cores of Valgrind have it, and
// one that has not.
func TestEntered(t *testing.T) {
	const sp = stackAt + 0x800
	for name, c := range map[string]struct {
		code    []byte
		word    uint64 // on the stack
		pc, sp  uint64
		another bool
	}{
		"direct":               {[]byte{0xe8, 0x7b, 0, 0, 0}, textAt + 0x105, textAt + 0x180, sp, false},
		"indirect":             {[]byte{0xff, 0xd0}, textAt + 0x102, textAt + 0x100, sp + 8, false},
		"not yet":              {[]byte{0xe8, 0x7b, 0, 0, 0}, textAt + 0x300, textAt + 0x100, sp, false},
		"no call":              {[]byte{0x90, 0x90, 0x90, 0x90, 0x90}, textAt + 0x105, textAt + 0x100, sp, false},
		"a call to no code":    {[]byte{0xe8, 0, 0, 0, 0x70}, textAt + 0x105, textAt + 0x100, sp + 8, false},
		"a machine that links": {[]byte{0xe8, 0x7b, 0, 0, 0}, textAt + 0x105, textAt + 0x100, sp, true},
	} {
		arch := core.AMD64
		if c.another {
			arch = core.ARM64
		}
		s := newScene(arch)
		s.code(0x100, c.code...)
		s.put(sp, c.word)
		var regs core.Regs
		regs.Set(arch.PC, textAt+0x100)
		regs.Set(arch.SP, sp)
		got := NewTarget(s.process(nil), s.opts).Entered(regs)
		if pc, _ := got.Get(arch.PC); pc != c.pc {
			t.Errorf("%s: the program counter is %#x, not %#x", name, pc, c.pc)
		}
		if v, _ := got.Get(arch.SP); v != c.sp {
			t.Errorf("%s: the stack pointer is %#x, not %#x", name, v, c.sp)
		}
	}
}
