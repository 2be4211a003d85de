package core

import "testing"

// TestParts: the names of the halves and bytes of registers (Intel SDM, volume 1, 3.4.1; Arm ARM, C1.2.5; gdb's
// i386-tdep.c and amd64-tdep.c for r8l).
func TestParts(t *testing.T) {
	for _, c := range []struct {
		arch        *Arch
		name, of    string
		shift, bits uint
	}{
		{AMD64, "eax", "rax", 0, 32}, {AMD64, "ax", "rax", 0, 16}, {AMD64, "al", "rax", 0, 8},
		{AMD64, "ah", "rax", 8, 8}, {AMD64, "sil", "rsi", 0, 8}, {AMD64, "si", "rsi", 0, 16},
		{AMD64, "r8d", "r8", 0, 32}, {AMD64, "r15w", "r15", 0, 16}, {AMD64, "r9l", "r9", 0, 8},
		{AMD64, "esp", "rsp", 0, 32}, {AMD64, "rax", "", 0, 0}, {AMD64, "r16", "", 0, 0},
		{AMD64, "sih", "", 0, 0}, {AMD64, "n", "", 0, 0}, {AMD64, "i", "", 0, 0}, {AMD64, "el", "", 0, 0},
		{I386, "ax", "eax", 0, 16}, {I386, "bh", "ebx", 8, 8}, {I386, "di", "edi", 0, 16}, {I386, "sil", "", 0, 0},
		{I386, "eax", "", 0, 0}, {I386, "r8d", "", 0, 0},
		{ARM64, "w0", "x0", 0, 32}, {ARM64, "w29", "x29", 0, 32}, {ARM64, "x0", "", 0, 0}, {ARM64, "al", "", 0, 0},
	} {
		p, ok := c.arch.Part(c.name)
		if want := c.of != ""; ok != want || ok && (c.arch.RegNames[p.Slot] != c.of || p.Shift != c.shift ||
			p.Bits != c.bits) {
			t.Errorf("%s of %s: %+v %v, want %s %d %d", c.name, c.arch.Name, p, ok, c.of, c.shift, c.bits)
		}
	}
}
