package fault

import (
	"encoding/binary"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
	"coredbg/crash/bugs"
)

// The codes are in the programs that clang 14, 22 (-fsanitize=undefined -fsanitize-trap, by check) and rustc
// 1.95 write, and clang 19 for HWASan on aarch64, as objdump 2.40 shows them; the others are in the sources
// that traps.go names.
func TestTraps(t *testing.T) {
	arm64 := func(n uint32) []byte { return code(binary.LittleEndian.AppendUint32(nil, 0xd4200000|n<<5)...) }
	for _, c := range []struct {
		name   string
		arch   *core.Arch
		signal string
		code   []byte
		pc     uint64
		cause  bugs.Cause
		title  string
		at     string
	}{
		{"addition", core.AMD64, "SIGILL", code(0x67, 0x0f, 0xb9, 0x00), 0x1000, bugs.Sanitizer,
			"undefined behaviour: integer overflow in an addition", "at ud1 (%eax),%eax"},
		{"index", core.AMD64, "SIGILL", code(0x67, 0x0f, 0xb9, 0x40, 0x12), 0x1000, bugs.Sanitizer,
			"undefined behaviour: array index out of bounds", "at ud1 0x12(%eax),%eax"},
		{"shift, i386", core.I386, "SIGILL", code(0x0f, 0xb9, 0x40, 0x14), 0x1000, bugs.Sanitizer,
			"undefined behaviour: shift by a negative or too large number, or of a negative value",
			"at ud1 0x14(%eax),%eax"},
		{"a number of another check", core.AMD64, "SIGILL", code(0x67, 0x0f, 0xb9, 0x40, 0x55), 0x1000,
			bugs.IllegalInstruction, "trap: ud1, operand 0x55", "at ud1 0x55(%eax),%eax"},
		{"ud1 of registers", core.AMD64, "SIGILL", code(0x0f, 0xb9, 0xc0), 0x1000, bugs.IllegalInstruction, "trap: ud1",
			"at ud1 %eax,%eax"},
		{"ud2, i386", core.I386, "SIGILL", code(0x0f, 0x0b), 0x1000, bugs.IllegalInstruction, "trap: ud2", "at ud2"},
		{"HWASan", core.AMD64, "SIGTRAP", code(0xcc, 0x0f, 0x1f, 0x40, 0x53), 0x1001, bugs.Sanitizer,
			"HWASan: write of 8 bytes through a pointer with another tag", "at int3"},
		{"int3, i386", core.I386, "SIGTRAP", code(0xcc), 0x1001, bugs.IllegalInstruction, "trap: int3", "at int3"},
		{"clang, Rust", core.ARM64, "SIGTRAP", arm64(1), 0x1000, bugs.IllegalInstruction, "trap: brk #0x1",
			"at brk #0x1"},
		{"subtraction", core.ARM64, "SIGTRAP", arm64(0x5515), 0x1000, bugs.Sanitizer,
			"undefined behaviour: integer overflow in a subtraction", "at brk #0x5515"},
		{"HWASan", core.ARM64, "SIGTRAP", arm64(0x902), 0x1000, bugs.Sanitizer,
			"HWASan: read of 4 bytes through a pointer with another tag", "at brk #0x902"},
		{"HWASan, a byte", core.ARM64, "SIGTRAP", arm64(0x930), 0x1000, bugs.Sanitizer,
			"HWASan: write of 1 byte through a pointer with another tag", "at brk #0x930"},
		{"HWASan, 16 bytes", core.ARM64, "SIGTRAP", arm64(0x904), 0x1000, bugs.Sanitizer,
			"HWASan: read of 16 bytes through a pointer with another tag", "at brk #0x904"},
		{"pointer authentication", core.ARM64, "SIGTRAP", arm64(0xc471), 0x1000, bugs.WildPointer,
			"pointer authentication failed", "at brk #0xc471"},
		{"KCFI", core.ARM64, "SIGTRAP", arm64(0x8228), 0x1000, bugs.WildPointer, "call of a function of another type",
			"at brk #0x8228"},
		{"KCFI through rax", core.AMD64, "SIGILL", code(0x90, 0x41, 0xba, 0x9f, 0x17, 0xfa, 0x49, 0x44, 0x03, 0x50,
			0xfc, 0x74, 0x02, 0x0f, 0x0b), 0x100d,
			bugs.WildPointer, "call of a function of another type", "at ud2"},
		{"KCFI through r12", core.AMD64, "SIGILL", code(0x41, 0xba, 0x9f, 0x17, 0xfa, 0x49, 0x45, 0x03, 0x54, 0x24,
			0xfc, 0x74, 0x02, 0x0f, 0x0b), 0x100d,
			bugs.WildPointer, "call of a function of another type", "at ud2"},
		{"a sum and ud2", core.AMD64, "SIGILL", code(0x90, 0x41, 0xb8, 0x9f, 0x17, 0xfa, 0x49, 0x44, 0x03, 0x50, 0xfc,
			0x74, 0x02, 0x0f, 0x0b), 0x100d,
			bugs.IllegalInstruction, "trap: ud2", "at ud2"},
		{"any", core.ARM64, "SIGTRAP", arm64(0x1234), 0x1000, bugs.IllegalInstruction, "trap: brk #0x1234",
			"at brk #0x1234"},
		{"Arm", core.ARM, "SIGILL", code(0xfe, 0xde, 0xff, 0xe7), 0x1000, bugs.IllegalInstruction, "trap: udf", ""},
	} {
		regs := map[string]uint64{c.arch.RegNames[c.arch.PC]: c.pc, c.arch.RegNames[c.arch.SP]: 0x80800}
		p := coretest.New(c.arch).MapProt(0x1000, c.code, core.Read|core.Exec).Map(0x80000,
			make([]byte, 0x1000)).Thread(1, regs).Process()
		p.Signal, p.PID = &core.Signal{Number: 4, Name: c.signal}, 1
		got := Explain(t.Context(), subjectOf(p))
		if got.Cause != c.cause || got.Sure != bugs.Likely || !strings.HasPrefix(got.Title, c.title) ||
			c.at != "" && (len(got.Words) < 2 || got.Words[len(got.Words)-1] != c.at) {
			t.Errorf("%s, %s: %s, %v, %q, %q", c.name, c.arch.Name, got.Cause, got.Sure, got.Title, got.Words)
		}
	}
}
