package note

import (
	stdelf "debug/elf"
	"strconv"

	"coredbg/core"
)

// A bank is a run of registers of one size in a note.
type bank struct {
	prefix string // of a numbered run; the name of a single one
	n      int    // how many; 0 for a single register
	off    int    // bytes
	stride int    // bytes from one to the next
	size   int    // bytes
	set    string
}

// banks decodes the registers of d that it has.
func (m *machine) banks(d []byte, list []bank) []core.Register {
	var out []core.Register
	for _, b := range list {
		for i := range max(b.n, 1) {
			off := b.off + i*b.stride
			if off+b.size > len(d) {
				break
			}
			name := b.prefix
			if b.n > 0 {
				name = b.prefix + strconv.Itoa(i)
			}
			out = append(out, m.register(name, b.set, d[off:off+b.size:off+b.size]))
		}
	}
	return out
}

// register makes a register of its bytes.
func (m *machine) register(name, set string, b []byte) core.Register {
	r := core.Register{Name: name, Size: len(b), Set: set}
	switch len(b) {
	case 1:
		r.Value = uint64(b[0])
	case 2:
		r.Value = uint64(m.Order.Uint16(b))
	case 4:
		r.Value = uint64(m.Order.Uint32(b))
	case 8:
		r.Value = m.Order.Uint64(b)
	default:
		r.Bytes = b
	}
	return r
}

// vectorNote decodes floating-point and vector notes of the architectures that
// are not x86.
func (m *machine) vectorNote(n core.Note) []core.Register {
	type key struct {
		m   stdelf.Machine
		typ uint32
	}
	if n.Name == "" {
		return nil
	}
	var list []bank
	switch (key{m.id, n.Type}) {
	case key{stdelf.EM_AARCH64, ntFPRegSet}: // struct user_fpsimd_state
		list = []bank{{"v", 32, 0, 16, 16, "vector"}, {"fpsr", 0, 512, 0, 4, "fp"}, {"fpcr", 0, 516, 0, 4, "fp"}}
	case key{stdelf.EM_AARCH64, ntARMTLS}:
		list = []bank{{"tpidr_el0", 0, 0, 0, 8, "system"}, {"tpidr2_el0", 0, 8, 0, 8, "system"}}
	case key{stdelf.EM_AARCH64, ntARMPAC}: // struct user_pac_mask
		list = []bank{{"pauth_dmask", 0, 0, 0, 8, "system"}, {"pauth_cmask", 0, 8, 0, 8, "system"}}
	case key{stdelf.EM_AARCH64, ntARMSVE}, key{stdelf.EM_AARCH64, ntARMSSVE}, key{stdelf.EM_AARCH64, ntARMZA}:
		return m.scalable(n)
	case key{stdelf.EM_AARCH64, ntARMZT}:
		list = []bank{{"zt0", 0, 0, 0, 64, "matrix"}}
	case key{stdelf.EM_AARCH64, ntARMTagCtl}:
		list = []bank{{"tag_ctl", 0, 0, 0, 8, "system"}}
	case key{stdelf.EM_AARCH64, ntARMPACKey}:
		list = []bank{{"pauth_keys", 0, 0, 0, 8, "system"}}
	case key{stdelf.EM_AARCH64, ntARMFPMR}:
		list = []bank{{"fpmr", 0, 0, 0, 8, "fp"}}
	case key{stdelf.EM_AARCH64, ntARMPOE}:
		list = []bank{{"por_el0", 0, 0, 0, 8, "system"}}
	case key{stdelf.EM_AARCH64, ntARMGCS}: // struct user_gcs
		list = []bank{{"gcs_enabled", 0, 0, 0, 8, "system"}, {"gcs_locked", 0, 8, 0, 8, "system"},
			{"gcspr_el0", 0, 16, 0, 8, "system"}}
	case key{stdelf.EM_ARM, ntARMVFP}: // struct user_vfp
		list = []bank{{"d", 32, 0, 8, 8, "fp"}, {"fpscr", 0, 256, 0, 4, "fp"}}
	case key{stdelf.EM_RISCV, ntFPRegSet}: // struct __riscv_d_ext_state
		list = []bank{{"f", 32, 0, 8, 8, "fp"}, {"fcsr", 0, 256, 0, 4, "fp"}}
	case key{stdelf.EM_LOONGARCH, ntFPRegSet}: // struct user_fp_state
		list = []bank{{"f", 32, 0, 8, 8, "fp"}, {"fcc", 8, 256, 1, 1, "fp"}, {"fcsr", 0, 264, 0, 4, "fp"}}
	case key{stdelf.EM_LOONGARCH, ntLoongLSX}: // struct user_lsx_state
		list = []bank{{"vr", 32, 0, 16, 16, "vector"}}
	case key{stdelf.EM_LOONGARCH, ntLoongLASX}: // struct user_lasx_state
		list = []bank{{"xr", 32, 0, 32, 32, "vector"}}
	case key{stdelf.EM_PPC64, ntFPRegSet}:
		list = []bank{{"f", 32, 0, 8, 8, "fp"}, {"fpscr", 0, 256, 0, 8, "fp"}}
	case key{stdelf.EM_PPC64, ntPPCVMX}: // 32 vectors, vscr and vrsave in a quadword each
		list = []bank{{"vr", 32, 0, 16, 16, "vector"}, {"vscr", 0, 512, 0, 16, "vector"},
			{"vrsave", 0, 528, 0, 4, "vector"}}
	case key{stdelf.EM_PPC64, ntPPCVSX}: // the halves that f0 to f31 do not have
		list = []bank{{"vs_low", 32, 0, 8, 8, "vector"}}
	case key{stdelf.EM_S390, ntFPRegSet}: // s390_fp_regs
		list = []bank{{"fpc", 0, 0, 0, 4, "fp"}, {"f", 16, 8, 8, 8, "fp"}}
	case key{stdelf.EM_S390, ntS390VLow}: // the low halves; the high ones are f0 to f15
		list = []bank{{"v_low", 16, 0, 8, 8, "vector"}}
	case key{stdelf.EM_S390, ntS390VHigh}:
		out := m.banks(n.Desc, []bank{{"v", 16, 0, 16, 16, "vector"}})
		for i := range out {
			out[i].Name = "v" + strconv.Itoa(16+i)
		}
		return out
	}
	return m.banks(n.Desc, list)
}
