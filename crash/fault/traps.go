package fault

import (
	"encoding/binary"
	"fmt"

	"coredbg/core"
	"coredbg/core/insn"
	"coredbg/crash/bugs"
)

// A trap is an instruction that a compiler put in to end the process.
type trap struct {
	words string // what it is, and who puts it in
	cause bugs.Cause
	title string // "" for words
}

const (
	compilerTrap = "a trap that the compiler put in (abort, unreachable code, failed check)"
	programTrap  = "a trap that the program has at this place (abort, failed check, breakpoint)"
)

// trapOf returns the trap at the program counter. If the processor has passed it, as it
// has a breakpoint of x86, the counter goes back to it.
func (e *explainer) trapOf() (trap, bool) {
	code, _ := e.p.Space.Slice(e.pc, insn.MaxLen)
	switch e.p.Arch {
	case core.AMD64, core.X32, core.I386:
		if b, err := e.p.Space.Slice(e.pc-1, 1); err == nil && b[0] == 0xcc && e.g.Unix() == "SIGTRAP" {
			e.pc--
			return int3(code), true
		}
		if before, err := e.p.Space.Slice(e.pc-maxKCFI, maxKCFI); err == nil && e.p.Arch == core.AMD64 {
			if t, ok := kcfiX86(before, code); ok {
				return t, true
			}
		}
		return undefinedX86(code)
	case core.ARM64:
		if len(code) >= 4 {
			return breakARM64(binary.LittleEndian.Uint32(code))
		}
	case core.ARM:
		return undefinedARM(code)
	}
	return trap{}, false
}

// int3 explains the breakpoint before code (HWAddressSanitizer.cpp of LLVM 19,
// emitAsanMemaccess for x86; immediate_crash.h of Chromium).
func int3(code []byte) trap {
	switch {
	case len(code) > 3 && code[0] == 0x0f && code[1] == 0x1f && code[2] == 0x40 && code[3] >= 0x40 && code[3] < 0x80:
		return hwasan("int3", uint32(code[3]-0x40))
	case len(code) > 1 && code[0] == 0x0f && code[1] == 0x0b:
		return trap{"int3: " + programTrap + ", as Chromium's and V8's IMMEDIATE_CRASH", bugs.IllegalInstruction, ""}
	}
	return trap{"int3: " + programTrap, bugs.IllegalInstruction, ""}
}

// maxKCFI is how many bytes before its UD2 a check of KCFI begins at most.
const maxKCFI = 13

// kcfiX86 knows the UD2 at code by the check of KCFI before it (X86AsmPrinter::LowerKCFI_CHECK
// of LLVM 19): the hash of the type, negated, in r10d or r11d; that before the
// function is added to it; a jump if the sum is 0.
func kcfiX86(before, code []byte) (trap, bool) {
	if len(code) < 2 || code[0] != 0x0f || code[1] != 0x0b {
		return trap{}, false
	}
	for _, sib := range []int{0, 1} {
		b := before[len(before)-12-sib:]
		mov, add, to, jump := b[:6], b[6:9], b[9:10+sib], b[10+sib:]
		scratch := mov[1] - 0xb8 // r10d or r11d, without REX.B
		if mov[0] != 0x41 || scratch != 2 && scratch != 3 || add[0]&0xfe != 0x44 || add[1] != 0x03 || jump[0] != 0x74 ||
			jump[1] != 0x02 {
			continue
		}
		rm := add[2] & 7
		if add[2]&0xf8 != 0x40|scratch<<3 || (rm == 4) != (sib == 1) || int8(to[sib]) > -4 {
			continue
		}
		name := [16]string{"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12",
			"r13", "r14", "r15"}[rm|add[0]&1<<3]
		return kcfi("ud2", name), true
	}
	return trap{}, false
}

// kcfi is the trap of a call that KCFI refused: the register has the function.
func kcfi(instruction, register string) trap {
	return trap{fmt.Sprintf("%s: a call through %s, a pointer to a function of another type (KCFI)", instruction,
		register), bugs.WildPointer,
		"call of a function of another type"}
}

// undefinedX86 knows UD2, and UD1 with its operand (X86MCInstLower.cpp of LLVM 19, UBSANTRAP).
func undefinedX86(code []byte) (trap, bool) {
	if len(code) > 0 && code[0] == 0x67 {
		code = code[1:]
	}
	switch {
	case len(code) < 3 || code[0] != 0x0f:
	case code[1] == 0x0b:
		return trap{"ud2: " + compilerTrap, bugs.IllegalInstruction, ""}, true
	case code[1] == 0xb9 && code[2] == 0x00: // (%eax),%eax
		return ubsan("ud1", 0), true
	case code[1] == 0xb9 && code[2] == 0x40 && len(code) > 3:
		return ubsan("ud1", uint32(code[3])), true
	case code[1] == 0xb9:
		return trap{"ud1: " + compilerTrap, bugs.IllegalInstruction, ""}, true
	}
	return trap{}, false
}

// breaksARM64 are the operands of BRK: LLVM 19 (AArch64InstrInfo.td, AArch64AsmPrinter.cpp,
// HWAddressSanitizer.cpp), GCC (aarch64.md, "trap"), Windows (winnt.h, ARM64_*).
var breaksARM64 = map[uint32]trap{
	0:      {"brk #0: a breakpoint, or Chromium's IMMEDIATE_CRASH", bugs.IllegalInstruction, ""},
	1:      {"brk #0x1: " + compilerTrap + ", as clang, Rust and Swift do", bugs.IllegalInstruction, ""},
	0x3e8:  {"brk #0x3e8: " + compilerTrap + ", as GCC and glibc's abort do", bugs.IllegalInstruction, ""},
	0xf000: {"brk #0xf000: a breakpoint (__builtin_debugtrap, __debugbreak)", bugs.IllegalInstruction, ""},
	0xf001: {"brk #0xf001: a failed assertion of Windows", bugs.Assertion, "assertion failed"},
	0xf003: {"brk #0xf003: a fast fail of Windows", bugs.IllegalInstruction, ""},
	0xf004: {"brk #0xf004: the divisor is zero", bugs.DivideByZero, "division by zero"},
}

// breakARM64 explains a BRK.
func breakARM64(w uint32) (trap, bool) {
	if w&0xffe0001f != 0xd4200000 {
		return trap{}, false
	}
	n := w >> 5 & 0xffff
	if t, ok := breaksARM64[n]; ok {
		return t, true
	}
	name := fmt.Sprintf("brk #%#x", n)
	switch {
	case n>>8 == 0x55:
		return ubsan(name, n&0xff), true
	case n>>8 == 0x09:
		return hwasan(name, n&0x3f), true
	case n >= 0xc470 && n <= 0xc474:
		return trap{name + ": a pointer whose authentication code does not match it", bugs.WildPointer,
			"pointer authentication failed"}, true
	case n >= 0x8000 && n < 0x8400:
		return kcfi(name, fmt.Sprint("x", n&31)), true
	}
	return trap{name + ": " + compilerTrap, bugs.IllegalInstruction, ""}, true
}

// undefinedARM knows the permanently undefined instructions that LLVM (ARMInstrInfo.td, TRAP) and
// GCC (arm.md, "trap") put in, in Arm and in Thumb state.
func undefinedARM(code []byte) (trap, bool) {
	if len(code) >= 4 {
		switch binary.LittleEndian.Uint32(code) {
		case 0xe7ffdefe, 0xe7fedef0, 0xe7f000f0:
			return trap{"udf: " + compilerTrap, bugs.IllegalInstruction, ""}, true
		}
	}
	if len(code) >= 2 {
		switch binary.LittleEndian.Uint16(code) {
		case 0xdefe, 0xdeff, 0xdef9:
			return trap{"udf: " + compilerTrap, bugs.IllegalInstruction, ""}, true
		}
	}
	return trap{}, false
}

// checks are the checks of UBSan in the order of LIST_SANITIZER_CHECKS (clang 19,
// CodeGenFunction.h, the same since clang 12). The numbers of -fsanitize=local-bounds mean
// other things, so that a number alone is no proof.
var checks = []struct{ name, words string }{
	{"add-overflow", "integer overflow in an addition"},
	{"builtin-unreachable", "unreachable code was reached"},
	{"cfi-check-fail", "call or cast to another type (control flow integrity)"},
	{"divrem-overflow", "division by zero or overflow in a division"},
	{"dynamic-type-cache-miss", "object of another dynamic type"},
	{"float-cast-overflow", "floating-point value that the integer type does not have"},
	{"function-type-mismatch", "call of a function of another type"},
	{"implicit-conversion", "implicit conversion that changes the value"},
	{"invalid-builtin", "zero passed to a builtin function that takes none"},
	{"invalid-objc-cast", "Objective-C object of another class"},
	{"load-invalid-value", "value that its type does not have"},
	{"missing-return", "end of a function that returns a value"},
	{"mul-overflow", "integer overflow in a multiplication"},
	{"negate-overflow", "integer overflow in a negation"},
	{"nullability-arg", "null passed as an argument that is _Nonnull"},
	{"nullability-return", "null returned by a function that returns _Nonnull"},
	{"nonnull-arg", "null passed as an argument that is nonnull"},
	{"nonnull-return", "null returned by a function that returns_nonnull"},
	{"out-of-bounds", "array index out of bounds"},
	{"pointer-overflow", "overflow in pointer arithmetic"},
	{"shift-out-of-bounds", "shift by a negative or too large number, or of a negative value"},
	{"sub-overflow", "integer overflow in a subtraction"},
	{"type-mismatch", "null or misaligned pointer, or one to too small an object"},
	{"alignment-assumption", "pointer that is not aligned as it was assumed to be"},
	{"vla-bound-not-positive", "variable-length array of no or a negative size"},
	{"bounds-safety", "pointer out of its bounds"},
}

// ubsan is the trap of a check of UBSan (-fsanitize-trap), or of another one that has the
// same instruction.
func ubsan(instruction string, check uint32) trap {
	if check >= uint32(len(checks)) {
		return trap{fmt.Sprintf("%s, operand %#x: %s", instruction, check, compilerTrap), bugs.IllegalInstruction, ""}
	}
	c := checks[check]
	return trap{fmt.Sprintf("%s, operand %#x: a check of the undefined behaviour sanitizer failed, %s", instruction,
		check, c.name), bugs.Sanitizer,
		"undefined behaviour: " + c.words}
}

// hwasanTitle begins the title of an access that HWASan refused, refusedIn has the number of the register with its
// pointer (HWAddressSanitizer.cpp, the operand of the trap).
const hwasanTitle = "HWASan: "

var refusedIn = map[*core.Arch]int{core.AMD64: 5, core.ARM64: 0}

// hwasan is the trap of an access that HWASan refused; info has its kind (LLVM 19,
// HWAddressSanitizer.h, HWASanAccessInfo).
func hwasan(instruction string, info uint32) trap {
	access := "read"
	if info>>4&1 != 0 {
		access = "write"
	}
	size := "of several bytes"
	switch n := info & 0xf; {
	case n == 0:
		size = "of 1 byte"
	case n < 5:
		size = fmt.Sprintf("of %d bytes", 1<<n)
	}
	return trap{fmt.Sprintf("%s: HWASan refused a %s %s: the pointer has another tag than the memory", instruction,
		access, size), bugs.Sanitizer,
		fmt.Sprintf(hwasanTitle+"%s %s through a pointer with another tag", access, size)}
}
