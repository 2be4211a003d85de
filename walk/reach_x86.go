package walk

import (
	"bytes"
	"slices"

	"coredbg/core"
)

// reachX86 follows instructions of x86.
func reachX86(p *core.Process, a core.Addr, code []byte) *reached {
	r := &reached{seen: make([]uint64, len(code)/64+1)}
	long := p.Arch.PtrSize == 8
	pending := []int{0}
	budget := maxProofInsns
	for len(pending) > 0 {
		at := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		for at < len(code) && !r.has(core.Addr(at)) {
			in, ok := decodeX86(code[at:], long)
			if budget--; !ok || budget < 0 {
				r.open = true
				break
			}
			r.mark(at, in.size)
			next := at + in.size
			if to, ok := in.target(next); ok {
				switch {
				case to >= 0 && to < len(code):
					pending = append(pending, to)
				default:
					r.jump(a.Add(int64(to)) & p.Arch.AddrMask())
				}
			}
			if in.op == 0xff && in.modrm>>3&7 == 4 {
				if at <= maxStub && in.modrm == 0x25 {
					r.slot = slotOfStub(p, a, next, in.disp)
				} else {
					r.open = true
				}
			}
			if in.ends() {
				break
			}
			at = next
			if at >= len(code) || in.calls() && beginsX86(code[at:]) {
				// The call need not return, and then another function follows.
				r.open = true
				break
			}
		}
	}
	return r
}

// beginsX86 knows nops, int3 and endbr.
func beginsX86(code []byte) bool {
	return slices.ContainsFunc([]string{"\x90", "\x66\x90", "\x0f\x1f", "\x66\x0f\x1f", "\x66\x2e\x0f\x1f", "\x66\x66\x2e\x0f\x1f",
		"\xcc", "\xf3\x0f\x1e\xfa", "\xf3\x0f\x1e\xfb"}, func(pad string) bool { return bytes.HasPrefix(code, []byte(pad)) })
}

func callSizeAMD64(code []byte) int { return callSizeX86(code, true) }
func callSizeI386(code []byte) int  { return callSizeX86(code, false) }

func callSizeX86(code []byte, long bool) int {
	if in, ok := decodeX86(code, long); ok && in.calls() {
		return in.size
	}
	return 0
}

// maxStub is how far into a stub its jump may be: after endbr64 and bnd.
const maxStub = 8

// slotOfStub returns where jmp *disp(%rip), on i386 jmp *disp, has its target.
func slotOfStub(p *core.Process, a core.Addr, next int, disp int64) core.Addr {
	if p.Arch.PtrSize == 8 {
		return a.Add(int64(next) + disp)
	}
	return core.Addr(uint32(disp))
}
