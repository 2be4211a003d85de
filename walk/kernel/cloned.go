package kernel

import (
	"bytes"

	"coredbg/core"
)

// A cloning is how a machine's clone and clone3 are called: the new thread runs on after the
// instruction that enters the kernel, with a result of 0 and a stack of its own. It has no caller, and
// its stack holds only arguments.
type cloning struct {
	enter          []byte // the instruction
	number, result string // registers
	clone          uint64 // its number, and the register that has the new stack's end
	stack          string
	clone3         uint64 // its number, and the register that points to struct clone_args
	args           string // "" where the result takes its place
}

// include/uapi/linux/sched.h, struct clone_args: stack and stack_size.
const (
	cloneArgsStack = 40
	cloneArgsSize  = 48
)

// The numbers come from arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h.
// On aarch64 the result takes the place of clone3's argument.
var (
	cloningAMD64 = &cloning{enter: []byte{0x0f, 0x05}, number: "orig_rax", result: "rax",
		clone: 56, stack: "rsi", clone3: 435, args: "rdi"}
	cloningARM64 = &cloning{enter: []byte{0x01, 0, 0, 0xd4}, number: "x8", result: "x0",
		clone: 220, stack: "x1"}
)

// cloningOf returns the cloning of a machine; nil if it is not known.
func cloningOf(arch *core.Arch) *cloning {
	switch arch {
	case core.AMD64:
		return cloningAMD64
	case core.ARM64:
		return cloningARM64
	}
	return nil
}

// Cloned reports whether a thread has just been made and has not run an instruction of
// its own. Its stack pointer must be the one that clone was given: a process that was
// forked goes on with the stack of its parent, and has callers.
func Cloned(p *core.Process, th *core.Thread) bool {
	c, arch := cloningOf(p.Arch), p.Arch
	pc, _ := th.Regs.Get(arch.PC)
	sp, ok := th.Regs.Get(arch.SP)
	if c == nil || !ok || th.Registers == nil {
		return false
	}
	b, err := p.Space.Slice(core.Addr(pc)-core.Addr(len(c.enter)), len(c.enter))
	if err != nil || !bytes.Equal(b, c.enter) {
		return false
	}
	regs := map[string]uint64{}
	for _, r := range th.Registers() {
		regs[r.Name] = r.Value
	}
	number, ok := regs[c.number]
	if result, known := regs[c.result]; !ok || !known || result != 0 {
		return false
	}
	switch {
	case number == c.clone:
		return regs[c.stack] == sp
	case number == c.clone3 && c.args != "":
		mem, at := p.Cursor(), core.Addr(regs[c.args])
		stack, size := mem.U64(at+cloneArgsStack), mem.U64(at+cloneArgsSize)
		return mem.Err() == nil && stack != 0 && stack+size == sp
	}
	return false
}
