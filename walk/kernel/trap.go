package kernel

import "coredbg/core"

// A trap is a signal and the end of an instruction that raises it: those bits of it that mask has.
type trap struct {
	signal     int
	mask, code []byte // nil if any instruction does
}

// is reports whether code is the trap's instruction.
func (t *trap) is(code []byte) bool {
	for i, m := range t.mask {
		if code[i]&m != t.code[i] {
			return false
		}
	}
	return true
}

// trapsX86 is int3 with SIGTRAP. trapsS390X are the program interruptions that complete or suppress any
// instruction: SIGILL, SIGTRAP, SIGFPE (z/Architecture Principles of Operation, "Program
// interruptions"). trapsM68K are trap #0 to #15; gcc emits #7 for unreachable code (M68000 Family
// Programmer's Reference Manual, TRAP; arch/m68k/kernel/traps.c, trap_c).
var (
	trapsX86   = []trap{{5, []byte{0xff}, []byte{0xcc}}}
	trapsS390X = []trap{{signal: 4}, {signal: 5}, {signal: 8}}
	trapsM68K  = []trap{{4, []byte{0xff, 0xf0}, []byte{0x4e, 0x40}}, {5, []byte{0xff, 0xf0}, []byte{0x4e, 0x40}}}
)

// Trapped reports whether a signal has left the program counter after the instruction
// that raised it.
func Trapped(p *core.Process, pc core.Addr, signal int) bool {
	for _, trap := range trapsOf(p.Arch) {
		if trap.signal != signal {
			continue
		}
		code, err := p.Space.Slice(pc-core.Addr(len(trap.mask)), len(trap.mask))
		if err == nil && trap.is(code) {
			return true
		}
	}
	return false
}

// trapsOf returns the traps of an architecture.
func trapsOf(arch *core.Arch) []trap {
	switch arch {
	case core.AMD64, core.X32, core.I386:
		return trapsX86
	case core.S390X, core.S390:
		return trapsS390X
	case core.M68K:
		return trapsM68K
	}
	return nil
}
