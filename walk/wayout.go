package walk

import (
	"slices"

	"coredbg/core"
)

// maxWayOut bounds the instructions along which the way out of a function is
// followed.
const maxWayOut = 512

// A stackPlace is an address on the stack in terms of the registers at the instruction
// where the way out begins: bytes above the stack pointer, or above the frame
// pointer.
type stackPlace struct {
	fromFP bool
	off    int64
}

// plus returns the place n bytes above p.
func (p stackPlace) plus(n int64) stackPlace { return stackPlace{p.fromFP, p.off + n} }

// A wayOut is what the instructions from one place to the return of its function
// do to the stack. Whatever the function did before, this is how the processor
// gets to the caller.
type wayOut struct {
	arch *core.Arch
	sp   stackPlace
	fp   stackPlace // valid if fpKnown
	// fpKnown is set as long as the frame pointer holds what it had where the way
	// begins, or what was made of the stack pointer since.
	fpKnown bool
	regs    [core.MaxRegs]wayValue
	stored  []wayStored // what was put on the stack on the way
}

// A wayValue is what a register holds: what it held where the way begins, or
// what the stack has at a place, or something else.
type wayValue struct {
	kind wayKind
	at   stackPlace
}

// A wayKind is the kind of a wayValue.
type wayKind uint8

const (
	wayOwn wayKind = iota
	wayLoaded
	wayOther
)

// A wayStored is the value of the register in a slot that was put at a place.
type wayStored struct {
	slot  int
	at    stackPlace
	value wayValue
}

func newWayOut(arch *core.Arch) wayOut {
	return wayOut{arch: arch, fp: stackPlace{fromFP: true}, fpKnown: true}
}

// clone returns a copy for a second way from the same place.
func (o *wayOut) clone() wayOut {
	c := *o
	c.stored = slices.Clip(c.stored)
	return c
}

// kept reports whether the caller has a use for the register: it survives calls,
// or leads to the caller.
func (o *wayOut) kept(slot int) bool {
	return slot == o.arch.LR || slot >= 0 && o.arch.CalleeSaved>>uint(slot)&1 != 0
}

// store notes that a register was put at a place.
func (o *wayOut) store(slot int, at stackPlace) {
	if o.kept(slot) {
		o.stored = append(o.stored, wayStored{slot, at, o.regs[slot]})
	}
}

// load notes that a register was loaded from a place.
func (o *wayOut) load(slot int, at stackPlace) {
	if !o.kept(slot) {
		return
	}
	if slot == o.arch.FP {
		o.fpKnown = false
	}
	v := wayValue{wayLoaded, at}
	if !at.fromFP && at.off < 0 {
		v.kind = wayOther // below the stack as it was
	}
	for _, s := range o.stored {
		switch {
		case s.at == at && (s.slot == slot || s.value.kind == wayLoaded):
			v = s.value
		case s.at == at, s.slot == slot && s.at.fromFP != at.fromFP: // perhaps the same place
			v.kind = wayOther
		}
	}
	o.regs[slot] = v
}

// shape is the frame that a return leaves at o, which takes pop bytes off the
// stack: the return address first. It reports false if that is not known.
func (o *wayOut) shape(pop int64) (s frameShape, ok bool) {
	s = frameShape{fromFP: o.sp.fromFP, cfaOff: o.sp.off + pop, sure: true}
	if o.arch.LR < 0 {
		s.saved[o.arch.PC] = int32(pop)
	}
	if !s.fromFP && o.sp.off < 0 {
		return s, false
	}
	for slot, v := range o.regs {
		if v.kind == wayOwn {
			continue
		}
		below := s.cfaOff - v.at.off
		switch {
		case v.kind == wayLoaded && v.at.fromFP == s.fromFP && below > 0 && below < 1<<30:
			s.saved[slot] = int32(below)
		case slot == o.arch.LR || slot == o.arch.FP:
			return s, false
		default:
			s.lost |= 1 << uint(slot)
		}
	}
	return s, true
}

// wayOut returns the frame at s as the way from there to the function's return
// takes it down, if there is one without a call: straight ahead before jumps.
func (t *Target) wayOut(s *site) *frameShape {
	if !s.exact || !s.exec || t.abi.step == nil {
		return nil
	}
	seen := map[core.Addr]bool{}
	type point struct {
		at  core.Addr
		way wayOut
	}
	for pending := []point{{s.pc, newWayOut(t.p.Arch)}}; len(pending) > 0; {
		p := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		for at, o := p.at, p.way; !seen[at] && len(seen) < maxWayOut; {
			seen[at] = true
			code, _ := t.p.Space.Slice(at, longestInsn)
			insn := t.abi.step(&o, code)
			if insn.end == wayReturns {
				if shape, ok := o.shape(insn.pop); ok {
					return &shape
				}
			}
			if insn.end != wayGoesOn {
				break
			}
			if insn.jumps && !insn.always {
				pending = append(pending, point{at.Add(insn.target), o.clone()})
			}
			if insn.always {
				at = at.Add(insn.target)
			} else {
				at += core.Addr(insn.size)
			}
		}
	}
	return nil
}

// longestInsn is the length in bytes of the longest instruction.
const longestInsn = 15

// A wayStep is what an instruction does to control.
type wayStep struct {
	end    wayEnd
	pop    int64 // bytes that a return takes off the stack
	size   int   // bytes
	jumps  bool
	always bool  // the jump is taken always
	target int64 // relative to the instruction
}

// A wayEnd says whether a way goes on after an instruction.
type wayEnd uint8

const (
	wayLost    wayEnd = iota // to where, or with which stack, is not known
	wayGoesOn                // to the next instruction, or to the target
	wayReturns               // to the caller, or to a function that does so
)
