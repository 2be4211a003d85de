package kernel

import (
	"slices"
	"testing"

	"coredbg/core"
)

// TestContextOfSignals: a signal frame has a ucontext, so both know the same registers.
func TestContextOfSignals(t *testing.T) {
	const sp = 0x10000
	for arch, frame := range map[*core.Arch]struct {
		trampoline int
		before     core.Addr // what lies below the ucontext, in bytes
	}{
		core.AMD64: {0, 0}, core.ARM64: {0, 128}, core.ARM: {1, 128}, core.RISCV64: {0, 128},
		core.S390X: {1, 160 + 8 + 128}, core.S390: {1, 96 + 8 + 128}, core.MIPSEL: {1, 24 + 128},
		core.MIPS64: {0, 24 + 128},
		core.X32:    {0, 0}, core.LOONGARCH64: {0, 128},
	} {
		p := &core.Process{Arch: arch, OS: "linux"}
		u, tramp := UContextOf(p), TrampolinesOf(arch)[frame.trampoline]
		if u == nil || u.Regs(nil, sp+frame.before) != tramp.Context(nil, sp) || !slices.Equal(u.Slots, tramp.Slots) {
			t.Errorf("%s: the ucontext of a signal frame has other registers", arch.Name)
		}
	}
}
