package walk

import "coredbg/core"

// reachARM64 follows instructions of aarch64.
func reachARM64(p *core.Process, a core.Addr, code []byte) *reached {
	r := &reached{seen: make([]uint64, len(code)/64+1)}
	pending := []int{0}
	budget := maxProofInsns
	for len(pending) > 0 {
		at := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		for !r.has(core.Addr(at)) {
			if budget--; budget < 0 || at+4 > len(code) {
				r.open = true
				break
			}
			r.mark(at, 4)
			w := core.ARM64.Order.Uint32(code[at:])
			if to, ok := branchARM64(w, at); ok && to >= 0 && to+4 <= len(code) {
				pending = append(pending, to)
			} else if ok {
				r.jump(a.Add(int64(to)))
			}
			if w&0xfffffc1f == 0xd61f0000 || w&0xfefff800 == 0xd61f0800 { // br, braa
				if r.slot = slotOfStubARM64(a, code[:at]); r.slot == 0 {
					r.open = true
				}
			}
			if endsARM64(w) {
				break
			}
			at += 4
			if callSizeARM64(code[at-4:at]) > 0 && beginsARM64(code[at:]) {
				// The call need not return, and then another function follows.
				r.open = true
				break
			}
		}
	}
	return r
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

func callSizeARM64(code []byte) int {
	if len(code) < 4 {
		return 0
	}
	if _, _, ok := callARM64(code[:4]); ok {
		return 4
	}
	return 0
}

// slotOfStubARM64 returns where the pointer lies that a stub of a procedure linkage
// table jumps by, given its code before the jump: bti c, adrp x16, ldr x17,[x16,#imm],
// add x16,x16,#imm (AAELF64); else 0.
func slotOfStubARM64(a core.Addr, code []byte) core.Addr {
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
