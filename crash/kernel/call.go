package kernel

import (
	"encoding/binary"
	"slices"
	"strings"

	"coredbg/core"
	"coredbg/core/insn"
)

// A Calling is how an architecture's programs call the kernel.
type Calling struct {
	Enter   []string  // instructions that do
	Number  string    // the register that has the call's number
	Kept    bool      // the register has one only as long as the call lasts
	Args    [4]string // the registers of the first arguments
	Futexes []uint64  // the numbers of futex, and of futex_time64 where there is one
}

// callings are the conventions of Linux. Its numbers come from arch/x86/entry/syscalls/syscall_64.tbl
// and syscall_32.tbl, include/uapi/asm-generic/unistd.h, arch/arm/tools/syscall.tbl; for interrupted
// calls see arch/*/kernel/signal.c. On i386 the vDSO comes back after an int $0x80, however it entered
// the kernel.
var callings = map[*core.Arch]*Calling{
	core.AMD64: {[]string{"\x0f\x05"}, "orig_rax", true, [4]string{"rdi", "rsi", "rdx", "r10"}, []uint64{202}},
	core.I386:  {[]string{"\xcd\x80"}, "orig_eax", true, [4]string{"ebx", "ecx", "edx", "esi"}, []uint64{240, 422}},
	core.ARM64: {[]string{"\x01\x00\x00\xd4"}, "x8", false, [4]string{"x0", "x1", "x2", "x3"}, []uint64{98}},
	// ARM, Thumb
	core.ARM: {[]string{"\x00\x00\x00\xef", "\x00\xdf"}, "r7", false, [4]string{"r0", "r1", "r2", "r3"},
		[]uint64{240, 422}},
}

// CallingOf returns how an architecture's programs call the kernel; nil if that is not known.
func CallingOf(arch *core.Arch) *Calling { return callings[arch] }

// AfterCall reports whether the instruction before pc is a system call.
func AfterCall(p *core.Process, pc core.Addr) bool {
	c := callings[p.Arch]
	return c != nil && slices.ContainsFunc(c.Enter,
		func(want string) bool { return codeAt(p, pc-core.Addr(len(want)), want) })
}

// InCall reports whether a thread that is at pc was in the kernel: after a system call, or
// at one, which a signal has set it back to.
func InCall(p *core.Process, pc core.Addr) bool {
	c := callings[p.Arch]
	return AfterCall(p, pc) || c != nil && slices.ContainsFunc(c.Enter,
		func(want string) bool { return codeAt(p, pc, want) })
}

// A State is whether a thread was in the kernel.
type State int

// The state of a thread. It is not known if the core lacks the thread's instructions, or has zeros for
// them, and the kernel has not recorded its call either.
const (
	Unknown  State = iota
	Running        // in instructions of its own
	InKernel       // in a system call, or about to be in it again
)

// maxCall is above every system call's number; where there was no call, Linux has a number
// below zero (arch/x86/kernel/traps.c: orig_ax is -1).
const maxCall = 1 << 12

// StateOf reports whether a thread was in the kernel: by the number of the call, which x86's kernel
// keeps for as long as it lasts, or as StateAt does.
func StateOf(p *core.Process, t *core.Thread) State {
	pc, known := t.Regs.Get(p.Arch.PC)
	c := callings[p.Arch]
	switch {
	case c == nil || !known:
		return Unknown
	case c.lasting(t):
		return InKernel
	}
	return StateAt(p, core.Addr(pc))
}

// StateAt says whether a thread that is at pc was in the kernel, by the instruction that it is
// after, or that it has been set back to.
func StateAt(p *core.Process, pc core.Addr) State {
	if InCall(p, pc) {
		return InKernel
	}
	code, err := p.Space.Slice(pc-4, 8)
	if err != nil || len(strings.Trim(string(code), "\x00")) == 0 {
		return Unknown
	}
	return Running
}

// lasting reports whether the kernel says that the thread was in a call.
func (c *Calling) lasting(t *core.Thread) bool {
	if !c.Kept || t.Registers == nil {
		return false
	}
	return slices.ContainsFunc(t.Registers(), func(r core.Register) bool {
		return r.Name == c.Number &&
			r.Value < maxCall
	})
}

func codeAt(p *core.Process, at core.Addr, want string) bool {
	code, err := p.Space.Slice(at, len(want))
	return err == nil && string(code) == want
}

// written returns the number that the instructions before a call put into eax, on x86: the kernel
// forgets it when a handler of a signal has interrupted the call.
func (c *Calling) written(p *core.Process, t *core.Thread) (number uint64, ok bool) {
	if !c.Kept {
		return 0, false
	}
	v, _ := t.Regs.Get(p.Arch.PC)
	enter := core.Addr(v)
	if AfterCall(p, enter) {
		enter -= core.Addr(len(c.Enter[0]))
	}
	code, err := p.Space.Slice(enter-writtenReach, writtenReach)
	for at := len(code) - 5; err == nil && at >= 0; at-- {
		n := uint64(binary.LittleEndian.Uint32(code[at+1:]))
		if code[at] == 0xb8 && n < maxCall && keepsNumber(p, code[at+5:]) { // mov $number,%eax
			return n, true
		}
	}
	return 0, false
}

// writtenReach is how many bytes before a call its number is looked for.
const writtenReach = 32

// keepsNumber reports whether code is a sequence of whole instructions that leave eax alone.
func keepsNumber(p *core.Process, code []byte) bool {
	for len(code) > 0 {
		x, ok := insn.Disassemble(p.Arch, code, 0)
		if !ok || strings.HasPrefix(x.Text, "j") || strings.HasPrefix(x.Text, "call") ||
			strings.Contains(x.Text, "ax") || strings.Contains(x.Text, "%al") {
			return false
		}
		code = code[len(x.Bytes):]
	}
	return true
}

// CallOf returns the number of the system call that a thread is in, and its first arguments.
func CallOf(p *core.Process, t *core.Thread) (number uint64, args [4]uint64, ok bool) {
	c := callings[p.Arch]
	if t.Registers == nil || StateOf(p, t) != InKernel {
		return 0, args, false
	}
	number, ok = c.written(p, t)
	var have uint64
	for _, r := range t.Registers() {
		if i := slices.Index(c.Args[:], r.Name); i >= 0 {
			args[i] = r.Value
			have |= 1 << i
		} else if r.Name == c.Number && (!c.Kept || r.Value < maxCall) {
			number, ok = r.Value, true
		}
	}
	return number, args, ok && have == 1<<len(args)-1
}
