package site

import (
	"slices"

	"coredbg/core"
	"coredbg/walk/isa"
)

// A reached is what the instructions from an address lead to along direct jumps:
// the ones of the function that begins there, and where it jumps beyond the code
// that was looked at.
type reached struct {
	seen  []uint64    // bit i: the instruction at offset i is one of them
	jumps []core.Addr // out of the followed code
	// taken are addresses that the instructions make; a jump by a register may lead to them.
	taken []core.Addr
	// slot is where the pointer lies that the first instructions jump by, as
	// stubs of procedure linkage tables have them; 0 if they do not.
	slot core.Addr
	// open is set if not all could be followed: a jump by a register, code that
	// is missing or not understood, or too much of it.
	open bool
	// byRegister is set if that is a jump by a register or through a table.
	byRegister bool
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

// jump notes a jump out of the followed code.
func (r *reached) jump(to core.Addr) {
	if len(r.jumps) == maxJumps {
		r.open = true
		return
	}
	if !slices.Contains(r.jumps, to) {
		r.jumps = append(r.jumps, to)
	}
}

// take notes an address that code makes.
func (r *reached) take(to core.Addr) {
	if len(r.taken) < maxJumps && !slices.Contains(r.taken, to) {
		r.taken = append(r.taken, to)
	}
}

// reachedFrom follows the code from an address on; nil if the architecture's is
// not understood or too many were followed before.
func (t *Text) reachedFrom(a core.Addr) *reached {
	if t.Set.Control == nil {
		return nil
	}
	t.mu.RLock()
	r, ok := t.reach[a]
	full := len(t.reach) >= maxCallSites
	t.mu.RUnlock()
	if ok || full {
		return r
	}
	// Code that is cut short is followed as far as it goes.
	if code, _ := t.Process.Space.Slice(a, MaxProofCode); len(code) > 0 {
		r = t.follow(a, code)
	}
	t.mu.Lock()
	t.reach[a] = r
	t.mu.Unlock()
	return r
}

// Holds reports whether the function that begins at start may have code at a.
func (t *Text) Holds(start, a core.Addr) bool {
	r := t.reachedFrom(start)
	return r == nil || r.open || r.has(a-start)
}

// follow follows the code at the address a.
func (t *Text) follow(a core.Addr, code []byte) *reached {
	r := &reached{seen: make([]uint64, len(code)/64+1)}
	budget := maxProofInsns
	for pending := []int{0}; len(pending) > 0; {
		at := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		for !r.has(core.Addr(at)) {
			c := t.Set.Control(t.Process.Arch, code[min(at, len(code)):])
			if budget--; c.Kind == isa.Unknown || budget < 0 {
				r.open = true
				break
			}
			r.mark(at, c.Size)
			if c.Takes != 0 {
				r.take(a.Add(int64(at)+c.Takes) & t.Process.Arch.AddrMask())
			}
			switch c.Kind {
			case isa.Branches, isa.Jumps:
				if to := int64(at) + c.Target; to >= 0 && to < int64(len(code)) {
					pending = append(pending, int(to))
				} else {
					r.jump(a.Add(to) & t.Process.Arch.AddrMask())
				}
			case isa.Indirect:
				if r.slot = t.Set.Slot(t.Process, a, code, at); r.slot == 0 {
					r.open, r.byRegister = true, true
				}
			}
			if c.Kind != isa.Passes && c.Kind != isa.Branches && c.Kind != isa.Calls {
				break
			}
			at += c.Size
			if c.Kind == isa.Calls && t.Set.Begins(code[at:]) {
				// The call need not return, and then another function follows.
				r.open = true
				break
			}
		}
	}
	return r
}
