package minidump

import (
	"fmt"

	"coredbg/core"
)

// A windowsCode names an exception of Windows (winnt.h, ntstatus.h), and the signal of Unix
// that means the same.
type windowsCode struct{ name, text, like string }

var windowsCodes = map[uint32]windowsCode{
	0x80000001: {"EXCEPTION_GUARD_PAGE", "access to a guard page", "SIGSEGV"},
	0x80000002: {"EXCEPTION_DATATYPE_MISALIGNMENT", "misaligned access", "SIGBUS"},
	0x80000003: {"EXCEPTION_BREAKPOINT", "breakpoint", "SIGTRAP"},
	0x80000004: {"EXCEPTION_SINGLE_STEP", "single step", "SIGTRAP"},
	0xc0000005: {"EXCEPTION_ACCESS_VIOLATION", "access violation", "SIGSEGV"},
	0xc0000006: {"EXCEPTION_IN_PAGE_ERROR", "a page could not be read", "SIGBUS"},
	0xc0000008: {"EXCEPTION_INVALID_HANDLE", "invalid handle", ""},
	0xc000001d: {"EXCEPTION_ILLEGAL_INSTRUCTION", "illegal instruction", "SIGILL"},
	0xc0000025: {"EXCEPTION_NONCONTINUABLE_EXCEPTION", "an exception that cannot be continued was", ""},
	0xc0000026: {"EXCEPTION_INVALID_DISPOSITION", "invalid disposition of an exception handler", ""},
	0xc000008c: {"EXCEPTION_ARRAY_BOUNDS_EXCEEDED", "array bounds exceeded", "SIGSEGV"},
	0xc000008d: {"EXCEPTION_FLT_DENORMAL_OPERAND", "denormal floating-point operand", "SIGFPE"},
	0xc000008e: {"EXCEPTION_FLT_DIVIDE_BY_ZERO", "floating-point division by zero", "SIGFPE"},
	0xc000008f: {"EXCEPTION_FLT_INEXACT_RESULT", "inexact floating-point result", "SIGFPE"},
	0xc0000090: {"EXCEPTION_FLT_INVALID_OPERATION", "invalid floating-point operation", "SIGFPE"},
	0xc0000091: {"EXCEPTION_FLT_OVERFLOW", "floating-point overflow", "SIGFPE"},
	0xc0000092: {"EXCEPTION_FLT_STACK_CHECK", "floating-point stack overflow or underflow", "SIGFPE"},
	0xc0000093: {"EXCEPTION_FLT_UNDERFLOW", "floating-point underflow", "SIGFPE"},
	0xc0000094: {"EXCEPTION_INT_DIVIDE_BY_ZERO", "integer division by zero", "SIGFPE"},
	0xc0000095: {"EXCEPTION_INT_OVERFLOW", "integer overflow", "SIGFPE"},
	0xc0000096: {"EXCEPTION_PRIV_INSTRUCTION", "privileged instruction", "SIGILL"},
	0xc00000fd: {"EXCEPTION_STACK_OVERFLOW", "stack overflow", "SIGSEGV"},
	0xc0000194: {"EXCEPTION_POSSIBLE_DEADLOCK", "possible deadlock", ""},
	0xc0000374: {"STATUS_HEAP_CORRUPTION", "the heap is corrupted", "SIGABRT"},
	0xc0000409: {"STATUS_STACK_BUFFER_OVERRUN", "fast fail", "SIGABRT"},
	0xc0000417: {"STATUS_INVALID_CRUNTIME_PARAMETER", "invalid parameter of a C library function", "SIGABRT"},
	0xc0000420: {"STATUS_ASSERTION_FAILURE", "assertion failure", "SIGABRT"},
	0xe06d7363: {"C++ exception", "an uncaught exception of Microsoft's C++", "SIGABRT"},
	0xe0434352: {"CLR exception", "an uncaught exception of .NET", "SIGABRT"},
	0xe0000008: {"out of memory", "memory could not be had (Chromium's code)", "SIGABRT"},
	0x4000001f: {"STATUS_WX86_BREAKPOINT", "breakpoint of 32-bit code", "SIGTRAP"},
	0xc06d007e: {"module not found", "a delay-loaded module was not found", "SIGABRT"},
	0xc06d007f: {"procedure not found", "a function of a delay-loaded module was not found", "SIGABRT"},
}

// fastFails are the first parameter of a fast fail (winnt.h, FAST_FAIL).
var fastFails = map[uint64]string{0: "a stack cookie was overwritten", 1: "FAST_FAIL_VTGUARD_CHECK_FAILURE",
	2: "a stack cookie was overwritten", 3: "FAST_FAIL_CORRUPT_LIST_ENTRY", 4: "FAST_FAIL_INCORRECT_STACK",
	5: "FAST_FAIL_INVALID_ARG", 7: "the program called abort", 10: "an indirect call failed its guard check",
	14: "FAST_FAIL_INVALID_REFERENCE_COUNT", 29: "FAST_FAIL_INVALID_FIBER_SWITCH",
	39: "a return failed its shadow stack's check"}

// windows makes a signal of an exception of Windows.
func (r *record) windows() *core.Signal {
	c, ok := windowsCodes[r.code]
	if !ok {
		c = windowsCode{name: fmt.Sprintf("exception %#x", r.code), text: "an exception of Windows"}
	}
	g := &core.Signal{Number: int(r.code), Name: c.name, Text: c.text, Like: c.like, Code: int(r.flags)}
	const write, execute = 1, 8
	switch {
	case (c.like == "SIGSEGV" || r.code == 0xc0000006) && len(r.info) >= 2 && r.code != 0xc00000fd:
		g.HasAddr, g.Addr = true, core.Addr(r.info[1])
		g.HasCode, g.Code = true, int(r.info[0])
		switch r.info[0] {
		case write:
			g.CodeName = "write"
		case execute:
			g.CodeName = "execute"
		default:
			g.CodeName = "read"
		}
		if r.info[1] == ^uint64(0) {
			// The processor did not say the address: a general protection fault.
			g.HasAddr, g.CodeText = false, "a non-canonical address or a forbidden instruction"
		}
	case r.code == 0xc0000409 && len(r.info) >= 1:
		g.HasCode, g.Code, g.CodeName = true, int(r.info[0]), fmt.Sprintf("fast fail %d", r.info[0])
		if why := fastFails[r.info[0]]; why != "" {
			g.CodeText = why
		}
	case r.code == 0xc00000fd && len(r.info) >= 2:
		g.HasAddr, g.Addr = true, core.Addr(r.info[1])
	}
	return g
}
