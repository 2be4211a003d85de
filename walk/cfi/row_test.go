package cfi

import (
	"fmt"
	"strings"
	"testing"

	"coredbg/core"
)

// describe writes a row as readelf --debug-dump=frames-interp does: the CFA,
// then each register that has a rule.
func describe(r *Row) string {
	names := r.arch.RegNames
	b := new(strings.Builder)
	if r.CFAExpr != nil {
		b.WriteString("exp")
	} else {
		fmt.Fprintf(b, "%s%+d", names[r.CFAReg], r.CFAOff)
	}
	for _, rule := range r.Rules {
		fmt.Fprintf(b, " %s=%s", names[rule.Slot], describeRule(r.arch, rule.Rule))
	}
	if r.RASigned {
		b.WriteString(" signed")
	}
	if r.Signal {
		b.WriteString(" signal")
	}
	return b.String()
}

func describeRule(arch *core.Arch, r Rule) string {
	switch r.Kind {
	case Unspecified, Undefined:
		return "u"
	case SameValue:
		return "s"
	case Offset:
		return fmt.Sprintf("c%+d", r.Off)
	case ValOffset:
		return fmt.Sprintf("v%+d", r.Off)
	case Register:
		return arch.RegNames[r.Reg]
	case Expression:
		return "exp"
	}
	return "vexp"
}

// TestRows executes hand-assembled instructions. go-delve/delve/pkg/dwarf/frame v1.27.2 gets the first
// eight groups wrong; the right results follow from DWARF 5 section 6.4.2 and, for vendors'
// instructions, the documents named in the package comment.
func TestRows(t *testing.T) {
	cases := []struct {
		name  string
		arch  *core.Arch
		build func(a *assembler)
		pc    uint64
		want  string
	}{
		{"restore gives back the CIE's rule", core.AMD64, func(a *assembler) {
			c := a.cie("", nil, 16, append(initAMD64, 0x83, 2)...) // rbx at c-16
			a.fde(c, false, 0x83, 5, 0x41, 0xc3)                   // rbx at c-40; advance 1; restore rbx
		}, fnAddr + 1, "rsp+8 rbx=c-16 rip=c-8"},
		{"restore without a rule in the CIE is unspecified", core.AMD64, func(a *assembler) {
			c := a.cie("", nil, 16, initAMD64...)
			a.fde(c, false, 0x83, 2, 0x41, 0x06, 3) // restore_extended
		}, fnAddr + 1, "rsp+8 rip=c-8"},
		{"restored link register is not the end of the stack", core.ARM64, func(a *assembler) {
			c := a.cie("", nil, 30, initARM64...)
			a.fde(c, false, 0x0e, 16, 0x9d, 2, 0x9e, 1, 0x41, 0xde, 0xdd, 0x0e, 0)
		}, fnAddr + 1, "sp+0"},

		{"negate_ra_state", core.ARM64, func(a *assembler) {
			c := a.cie("", nil, 30, initARM64...)
			a.fde(c, false, 0x41, 0x2d, 0x41, 0x0e, 16, 0x9e, 1, 0x41, 0x2d)
		}, fnAddr + 2, "sp+16 x30=c-8 signed"},
		{"negate_ra_state twice", core.ARM64, func(a *assembler) {
			c := a.cie("", nil, 30, initARM64...)
			a.fde(c, false, 0x41, 0x2d, 0x41, 0x2d)
		}, fnAddr + 2, "sp+0"},
		{"negate_ra_state is part of a remembered state", core.ARM64, func(a *assembler) {
			c := a.cie("", nil, 30, initARM64...)
			a.fde(c, false, 0x2d, 0x0a, 0x2d, 0x41, 0x0b)
		}, fnAddr + 1, "sp+0 signed"},

		{"augmentation B", core.ARM64, func(a *assembler) {
			c := a.cie("zRB", []byte{0x00}, 30, initARM64...)
			a.fde(c, true, 0x0e, 32)
		}, fnAddr, "sp+32"},
		{"augmentation G with S", core.ARM64, func(a *assembler) {
			c := a.cie("zRSG", []byte{0x00}, 30, initARM64...)
			a.fde(c, true)
		}, fnAddr, "sp+0 signal"},
		{"unknown augmentation with a length", core.AMD64, func(a *assembler) {
			c := a.cie("zRX", []byte{0x00, 1, 2, 3}, 16, initAMD64...)
			a.fde(c, true)
		}, fnAddr, "rsp+8 rip=c-8"},
		{"unknown augmentation costs its own FDEs", core.AMD64, func(a *assembler) {
			bad := a.cie("armcc+", nil, 16, initAMD64...)
			a.fdeAt(bad, false, fnAddr-0x100, 0x100)
			c := a.cie("", nil, 16, initAMD64...)
			a.fde(c, false)
		}, fnAddr, "rsp+8 rip=c-8"},
		{"augmentation eh of GCC 2", core.AMD64, func(a *assembler) {
			c := a.record(-1, []byte{1, 'e', 'h', 0}, make([]byte, 8), []byte{1, 0x78, 16}, initAMD64)
			a.fde(c, false)
		}, fnAddr, "rsp+8 rip=c-8"},

		{"64-bit .debug_frame", core.AMD64, func(a *assembler) {
			a.wide, a.debug = true, true
			c := a.cie("", nil, 16, initAMD64...)
			a.fde(c, false, 0x41, 0x0e, 16)
		}, fnAddr + 1, "rsp+16 rip=c-8"},
		{"64-bit .eh_frame", core.AMD64, func(a *assembler) {
			a.wide = true
			c := a.cie("", nil, 16, initAMD64...)
			a.fde(c, false, 0x41, 0x0e, 16)
		}, fnAddr + 1, "rsp+16 rip=c-8"},
		{"64-bit record among 32-bit ones", core.AMD64, func(a *assembler) {
			a.debug = true
			c := a.cie("", nil, 16, initAMD64...)
			a.wide = true
			w := a.cie("", nil, 16, initAMD64...)
			a.fdeAt(w, false, fnAddr-0x100, 0x100, 0x0e, 64)
			a.wide = false
			a.fde(c, false, 0x0e, 32)
		}, fnAddr, "rsp+32 rip=c-8"},

		{"val_offset is scaled", core.AMD64, func(a *assembler) {
			c := a.cie("", nil, 16, initAMD64...)
			a.fde(c, false, 0x14, 7, 2) // rsp = cfa + 2*-8
		}, fnAddr, "rsp+8 rsp=v-16 rip=c-8"},
		{"val_offset_sf is scaled", core.AMD64, func(a *assembler) {
			c := a.cie("", nil, 16, initAMD64...)
			a.fde(c, false, 0x15, 7, 0x7e)
		}, fnAddr, "rsp+8 rsp=v+16 rip=c-8"},

		{"set_loc in the encoding of the CIE", core.AMD64, func(a *assembler) {
			c := a.cie("zR", []byte{0x1b}, 16, initAMD64...) // pcrel, sdata4
			at := len(a.buf)
			begin := uint64(fnAddr - (ehAddr + at + 8))
			loc := uint64(fnAddr + 0x20 - (ehAddr + at + 18))
			a.record(c, a.word(4, begin), a.word(4, fnSize), []byte{0, 0x01}, a.word(4, loc), []byte{0x0e, 48})
		}, fnAddr + 0x20, "rsp+48 rip=c-8"},
		{"set_loc ends the row before", core.AMD64, func(a *assembler) {
			c := a.cie("", nil, 16, initAMD64...)
			a.fde(c, false, append([]byte{0x01}, append(a.word(8, fnAddr+4), 0x0e, 48)...)...)
		}, fnAddr + 3, "rsp+8 rip=c-8"},

		{"register kept in another", core.AMD64, func(a *assembler) {
			c := a.cie("", nil, 16, initAMD64...)
			a.fde(c, false, 0x09, 3, 12, 0x09, 6, 17) // rbx in r12; rbp in xmm0
		}, fnAddr, "rsp+8 rbx=r12 rbp=u rip=c-8"},
		{"offset_extended_sf, negative_offset_extended, same_value, undefined", core.AMD64, func(a *assembler) {
			c := a.cie("", nil, 16, initAMD64...)
			a.fde(c, false, 0x11, 3, 2, 0x2f, 12, 1, 0x08, 13, 0x07, 16)
		}, fnAddr, "rsp+8 rbx=c-16 r12=c+8 r13=s rip=u"},
		{"def_cfa_sf, def_cfa_offset_sf", core.AMD64, func(a *assembler) {
			c := a.cie("", nil, 16, initAMD64...)
			a.fde(c, false, 0x12, 6, 0x7e, 0x41, 0x13, 0x7c)
		}, fnAddr + 1, "rbp+32 rip=c-8"},
		{"advance_loc 1, 2, 4 with code alignment 4", core.ARM64, func(a *assembler) {
			c := a.record(-1, []byte{1, 0, 4, 0x78, 30}, initARM64)
			a.fde(c, false, 0x02, 1, 0x0e, 1, 0x03, 1, 0, 0x0e, 2, 0x04, 1, 0, 0, 0, 0x0e, 3, 0x41, 0x0e, 4)
		}, fnAddr + 12, "sp+3"},
		{"remembered state holds the CFA", core.AMD64, func(a *assembler) {
			c := a.cie("", nil, 16, initAMD64...)
			a.fde(c, false, 0x0e, 16, 0x86, 2, 0x0a, 0x0c, 6, 16, 0x41, 0x0b)
		}, fnAddr + 1, "rsp+16 rbp=c-16 rip=c-8"},
		{"args_size and registers without a slot", core.AMD64, func(a *assembler) {
			c := a.cie("", nil, 16, initAMD64...)
			a.fde(c, false, 0x2e, 0x80, 0x01, 0x91, 2, 0x05, 0x80, 0x80, 0x01, 2)
		}, fnAddr, "rsp+8 rip=c-8"},
		{"return address column that is not a register", core.RISCV64, func(a *assembler) {
			c := a.cie("zRS", []byte{0}, 64, 0x0c, 2, 0, 0x05, 64, 3)
			a.fde(c, true)
		}, fnAddr, "sp+0 pc=c-24 signal"},
		{"CIE version 4", core.AMD64, func(a *assembler) {
			a.debug = true
			c := a.record(-1, []byte{4, 0, 8, 0, 1, 0x78, 16}, initAMD64)
			a.fde(c, false)
		}, fnAddr, "rsp+8 rip=c-8"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			a := newAssembler()
			c.build(a)
			row, err := a.table(c.arch).Row(c.pc)
			if err != nil {
				t.Fatal(err)
			}
			if got := describe(row); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestMalformed feeds what must be refused, and nothing else with it.
func TestMalformed(t *testing.T) {
	cases := []struct {
		name  string
		insns []byte
		want  string
	}{
		{"restore_state without remember_state", []byte{0x0b}, "was not remembered"},
		{"length of an expression overflows", []byte{0x0f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
			0x01}, "cut short"},
		{"operand missing", []byte{0x0c, 7}, "cut short"},
		{"LEB128 without an end", []byte{0x0e, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
			0x80, 0x80, 0x80, 0x80, 0x80, 0x01}, "cut short"},
		{"unknown instruction", []byte{0x3f, 0}, "instruction"},
		{"CFA in a vector register", []byte{0x0c, 17, 8}, "not supported"},
		{"states nest too deep", make65(0x0a), "nest deeper"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			a := newAssembler()
			cie := a.cie("", nil, 16, initAMD64...)
			a.fde(cie, false, c.insns...)
			a.fdeAt(cie, false, fnAddr+fnSize, 16)
			table := a.table(core.AMD64)
			if _, err := table.Row(fnAddr); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
			if _, err := table.Row(fnAddr + fnSize); err != nil {
				t.Errorf("the neighbour: %v", err)
			}
		})
	}
}

func make65(b byte) []byte {
	out := make([]byte, 65)
	for i := range out {
		out[i] = b
	}
	return out
}
