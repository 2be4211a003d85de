package note

import (
	stdelf "debug/elf"
	"strconv"

	"coredbg/core"
)

// The x86 extended state is laid out as the XSAVE instruction stores it (Intel
// SDM volume 1, chapter 13; AMD APM volume 2, chapter 11): a legacy area of 512
// bytes that is FXSAVE's, a header of 64, and components wherever the processor
// says. Linux puts XCR0 into the legacy area's unused end, and since 6.12 writes
// a note that says where the components are.
const (
	fxsaveSize   = 512
	xcr0Off      = 464 // in the legacy area's bytes for software
	xstateBVOff  = 512 // the components that are not in their initial state
	compAVX      = 2
	compOpmask   = 5
	compZMMHi256 = 6
	compHi16ZMM  = 7
	compPKRU     = 9
	avxOff       = 576 // fixed: AVX is the first component of all processors
)

// x86Note decodes floating-point and vector notes of x86. Where the thread has
// the extended state, the older notes repeat a part of it.
func (m *machine) x86Note(n core.Note, layout []byte, haveXState bool) []core.Register {
	switch {
	case is(n, ntX86XState) && len(n.Desc) >= avxOff:
		return append(m.fxsave(n.Desc), m.xstate(n.Desc, layout)...)
	case haveXState:
		return nil
	case is(n, ntFPRegSet) && m.id == stdelf.EM_X86_64,
		is(n, ntPRXFPReg):
		return m.fxsave(n.Desc)
	case is(n, ntFPRegSet): // FNSAVE: seven words, then eight registers
		return m.banks(n.Desc, []bank{{"fctrl", 0, 0, 0, 4, "fp"}, {"fstat", 0, 4, 0, 4, "fp"},
			{"ftag", 0, 8, 0, 4, "fp"},
			{"fioff", 0, 12, 0, 4, "fp"}, {"fiseg", 0, 16, 0, 4, "fp"}, {"fooff", 0, 20, 0, 4, "fp"},
			{"foseg", 0, 24, 0, 4, "fp"}, {"st", 8, 28, 10, 10, "fp"}})
	}
	return nil
}

func (m *machine) fxsave(d []byte) []core.Register {
	nxmm := 16
	if !m.Wide {
		nxmm = 8
	}
	return m.banks(d, []bank{{"fctrl", 0, 0, 0, 2, "fp"}, {"fstat", 0, 2, 0, 2, "fp"}, {"ftag", 0, 4, 0, 1, "fp"},
		{"fop", 0, 6, 0, 2, "fp"}, {"fip", 0, 8, 0, 8, "fp"}, {"fdp", 0, 16, 0, 8, "fp"},
		{"st", 8, 32, 16, 10, "fp"}, {"mxcsr", 0, 24, 0, 4, "vector"}, {"xmm", nxmm, 160, 16, 16, "vector"}})
}

// xstate decodes the components after the header. One that the processor found
// in its initial state is not stored; its registers are zero.
func (m *machine) xstate(d, layout []byte) []core.Register {
	xcr0, bv := m.Order.Uint64(d[xcr0Off:]), m.Order.Uint64(d[xstateBVOff:])
	at := m.components(d, layout, xcr0)
	zero := make([]byte, 32*16)
	// part returns the bytes of a component, nil if the processor does not have it.
	part := func(comp, size int) []byte {
		off := at[comp]
		if xcr0>>comp&1 == 0 || off == 0 || off+size > len(d) {
			return nil
		}
		if bv>>comp&1 == 0 {
			return zero[:min(size, len(zero))]
		}
		return d[off : off+size]
	}
	n := 16
	if !m.Wide {
		n = 8
	}
	var out []core.Register
	high := part(compAVX, 16*16)
	if high == nil {
		return nil
	}
	ymm := func(i int) []byte {
		low := d[160+16*i : 176+16*i]
		return append(append(make([]byte, 0, 64), low...), high[16*i:16*i+16]...)
	}
	for i := range n {
		out = append(out, core.Register{Name: "ymm" + strconv.Itoa(i), Bytes: ymm(i), Size: 32, Set: "vector"})
	}
	masks, hi256 := part(compOpmask, 64), part(compZMMHi256, 16*32)
	if masks != nil && hi256 != nil {
		out = append(out, m.banks(masks, []bank{{"k", 8, 0, 8, 8, "vector"}})...)
		for i := range n {
			out = append(out, core.Register{Name: "zmm" + strconv.Itoa(i), Size: 64, Set: "vector",
				Bytes: append(ymm(i), hi256[32*i:32*i+32]...)})
		}
		if hi16 := at[compHi16ZMM]; m.Wide && xcr0>>compHi16ZMM&1 != 0 && hi16 != 0 && hi16+1024 <= len(d) {
			regs := make([]byte, 1024)
			if bv>>compHi16ZMM&1 != 0 {
				regs = d[hi16 : hi16+1024]
			}
			for i := range 16 {
				out = append(out, core.Register{Name: "zmm" + strconv.Itoa(16+i), Bytes: regs[64*i : 64*i+64], Size: 64,
					Set: "vector"})
			}
		}
	}
	if pkru := part(compPKRU, 4); pkru != nil {
		out = append(out, m.register("pkru", "system", pkru))
	}
	return out
}

// components returns the offsets of the components by number; 0 if unknown.
// Without the kernel's note the size distinguishes Intel's layout from AMD's, which has
// no room for the bound registers (GDB 14, i387-tdep.c,
// i387_guess_xsave_layout).
func (m *machine) components(d, layout []byte, xcr0 uint64) (at [64]int) {
	if len(layout) >= 16 {
		// struct x86_xfeat_component: type, size, offset, flags.
		for ; len(layout) >= 16; layout = layout[16:] {
			if typ, off := m.Order.Uint32(layout), m.Order.Uint32(layout[8:]); typ < 64 &&
				uint64(off) < uint64(len(d)) {
				at[typ] = int(off)
			}
		}
		return at
	}
	at[compAVX] = avxOff
	switch len(d) {
	case 2432, 2440:
		at[compOpmask], at[compZMMHi256], at[compHi16ZMM] = 832, 896, 1408
		if len(d) == 2440 {
			at[compPKRU] = 2432
		}
	default:
		if len(d) >= 2688 {
			at[compOpmask], at[compZMMHi256], at[compHi16ZMM] = 1088, 1152, 1664
			at[compPKRU] = 2688
		} else if xcr0>>compPKRU&1 != 0 && len(d) == 840 {
			at[compPKRU] = 832
		}
	}
	return at
}
