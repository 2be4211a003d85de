package walk

import "coredbg/core"

// tailCallARM64 reports whether an instruction is br x16 or br x17, as procedure
// linkage tables and tail calls have them (AAPCS64 6.1.1 reserves both for what is
// between a call and the function; Arm ARM D8.4.6 lets no other br lead to one).
func tailCallARM64(w uint32) bool { return w&^0x20 == 0xd61f0200 }

// controlARM64 knows branches, calls, returns and what ends a program.
func controlARM64(_ *core.Arch, code []byte) control {
	if len(code) < 4 {
		return control{}
	}
	w := core.ARM64.Order.Uint32(code)
	c := control{kind: passes, size: 4}
	target, direct := branchARM64(w, 0)
	_, _, called := callARM64(code[:4])
	switch {
	case called:
		c.kind = calls
	case returnARM64(w):
		c.kind = returns
	case w&0xfffffc1f == 0xd61f0000, w&0xfefff800 == 0xd61f0800: // br, braa
		c.kind, c.tail = indirect, tailCallARM64(w)
	case direct:
		c.kind, c.target = branches, int64(target)
		if endsARM64(w) {
			c.kind = jumps
		}
	case endsARM64(w):
		c.kind = stops
	}
	return c
}

// beginsARM64 knows nop, udf, bti c, paciasp and pacibsp.
func beginsARM64(code []byte) bool {
	if len(code) < 4 {
		return false
	}
	switch core.ARM64.Order.Uint32(code) {
	case 0xd503201f, 0, 0xd503245f, 0xd503233f, 0xd503237f:
		return true
	}
	return false
}

// stubSlotARM64 returns where the pointer lies that a stub of a procedure linkage table
// jumps by at an offset of its code, after bti c, adrp x16, ldr x17,[x16,#imm],
// add x16,x16,#imm (AAELF64); else 0.
func stubSlotARM64(_ *core.Process, a core.Addr, code []byte, jump int) core.Addr {
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

// setsLinkARM64 reports whether an instruction loads x30, as functions do before
// they return, or moves to it.
func setsLinkARM64(code []byte) bool {
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
