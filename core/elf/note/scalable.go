package note

import (
	stdelf "debug/elf"
	"strconv"

	"coredbg/core"
)

// Scalable vectors of arm64 (Linux 6.18, arch/arm64/include/uapi/asm/ptrace.h, "SVE/FP/SIMD state";
// Documentation/arch/arm64/sve.rst and sme.rst). NT_ARM_SVE and NT_ARM_SSVE have the registers outside
// of streaming mode and in it, NT_ARM_ZA the matrix: each begins with struct user_sve_header. Only the
// header of the first two is valid for the mode that the thread is not in.
const (
	vectorHeader   = 16 // bytes: size, max_size of 4; vl, max_vl, flags, reserved of 2
	vectorScalable = 1  // SVE_PT_REGS_SVE in flags: not the registers of struct user_fpsimd_state
	maxVector      = 8192
	svcrStreaming  = 1 << 0 // SVCR.SM
	svcrMatrix     = 1 << 1 // SVCR.ZA
)

// vector returns what the header of such a note says: the length of a vector in bytes, 0
// if it can be none, and whether the registers of such a length follow.
func (m *machine) vector(d []byte) (vl int, scalable bool) {
	if len(d) < vectorHeader {
		return 0, false
	}
	vl = int(m.Order.Uint16(d[8:]))
	if vl == 0 || vl%16 != 0 || vl > maxVector {
		return 0, false
	}
	return vl, m.Order.Uint16(d[12:])&vectorScalable != 0
}

// scalable decodes NT_ARM_SVE, NT_ARM_SSVE and NT_ARM_ZA.
func (m *machine) scalable(n core.Note) []core.Register {
	vl, scalable := m.vector(n.Desc)
	if vl == 0 {
		return nil
	}
	name, d := "vl", n.Desc[vectorHeader:]
	if n.Type != ntARMSVE {
		name = "svl" // NT_ARM_SSVE's and NT_ARM_ZA's are one
	}
	length := core.Register{Name: name, Value: uint64(vl), Size: 2, Set: "vector"}
	if n.Type == ntARMZA {
		return m.matrix(d, vl)
	}
	out := []core.Register{length}
	if !scalable {
		return out
	}
	p, ffr := 32*vl, 32*vl+16*(vl/8)
	out = append(out, m.banks(d, []bank{{"z", 32, 0, vl, vl, "vector"}, {"p", 16, p, vl / 8, vl / 8, "vector"},
		{"ffr", 0, ffr, 0, vl / 8, "vector"}})...)
	return out
}

// matrix decodes the rows of ZA, which are there while PSTATE.ZA is set.
func (m *machine) matrix(d []byte, vl int) []core.Register {
	if len(d) < vl {
		return nil
	}
	out := make([]core.Register, 0, min(vl, len(d)/vl))
	for i := 0; i < vl && (i+1)*vl <= len(d); i++ {
		out = append(out, m.register("za["+strconv.Itoa(i)+"]", "matrix", d[i*vl:(i+1)*vl:(i+1)*vl]))
	}
	return out
}

// streamVector returns SVCR, which no note has but the notes' state shows.
func (m *machine) streamVector(notes []core.Note) []core.Register {
	svcr, known := uint64(0), false
	for _, n := range notes {
		if m.id != stdelf.EM_AARCH64 || n.Name == "" {
			continue
		}
		switch vl, scalable := m.vector(n.Desc); {
		case vl == 0:
		case n.Type == ntARMSSVE:
			known = true
			if scalable {
				svcr |= svcrStreaming
			}
		case n.Type == ntARMZA:
			known = true
			if len(n.Desc) > vectorHeader {
				svcr |= svcrMatrix
			}
		}
	}
	if !known {
		return nil
	}
	return []core.Register{{Name: "svcr", Value: svcr, Size: 8, Set: "system"}}
}
