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
	// values are the numbers in registers; nil if the way is that of any frame at
	// the instruction.
	values *wayValues
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
	c.values = o.values.clone()
	return c
}

// kept reports whether the caller has a use for the register: it survives calls,
// or leads to the caller.
func (o *wayOut) kept(slot int) bool {
	return slot == o.arch.LR || slot >= 0 && o.arch.CalleeSaved>>uint(slot)&1 != 0
}

// store notes that a register was put at a place.
func (o *wayOut) store(slot int, at stackPlace) {
	if v := o.values; v != nil {
		v.put(numbered(v.base+uint64(at.off)), o.arch.PtrSize, o.number(slot))
	}
	if o.kept(slot) {
		o.stored = append(o.stored, wayStored{slot, at, o.regs[slot]})
	}
}

// load notes that a register was loaded from a place.
func (o *wayOut) load(slot int, at stackPlace) {
	if v := o.values; v != nil {
		o.write([]wayWrite{{slot, v.get(numbered(v.base+uint64(at.off)), o.arch.PtrSize)}}, true)
		return
	}
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
	if slot == o.arch.FP && v.kind == wayOwn {
		o.fp, o.fpKnown = stackPlace{fromFP: true}, true
	}
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
	if !s.exact || !s.exec || t.abi.apply == nil {
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
			c, left := t.abi.step(&o, code)
			if left {
				if shape, ok := o.shape(c.pop); ok {
					return &shape
				}
				break
			}
			switch c.kind {
			case branches:
				pending = append(pending, point{at.Add(c.target), o.clone()})
				at += core.Addr(c.size)
			case jumps:
				at = at.Add(c.target)
			case passes:
				at += core.Addr(c.size)
			}
		}
	}
	return nil
}

// step does to o what the instruction in code does. Left says that control leaves the
// function there: to its caller, or to one that returns for it. The kind is unknown if
// with which stack control goes on is not.
func (a *abi) step(o *wayOut, code []byte) (c control, left bool) {
	c = a.control(o.arch, code)
	switch c.kind {
	case returns:
		return c, true
	case indirect:
		return c, c.tail
	case passes, branches, jumps:
		if !a.apply(o, code) {
			c.kind = unknown
		}
	}
	return c, false
}
