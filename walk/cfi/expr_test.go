package cfi

import (
	"errors"
	"strings"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
)

// TestExpressions evaluates with the CFA 0x7000 pushed first, as DWARF 5
// section 6.4.2.3 says for the rules of registers. Expected values are worked
// out by hand from section 2.5.
func TestExpressions(t *testing.T) {
	p := coretest.New(core.AMD64).Words(0x7000, 0x8877665544332211, 0x7018, 0, 0xabcd).
		Thread(1, map[string]uint64{"rsp": 0x7000, "rbp": 0x7010}).Process()
	cases := []struct {
		name string
		expr []byte
		want uint64
	}{
		{"CFA first", []byte{}, 0x7000},
		{"plus_uconst", []byte{0x23, 8}, 0x7008},
		{"deref", []byte{0x06}, 0x8877665544332211},
		{"deref_size", []byte{0x94, 2}, 0x2211},
		{"breg, deref of deref", []byte{0x77, 8, 0x06, 0x06}, 0xabcd},
		{"bregx with a negative offset", []byte{0x92, 6, 0x70}, 0x7000},
		{"PLT entry: ((rip & 15) >= 11) << 3 + rsp", []byte{0x77, 8, 0x09, 0xf4, 0x3b, 0x1a, 0x3b, 0x2a, 0x33, 0x24,
			0x22}, 0x7008},
		{"swap and minus", []byte{0x08, 1, 0x16, 0x1c}, ^uint64(0x6ffe)},
		{"over, drop, pick, rot", []byte{0x31, 0x32, 0x14, 0x13, 0x15, 1, 0x17}, 2},
		{"abs, neg, not", []byte{0x09, 0xfe, 0x19, 0x1f, 0x20}, 1},
		{"signed division and comparison", []byte{0x09, 0xf8, 0x32, 0x1b, 0x0d, 0xfc, 0xff, 0xff, 0xff, 0x29}, 1},
		{"unsigned mod, shr, shra", []byte{0x37, 0x34, 0x1d, 0x09, 0xf0, 0x32, 0x26, 0x22, 0x31, 0x25},
			0x7fffffffffffffff},
		{"bra over a branch not taken", []byte{0x30, 0x28, 1, 0, 0x35, 0x2f, 1, 0, 0x36, 0x96}, 5},
		{"constants", []byte{0x0a, 1, 0, 0x0e, 1, 0, 0, 0, 0, 0, 0, 0, 0x22, 0x10, 0x81, 1, 0x22, 0x11, 0x7f, 0x22,
			0x0b, 1, 0, 0x22, 0x0c, 1, 0, 0, 0, 0x22, 0x0f, 1, 0, 0, 0, 0, 0, 0, 0, 0x22}, 0x85},
		{"division of the least number", []byte{0x0e, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x09, 0xff, 0x1b}, 1 << 63},
	}
	cfa := uint64(0x7000)
	for _, c := range cases {
		m := evaluator{regs: &p.Threads[0].Regs, mem: p.Cursor(), arch: core.AMD64, cfa: cfa}
		got, err := m.run(c.expr, &cfa)
		if err != nil || got != c.want {
			t.Errorf("%s: %#x, %v, want %#x", c.name, got, err, c.want)
		}
	}
}

func TestExpressionErrors(t *testing.T) {
	p := coretest.New(core.AMD64).Words(0x7000, 1).Thread(1, nil).Process()
	cases := []struct {
		name string
		expr []byte
		want string
	}{
		{"endless loop", []byte{0x2f, 0xfd, 0xff}, "does not end"},
		{"jump outside", []byte{0x2f, 0x10, 0}, "malformed"},
		{"stack underflow", []byte{0x13, 0x13}, "malformed"},
		{"stack overflow", []byte{0x12, 0x2f, 0xfc, 0xff}, "malformed"},
		{"pick below the stack", []byte{0x15, 200}, "malformed"},
		{"operand missing", []byte{0x0e, 1}, "malformed"},
		{"empty stack at the end", []byte{0x13}, "malformed"},
		{"division by zero", []byte{0x30, 0x1b}, "divides by zero"},
		{"remainder by zero", []byte{0x30, 0x1d}, "divides by zero"},
		{"unknown register", []byte{0x73, 0}, "unknown register"},
		{"unmapped", []byte{0x30, 0x06}, "not mapped"},
		{"deref of odd size", []byte{0x94, 3}, "malformed"},
		{"DW_OP_call2", []byte{0x98, 0, 0}, "operation 0x98"},
	}
	cfa := uint64(0x7000)
	for _, c := range cases {
		m := evaluator{regs: &p.Threads[0].Regs, mem: p.Cursor(), arch: core.AMD64, cfa: cfa}
		if v, err := m.run(c.expr, &cfa); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %#x, %v, want %q", c.name, v, err, c.want)
		}
	}
}

// TestExpressionRules: the CFA is pushed for a register's rule (the eighth gap
// of TestRows), and not for the CFA's own.
func TestExpressionRules(t *testing.T) {
	regs := map[string]uint64{"rsp": 0x7000, "rbp": 0x7008, "rip": fnAddr}
	out, cfa, err := step(t, core.AMD64, regs, []uint64{0x10, 0x7020, 0x30, 0x40, 0x50}, func(a *assembler) {
		c := a.cie("", nil, 16, initAMD64...)
		// CFA = [rbp]; rbx at cfa-8; r12 = cfa+1; return address at c-8.
		a.fde(c, false, 0x0f, 3, 0x76, 0, 0x06, 0x10, 3, 2, 0x38, 0x1c, 0x16, 12, 2, 0x23, 1)
	})
	if err != nil || cfa != 0x7020 {
		t.Fatalf("cfa %v, %v", cfa, err)
	}
	for name, want := range map[string]uint64{"rbx": 0x40, "r12": 0x7021, "rip": 0x40} {
		if got, ok := out.Get(core.AMD64.SlotOf(name)); !ok || got != want {
			t.Errorf("%s = %#x (known %v), want %#x", name, got, ok, want)
		}
	}
	_, _, err = step(t, core.AMD64, regs, []uint64{1}, func(a *assembler) {
		c := a.cie("", nil, 16, initAMD64...)
		a.fde(c, false, 0x0f, 0)
	})
	if !errors.Is(err, errExpression) {
		t.Errorf("an empty expression for the CFA: %v", err)
	}
}
