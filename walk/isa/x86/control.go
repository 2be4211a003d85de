package x86

import (
	"bytes"
	"slices"

	"coredbg/core"
	"coredbg/walk/isa"
)

// control knows jumps, calls, returns and instructions that end a program.
func control(arch *core.Arch, code []byte) isa.Control {
	in, ok := decode(code, arch.RegSize() == 8)
	if !ok {
		return isa.Control{}
	}
	c := isa.Control{Kind: isa.Passes, Size: in.size}
	target, direct := in.target(in.size)
	pop, leaves := in.returns(arch)
	switch {
	case in.calls():
		c.Kind = isa.Calls
	case leaves:
		c.Kind, c.Pop = isa.Returns, pop
	case in.op == 0xff && in.modrm>>3&7 == 4:
		// A jump by a pointer at a fixed place, as in procedure linkage tables, is
		// to a function, which returns for this one. On i386 jump tables look alike.
		c.Kind, c.Tail = isa.Indirect, arch.RegSize() == 8 && in.modrm == 0x25
		c.Pop = int64(arch.RegSize())
	case direct:
		c.Kind, c.Target = isa.Branches, int64(target)
		if in.ends() {
			c.Kind = isa.Jumps
		}
	case in.ends():
		c.Kind = isa.Stops
	case in.op == 0x8d && in.modrm&0xc7 == 5 && arch.RegSize() == 8: // lea disp(%rip)
		c.Takes = int64(in.size) + in.disp
	}
	return c
}

// calls reports whether the instruction is a call.
func (in *insn) calls() bool {
	return in.op == 0xe8 || in.op == 0xff && (in.modrm>>3&7 == 2 || in.modrm>>3&7 == 3)
}

// ends reports whether control never goes on to the next instruction.
func (in *insn) ends() bool {
	switch in.op {
	case 0xc3, 0xc2, 0xe9, 0xeb, 0xf4, 0xcc, 0x0f0b:
		return true
	}
	return in.op == 0xff && in.modrm>>3&7 == 4
}

// target returns where a direct jump goes, relative to the function.
func (in *insn) target(next int) (int, bool) {
	switch {
	case in.op == 0xe9, in.op == 0xeb, in.op >= 0x70 && in.op < 0x80, in.op >= 0x0f80 && in.op < 0x0f90:
		return next + int(in.imm), true
	}
	return 0, false
}

// begins knows nops, int3 and endbr.
func begins(code []byte) bool {
	return slices.ContainsFunc([]string{"\x90", "\x66\x90", "\x0f\x1f", "\x66\x0f\x1f", "\x66\x2e\x0f\x1f",
		"\x66\x66\x2e\x0f\x1f",
		"\xcc", "\xf3\x0f\x1e\xfa", "\xf3\x0f\x1e\xfb"},
		func(pad string) bool { return bytes.HasPrefix(code, []byte(pad)) })
}

// maxStub is how far into a stub its jump may be: after endbr64 and bnd.
const maxStub = 8

// stubSlot returns where jmp *disp(%rip), on i386 jmp *disp, at an offset of a stub has
// its target; 0 if the jump is another one.
func stubSlot(p *core.Process, a core.Addr, code []byte, at int) core.Addr {
	in, ok := decode(code[at:], p.Arch.RegSize() == 8)
	switch {
	case !ok || at > maxStub || in.modrm != 0x25:
		return 0
	case p.Arch.RegSize() == 8:
		return a.Add(int64(at+in.size) + in.disp)
	}
	return core.Addr(uint32(in.disp))
}

// returns knows the near returns, whatever their prefixes (Intel SDM volume 2,
// RET).
func returns(arch *core.Arch, code []byte) (isa.Shape, bool) {
	in, ok := decode(code, arch.RegSize() == 8)
	if !ok {
		return isa.Shape{}, false
	}
	pop, ok := in.returns(arch)
	if !ok {
		return isa.Shape{}, false
	}
	o := isa.NewWay(arch)
	return o.Shape(pop)
}

// returns reports whether the instruction is a return, and how many bytes it
// takes off the stack.
func (in *insn) returns(arch *core.Arch) (pop int64, ok bool) {
	switch in.op {
	case 0xc3:
		return int64(arch.RegSize()), true
	case 0xc2:
		return int64(arch.RegSize()) + in.imm&0xffff, true
	}
	return 0, false
}

// call knows the direct near call, and the indirect ones by the length of
// their operand: ff /2 with ModRM, SIB and displacement (Intel SDM volume 2,
// CALL). A prefix before them does not matter.
func call(code []byte) (to int64, direct, ok bool) {
	n := len(code)
	for length := 2; length <= 7 && length <= n; length++ {
		c := code[n-length:]
		if c[0] == 0xff && c[1]>>3&7 == 2 && length == modRMLength(c[1:])+1 {
			return 0, false, true
		}
	}
	if n >= 5 && code[n-5] == 0xe8 {
		return signedLE(code[n-4:]), true, true
	}
	return 0, false, false
}

// callSlotAMD64 knows call *disp(%rip), with which code calls other images without a stub. The pointers
// are read-only once the image is loaded (RELRO).
func callSlotAMD64(p *core.Process, pc core.Addr, code []byte) core.Addr {
	n := len(code)
	if n < 6 || code[n-6] != 0xff || code[n-5] != 0x15 {
		return 0
	}
	slot := pc.Add(signedLE(code[n-4:]))
	if seg, ok := p.Space.Find(slot); !ok || seg.Prot&core.Write != 0 {
		return 0
	}
	c := p.Cursor()
	callee := c.Pointer(slot)
	if c.Reset() != nil {
		return 0
	}
	return callee
}
