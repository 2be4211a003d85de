package thread

import (
	"fmt"

	"coredbg/core"
	"coredbg/core/macho/format"
)

// A Fault is why the processor stopped a thread, as its exception state says.
// A core of macOS records no signal.
type Fault struct {
	kind    faultKind
	addr    core.Addr
	hasAddr bool
	access  string // "read", "write", "execute"; "" if unknown
	text    string // in words
}

// A faultKind is a Mach exception (osfmk/mach/exception_types.h).
type faultKind int

const (
	badAccess      faultKind = 1 // EXC_BAD_ACCESS
	badInstruction faultKind = 2 // EXC_BAD_INSTRUCTION
	arithmetic     faultKind = 3 // EXC_ARITHMETIC
	breakpoint     faultKind = 6 // EXC_BREAKPOINT
)

// Addr returns the address that could not be accessed; 0 if there is none.
func (f *Fault) Addr() core.Addr { return f.addr }

// faultOf reads an exception state. It is nil for one that reports no fault:
// threads in a system call have one too.
func faultOf(cputype, flavor uint32, d []byte) *Fault {
	switch {
	case cputype == format.CPUX86_64 && flavor == x86ExceptionState64 && len(d) >= 16:
		return faultX86(le.Uint16(d), le.Uint32(d[4:]), le.Uint64(d[8:]))
	case cputype == format.CPUARM64 && flavor == armExceptionState64 && len(d) >= 12:
		return faultARM64(uint64(le.Uint32(d[8:])), le.Uint64(d))
	case cputype == format.CPUARM64 && flavor == armExceptionStateV2 && len(d) >= 16:
		return faultARM64(le.Uint64(d[8:]), le.Uint64(d))
	}
	return nil
}

// faultX86 names an exception of the Intel SDM, volume 3, table 6-1.
func faultX86(trapno uint16, err uint32, addr uint64) *Fault {
	switch trapno {
	case 0:
		// Also the state of a thread that has never trapped.
		return nil
	case 1:
		return &Fault{kind: breakpoint, text: "debug exception"}
	case 3:
		return &Fault{kind: breakpoint, text: "breakpoint instruction"}
	case 4, 16, 19:
		return &Fault{kind: arithmetic, text: map[uint16]string{4: "overflow", 16: "x87 floating-point error",
			19: "SIMD floating-point error"}[trapno]}
	case 6:
		return &Fault{kind: badInstruction, text: "invalid opcode"}
	case 11, 12:
		return &Fault{kind: badAccess, text: "segment or stack fault"}
	case 13:
		return &Fault{kind: badAccess, text: "general protection fault: a non-canonical address or a forbidden instruction"}
	case 14:
		f := &Fault{kind: badAccess, addr: core.Addr(addr), hasAddr: true, access: "read"}
		if err&2 != 0 {
			f.access = "write"
		} else if err&16 != 0 {
			f.access = "execute"
		}
		return f
	case 17:
		return &Fault{kind: badAccess, text: "alignment check"}
	}
	return nil
}

// faultARM64 names an exception class of ESR_EL1 (Arm ARM, D24.2.40).
func faultARM64(esr, far uint64) *Fault {
	switch esr >> 26 & 0x3f {
	case 0x00:
		if esr == 0 {
			return nil
		}
		return &Fault{kind: badInstruction, text: "undefined instruction"}
	case 0x0e:
		return &Fault{kind: badInstruction, text: "illegal execution state"}
	case 0x1c:
		return &Fault{kind: badAccess, text: "pointer authentication failure"}
	case 0x20:
		return &Fault{kind: badAccess, addr: core.Addr(far), hasAddr: true, access: "execute"}
	case 0x22:
		return &Fault{kind: badAccess, addr: core.Addr(far), hasAddr: true, text: "misaligned program counter"}
	case 0x24:
		f := &Fault{kind: badAccess, addr: core.Addr(far), hasAddr: true, access: "read"}
		if esr>>6&1 != 0 {
			f.access = "write"
		}
		return f
	case 0x26:
		return &Fault{kind: badAccess, text: "misaligned stack pointer"}
	case 0x2c:
		return &Fault{kind: arithmetic, text: "floating-point exception"}
	case 0x30, 0x32, 0x34:
		return &Fault{kind: breakpoint, text: "hardware breakpoint, step or watchpoint"}
	case 0x3c:
		return &Fault{kind: breakpoint, text: fmt.Sprintf("brk instruction %#x", esr&0xffff)}
	}
	return nil
}

// Signal is the Unix signal that the kernel makes of a Mach exception
// (bsd/uxkern/ux_exception.c, ux_exception), with the numbers of macOS.
func (f *Fault) Signal(mapped bool) *core.Signal {
	s := &core.Signal{HasCode: true, Code: int(f.kind), HasAddr: f.hasAddr, Addr: f.addr, CodeText: f.text}
	switch f.kind {
	case badAccess:
		s.Number, s.Name, s.Text, s.CodeName = 11, "SIGSEGV", "segmentation fault", "EXC_BAD_ACCESS"
		if f.hasAddr && mapped {
			s.Number, s.Name, s.Text = 10, "SIGBUS", "bus error"
		}
	case badInstruction:
		s.Number, s.Name, s.Text, s.CodeName = 4, "SIGILL", "illegal instruction", "EXC_BAD_INSTRUCTION"
	case arithmetic:
		s.Number, s.Name, s.Text, s.CodeName = 8, "SIGFPE", "floating-point exception", "EXC_ARITHMETIC"
	case breakpoint:
		s.Number, s.Name, s.Text, s.CodeName = 5, "SIGTRAP", "trace or breakpoint trap", "EXC_BREAKPOINT"
	}
	if f.access != "" && f.text == "" {
		s.CodeText = f.access + " of an address that is not mapped"
		if mapped {
			s.CodeText = f.access + " of memory that does not allow it"
		}
	}
	return s
}
