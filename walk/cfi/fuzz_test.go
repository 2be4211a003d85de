package cfi

import (
	"testing"

	"coredbg/core"
	"coredbg/core/coretest"
)

// FuzzTable reads arbitrary sections, looks up addresses in them and applies
// what is found. Rows must agree however the FDE was found.
func FuzzTable(f *testing.F) {
	a, at, fdes := threeFunctions()
	s := searchable(a, [2]uint64{at[0], fdes[0]}, [2]uint64{at[1], fdes[1]}, [2]uint64{at[2], fdes[2]})
	f.Add(s.EHFrame.Data, s.EHFrameHdr.Data, at[1], uint8(0))
	b := newAssembler()
	c := b.cie("zRSB", []byte{0}, 30, append(initARM64, 0x2d, 0x9e, 1)...)
	b.fde(c, true, 0x0a, 0x41, 0x14, 29, 2, 0x0b, 0x16, 19, 2, 0x23, 8, 0x10, 20, 1, 0x06, 0xdd, 0x41, 0x0f,
		3, 0x8f, 8, 0x06)
	f.Add(b.buf, []byte{}, uint64(fnAddr+1), uint8(1))
	d := newAssembler()
	d.debug, d.wide = true, true
	c = d.cie("", nil, 16, initAMD64...)
	d.fde(c, false, append([]byte{0x01}, d.word(8, fnAddr+4)...)...)
	f.Add(d.buf, []byte{}, uint64(fnAddr+4), uint8(2))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0},
		[]byte{1, 0x1b, 3, 0x3b}, uint64(0), uint8(0))

	arches := []*core.Arch{core.AMD64, core.ARM64, core.I386, core.RISCV64, core.S390X, core.PPC64LE, core.ARM}
	f.Fuzz(func(t *testing.T, data, hdr []byte, pc uint64, kind uint8) {
		arch := arches[int(kind>>1)%len(arches)]
		section := core.Section{Addr: ehAddr, Data: data}
		s := Sections{EHFrame: section, EHFrameHdr: core.Section{Addr: hdrAddr, Data: hdr}}
		if kind&1 != 0 {
			s = Sections{DebugFrame: section}
		}
		table := New(arch, s)
		row, err := table.Row(pc)
		if err != nil {
			return
		}
		if begin, end, err := table.Range(pc); err != nil || pc < begin || pc >= end {
			t.Fatalf("a row at %#x outside of its range %#x to %#x, %v", pc, begin, end, err)
		}
		p := coretest.New(arch).Words(0x7000, make([]uint64, 64)...).Process()
		var regs core.Regs
		for i := range regs.Val {
			regs.Set(i, 0x7000+uint64(i)*8)
		}
		row.Apply(&regs, p.Cursor())
	})
}

// FuzzExpression evaluates arbitrary expressions: they end, and leave the
// evaluator usable.
func FuzzExpression(f *testing.F) {
	f.Add([]byte{0x77, 8, 0x09, 0xf4, 0x3b, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22}, uint64(0x7000))
	f.Add([]byte{0x2f, 0xfd, 0xff}, uint64(0))
	f.Add([]byte{0x12, 0x2f, 0xfc, 0xff}, uint64(1))
	f.Add([]byte{0x0e, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x09, 0xff, 0x1b}, uint64(0))
	f.Add([]byte{0x06, 0x94, 4, 0x92, 7, 0, 0x17, 0x15, 0}, uint64(0x7008))
	p := coretest.New(core.AMD64).Words(0x7000, 0x7008, 0x7010, 1, 2).
		Thread(1, map[string]uint64{"rsp": 0x7000, "rbp": 0x7010}).Process()
	f.Fuzz(func(t *testing.T, expr []byte, cfa uint64) {
		m := evaluator{regs: &p.Threads[0].Regs, mem: p.Cursor(), arch: core.AMD64, cfa: cfa}
		first, err1 := m.run(expr, &cfa)
		second, err2 := m.run(expr, &cfa)
		if first != second || (err1 == nil) != (err2 == nil) {
			t.Fatalf("%#x, %v, and again %#x, %v", first, err1, second, err2)
		}
		m.run(expr, nil)
	})
}
