package minidump

import (
	"fmt"

	"coredbg/core"
)

// maxContext bounds a context in bytes: one with the state of XSAVE has up to some 12 KiB.
const maxContext = 1 << 16

// A field is a register in a context, at an offset in bytes. Slot is the architecture's slot, or -1 if
// unwinding does not need the register. Flags are flags of the context; the register is valid if one of
// them is set. If Flags is 0 it is always valid.
type field struct {
	name      string
	slot      int
	off, size int
	set       string
	flags     uint32
}

// A layout says where a context has its registers. Those of more than one size are told
// apart by it.
type layout struct {
	arch   *core.Arch
	size   int // in bytes, of the part that is read
	fields []field
	flags  int    // where the flags are that say what a context has
	given  uint32 // for the fields that are added
	// rest is where floating point and vectors are, from offsets to offsets, and restFlags the
	// flags that say so: XSAVE's state follows, where there is any.
	rest      [][2]int
	restFlags byte
}

// Flags of contexts (winnt.h), for AMD64 and x86, and for ARM64 where it differs.
const (
	control  = 1
	integer  = 2
	segments = 4
	floating = 8
	extended = 0x20
	vectors  = 4
	xsave    = 0x40
)

// has reports whether a context has a field. Where no flag is set its writer cannot have
// meant that nothing is there.
func (y *layout) has(f *field, d []byte) bool {
	if f.off+f.size > len(d) || y.flags+4 > len(d) {
		return false
	}
	flags := le.Uint32(d[y.flags:]) & 0xffff
	return f.flags == 0 || flags == 0 || flags&f.flags != 0
}

// archOf returns the architecture of a processor; nil if its registers are not known.
func archOf(cpu uint16) *core.Arch {
	switch cpu {
	case cpuX86:
		return core.I386
	case cpuARM:
		return core.ARM
	case cpuAMD64:
		return core.AMD64
	case cpuARM64, cpuARM64Old:
		return core.ARM64
	case cpuRISCV64:
		return core.RISCV64
	}
	return nil
}

// oldARM64Size is the size of Breakpad's first context of arm64, which begins with 64 bits
// of flags.
const oldARM64Size = 796

// layoutOf returns the layout of a context of a size in bytes.
func layoutOf(cpu uint16, size int) layout {
	switch cpu {
	case cpuX86:
		return x86Layout()
	case cpuARM:
		return armLayout()
	case cpuAMD64:
		return amd64Layout()
	case cpuARM64, cpuARM64Old:
		if cpu == cpuARM64Old || size == oldARM64Size {
			return arm64OldLayout()
		}
		return arm64Layout()
	case cpuRISCV64:
		return riscv64Layout()
	}
	return layout{}
}

// run makes fields that follow each other, of one size, named by slots.
func (y *layout) run(off, size int, names ...string) {
	for _, n := range names {
		y.fields = append(y.fields, field{n, y.arch.SlotOf(n), off, size, "general", y.given})
		off += size
	}
}

// numbered makes numbered registers of one size.
func (y *layout) numbered(off, size, stride int, set, prefix string, n int) {
	for i := range n {
		y.fields = append(y.fields, field{fmt.Sprintf("%s%d", prefix, i), -1, off + i*stride, size, set, y.given})
	}
}

// amd64Layout is CONTEXT of winnt.h for AMD64.
func amd64Layout() layout {
	y := layout{arch: core.AMD64, size: 256, flags: 48, given: integer, rest: [][2]int{{256, 1184}, {1232, maxContext}},
		restFlags: floating | xsave}
	y.run(120, 8, "rax", "rcx", "rdx", "rbx")
	y.run(160, 8, "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15")
	y.given = control
	y.run(152, 8, "rsp")
	y.run(248, 8, "rip")
	y.run(56, 2, "cs")
	y.run(66, 2, "ss")
	y.run(68, 4, "eflags")
	y.given = segments
	y.run(58, 2, "ds", "es", "fs", "gs")
	y.given = floating
	y.fields = append(y.fields, field{"mxcsr", -1, 52, 4, "vector", floating})
	y.numbered(288, 10, 16, "fp", "st", 8)
	y.numbered(416, 16, 16, "vector", "xmm", 16)
	return y
}

// x86Layout is CONTEXT for x86.
func x86Layout() layout {
	y := layout{arch: core.I386, size: 204, given: integer, rest: [][2]int{{28, 140}, {204, maxContext}},
		restFlags: floating | extended | xsave}
	y.run(156, 4, "edi", "esi", "ebx", "edx", "ecx", "eax")
	y.given = control
	y.run(180, 4, "ebp", "eip", "cs", "eflags", "esp", "ss")
	y.given = segments
	y.run(140, 4, "gs", "fs", "es", "ds")
	y.given = floating
	y.numbered(56, 10, 10, "fp", "st", 8)
	y.given = extended
	y.numbered(204+160, 16, 16, "vector", "xmm", 8)
	return y
}

// armLayout is CONTEXT for ARM.
func armLayout() layout {
	y := layout{arch: core.ARM, size: 72, given: control | integer, rest: [][2]int{{72, maxContext}},
		restFlags: vectors}
	y.run(4, 4, "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "sp",
		"lr", "pc", "cpsr")
	y.given = vectors
	y.numbered(80, 8, 8, "vector", "d", 32)
	return y
}

// arm64Layout is CONTEXT for ARM64.
func arm64Layout() layout {
	y := layout{arch: core.ARM64, size: 272, given: integer, rest: [][2]int{{272, maxContext}}, restFlags: vectors}
	y.run(8, 8, core.ARM64.RegNames[:29]...)
	y.given = control
	y.run(8+29*8, 8, core.ARM64.RegNames[29:]...)
	y.run(4, 4, "cpsr")
	y.given = vectors
	y.numbered(272, 16, 16, "vector", "v", 32)
	return y
}

// arm64OldLayout is MDRawContextARM64_Old of Breakpad.
func arm64OldLayout() layout {
	y := layout{arch: core.ARM64, size: 276, given: control | integer, rest: [][2]int{{276, maxContext}},
		restFlags: vectors}
	y.run(8, 8, core.ARM64.RegNames...)
	y.run(272, 4, "cpsr")
	y.given = vectors
	y.numbered(284, 16, 16, "vector", "v", 32)
	return y
}

// riscv64Layout is MDRawContextRISCV64 of Breakpad: pc, then x1 to x31.
func riscv64Layout() layout {
	y := layout{arch: core.RISCV64, size: 8 + 32*8, rest: [][2]int{{8 + 32*8, maxContext}}}
	y.run(8, 8, "pc")
	y.run(16, 8, core.RISCV64.RegNames[1:32]...)
	return y
}

// registers takes what unwinding needs from a context.
func (y *layout) registers(d []byte) (r core.Regs) {
	for _, f := range y.fields {
		if f.slot >= 0 && y.has(&f, d) {
			v := uint64(le.Uint32(d[f.off:]))
			if f.size == 8 {
				v = le.Uint64(d[f.off:])
			}
			r.Set(f.slot, v)
		}
	}
	return r
}

// all decodes everything that a context has.
func (y *layout) all(d []byte) (out []core.Register) {
	for _, f := range y.fields {
		if !y.has(&f, d) {
			continue
		}
		b := d[f.off : f.off+f.size]
		r := core.Register{Name: f.name, Size: f.size, Set: f.set}
		if f.size > 8 {
			r.Bytes = b
		}
		for i := 0; i < f.size && f.size <= 8; i++ {
			r.Value |= uint64(b[i]) << (8 * i)
		}
		out = append(out, r)
	}
	return out
}
