package cfi

import (
	"errors"
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
)

// A step applies the row of a hand-made function.
func step(t *testing.T, arch *core.Arch, regs map[string]uint64, stack []uint64,
	build func(a *assembler)) (core.Regs, core.Addr, error) {
	t.Helper()
	a := newAssembler()
	build(a)
	row, err := a.table(arch).Row(fnAddr)
	if err != nil {
		t.Fatal(err)
	}
	p := coretest.New(arch).Words(0x7000, stack...).Thread(1, regs).Process()
	return row.Apply(&p.Threads[0].Regs, p.Cursor())
}

func TestApply(t *testing.T) {
	regs := map[string]uint64{"rax": 1, "rbx": 3, "rbp": 6, "rsp": 0x7000, "r12": 12, "rip": fnAddr}
	out, cfa, err := step(t, core.AMD64, regs, []uint64{0x1111, 0x2222, 0x3333}, func(a *assembler) {
		c := a.cie("", nil, 16, initAMD64...)
		a.fde(c, false, 0x0e, 24, 0x86, 2, 0x8c, 0x80, 0x40) // rbp at c-16, r12 where nothing is mapped
	})
	if err != nil || cfa != 0x7018 {
		t.Fatalf("cfa %v, %v", cfa, err)
	}
	want := map[string]uint64{"rbx": 3, "rbp": 0x2222, "rsp": 0x7018, "rip": 0x3333}
	for i, name := range core.AMD64.RegNames {
		v, ok := out.Get(i)
		if w, known := want[name]; ok != known || v != w {
			t.Errorf("%s = %#x (known %v), want %#x (known %v)", name, v, ok, w, known)
		}
	}
}

func TestApplyErrors(t *testing.T) {
	regs := map[string]uint64{"rsp": 0x7000, "rip": fnAddr}
	cases := []struct {
		name  string
		insns []byte
		check func(error) bool
	}{
		{"undefined return address", []byte{0x07, 16}, func(err error) bool { return errors.Is(err, ErrOutermost) }},
		{"unknown frame register", []byte{0x0d, 6}, func(err error) bool {
			var u *UnknownError
			return errors.As(err, &u) && u.Slot == core.AMD64.FP
		}},
		{"return address that cannot be read", []byte{0x0e, 0x80, 0x7f}, func(err error) bool {
			f := core.Fault(err)
			return f != nil && f.Addr == 0x7000+0x3f80-8
		}},
		{"return address in an unknown register", []byte{0x09, 16, 12}, func(err error) bool {
			var u *UnknownError
			return errors.As(err, &u)
		}},
	}
	for _, c := range cases {
		_, _, err := step(t, core.AMD64, regs, []uint64{1, 2}, func(a *assembler) {
			cie := a.cie("", nil, 16, initAMD64...)
			a.fde(cie, false, c.insns...)
		})
		if !c.check(err) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestApplyLinkRegister: the caller's link register was overwritten by the
// call, so that a caller that claims not to have saved it cannot be its own
// caller.
func TestApplyLinkRegister(t *testing.T) {
	regs := map[string]uint64{"sp": 0x7000, "x30": 0x5555, "x19": 19, "x9": 9, "pc": fnAddr}
	out, _, err := step(t, core.ARM64, regs, []uint64{1}, func(a *assembler) {
		c := a.cie("", nil, 30, initARM64...)
		a.fde(c, false)
	})
	if err != nil {
		t.Fatal(err)
	}
	if pc, _ := out.Get(core.ARM64.PC); pc != 0x5555 || out.Has(30) || out.Has(9) || !out.Has(19) {
		t.Errorf("pc %#x, x30 known %v, x9 known %v, x19 known %v", pc, out.Has(30), out.Has(9), out.Has(19))
	}
}

// TestApplyS390X: the CFA lies 160 bytes above the caller's stack pointer.
func TestApplyS390X(t *testing.T) {
	regs := map[string]uint64{"r15": 0x7000, "r14": 0x5555, "pswa": fnAddr}
	a := newAssembler()
	a.order = core.S390X.Order
	c := a.cie("", nil, 14, 0x0c, 15, 0xa0, 0x01)
	a.fde(c, false)
	row, err := a.table(core.S390X).Row(fnAddr)
	if err != nil {
		t.Fatal(err)
	}
	p := coretest.New(core.S390X).Words(0x7000, 1).Thread(1, regs).Process()
	out, cfa, err := row.Apply(&p.Threads[0].Regs, p.Cursor())
	if sp, _ := out.Get(15); err != nil || cfa != 0x70a0 || sp != 0x7000 {
		t.Errorf("cfa %v, sp %#x, %v", cfa, sp, err)
	}
}
