package walk

import (
	"slices"

	"coredbg/core"
)

// A control is where control goes after an instruction. It is the one description
// that everything is made of which follows code: what a function reaches (reachedFrom),
// whether one place leads to another (flows), and how a function gets to its return
// (wayOut, aheadOf).
type control struct {
	kind controlKind
	size int // bytes
	// target is where a direct jump goes, relative to the instruction.
	target int64
	// pop is how many bytes a return takes off the stack.
	pop int64
	// tail is set with indirect if the jump is one to a function, which returns for
	// this one: by a pointer at a fixed place, or as linkage tables have it.
	tail bool
}

// A controlKind says how control goes on.
type controlKind uint8

const (
	unknown  controlKind = iota // the instruction is not understood, or cut short
	passes                      // to the next instruction
	branches                    // to the next one, or to the target
	jumps                       // to the target
	calls                       // to a function, and on if that returns
	returns                     // to the caller
	indirect                    // where a register or a pointer leads
	stops                       // nowhere
)

// longestInsn is the length in bytes of the longest instruction.
const longestInsn = 15

// A reached is what the instructions from an address lead to along direct jumps:
// the ones of the function that begins there, and where it jumps beyond the code
// that was looked at.
type reached struct {
	seen  []uint64    // bit i: the instruction at offset i is one of them
	jumps []core.Addr // out of what was looked at
	// slot is where the pointer lies that the first instructions jump by, as
	// stubs of procedure linkage tables have them; 0 if they do not.
	slot core.Addr
	// open is set if not all could be followed: a jump by a register, code that
	// is missing or not understood, or too much of it.
	open bool
}

func (r *reached) has(off core.Addr) bool {
	return off/64 < core.Addr(len(r.seen)) && r.seen[off/64]>>(off%64)&1 != 0
}

// mark notes the n bytes at an offset.
func (r *reached) mark(at, n int) {
	for i := at; i < at+n && i/64 < len(r.seen); i++ {
		r.seen[i/64] |= 1 << (i % 64)
	}
}

// jump notes a jump out of what was looked at.
func (r *reached) jump(to core.Addr) {
	if len(r.jumps) == maxJumps {
		r.open = true
		return
	}
	if !slices.Contains(r.jumps, to) {
		r.jumps = append(r.jumps, to)
	}
}

// follow follows the code at the address a.
func (t *Target) follow(a core.Addr, code []byte) *reached {
	r := &reached{seen: make([]uint64, len(code)/64+1)}
	budget := maxProofInsns
	for pending := []int{0}; len(pending) > 0; {
		at := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		for !r.has(core.Addr(at)) {
			c := t.abi.control(t.p.Arch, code[min(at, len(code)):])
			if budget--; c.kind == unknown || budget < 0 {
				r.open = true
				break
			}
			r.mark(at, c.size)
			switch c.kind {
			case branches, jumps:
				if to := int64(at) + c.target; to >= 0 && to < int64(len(code)) {
					pending = append(pending, int(to))
				} else {
					r.jump(a.Add(to) & t.p.Arch.AddrMask())
				}
			case indirect:
				if r.slot = t.abi.slot(t.p, a, code, at); r.slot == 0 {
					r.open = true
				}
			}
			if c.kind != passes && c.kind != branches && c.kind != calls {
				break
			}
			at += c.size
			if c.kind == calls && t.abi.begins(code[at:]) {
				// The call need not return, and then another function follows.
				r.open = true
				break
			}
		}
	}
	return r
}

// maxFlow bounds the instructions that flows follows.
const maxFlow = 1 << 12

// flows reports whether control gets from one instruction to another without a call and
// while the link register stays what it is. Sure is false if the instructions do not
// tell: some cannot be read, or jump where a register says.
func (t *Target) flows(from, to core.Addr) (flows, sure bool) {
	seen := map[core.Addr]bool{}
	sure = true
	for pending := []core.Addr{from}; len(pending) > 0; {
		at := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		for goes := true; goes && !seen[at]; {
			if at == to {
				return true, true
			}
			code, _ := t.p.Space.Slice(at, longestInsn)
			c := t.abi.control(t.p.Arch, code)
			if c.kind == unknown || len(seen) >= maxFlow {
				sure = false
				break
			}
			seen[at] = true
			switch {
			case c.kind == indirect && !c.tail:
				sure, goes = false, false
			case c.kind == jumps:
				at = at.Add(c.target)
				continue
			case c.kind == branches:
				pending = append(pending, at.Add(c.target))
			case c.kind != passes, t.abi.setsLink(code):
				goes = false
			}
			at += core.Addr(c.size)
		}
	}
	return false, sure
}
