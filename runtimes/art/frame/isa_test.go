package frame

import (
	"testing"

	"coredbg/core"
)

// TestSavedFrames compares the sizes of the runtime's own frames with runtime/arch/*/asm_support_*.h:
// FRAME_SIZE_SAVE_ALL_CALLEE_SAVES, _SAVE_REFS_ONLY, _SAVE_REFS_AND_ARGS and _SAVE_EVERYTHING.
func TestSavedFrames(t *testing.T) {
	for arch, want := range map[*core.Arch][4]uint64{
		core.AMD64: {64 + 4*8, 64 + 4*8, 112 + 12*8, 144 + 16*8},
		core.ARM64: {176, 96, 224, 512},
		core.I386:  {32, 32, 32 + 32, 48 + 64},
		core.ARM:   {112, 32, 112, 192},
	} {
		isa := isaOf(arch)
		for i, n := range want {
			if isa.saves[i].size != n {
				t.Errorf("%s: %s takes %d bytes, want %d", arch.Name, []string{"all callee saves", "references",
					"references and arguments", "everything"}[i], isa.saves[i].size, n)
			}
		}
		for n, slot := range isa.slots {
			if isa.slotOf(n) != slot || slot >= len(arch.RegNames) {
				t.Errorf("%s: register %d is in slot %d of %d", arch.Name, n, isa.slotOf(n), len(arch.RegNames))
			}
		}
		if isa.slotOf(len(isa.slots)) != -1 {
			t.Errorf("%s: there is a register after the last", arch.Name)
		}
	}
	if Supports(&core.Arch{}) {
		t.Error("ART runs on an architecture without a name")
	}
}

// TestStates names states by the numbers that versions gave them
// (runtime/thread_state.h): 9 has no NativeForAbort, 8 two states less that wait.
func TestStates(t *testing.T) {
	for _, c := range []struct {
		sdk  int
		n    uint32
		want string
	}{
		{34, 0, "Runnable"}, {30, 67, "Runnable"}, {30, 70, "Blocked"}, {34, 92, "Native"}, {30, 93, "Suspended"},
		{28, 91, "Native"}, {28, 92, "Suspended"}, {27, 89, "Native"}, {26, 71, "Waiting"},
		{26, 72, "WaitingForGcToComplete"},
		{34, 94, "state 94"}, {34, 1, "state 1"},
	} {
		if got := stateName(stateNumber(c.sdk, c.n)); got != c.want {
			t.Errorf("SDK %d: state %d is %q, want %q", c.sdk, c.n, got, c.want)
		}
	}
}
