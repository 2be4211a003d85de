package kernel

import (
	"bytes"

	"coredbg/core"
)

// A trap is a signal and the end of an instruction that raises it.
type trap struct {
	signal int
	code   []byte
}

// trapsX86 is int3 with SIGTRAP. trapsS390X are those program interruptions
// that complete or suppress the instruction, whichever it is: SIGILL, SIGTRAP,
// SIGFPE (z/Architecture Principles of Operation, "Program interruptions").
var (
	trapsX86   = []trap{{5, []byte{0xcc}}}
	trapsS390X = []trap{{4, nil}, {5, nil}, {8, nil}}
)

// Trapped reports whether a signal has left the program counter after the instruction
// that raised it.
func Trapped(p *core.Process, pc core.Addr, signal int) bool {
	for _, trap := range trapsOf(p.Arch) {
		if trap.signal != signal {
			continue
		}
		code, err := p.Space.Slice(pc-core.Addr(len(trap.code)), len(trap.code))
		if err == nil && bytes.Equal(code, trap.code) {
			return true
		}
	}
	return false
}

// trapsOf returns the traps of an architecture.
func trapsOf(arch *core.Arch) []trap {
	switch arch {
	case core.AMD64, core.I386:
		return trapsX86
	case core.S390X, core.S390:
		return trapsS390X
	}
	return nil
}
