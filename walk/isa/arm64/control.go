package arm64

import (
	"coredbg/core"
	"coredbg/walk/isa"
)

// isTailCall reports whether an instruction is br x16 or br x17, as in procedure linkage tables and
// tail calls (AAPCS64 6.1.1 reserves both for code between a call and the function; Arm ARM D8.4.6 lets
// no other br lead to a function).
func isTailCall(w uint32) bool { return w&^0x20 == 0xd61f0200 }

// control knows branches, calls, returns and instructions that end a program.
func control(_ *core.Arch, code []byte) isa.Control {
	if len(code) < 4 {
		return isa.Control{}
	}
	w := core.ARM64.Order.Uint32(code)
	c := isa.Control{Kind: isa.Passes, Size: 4}
	target, direct := branch(w, 0)
	_, _, called := call(code[:4])
	switch {
	case called:
		c.Kind = isa.Calls
	case isReturn(w):
		c.Kind = isa.Returns
	case w&0xfffffc1f == 0xd61f0000, w&0xfefff800 == 0xd61f0800: // br, braa
		c.Kind, c.Tail = isa.Indirect, isTailCall(w)
	case direct:
		c.Kind, c.Target = isa.Branches, int64(target)
		if ends(w) {
			c.Kind = isa.Jumps
		}
	case ends(w):
		c.Kind = isa.Stops
	}
	return c
}

// branch returns where a direct branch goes, relative to the function.
func branch(w uint32, at int) (int, bool) {
	switch {
	case w>>26 == 5: // b
		return at + int(int32(w<<6)>>6)*4, true
	case w>>24 == 0x54, w>>25&0x3f == 0x1a: // b.cond, cbz, cbnz
		return at + int(int32(w<<8)>>13)*4, true
	case w>>25&0x3f == 0x1b: // tbz, tbnz
		return at + int(int32(w<<13)>>18)*4, true
	}
	return 0, false
}

// ends reports whether control never goes on to the next instruction: b,
// br, ret and their authenticating forms, brk, udf.
func ends(w uint32) bool {
	return w>>26 == 5 || w&0xfffffc1f == 0xd61f0000 || w&0xfffffc1f == 0xd65f0000 ||
		w == 0xd65f0bff || w == 0xd65f0fff || w&0xfefff800 == 0xd61f0800 ||
		w&0xffe0001f == 0xd4200000 || w>>16 == 0
}

// returns knows ret, retaa and retab by x30 (Arm ARM C6.2).
func returns(arch *core.Arch, code []byte) (isa.Shape, bool) {
	return isa.Shape{Sure: true}, len(code) >= 4 && isReturn(arch.Order.Uint32(code))
}

// isReturn reports whether an instruction is such a return. One by another
// register leads elsewhere.
func isReturn(w uint32) bool { return w == 0xd65f03c0 || w == 0xd65f0bff || w == 0xd65f0fff }

// call knows BL, BLR and the authenticating forms BLRAA, BLRAB, BLRAAZ,
// BLRABZ (Arm ARM C6.2).
func call(code []byte) (to int64, direct, ok bool) {
	if len(code) < 4 {
		return 0, false, false
	}
	w := core.ARM64.Order.Uint32(code[len(code)-4:])
	if w>>26 == 0x25 {
		return int64(int32(w<<6)>>6)*4 - 4, true, true
	}
	return 0, false, w&0xfffffc1f == 0xd63f0000 || w&0xfefff800 == 0xd63f0800
}

// begins knows nop, udf, bti c, paciasp and pacibsp.
func begins(code []byte) bool {
	if len(code) < 4 {
		return false
	}
	switch core.ARM64.Order.Uint32(code) {
	case 0xd503201f, 0, 0xd503245f, 0xd503233f, 0xd503237f:
		return true
	}
	return false
}

// stubSlot returns where the pointer lies that a stub of a procedure linkage table
// jumps by at an offset of its code, after bti c, adrp x16, ldr x17,[x16,#imm],
// add x16,x16,#imm (AAELF64); else 0.
func stubSlot(_ *core.Process, a core.Addr, code []byte, jump int) core.Addr {
	code = code[:jump]
	const longest = 16
	if len(code) > longest {
		return 0
	}
	var page core.Addr
	for at := 0; at+4 <= len(code); at += 4 {
		w := core.ARM64.Order.Uint32(code[at:])
		switch {
		case w&0x9f00001f == 0x90000010: // adrp x16
			imm := int64(int32(w<<8)>>13)<<2 | int64(w>>29&3)
			page = ((a + core.Addr(at)) &^ 0xfff).Add(imm << 12)
		case w&0xffc003ff == 0xf9400211 && page != 0: // ldr x17,[x16,#imm]
			return page + core.Addr(w>>10&0xfff)*8
		}
	}
	return 0
}

// setsLink reports whether an instruction loads x30, as functions do before
// they return, or moves to it.
func setsLink(code []byte) bool {
	const lr = 30
	w := core.ARM64.Order.Uint32(code)
	rt, rt2 := int(w&31), int(w>>10&31)
	switch {
	case w&0xffe0ffe0 == 0xaa0003e0: // mov
		return rt == lr
	case w>>22&^6 == 0x2a1: // ldp of x registers
		return rt == lr || rt2 == lr
	case w>>22 == 0x3e5, w>>22 == 0x3e1 && w>>21&1 == 0: // ldr
		return rt == lr
	}
	return false
}
