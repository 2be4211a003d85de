package walk

import (
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
)

// TestNoRecords: where the ABI has no frame records, no register bears out a link register
// that no call precedes: an interrupted function without a frame has no caller then.
func TestNoRecords(t *testing.T) {
	const text, stack = 0x10000, 0x20000
	for _, arch := range []*core.Arch{core.PPC, core.PPC64, core.PPC64LE, core.RISCV64, core.S390X, core.MIPSEL} {
		name := func(slot int) string { return arch.RegNames[slot] }
		p := coretest.New(arch).
			MapProt(text, make([]byte, 0x1000), core.Read|core.Exec).
			Map(stack, make([]byte, 0x1000)).
			Thread(1, map[string]uint64{name(arch.PC): text + 0x100, name(arch.SP): stack + 0x100,
				name(arch.LR): text + 0x200, name(arch.FP): stack + 0x140}).
			Process()
		start := func(core.Addr) (core.Addr, bool) { return text + 0x100, true }
		frames, stop := gather(t, NewTarget(p, Options{FuncStart: start}).Walk(t.Context(), p.Threads[0]))
		if len(frames) != 1 || stop.Kind != StopNoProgress {
			t.Errorf("%s: %d frames, %v", arch.Name, len(frames), stop)
		}
	}
}
