package walk

import (
	"bytes"
	"slices"

	"coredbg/core"
)

// controlX86 knows jumps, calls, returns and what ends a program.
func controlX86(arch *core.Arch, code []byte) control {
	in, ok := decodeX86(code, arch.PtrSize == 8)
	if !ok {
		return control{}
	}
	c := control{kind: passes, size: in.size}
	target, direct := in.target(in.size)
	pop, leaves := in.returns(arch)
	switch {
	case in.calls():
		c.kind = calls
	case leaves:
		c.kind, c.pop = returns, pop
	case in.op == 0xff && in.modrm>>3&7 == 4:
		// A jump by a pointer at a fixed place, as in procedure linkage tables, is
		// to a function, which returns for this one. On i386 jump tables look alike.
		c.kind, c.tail = indirect, arch.PtrSize == 8 && in.modrm == 0x25
		c.pop = int64(arch.PtrSize)
	case direct:
		c.kind, c.target = branches, int64(target)
		if in.ends() {
			c.kind = jumps
		}
	case in.ends():
		c.kind = stops
	}
	return c
}

// calls reports whether the instruction is a call.
func (in *x86Insn) calls() bool {
	return in.op == 0xe8 || in.op == 0xff && (in.modrm>>3&7 == 2 || in.modrm>>3&7 == 3)
}

// beginsX86 knows nops, int3 and endbr.
func beginsX86(code []byte) bool {
	return slices.ContainsFunc([]string{"\x90", "\x66\x90", "\x0f\x1f", "\x66\x0f\x1f", "\x66\x2e\x0f\x1f", "\x66\x66\x2e\x0f\x1f",
		"\xcc", "\xf3\x0f\x1e\xfa", "\xf3\x0f\x1e\xfb"}, func(pad string) bool { return bytes.HasPrefix(code, []byte(pad)) })
}

// maxStub is how far into a stub its jump may be: after endbr64 and bnd.
const maxStub = 8

// stubSlotX86 returns where jmp *disp(%rip), on i386 jmp *disp, at an offset of a stub has
// its target; 0 if the jump is another one.
func stubSlotX86(p *core.Process, a core.Addr, code []byte, at int) core.Addr {
	in, ok := decodeX86(code[at:], p.Arch.PtrSize == 8)
	switch {
	case !ok || at > maxStub || in.modrm != 0x25:
		return 0
	case p.Arch.PtrSize == 8:
		return a.Add(int64(at+in.size) + in.disp)
	}
	return core.Addr(uint32(in.disp))
}
