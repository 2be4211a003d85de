package note

import (
	"testing"

	"coredbg/core"
)

// TestHoldsVectors: which notes a redacted copy may not have, whoever wrote them.
func TestHoldsVectors(t *testing.T) {
	for _, c := range []struct {
		owner string
		typ   uint32
		want  bool
	}{
		{"CORE", ntFPRegSet, true}, {"LINUX", ntFPRegSet, true}, {"KERNEL", ntFPRegSet, true},
		{"FreeBSD", ntFPRegSet, true},
		{"NetBSD-CORE", ntFPRegSet, false}, {"GNU", ntFPRegSet, false},
		{"LINUX", ntX86XState, true}, {"CORE", ntX86XState, true}, {"LINUX", ntRISCVVec, true},
		{"GNU", ntX86XState, false},
		{"CORE", ntPRStatus, false}, {"LINUX", ntARMTLS, false},
		{"NetBSD-CORE@1", netFPRegs, true}, {"NetBSD-CORE@1", netFPRegsARM64, true},
		{"NetBSD-CORE@1", netXMMRegs, true},
		{"NetBSD-CORE@1", 33, false}, {"OpenBSD@7", openFPRegs, true}, {"OpenBSD@7", openXFPRegs, true},
		{"OpenBSD@7", openRegs, false},
	} {
		if got := HoldsVectors(core.Note{Owner: c.owner, Type: c.typ}); got != c.want {
			t.Errorf("%s %#x: %v, want %v", c.owner, c.typ, got, c.want)
		}
	}
}

// TestNoteName: a note of another system has no name of Linux'.
func TestNoteName(t *testing.T) {
	if got := noteName("FreeBSD", ntPRStatus); got != "" {
		t.Errorf("FreeBSD's first note is %q", got)
	}
}
