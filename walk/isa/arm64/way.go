package arm64

import (
	"coredbg/core"
	"coredbg/walk/isa"
)

// A way is a way out of a function of aarch64.
type way struct{ *isa.Way }

// apply applies the instruction's effects on the stack to o. It returns false if the stack pointer is
// not known after it, or the origin of a register. Its cases are the same as in frame.apply.
func apply(o *isa.Way, code []byte) bool {
	w := core.ARM64.Order.Uint32(code)
	on := way{o}
	if o.Values == nil {
		return on.moveStack(w)
	}
	writes := on.evaluate(w)
	return o.Write(writes, on.moveStack(w))
}

// moveStack is apply for effects on the stack that the instruction alone shows.
func (o way) moveStack(w uint32) bool {
	rn, rt := int(w>>5&31), int(w&31)
	base, onStack := o.base(rn)
	switch {
	// add, sub of an immediate
	case w&0xbf800000 == 0x91000000 && rt == regSP, w&0xbf800000 == 0x91000000 && rt == regFP:
		n := immediateOf(w)
		if w>>30&1 != 0 {
			n = -n
		}
		if rt == regSP {
			o.SP = base.Plus(n)
			return onStack
		}
		o.FP, o.FPKnown = base.Plus(n), onStack
	// and; add, sub of a register
	case w&0xff800000 == 0x92000000 && rt == regSP, w&0xbfe00000 == 0x8b200000 && rt == regSP:
		return false
	case w&0xffe0ffe0 == 0xaa0003e0 && (rt == regFP || rt == core.ARM64.LR): // mov of a register
		o.FPKnown = o.FPKnown && rt != regFP
		return rt != core.ARM64.LR
	case w>>27&7 == 5 && w>>25&1 == 0: // ldp, stp
		return o.pair(w, base, onStack)
	case w>>27&7 == 7 && w>>24&3 == 0 && w>>21&1 == 0 && w>>10&1 == 1: // ldr, str with writeback
		return o.one(w, base, onStack)
	case w>>22&^1 == 0x3e4: // ldr, str with an offset
		return o.transfer(rt, base.Plus(int64(w>>10&0xfff)*8), onStack, w>>22&1 != 0)
	}
	return true
}

// base returns the place that a register points to.
func (o way) base(reg int) (isa.Place, bool) {
	switch {
	case reg == regSP:
		return o.SP, true
	case reg == regFP && o.FPKnown:
		return o.FP, true
	}
	return isa.Place{}, false
}

// transfer is a load or a store of a 64-bit register.
func (o way) transfer(reg int, at isa.Place, onStack, load bool) bool {
	if reg >= regSP || !o.Kept(reg) {
		return true
	}
	switch {
	case load && !onStack:
		o.FPKnown = o.FPKnown && reg != regFP
		return reg != core.ARM64.LR
	case load:
		o.Load(reg, at)
	case onStack:
		o.Store(reg, at)
	}
	return true
}

// pair is ldp and stp.
func (o way) pair(w uint32, base isa.Place, onStack bool) bool {
	words := w>>30 == 2 && w>>26&1 == 0
	off := int64(int32(w<<10)>>25) << pairScale(w)
	at := base.Plus(off)
	mode, load := w>>23&3, w>>22&1 != 0
	if mode == 1 { // post-index
		at = base
	}
	if mode&1 != 0 {
		o.writeback(w, base.Plus(off))
	}
	return !words || o.transfer(int(w&31), at, onStack, load) && o.transfer(int(w>>10&31), at.Plus(8), onStack, load)
}

// one is ldr and str with writeback.
func (o way) one(w uint32, base isa.Place, onStack bool) bool {
	off := int64(int32(w<<11) >> 23)
	at := base
	if w>>11&1 != 0 { // pre-index
		at = base.Plus(off)
	}
	o.writeback(w, base.Plus(off))
	return w>>30 != 3 || w>>26&1 != 0 || o.transfer(int(w&31), at, onStack, w>>22&3 == 1)
}

// writeback sets the base register of a load or store.
func (o way) writeback(w uint32, to isa.Place) {
	switch int(w >> 5 & 31) {
	case regSP:
		o.SP = to
	case regFP:
		o.FP = to
	}
}
